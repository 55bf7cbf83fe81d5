// SPDX-License-Identifier: Apache-2.0
#include "core/engine/recovery.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/flush_job.h"
#include "core/engine/family_options.h"
#include "core/engine/identity.h"
#include "core/engine/job_context.h"
#include "core/engine/options_store.h"
#include "core/engine/wal_replay.h"
#include "core/version/manifest_reader.h"
#include "core/version/version_builder.h"

namespace varve {
namespace {

// Numbers that leave no room to count on are no work of a database.
constexpr FileNumber kFileNumberMax = FileNumber{1} << 62;

}  // namespace

Recovery::Recovery(EngineContext& context, RecoveryReport* report)
    : context_(context), report_(report) {}

Status Recovery::Create(const EngineContext& context) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, context.fs().List(context.directory));
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name) continue;
    const bool remains = name->kind == FileKind::kWal || name->kind == FileKind::kTable ||
                         name->kind == FileKind::kTableLdb || name->kind == FileKind::kBlob ||
                         (name->kind == FileKind::kManifest && name->number > 1);
    if (remains) {
      return Status::Corruption(context.PathOf(entry.name) +
                                ": belongs to a database whose CURRENT is missing");
    }
  }
  RETURN_IF_ERROR(
      WriteIdentity(context.fs(), context.directory, NewDatabaseId(*context.options.env.random)));
  const ColumnFamilyOptions& options = OptionsOf(context.options, "default");
  FamilyState family;
  family.name = "default";
  family.comparator = options.comparator == nullptr ? BytewiseComparator() : options.comparator;
  family.comparator_name = std::string(family.comparator->name());
  family.version = EmptyVersion(*family.comparator, nullptr, options);
  DatabaseState state;
  state.families.Add(std::move(family));
  return ManifestWriter::Create(context.fs(), context.directory, 1, state, {}).status();
}

Status Recovery::Run() {
  ASSIGN_OR_RETURN(
      RecoveredManifest manifest,
      ReadManifest(context_.fs(), context_.directory, context_.options, context_.tables.get()));
  if (manifest.torn_bytes > 0) {
    report_->losses.push_back({.file = ManifestFileName(manifest.number),
                               .offset = manifest.file_size - manifest.torn_bytes,
                               .bytes = manifest.torn_bytes,
                               .reason = "an unfinished record at the end"});
  }
  state_ = std::move(manifest.state);
  RETURN_IF_ERROR(ListDirectory());
  RETURN_IF_ERROR(CheckFiles());
  RETURN_IF_ERROR(OpenFamilies());
  return ReplayWals();
}

Status Recovery::ListDirectory() {
  ASSIGN_OR_RETURN(entries_, context_.fs().List(context_.directory));
  next_file_number_ = state_.counters.next_file_number;
  for (const DirectoryEntry& entry : entries_) {
    if (entry.is_directory) continue;
    sizes_[entry.name] = entry.size;
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind == FileKind::kInfoLog) continue;
    if (name->number >= kFileNumberMax) {
      return Status::Corruption(context_.PathOf(entry.name) + ": file number out of range");
    }
    next_file_number_ = std::max(next_file_number_, name->number + 1);
  }
  return Status::Ok();
}

Status Recovery::CheckFiles() const {
  for (const FamilyState& family : state_.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        RETURN_IF_ERROR(CheckTable(*file));
      }
    }
  }
  return Status::Ok();
}

Status Recovery::CheckTable(const FileMetadata& file) const {
  if (file.description.path_id != 0) {
    return Status::NotSupported(TableFileName(file.number()) +
                                ": lies in another of several db_paths");
  }
  auto found = sizes_.find(TableFileName(file.number()));
  if (found == sizes_.end()) {
    found = sizes_.find(TableLdbFileName(file.number()));
    if (found != sizes_.end() && !context_.read_only) {
      return Status::NotSupported(context_.PathOf(found->first) +
                                  ": LevelDB databases open read-only");
    }
  }
  if (found == sizes_.end()) {
    return Status::Corruption(context_.PathOf(TableFileName(file.number())) +
                              ": the MANIFEST names it, but it is missing");
  }
  if (found->second != file.size()) {
    return Status::Corruption(context_.PathOf(found->first) + ": has " +
                              std::to_string(found->second) + " bytes, the MANIFEST says " +
                              std::to_string(file.size()));
  }
  return Status::Ok();
}

