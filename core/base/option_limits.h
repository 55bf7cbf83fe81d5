// SPDX-License-Identifier: Apache-2.0
// Bounds of options that more than the option table must know.
#pragma once

namespace varve {

// Of ColumnFamilyOptions::num_levels.
inline constexpr int kNumLevelsMax = 64;

}  // namespace varve
