// SPDX-License-Identifier: Apache-2.0
// The form in which RocksDB shows the unique id of a table to users.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace varve::cli::ldb {

// "86CBC987C331EFA3-F4039BEB889E3118", of the two numbers that the MANIFEST has.
std::string PublicUniqueId(const std::array<uint64_t, 2>& id);
// The same of the 32 hexadecimal digits that reports have; "N/A" of none.
std::string PublicUniqueId(std::string_view digits);

}  // namespace varve::cli::ldb
