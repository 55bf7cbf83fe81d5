// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/family_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/engine/open/options_store.h"
#include "core/version/merging.h"

namespace varve {

const ColumnFamilyOptions& OptionsOf(const Options& options, std::string_view family) {
  const auto own = options.families.find(family);
  return own == options.families.end() ? options.family : own->second;
}

ColumnFamilyOptions ResolveFamilyOptions(const ColumnFamilyOptions& completed,
                                         const FamilyState& family, const OptionsStore& stored) {
  ColumnFamilyOptions resolved = completed;
  resolved.comparator = family.comparator;
  if (resolved.merge_operator == nullptr && family.comparator != nullptr &&
      NamedMergeOperator(stored.KeptOf(family.name)) == nullptr) {
    resolved.merge_operator = MergeOperatorOfTables(*family.version);
  }
  return resolved;
}

namespace {

// What all names of a directory have in common. Of a file system that is not the system's, the
// name without "." and the like.
std::string Canonical(const std::string& directory) {
  std::error_code error;
  auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(directory, error), error);
  if (error) return directory;
  if (!path.has_filename()) path = path.parent_path();
  return path.string();
}

}  // namespace

void UnifyNames(const std::string& directory, std::vector<DbPath>* paths) {
  if (paths->empty()) return;
  std::vector<std::pair<std::string, std::string>> known = {{Canonical(directory), directory}};
  for (DbPath& path : *paths) {
    std::string canonical = Canonical(path.path);
    const auto same = std::ranges::find(known, canonical, [](auto& one) { return one.first; });
    if (same != known.end()) {
      path.path = same->second;
      continue;
    }
    while (path.path.size() > 1 && path.path.ends_with('/')) path.path.pop_back();
    known.emplace_back(std::move(canonical), path.path);
  }
}

void CompletePaths(const Options& options, const std::string& directory,
                   ColumnFamilyOptions* family) {
  if (family->cf_paths.empty()) {
    family->cf_paths = options.db_paths;
  } else {
    UnifyNames(directory, &family->cf_paths);
  }
  if (family->cf_paths.size() > 1) family->level_compaction_dynamic_level_bytes = false;
}

std::vector<std::string> AllPaths(const Options& options) {
  std::vector<std::string> all;
  const auto add = [&all](const ColumnFamilyOptions& family) {
    for (const DbPath& path : family.cf_paths) {
      if (std::find(all.begin(), all.end(), path.path) == all.end()) all.push_back(path.path);
    }
  };
  add(options.family);
  for (const auto& [name, family] : options.families) add(family);
  return all;
}

std::shared_ptr<const Version> EmptyVersion(const Comparator& comparator, TableCache* tables,
                                            const ColumnFamilyOptions& options) {
  return std::make_shared<const Version>(
      comparator, tables,
      std::vector<std::vector<FilePtr>>(static_cast<size_t>(options.num_levels)),
      std::vector<BlobFileMetadata>());
}

}  // namespace varve
