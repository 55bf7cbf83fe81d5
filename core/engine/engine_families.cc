// SPDX-License-Identifier: Apache-2.0
// Creating, dropping and listing column families, and the OPTIONS file that depends on them.
#include <algorithm>
#include <utility>

#include "core/base/try.h"
#include "core/engine/engine.h"
#include "core/engine/family_options.h"
#include "core/engine/options_store.h"
#include "varve/option_table.h"

namespace varve {
namespace {

FamilyNames NamesOf(const std::string& family, const std::string& comparator,
                    const ColumnFamilyOptions& options) {
  const MergeOperator* const merge_operator = options.merge_operator;
  return {family, comparator,
          merge_operator == nullptr ? "" : std::string(merge_operator->name()),
          options.num_levels};
}

}  // namespace

Status Engine::CheckNewFamily(const std::string& name) const {
  if (name.empty()) return Status::InvalidArgument("a column family needs a name");
  for (const Family* family : context_.families.all()) {
    if (!family->dropped() && family->name() == name) {
      return Status::InvalidArgument("column family " + name + " exists already");
    }
  }
  return Status::Ok();
}

Result<ColumnFamilyId> Engine::CreateColumnFamily(const std::string& name,
                                                  const ColumnFamilyOptions& options) {
  RETURN_IF_ERROR(CheckWritable());
  Options checked = context_.options;
  checked.family = options;
  RETURN_IF_ERROR(ValidateOptions(checked));
  FamilyState state;
  {
    // Whoever leads the write queue is the only one who changes the set of families.
    const WritePath::Lead lead(*writes_);
    VersionEdit edit;
    {
      MutexLock lock(context_.mutex);
      RETURN_IF_ERROR(CheckNewFamily(name));
      const std::optional<ColumnFamilyId> id = log_->state().NextFamilyId();
      if (!id) return Status::NotSupported("the ids of column families are used up");
      state.id = *id;
      state.log_number = wals_.present_number();
    }
    state.name = name;
    state.comparator = options.comparator == nullptr ? BytewiseComparator() : options.comparator;
    state.comparator_name = std::string(state.comparator->name());
    state.version = EmptyVersion(*state.comparator, tables(), options);
    edit.family = state.id;
    edit.add_family = name;
    edit.comparator = state.comparator_name;
    edit.log_number = state.log_number;
    edit.max_family = state.id;
    RETURN_IF_ERROR(SyncWal());
    RETURN_IF_ERROR(LogNewFamily(edit, state, options));
    SetWalLimit();
  }
  return state.id;
}

Status Engine::LogNewFamily(const VersionEdit& edit, const FamilyState& state,
                            const ColumnFamilyOptions& options) {
  MutexLock storing(stored_.mutex);
  std::vector<FamilyNames> families = FamiliesForOptions();
  families.push_back(NamesOf(state.name, state.comparator_name, options));
  OptionsFile file = stored_.FileOf(families, state.name);
  StoreFamilyOptions(options, state.name, &file);
  const FileNumber number = log_->NewFileNumber();
  // All that may fail, for want of space or so, comes before the family exists.
  RETURN_IF_ERROR(stored_.Prepare(file, number));
  RETURN_IF_ERROR(log_->LogNewFamily(edit, state, [&] { AddFamily(state, options); }));
  stored_.Commit(std::move(file), number);
  return Status::Ok();
}

void Engine::AddFamily(const FamilyState& state, const ColumnFamilyOptions& options) {
  ColumnFamilyOptions resolved = options;
  resolved.comparator = state.comparator;
  auto family = std::make_unique<Family>(state.id, state.name, resolved, state.comparator_name,
                                         context_.blobs, context_.readahead());
  family->Begin(family->NewMemTable(), state.log_number);
  family->Publish(state.version);
  context_.families.Add(std::move(family));
}

Status Engine::CreateMissingFamilies() {
  for (const auto& [name, options] : context_.options.families) {
    {
      MutexLock lock(context_.mutex);
      if (!CheckNewFamily(name).ok()) continue;
    }
    RETURN_IF_ERROR(CreateColumnFamily(name, options).status());
  }
  return Status::Ok();
}

Result<Family*> Engine::FamilyToChange(ColumnFamilyId id) const {
  RETURN_IF_ERROR(CheckWritable());
  return FamilyToRead(id);
}

Status Engine::DropColumnFamily(ColumnFamilyId id) {
  if (id == kDefaultColumnFamilyId) {
    return Status::InvalidArgument("the default column family cannot be dropped");
  }
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  Status stored;
  {
    const WritePath::Lead lead(*writes_);
    if (family->dropped()) return Status::InvalidArgument("the column family was dropped already");
    // What was copied out of the family before it goes must not be lost with it.
    RETURN_IF_ERROR(SyncWal());
    MutexLock storing(stored_.mutex);
    stored = StoreFamilies(/*without=*/family);
    VersionEdit edit;
    edit.family = id;
    edit.drop_family = true;
    RETURN_IF_ERROR(log_->Log(
        [&edit] { return std::vector{edit}; },
        [&] { family->Drop(EmptyVersion(*family->comparator(), tables(), family->options())); }));
    SetWalLimit();
    writes_->ReleaseWals().Ignore("the family is gone; if writes are closed, the next one is told");
  }
  gc_.Collect();  // Only now has the last view of the family let go of its tables.
  {
    MutexLock lock(context_.mutex);
    background_->Reconsider();
  }
  if (stored.ok()) return stored;
  // A full disk is no reason to keep the family: dropping it makes room. Perhaps there is some now;
  // if not, a file that still lists the family is replaced at the next change or opening.
  MutexLock storing(stored_.mutex);
  StoreFamilies().Ignore("RocksDB's tools alone would mind");
  return Status::Ok();
}

std::vector<FamilyInfo> Engine::Families() const {
  std::vector<FamilyInfo> infos;
  for (const Family* family : context_.families.all()) {
    if (family->dropped()) continue;
    infos.push_back({family->id(), family->name(), family->comparator_name()});
  }
  return infos;
}

std::vector<FamilyNames> Engine::FamiliesForOptions(const Family* without) const {
  std::vector<FamilyNames> families;
  for (const Family* family : context_.families.all()) {
    if (family->dropped() || family == without) continue;
    families.push_back(NamesOf(family->name(), family->comparator_name(), family->options()));
  }
  return families;
}

Status Engine::StoreFamilies(const Family* without) {
  const std::vector<FamilyNames> families = FamiliesForOptions(without);
  if (stored_.empty()) {
    // Nobody has said how the database is to go on. RocksDB's tools can do without a file where
    // everything is as they expect it; one that cannot be read is left for its owner to look at.
    const FamilyNames& first = families.front();
    const bool usual = families.size() == 1 && first.num_levels == ColumnFamilyOptions().num_levels &&
                       first.comparator == BytewiseComparator()->name();
    if (usual || stored_.unreadable()) return Status::Ok();
  }
  return stored_.Write(stored_.FileOf(families), log_->NewFileNumber());
}

}  // namespace varve
