// SPDX-License-Identifier: Apache-2.0
// Limits of options that are used outside the option table.
#pragma once

namespace varve {

// Of ColumnFamilyOptions::num_levels.
inline constexpr int kNumLevelsMax = 64;

}  // namespace varve
