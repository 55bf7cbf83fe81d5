// SPDX-License-Identifier: Apache-2.0
// CRC-32C (Castagnoli), as stored in WALs, MANIFESTs and tables. The two forms are types, so one
// cannot be compared with the other by accident.
#pragma once

#include <cstdint>
#include <string_view>

namespace varve {

struct Crc32c {
  uint32_t value = 0;
  bool operator==(const Crc32c&) const = default;
};

// Rotated and offset, so that a CRC of data with embedded CRCs stays useful. The stored form.
struct MaskedCrc {
  uint32_t value = 0;
  bool operator==(const MaskedCrc&) const = default;
};

Crc32c ComputeCrc32c(std::string_view bytes);
Crc32c ExtendCrc32c(Crc32c crc, std::string_view bytes);  // Of (what crc covers) + bytes.
MaskedCrc Mask(Crc32c crc);
Crc32c Unmask(MaskedCrc crc);

}  // namespace varve
