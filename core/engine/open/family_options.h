// SPDX-License-Identifier: Apache-2.0
// Which options a column family gets: the caller's, completed by what the database itself says.
#pragma once

#include <memory>
#include <string_view>

#include "core/table/cache/table_cache.h"
#include "core/version/column_families.h"
#include "varve/options.h"

namespace varve {

class OptionsStore;

// The caller's choice for a family of that name.
const ColumnFamilyOptions& OptionsOf(const Options& options, std::string_view family);

// `completed`: the caller's, completed by what the database keeps. The comparator comes from the
// MANIFEST. The merge operator, where neither the caller nor the OPTIONS file names one, comes from
// the family's first table, the only one that is opened.
ColumnFamilyOptions ResolveFamilyOptions(const ColumnFamilyOptions& completed,
                                         const FamilyState& family, const OptionsStore& stored);

// A Version without files.
std::shared_ptr<const Version> EmptyVersion(const Comparator& comparator, TableCache* tables,
                                            const ColumnFamilyOptions& options);

}  // namespace varve
