// SPDX-License-Identifier: Apache-2.0
// Column families without a MANIFEST: those named by tables, and the default one.
#pragma once

#include <string>

#include "core/version/column_families.h"
#include "varve/comparator.h"

namespace varve {

inline constexpr int kUsualLevels = 7;  // Without OPTIONS.

// A family without tables.
FamilyState EmptyFamily(ColumnFamilyId id, const std::string& name, const Comparator& order);

}  // namespace varve
