// SPDX-License-Identifier: Apache-2.0
// What writes may wait for, as DbStats::stall_cause names it.
#pragma once

#include <initializer_list>
#include <string_view>

namespace varve {

inline constexpr std::string_view kStalledByMemtables = "memtables";
inline constexpr std::string_view kStalledByLevel0Files = "level0 files";
inline constexpr std::string_view kStalledByPendingBytes = "pending bytes";
inline constexpr std::initializer_list<std::string_view> kStallCauses = {
    kStalledByMemtables, kStalledByLevel0Files, kStalledByPendingBytes};

}  // namespace varve
