// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/http_headers.h"

#include <algorithm>
#include <array>

#include "core/base/text/quantity.h"

namespace varve {
namespace {

constexpr size_t kValidatorBytesMax = 1 << 10;  // A longer one is as good as none.

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

bool IsHeader(std::string_view name, std::string_view lower) {
  return std::equal(name.begin(), name.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

std::optional<ContentRange> ParseContentRange(std::string_view value) {
  constexpr std::string_view kUnit = "bytes ";
  if (!value.starts_with(kUnit)) return std::nullopt;
  value = Trimmed(value.substr(kUnit.size()));
  const size_t slash = value.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  ContentRange range;
  if (const std::string_view total = value.substr(slash + 1); total != "*") {
    range.total = ParseDecimal(total);
    if (!range.total) return std::nullopt;
  }
  const std::string_view part = value.substr(0, slash);
  if (part == "*") return range;
  const size_t dash = part.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  range.first = ParseDecimal(part.substr(0, dash));
  range.last = ParseDecimal(part.substr(dash + 1));
  if (!range.first || !range.last || *range.first > *range.last) return std::nullopt;
  if (range.total && *range.last >= *range.total) return std::nullopt;
  return range;
}

void HttpHeaders::Take(std::string_view line) {
  bytes += line.size();
  if (line.starts_with("HTTP/")) {
    const size_t received = bytes;
    *this = HttpHeaders();
    bytes = received;
    const size_t space = line.find(' ');
    const std::string_view digits =
        space == std::string_view::npos ? std::string_view() : line.substr(space + 1, 3);
    code = static_cast<long>(ParseDecimal(digits).value_or(0));
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = Trimmed(line.substr(colon + 1));
  if (IsHeader(name, "content-length")) content_length = ParseDecimal(value);
  const std::array<std::pair<std::string_view, std::string*>, 4> kept = {
      {{"etag", &etag},
       {"last-modified", &last_modified},
       {"content-encoding", &content_encoding},
       {"content-range", &content_range}}};
  for (const auto& [wanted, place] : kept) {
    if (IsHeader(name, wanted) && value.size() <= kValidatorBytesMax) *place = value;
  }
}

}  // namespace varve