Status Recovery::CheckFamily(const FamilyState& family, const ColumnFamilyOptions& options) const {
  if (options.comparator != nullptr && !family.comparator_name.empty() &&
      options.comparator->name() != family.comparator_name) {
    return Status::InvalidArgument("column family " + family.name + " is ordered by " +
                                   family.comparator_name + ", not by " +
                                   std::string(options.comparator->name()));
  }
  if (context_.read_only) return Status::Ok();
  if (family.comparator == nullptr) {
    return Status::NotSupported("column family " + family.name + " is ordered by " +
                                family.comparator_name + ", which is not known here");
  }
  if (family.persist_user_timestamps.has_value() && !*family.persist_user_timestamps) {
    return Status::NotSupported("column family " + family.name + " has user-defined timestamps");
  }
  return Status::Ok();
}

Status Recovery::OpenFamilies() {
  const OptionsFile stored = ReadNewestOptions(context_, entries_);
  for (const FamilyState& family : state_.families.all()) {
    RETURN_IF_ERROR(CheckFamily(family, OptionsOf(context_.options, family.name)));
    const ColumnFamilyOptions options = ResolveFamilyOptions(context_, family, stored);
    Family* open = context_.families.Add(
        std::make_unique<Family>(family.id, family.name, options, family.comparator_name,
                                 context_.blobs, context_.readahead()));
    if (family.comparator != nullptr) open->Begin(open->NewMemTable(), 0);
  }
  return Status::Ok();
}

std::vector<uint64_t> Recovery::WalsToReplay() const {
  std::vector<uint64_t> wals;
  for (const DirectoryEntry& entry : entries_) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind != FileKind::kWal || entry.is_directory) continue;
    const uint64_t previous = state_.counters.prev_log_number;
    if (name->number >= state_.MinLogToReplay() || (previous != 0 && name->number == previous)) {
      wals.push_back(name->number);
    }
  }
  std::sort(wals.begin(), wals.end());
  return wals;
}

Status Recovery::ReplayWals() {
  WalReplay replay(context_, state_, report_,
                   [this] { return context_.read_only ? Status::Ok() : FlushFull(); });
  RETURN_IF_ERROR(replay.Run(WalsToReplay()));
  state_.counters.last_sequence = std::max(state_.counters.last_sequence, replay.last_sequence());
  context_.visible.store(state_.counters.last_sequence, std::memory_order_release);
  if (!context_.read_only) {
    RETURN_IF_ERROR(FlushAll());
    return InstallTables();
  }
  for (Family* family : context_.families.all()) family->Freeze();
  return Status::Ok();
}

// Bounds the memory that replaying takes, however long the WALs are.
Status Recovery::FlushFull() {
  for (Family* family : context_.families.all()) {
    if (family->memtable()->MemoryUsage() >= family->options().write_buffer_size &&
        !family->memtable()->empty()) {
      RETURN_IF_ERROR(FlushFamily(family));
    }
  }
  return Status::Ok();
}

Status Recovery::FlushAll() {
  for (Family* family : context_.families.all()) {
    if (!family->memtable()->empty()) RETURN_IF_ERROR(FlushFamily(family));
  }
  return Status::Ok();
}

Status Recovery::FlushFamily(Family* family) {
  family->Seal(0);
  JobContext job = JobFor(context_, *family);
  job.new_file_number = [this] { return NewFileNumber(); };
  job.cancelled = [] { return false; };
  const std::shared_ptr<MemTable> memtable = family->immutables().front().memtable;
  ASSIGN_OR_RETURN(std::optional<FileDescription> table, RunFlush(job, {&memtable, 1}));
  family->RemoveFlushed(1);
  if (!table) return Status::Ok();
  table->epoch = state_.families.Find(family->id())->next_epoch++;
  VersionEdit edit;
  edit.family = family->id();
  edit.new_files.push_back({0, *std::move(table)});
  new_tables_.push_back(std::move(edit));
  return Status::Ok();
}

Status Recovery::InstallTables() {
  std::map<ColumnFamilyId, VersionBuilder> builders;
  for (const VersionEdit& edit : new_tables_) {
    const FamilyState* family = state_.families.Find(edit.family);
    auto [at, fresh] =
        builders.try_emplace(edit.family, family->comparator, family->version.get(),
                             family->version->num_levels(), family->version->file_search());
    RETURN_IF_ERROR(at->second.Apply(edit));
  }
  for (auto& [id, builder] : builders) {
    ASSIGN_OR_RETURN(state_.families.Find(id)->version,
                     builder.Build(context_.tables.get(), state_.counters.last_sequence));
  }
  return Status::Ok();
}

Result<std::unique_ptr<ManifestWriter>> Recovery::WriteManifest(uint64_t first_wal) {
  const FileNumber number = NewFileNumber();
  for (const FamilyState& family : state_.families.all()) {
    state_.families.Find(family.id)->log_number = first_wal;
  }
  state_.counters.prev_log_number = 0;
  state_.counters.next_file_number = next_file_number_;
  return ManifestWriter::Create(context_.fs(), context_.directory, number, state_, {});
}

}  // namespace varve
