// SPDX-License-Identifier: Apache-2.0
// Creating, dropping and listing column families, and the OPTIONS file that depends on them.
#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/compaction/table_path.h"
#include "core/engine/engine.h"
#include "core/engine/open/family_options.h"
#include "core/engine/open/options_store.h"
#include "core/version/merging.h"
#include "core/version/version_builder.h"
#include "varve/option_table.h"

namespace varve {
Status Engine::CheckNewFamilies(std::span<const NewFamily> families) const {
  std::unordered_set<std::string_view> taken;
  for (const Family* family : context_.families.all()) {
    if (!family->dropped()) taken.insert(family->name());
  }
  for (const NewFamily& family : families) {
    if (family.name.empty()) return Status::InvalidArgument("a column family needs a name");
    if (taken.insert(family.name).second) continue;
    return Status::InvalidArgument("column family " + EscapeForDisplay(family.name) +
                                   " exists already");
  }
  return Status::Ok();
}

Result<std::vector<FamilyState>> Engine::StatesOf(std::span<const NewFamily> families) const {
  MutexLock lock(context_.mutex());
  RETURN_IF_ERROR(CheckNewFamilies(families));
  const std::optional<ColumnFamilyId> first = log_->state().NextFamilyId();
  if (!first || families.size() > kFamilyIdMax - *first + 1) {
    return Status::NotSupported("the ids of column families are used up");
  }
  std::vector<FamilyState> states;
  for (const auto& [name, options] : families) {
    FamilyState& state = states.emplace_back();
    state.id = *first + static_cast<ColumnFamilyId>(states.size() - 1);
    CHECK(context_.families.Find(state.id) == nullptr,
          "an id is not used again, not even that of a dropped family");
    state.log_number = wals_.present_number();
    state.name = name;
    state.comparator = options.comparator == nullptr ? BytewiseComparator() : options.comparator;
    state.comparator_name = std::string(state.comparator->name());
    state.version = EmptyVersion(*state.comparator, context_.tables.get(), options);
  }
  return states;
}

Result<std::vector<ColumnFamilyId>> Engine::CreateColumnFamilies(
    std::span<const NewFamily> families) {
  if (families.empty()) return std::vector<ColumnFamilyId>();
  RETURN_IF_ERROR(CheckToCreate(families));
  std::vector<ColumnFamilyId> ids;
  const WritePath::Lead lead(*writes_);
  ASSIGN_OR_RETURN(const std::vector<FamilyState> states, StatesOf(families));
  RETURN_IF_ERROR(SyncWal());
  RETURN_IF_ERROR(LogNewFamilies(states, families));
  SetWalLimit();
  for (const FamilyState& state : states) ids.push_back(state.id);
  return ids;
}

Status Engine::CheckToCreate(std::span<const NewFamily> families) const {
  RETURN_IF_ERROR(CheckWritable());
  Options checked = context_.options;
  checked.families.clear();
  for (const NewFamily& family : families) {
    checked.family = family.options;
    RETURN_IF_ERROR(ValidateOptions(checked));
    RETURN_IF_ERROR(CheckPathsAreKnown(family));
  }
  MutexLock lock(context_.mutex());
  return CheckNewFamilies(families);
}

std::string Engine::DirectoryOf(const NewFamily& family) const {
  ColumnFamilyOptions resolved = family.options;
  CompletePaths(context_.options, context_.directory, &resolved);
  return DirectoryOfPath(resolved, 0, context_.directory);
}

namespace {

// From the last level up, and in level 0 by age: as RocksDB does for tables of another family.
void GiveEpochs(std::vector<VersionEdit::NewFile>* tables, FamilyState* state) {
  std::sort(tables->begin(), tables->end(), [](const auto& a, const auto& b) {
    const FileDescription &x = a.file, &y = b.file;
    return std::tuple(-a.level, x.largest_sequence, x.smallest_sequence, x.number) <
           std::tuple(-b.level, y.largest_sequence, y.smallest_sequence, y.number);
  });
  int level = tables->front().level;
  for (auto& [of, file] : *tables) {
    if (of == 0 || of != level) ++state->next_epoch;
    level = of;
    file.epoch = state->next_epoch;
  }
  ++state->next_epoch;
}

}  // namespace

Result<ColumnFamilyId> Engine::CreateFilledFamily(const NewFamily& family,
                                                  std::vector<VersionEdit::NewFile> tables) {
  CHECK(!tables.empty());
  RETURN_IF_ERROR(CheckToCreate({&family, 1}));
  Sequence newest = context_.visible.load(std::memory_order_acquire);
  for (const auto& table : tables) newest = std::max(newest, table.file.largest_sequence);
  const WritePath::Lead lead(*writes_);
  ASSIGN_OR_RETURN(std::vector<FamilyState> states, StatesOf({&family, 1}));
  FamilyState& state = states.front();
  GiveEpochs(&tables, &state);
  VersionEdit edit;
  edit.family = state.id;
  edit.new_files = std::move(tables);
  VersionBuilder builder(state.comparator, state.version.get(), state.version->num_levels());
  RETURN_IF_ERROR(builder.Apply(edit));
  ASSIGN_OR_RETURN(state.version, builder.Build(context_.tables.get(), newest));
  RETURN_IF_ERROR(SyncWal());
  RETURN_IF_ERROR(LogNewFamilies(states, {&family, 1}));
  SetWalLimit();
  MutexLock lock(context_.mutex());
  background_->Reconsider();
  return state.id;
}

// The file system looks for tables in no others.
Status Engine::CheckPathsAreKnown(const NewFamily& family) const {
  const std::vector<std::string> known = AllPaths(context_.options);
  for (const DbPath& path : family.options.cf_paths) {
    if (std::find(known.begin(), known.end(), path.path) != known.end()) continue;
    return Status::NotSupported("column family \"" + EscapeForDisplay(family.name) +
                                "\": " + path.path +
                                " is none of the paths that the database was opened with");
  }
  return Status::Ok();
}

Result<ColumnFamilyId> Engine::CreateColumnFamily(const std::string& name,
                                                  const ColumnFamilyOptions& options) {
  const NewFamily family{name, options};
  ASSIGN_OR_RETURN(const std::vector<ColumnFamilyId> ids, CreateColumnFamilies({&family, 1}));
  return ids.front();
}

Status Engine::LogNewFamilies(const std::vector<FamilyState>& states,
                              std::span<const NewFamily> families) {
  CHECK_OP(states.size(), ==, families.size());
  MutexLock storing(stored_.mutex());
  std::vector<FamilyNames> names = FamiliesForOptions();
  for (size_t i = 0; i < states.size(); ++i) {
    const ColumnFamilyOptions& options = families[i].options;
    names.push_back({states[i].name, states[i].comparator_name,
                     MergeOperatorName(options.merge_operator), options.num_levels, &options});
  }
  OptionsFile file = stored_.FileOf(names);
  const FileNumber number = log_->NewFileNumber();
  // Every step that may fail, e.g. for lack of space, comes before the families exist.
  RETURN_IF_ERROR(stored_.Prepare(file, number));
  RETURN_IF_ERROR(log_->LogNewFamilies(states, [&]() REQUIRES(write_lead, engine_mutex) {
    // What comes with a family may be newer than all that was written here.
    const Sequence visible = context_.visible.load(std::memory_order_acquire);
    PublishSequence(std::max(visible, log_->state().counters.last_sequence));
    for (size_t i = 0; i < states.size(); ++i) AddFamily(states[i], families[i].options);
  }));
  stored_.Commit(std::move(file), number);
  return Status::Ok();
}

void Engine::AddFamily(const FamilyState& state, const ColumnFamilyOptions& options) {
  ColumnFamilyOptions resolved = options;
  resolved.comparator = state.comparator;
  CompletePaths(context_.options, context_.directory, &resolved);
  auto family =
      std::make_unique<Family>(state.id, state.name, resolved, state.comparator_name,
                               context_.blobs, context_.readahead(), context_.memtable_grades());
  family->Begin(family->NewMemTable(), state.log_number);
  family->Publish(state.version);
  context_.families.Add(std::move(family));
}

Status Engine::CreateMissingFamilies() {
  std::unordered_set<std::string_view> there;
  for (const Family* family : context_.families.all()) there.insert(family->name());
  std::vector<NewFamily> missing;
  for (const auto& [name, options] : context_.options.families) {
    if (!there.contains(name)) missing.push_back({name, options});
  }
  return CreateColumnFamilies(missing).status();
}

std::optional<ColumnFamilyId> Engine::FindFamily(std::string_view name) const {
  for (const Family* family : context_.families.all()) {
    if (!family->dropped() && family->name() == name) return family->id();
  }
  return std::nullopt;
}

Result<Family*> Engine::FamilyToChange(ColumnFamilyId id) const {
  RETURN_IF_ERROR(CheckWritable());
  return FamilyToRead(id);
}

Status Engine::DropColumnFamily(ColumnFamilyId id, const DropOptions& options) {
  if (id == kDefaultColumnFamilyId) {
    return Status::InvalidArgument("the default column family cannot be dropped");
  }
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  Status stored;
  {
    const WritePath::Lead lead(*writes_);
    if (family->dropped()) return Status::InvalidArgument("the column family was dropped already");
    // Data copied out of the family before the drop must not be lost with it.
    RETURN_IF_ERROR(SyncWal());
    MutexLock storing(stored_.mutex());
    stored = StoreFamilies(/*without=*/family);
    VersionEdit edit;
    edit.family = id;
    edit.drop_family = true;
    RETURN_IF_ERROR(log_->Log([&edit] { return std::vector{edit}; },
                              [&]() REQUIRES(write_lead, engine_mutex) {
                                family->Drop(options.keep_readable ? nullptr : NothingOf(*family));
                                context_.changed_families.Push(family);
                              }));
    SetWalLimit();
    writes_->ReleaseWals().Ignore("the family is gone; if writes are closed, the next one is told");
  }
  gc_.Collect();  // The last view of the family has released its tables only now.
  {
    MutexLock lock(context_.mutex());
    background_->Reconsider();
  }
  if (stored.ok()) return stored;
  // A full disk must not prevent dropping the family, which frees space. If the OPTIONS file still
  // cannot be written, the next change or opening replaces it.
  MutexLock storing(stored_.mutex());
  StoreFamilies().Ignore("RocksDB's tools alone would mind");
  return Status::Ok();
}

std::shared_ptr<const Version> Engine::NothingOf(const Family& family) const {
  // That of an unknown order is of a read-only database, and shows nothing in any case.
  const Comparator* const order = family.comparator();
  return EmptyVersion(order == nullptr ? *BytewiseComparator() : *order, tables(),
                      family.options());
}

void Engine::ForgetDroppedFamily(ColumnFamilyId id) {
  {
    MutexLock lock(context_.mutex());
    Family* const family = context_.families.Find(id);
    if (family == nullptr || !family->dropped()) return;
    family->Forget(NothingOf(*family));
  }
  gc_.Collect();
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
    families.push_back({family->name(), family->comparator_name(), MergeOperatorToStore(*family),
                        family->options().num_levels, nullptr});
  }
  return families;
}

// An operator given for this opening only is not stored.
std::string Engine::MergeOperatorToStore(const Family& family) const {
  if (family.options().merge_operator == nullptr || stored_.SaysMergeOperatorOf(family.name())) {
    return "";
  }
  std::shared_ptr<const Version> version;
  {
    MutexLock lock(context_.mutex());
    version = log_->VersionOf(family.id());
  }
  return version == nullptr ? "" : MergeOperatorName(MergeOperatorOfTables(*version));
}

Status Engine::StoreFamilies(const Family* without) {
  const std::vector<FamilyNames> families = FamiliesForOptions(without);
  if (stored_.empty()) {
    // No options are stored for the database. RocksDB's tools do without an OPTIONS file if all
    // defaults apply; a file that cannot be read is left for the user to inspect.
    const FamilyNames& first = families.front();
    const bool usual = families.size() == 1 &&
                       first.num_levels == ColumnFamilyOptions().num_levels &&
                       first.comparator == BytewiseComparator()->name();
    if (usual || stored_.unreadable()) return Status::Ok();
  }
  return stored_.Write(stored_.FileOf(families), log_->NewFileNumber());
}

}  // namespace varve
