// SPDX-License-Identifier: Apache-2.0
// Numbers with a unit as people write them. Sizes in bytes, as in GNU's tools:
//
//   64K  64M  64G  64T     64KiB  64MiB …     powers of 1024
//   64KB 64MB 64GB 64TB                       powers of 1000
//   64   64B                                  bytes
//
// and counts, with decimal units: 10K is 10,000 and 1M is 1,000,000. Letters may be of either case.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace varve {

// Nullopt from all three: malformed, or beyond 64 bits.

// Decimal digits only: no sign, no space, no unit.
std::optional<uint64_t> ParseDecimal(std::string_view text);
std::optional<uint64_t> ParseByteSize(std::string_view text);
std::optional<uint64_t> ParseCount(std::string_view text);

}  // namespace varve
