// SPDX-License-Identifier: Apache-2.0
// Which options a column family gets: the caller's, completed by what the database itself says.
#pragma once

#include <memory>
#include <string_view>

#include "core/engine/context.h"
#include "core/format/options_file.h"
#include "core/version/column_families.h"
#include "varve/options.h"

namespace varve {

// The caller's choice for a family of that name.
const ColumnFamilyOptions& OptionsOf(const Options& options, std::string_view family);

// The comparator comes from the MANIFEST. The merge operator, if the caller names none, comes from
// the newest OPTIONS file or else from the family's first table, the only one that is opened.
ColumnFamilyOptions ResolveFamilyOptions(const EngineContext& context, const FamilyState& family,
                                         const OptionsFile& stored);

// A Version without files.
std::shared_ptr<const Version> EmptyVersion(const Comparator& comparator, TableCache* tables,
                                            const ColumnFamilyOptions& options);

}  // namespace varve
