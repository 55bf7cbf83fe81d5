// SPDX-License-Identifier: Apache-2.0
// Keys in reports of damage. A key may be as large as its block, and a report names thousands: what
// is kept of one is bounded, and a range of keys that is reported still encloses the real one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace varve {

inline constexpr size_t kReportedKeySizeMax = 256;

// `user_key`, or a prefix of it: in the order of bytes, not after the key.
std::string ReportedFrom(std::string_view user_key);
// `user_key`, or something shorter that is in the order of bytes not before it; nullopt if nothing
// short is.
std::optional<std::string> ReportedTo(std::string_view user_key);

}  // namespace varve
