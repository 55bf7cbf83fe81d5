// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/report_page.h"

#include "cli/commands/bench/report.h"

namespace varve::cli::bench {

std::string ResultPage(const api::Json& result) {
  constexpr std::string_view kPlace = "@RESULT@";
  // Within <script>, "<" could end the element; as an escape it is the same JSON.
  std::string json;
  for (const char c : api::Dump(result)) {
    if (c == '<') {
      json += "\\u003c";
    } else {
      json += c;
    }
  }
  std::string page(kReportPage);
  return page.replace(page.find(kPlace), kPlace.size(), json);
}

}  // namespace varve::cli::bench
