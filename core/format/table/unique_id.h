// SPDX-License-Identifier: Apache-2.0
// The unique id of a table (db-format 5.4): derived from three of its own properties, so that it is
// the same after the file was copied, and stored in the MANIFEST, so that a swapped file is
// detected.
//
//   session id = 20 base-36 digits: 8 of (upper << 2 | lower >> 62), 12 of the low 62 bits of lower
//   unique id  = { lower, high half of XXH3_128(db id, seed = upper) XOR file number }
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "varve/types.h"

namespace varve {

// `original_file_number`: the table's property, not its current name. The result has the form of
// FileDescription::unique_id.
std::array<uint64_t, 2> TableUniqueId(std::string_view db_id, std::string_view session_id,
                                      FileNumber original_file_number);

// Makes a session id from random numbers; `lower` must not be 0. Uses all of `lower` and the low 39
// bits of `upper`: more does not fit into 20 digits.
std::string MakeSessionId(uint64_t upper, uint64_t lower);

}  // namespace varve
