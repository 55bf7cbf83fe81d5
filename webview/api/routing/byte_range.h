// SPDX-License-Identifier: Apache-2.0
// The Range header of RFC 9110, limited to one byte range.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "webview/api/routing/answer.h"

namespace varve::api {

struct ByteRange {
  uint64_t offset = 0;
  uint64_t size = 0;
};

// "bytes=0-99", "bytes=100-", "bytes=-16" of `size` bytes. Nullopt: not a supported range (another
// unit or form), so the whole is returned. range_not_satisfiable if it begins behind the end.
Answer<std::optional<ByteRange>> ParseRange(std::string_view header, uint64_t size);

// range_not_satisfiable: `name` ("000012.sst", "the block") has only `size` bytes.
Problem NoByteAt(uint64_t offset, std::string_view name, uint64_t size);

}  // namespace varve::api
