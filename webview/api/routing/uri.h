// SPDX-License-Identifier: Apache-2.0
// The text of a request's target taken apart: path segments and query, percent-decoded once.
//
//   /api/v1/targets/t1/cfs/a%2Fb/get?key=esc:a%5Cx00
//   path {"api","v1","targets","t1","cfs","a/b","get"}   query {{"key","esc:a\\x00"}}
//
// A '+' is a plus (keys are bytes, not form fields). Segments are never file names: nothing here or
// above it makes a path of one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webview/api/routing/answer.h"

namespace varve::api {

struct Uri {
  std::vector<std::string> path;
  std::vector<std::pair<std::string, std::string>> query;
};

inline constexpr size_t kTargetBytesMax = 1 << 20;

// bad_request for what is no origin-form target: no leading '/', a fragment, raw control bytes or
// spaces, a bad percent escape, an empty segment, "." or "..".
Answer<Uri> ParseTarget(std::string_view target);

// Everything but unreserved characters escaped: fit for a segment and for a query value.
std::string PercentEncode(std::string_view bytes);

}  // namespace varve::api
