// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/finding_json.h"

namespace varve::api {
namespace {

std::string_view SeverityName(Finding::Severity severity) {
  switch (severity) {
    case Finding::Severity::kWarning:
      return "warning";
    case Finding::Severity::kNotChecked:
      return "not_checked";
    case Finding::Severity::kUnreadable:
      return "unreadable";
    case Finding::Severity::kError:
      break;
  }
  return "error";
}

}  // namespace

const Fields<LostRange>& LostRangeFields() {
  static const auto fields = Fields<LostRange>("LostRange")
                                 .WholeBytes(
                                     "from", [](const LostRange& range) { return range.from; },
                                     "no smaller key is lost; none: any may be")
                                 .WholeBytes(
                                     "to", [](const LostRange& range) { return range.to; },
                                     "no larger key is lost; none: any may be");
  return fields;
}

const Fields<Finding>& FindingFields() {
  static const auto fields =
      Fields<Finding>("Finding", FindingRef())
          .Choice(
              "severity", {"error", "not_checked", "unreadable", "warning"},
              [](const Finding& finding) { return SeverityName(finding.severity); },
              "warning: nothing is lost; unreadable, not_checked: nothing can be said")
          .Text("layer", &Finding::layer, "directory, manifest, level, table, block, wal, ...")
          .Text("file", &Finding::file, "name within the directory; empty: none")
          .Text("what", &Finding::what, "what is wrong")
          .Number("offset", Unit::kOffset, &Finding::offset, "where in the file")
          .Object("lost_range", LostRangeOf<Finding>, LostRangeFields(),
                  "user keys that it may cost; long ones are cut so that they enclose the range");
  return fields;
}

}  // namespace varve::api
