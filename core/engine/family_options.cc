// SPDX-License-Identifier: Apache-2.0
#include "core/engine/family_options.h"

#include <utility>
#include <vector>

#include "core/engine/options_store.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

const MergeOperator* OperatorOfTables(const Version& version) {
  for (int level = 0; level < version.num_levels(); ++level) {
    if (version.files(level).empty()) continue;
    const auto table = version.Open(*version.files(level).front());
    // A table that cannot be read says nothing now and fails whoever reads it later.
    if (!table.ok()) return nullptr;
    return MergeOperatorByName((*table)->properties().merge_operator);
  }
  return nullptr;
}

}  // namespace

const ColumnFamilyOptions& OptionsOf(const Options& options, std::string_view family) {
  const auto own = options.families.find(family);
  return own == options.families.end() ? options.family : own->second;
}

ColumnFamilyOptions ResolveFamilyOptions(const ColumnFamilyOptions& completed,
                                         const FamilyState& family, const OptionsStore& stored) {
  ColumnFamilyOptions resolved = completed;
  resolved.comparator = family.comparator;
  // A name that the OPTIONS file has and we do not know is not to be guessed from the tables, which
  // leave out an operator's parameters.
  if (resolved.merge_operator == nullptr && family.comparator != nullptr &&
      !stored.NamesMergeOperator(family.name)) {
    resolved.merge_operator = OperatorOfTables(*family.version);
  }
  return resolved;
}

std::shared_ptr<const Version> EmptyVersion(const Comparator& comparator, TableCache* tables,
                                            const ColumnFamilyOptions& options) {
  return std::make_shared<const Version>(
      comparator, tables,
      std::vector<std::vector<FilePtr>>(static_cast<size_t>(options.num_levels)),
      std::vector<BlobFileMetadata>(), options.file_search);
}

}  // namespace varve
