// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/byte_range.h"

#include <algorithm>

#include "core/base/text/quantity.h"

namespace varve::api {

Answer<std::optional<ByteRange>> ParseRange(std::string_view header, uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  const std::optional<ByteRange> whole;
  if (!header.starts_with(kUnit)) return whole;
  header.remove_prefix(kUnit.size());
  const size_t dash = header.find('-');
  if (dash == std::string_view::npos || header.find(',') != std::string_view::npos) return whole;
  const std::string_view first = header.substr(0, dash), last = header.substr(dash + 1);
  const std::optional<uint64_t> from = ParseDecimal(first), to = ParseDecimal(last);
  if ((!first.empty() && !from) || (!last.empty() && !to) || (first.empty() && last.empty())) {
    return whole;
  }
  const Problem behind("range_not_satisfiable",
                       "there are " + std::to_string(size) + " bytes in all");
  if (!from) {  // A suffix: the last bytes.
    if (*to == 0 || size == 0) return behind;
    const uint64_t count = std::min(*to, size);
    return std::optional<ByteRange>({size - count, count});
  }
  if (*from >= size) return behind;
  if (to && *to < *from) return whole;
  const uint64_t end = to ? std::min(*to, size - 1) : size - 1;
  return std::optional<ByteRange>({*from, end - *from + 1});
}

Problem NoByteAt(uint64_t offset, std::string_view name, uint64_t size) {
  return Problem("range_not_satisfiable", "there is no byte at " + std::to_string(offset) + ": " +
                                              std::string(name) + " has " + std::to_string(size) +
                                              " bytes");
}

}  // namespace varve::api
