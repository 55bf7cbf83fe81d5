// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli), as stored in WALs, MANIFESTs and tables. Masked and unmasked values have
// different types, so they cannot be compared by mistake.
#pragma once

#include <cstdint>
#include <string_view>

namespace varve {

struct Crc32c {
  uint32_t value = 0;
  bool operator==(const Crc32c&) const = default;
};

// The stored form: rotated and offset, because CRCs of data with embedded CRCs are weak.
struct MaskedCrc {
  uint32_t value = 0;
  bool operator==(const MaskedCrc&) const = default;
};

Crc32c ComputeCrc32c(std::string_view bytes);
Crc32c ExtendCrc32c(Crc32c crc, std::string_view bytes);  // Extends the covered bytes by `bytes`.
MaskedCrc Mask(Crc32c crc);

}  // namespace varve
