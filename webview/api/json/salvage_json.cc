// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/salvage_json.h"

#include "webview/api/json/finding_json.h"

namespace varve::api {

const Fields<SalvageLoss>& SalvageLossFields() {
  static const auto fields =
      Fields<SalvageLoss>("SalvageLoss")
          .Number("offset", Unit::kOffset, &SalvageLoss::offset, "where in the table")
          .Number("size", Unit::kBytes, &SalvageLoss::bytes,
                  "from which nothing, or nothing certain, was taken")
          .Text("what", &SalvageLoss::what, "what is wrong there")
          .Flag("data", &SalvageLoss::data, "entries; else an index, a filter, properties")
          .Number("entries", Unit::kCount, &SalvageLoss::entries,
                  "lost; estimated unless the document is exact")
          .Number("unverified", Unit::kCount, &SalvageLoss::unverified,
                  "entries that could be read in spite of the damage")
          .Object("lost_range", LostRangeOf<SalvageLoss>, LostRangeFields(),
                  "user keys that it may cost");
  return fields;
}

const Fields<SalvageReport>& SalvageFields() {
  static const auto fields =
      Fields<SalvageReport>()
          .Text("file", &SalvageReport::file, "the table")
          .Number("size", Unit::kBytes, &SalvageReport::size, "of the table")
          .Name("comparator", &SalvageReport::comparator, "name of the order of its keys")
          .Flag("comparator_assumed", &SalvageReport::comparator_assumed,
                "no properties that name it could be read")
          .Flag("by_index", &SalvageReport::by_index, "blocks were found as readers find them")
          .Flag("by_scan", &SalvageReport::by_scan,
                "the file, or parts of it, were searched for blocks that verify")
          .Flag("complete", &SalvageReport::complete,
                "every entry was recovered; the lost parts can be rebuilt")
          .Number("blocks", Unit::kCount, &SalvageReport::blocks, "of data, that verified")
          .Number("entries", Unit::kCount, &SalvageReport::entries, "taken")
          .Number("range_deletions", Unit::kCount, &SalvageReport::range_deletions, "taken")
          .Number("unverified_taken", Unit::kCount, &SalvageReport::unverified_taken,
                  "entries of blocks that do not verify, taken because that was asked for")
          .Number("entries_lost", Unit::kCount, &SalvageReport::entries_lost,
                  "estimated unless the document is exact")
          .List("losses", &SalvageReport::losses, SalvageLossFields(),
                "parts of the file that are lost");
  return fields;
}

Json SalvageJson(const SalvageReport& report) {
  Json json = {{"exact", report.entries_expected.has_value()}};
  SalvageFields().AddTo(&json, report);
  return json;
}

}  // namespace varve::api
