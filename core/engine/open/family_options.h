// SPDX-License-Identifier: Apache-2.0
// Determines the options of a column family: the caller's, completed by the stored ones.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/table/cache/table_cache.h"
#include "core/version/column_families.h"
#include "varve/options.h"

namespace varve {

class OptionsStore;

// The caller's options for a family of that name.
const ColumnFamilyOptions& OptionsOf(const Options& options, std::string_view family);

// `completed`: the caller's options, completed by the stored ones. The comparator comes from the
// MANIFEST. If neither the caller nor the OPTIONS file names a merge operator, it comes from the
// family's first table, the only one that is opened.
ColumnFamilyOptions ResolveFamilyOptions(const ColumnFamilyOptions& completed,
                                         const FamilyState& family, const OptionsStore& stored);

// Gives those paths one name that are one directory, which may be `directory`, the database's.
void UnifyNames(const std::string& directory, std::vector<DbPath>* paths);
// Empty cf_paths become db_paths, whose names are unified, as those of the others are then. With
// several, level_compaction_dynamic_level_bytes is off, as in RocksDB.
void CompletePaths(const Options& options, const std::string& directory,
                   ColumnFamilyOptions* family);
// The directories of all completed families, each once.
std::vector<std::string> AllPaths(const Options& options);

// A Version without files.
std::shared_ptr<const Version> EmptyVersion(const Comparator& comparator, TableCache* tables,
                                            const ColumnFamilyOptions& options);

}  // namespace varve
