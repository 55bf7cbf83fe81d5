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

constexpr std::string_view kDefaultFamilyName = "default";

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
      state.id = log_->state().NextFamilyId();
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
    RETURN_IF_ERROR(log_->LogNewFamily(edit, state, [&] { AddFamily(state, options); }));
    SetWalLimit();
  }
  RETURN_IF_ERROR(WriteOptionsFile());
  return state.id;
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
  {
    const WritePath::Lead lead(*writes_);
    if (family->dropped()) return Status::InvalidArgument("the column family was dropped already");
    // What was copied out of the family before it goes must not be lost with it.
    RETURN_IF_ERROR(SyncWal());
    VersionEdit edit;
    edit.family = id;
    edit.drop_family = true;
    RETURN_IF_ERROR(log_->Log(
        [&edit] { return std::vector{edit}; },
        [&] { family->Drop(EmptyVersion(*family->comparator(), tables(), family->options())); }));
  }
  gc_.Collect();  // Only now has the last view of the family let go of its tables.
  {
    MutexLock lock(context_.mutex);
    background_->Reconsider();
  }
  return WriteOptionsFile();
}

std::vector<FamilyInfo> Engine::Families() const {
  std::vector<FamilyInfo> infos;
  for (const Family* family : context_.families.all()) {
    if (family->dropped()) continue;
    infos.push_back({family->id(), family->name(), family->comparator_name()});
  }
  return infos;
}

Status Engine::WriteOptionsFile() {
  std::vector<FamilyNames> families;
  bool needed = false;
  for (const Family* family : context_.families.all()) {
    if (family->dropped()) continue;
    const MergeOperator* merge_operator = family->options().merge_operator;
    families.push_back({family->name(), family->comparator_name(),
                        merge_operator == nullptr ? "" : std::string(merge_operator->name())});
    needed |= family->name() != kDefaultFamilyName ||
              family->comparator()->kind() != Comparator::Kind::kBytewise;
  }
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries,
                   context_.fs().List(context_.directory));
  const OptionsFile previous = ReadNewestOptions(context_, entries);
  // One that is there lists families by name, and ldb refuses the database if they differ.
  if (!needed && previous.sections.empty()) return Status::Ok();
  return ReplaceOptions(context_, entries, log_->NewFileNumber(), families, previous);
}

}  // namespace varve
