// SPDX-License-Identifier: Apache-2.0
// Keys in reports of damage. A key may be as large as its block, and a report names thousands: each
// is truncated, such that a reported key range still encloses the real one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace varve {

inline constexpr size_t kReportedKeySizeMax = 256;

// `user_key` or a prefix of it, which bytewise is not after the key.
std::string ReportedFrom(std::string_view user_key);
// `user_key`, or a shorter string that bytewise is not before it; nullopt if there is no short one.
std::optional<std::string> ReportedTo(std::string_view user_key);

}  // namespace varve
