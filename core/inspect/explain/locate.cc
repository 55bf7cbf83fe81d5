// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/locate.h"

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/explain/key_reader.h"

namespace varve {
namespace {

void Judge(LocatedFile* file) {
  const TableLook& look = file->look;
  const bool denied = look.filter_checked && !look.filter.may_match;
  if (!look.problem.ok()) {
    file->verdict = "unreadable";
    file->reason = std::string(look.problem.message());
  } else if (!look.versions.empty()) {
    file->verdict = denied ? "filter_wrong" : "holds";
    const KeyVersion& newest = look.versions.front();
    file->reason = std::to_string(look.versions.size()) + " version" +
                   (look.versions.size() == 1 ? "" : "s") + ", newest " + newest.type + " @" +
                   std::to_string(newest.sequence);
    if (denied) file->reason += "; the filter denies it, so a Get does not find it";
  } else if (look.covered_by != 0) {
    file->verdict = "range_deleted";
    file->reason = "a range deletion @" + std::to_string(look.covered_by) + " covers it";
  } else if (denied) {
    file->verdict = "filter_negative";
    file->reason = look.filter.first_zero
                       ? "bit " + std::to_string(*look.filter.first_zero) + " of the filter is 0"
                       : "the filter says no";
  } else {
    file->verdict = "not_here";
    file->reason = look.filter_checked ? "the filter lets it pass, the data block has it not"
                                       : "the data block has it not";
  }
}

}  // namespace

Status LocateReport::problem() const {
  for (const LocatedFile& file : files) RETURN_IF_ERROR(file.look.problem);
  return refused;
}

Result<LocateReport> LocateKey(FileSystem& fs, const std::string& path,
                               const KeyQuestion& question) {
  ASSIGN_OR_RETURN(const auto reader, KeyReader::Open(fs, path, question));
  LocateReport report{.family = question.family, .key = question.key, .at = reader->at()};
  const Sequence at = report.at;
  report.logged = reader->Logged(question.key, at, &report.log_covered_by);
  report.refused = reader->CheckTables();
  const Version& version = reader->version();
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      LocatedFile located{.number = file->number(), .level = level};
      if (reader->InRange(*file, question.key)) {
        located.look =
            reader->Look(*file, question.key, at, LookDepth::kAllVersions, question.clock);
        Judge(&located);
      } else {
        located.verdict = "out_of_range";
        located.reason = EscapeForDisplay(file->smallest.user_key) + " to " +
                         EscapeForDisplay(file->largest.user_key);
      }
      report.files.push_back(std::move(located));
    }
  }
  return report;
}

}  // namespace varve
