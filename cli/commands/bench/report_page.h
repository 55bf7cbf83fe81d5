// SPDX-License-Identifier: Apache-2.0
// report.html, which CMake makes into a string (report_page_text.cc.in).
#pragma once

#include <string_view>

namespace varve::cli::bench {

extern const std::string_view kReportPage;  // "@RESULT@" stands where the JSON goes.

}  // namespace varve::cli::bench
