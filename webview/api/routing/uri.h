// SPDX-License-Identifier: Apache-2.0
// Parses a request's target: path segments and query, percent-decoded once.
//
//   /api/v1/targets/t1/cfs/a%2Fb/get?key=esc:a%5Cx00
//   path {"api","v1","targets","t1","cfs","a/b","get"}   query {{"key","esc:a\\x00"}}
//
// A '+' is a plus (keys are bytes, not form fields). Segments are never used as file names.
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

// bad_request if it is not an origin-form target: no leading '/', a fragment, raw control bytes or
// spaces, an invalid percent escape, an empty segment, "." or "..".
Answer<Uri> ParseTarget(std::string_view target);

// Escapes everything except unreserved characters: usable in a segment and in a query value.
std::string PercentEncode(std::string_view bytes);

}  // namespace varve::api
