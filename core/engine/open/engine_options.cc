// SPDX-License-Identifier: Apache-2.0
// Options of an open family, and statistics of the engine and its families.
#include "core/base/codec/compression.h"
#include "core/base/try.h"
#include "core/engine/engine.h"
#include "core/format/value/blob_record.h"
#include "core/table/block/block.h"
#include "varve/option_table.h"

namespace varve {

namespace {

Result<const OptionRow*> RowOf(const std::string& name) {
  const OptionRow* const row = FindOption(name);
  if (row == nullptr) return Status::InvalidArgument("there is no option '" + name + "'");
  return row;
}

}  // namespace

Result<ColumnFamilyOptions> Engine::OptionsWith(const OptionChanges& changes,
                                                ColumnFamilyId id) const {
  ASSIGN_OR_RETURN(const Family* const family, FamilyToRead(id));
  Options options = context_.options;
  options.family = family->options();
  options.families.clear();
  for (const auto& [name, value] : changes) {
    ASSIGN_OR_RETURN(const OptionRow* const row, RowOf(name));
    if (!MayChangeAtRunTime(name)) {
      return Status::InvalidArgument(name + ": can only be set when the database is opened");
    }
    RETURN_IF_ERROR(row->set(&options, value));
  }
  RETURN_IF_ERROR(ValidateOptions(options));
  return options.family;
}

Status Engine::WriteChanges(const OptionChanges& changes, const Family& family) {
  OptionsFile file = stored_.FileOf(FamiliesForOptions());
  for (const auto& [name, value] : changes) {
    ASSIGN_OR_RETURN(const OptionRow* const row, RowOf(name));
    RETURN_IF_ERROR(StoreOption(*row, value, family.name(), &file));
  }
  return stored_.Write(std::move(file), log_->NewFileNumber());
}

Status Engine::SetOptions(const OptionChanges& changes, ColumnFamilyId id) {
  RETURN_IF_ERROR(CheckWritable());
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  // Concurrent calls are serialized: each keeps what the other has set.
  MutexLock storing(stored_.mutex());
  ASSIGN_OR_RETURN(const ColumnFamilyOptions options, OptionsWith(changes, id));
  RETURN_IF_ERROR(CheckMayChange(*family));
  RETURN_IF_ERROR(WriteChanges(changes, *family));
  ChangeOptions(options, family);
  return Status::Ok();
}

Status Engine::StoreOptions(const OptionChanges& changes, ColumnFamilyId id) {
  RETURN_IF_ERROR(CheckWritable());
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  OptionChanges now;
  for (const auto& change : changes) {
    if (MayChangeAtRunTime(change.first)) now.push_back(change);
  }
  MutexLock storing(stored_.mutex());
  RETURN_IF_ERROR(CheckToStore(changes, *family));
  ASSIGN_OR_RETURN(const ColumnFamilyOptions options, OptionsWith(now, id));
  if (!now.empty()) RETURN_IF_ERROR(CheckMayChange(*family));
  RETURN_IF_ERROR(WriteChanges(changes, *family));
  if (!now.empty()) ChangeOptions(options, family);
  return Status::Ok();
}

// Contradictory options must not be stored: the next opening would treat them as a mistake and
// correct them.
Status Engine::CheckToStore(const OptionChanges& changes, const Family& family) const {
  Options options = context_.options;
  options.family = family.options();
  for (const auto& [name, value] : changes) {
    ASSIGN_OR_RETURN(const OptionRow* const row, RowOf(name));
    RETURN_IF_ERROR(row->set(&options, value));
  }
  RETURN_IF_ERROR(ValidateOptions(options));
  const TableOptions& table = options.family.table;
  RETURN_IF_ERROR(Compressor::Create(table.compression, table.compression_level, "")
                      .status()
                      .At("compression"));
  MutexLock lock(context_.mutex());
  const std::shared_ptr<const Version> version = log_->VersionOf(family.id());
  if (version == nullptr) return Status::Ok();
  for (int level = options.family.num_levels; level < version->num_levels(); ++level) {
    if (version->files(level).empty()) continue;
    return Status::InvalidArgument("num_levels: there are tables in level " +
                                   std::to_string(level));
  }
  return Status::Ok();
}

// Checked before writing: changes that cannot take effect must not be stored.
Status Engine::CheckMayChange(const Family& family) const {
  MutexLock lock(context_.mutex());
  if (family.MayChangeOptions()) return Status::Ok();
  return Status::Busy("options have been changed too often; reopen the database");
}

void Engine::ChangeOptions(const ColumnFamilyOptions& options, Family* family) {
  MutexLock lock(context_.mutex());
  family->ChangeOptions(options);
  context_.changed_families.Push(family);
  SetWalLimit();
  background_->Reconsider();
  context_.changed.NotifyAll();
}

DbStats Engine::Stats() const {
  const EngineCounters& counters = context_.stats;
  DbStats stats;
  stats.last_sequence = context_.visible.load(std::memory_order_acquire);
  stats.block_cache_bytes = context_.blocks->usage();
  stats.block_cache_capacity = context_.blocks->capacity();
  stats.block_cache_hits = context_.blocks->hits();
  stats.block_cache_misses = context_.blocks->misses();
  stats.block_bytes = Block::BytesInMemory();
  stats.batches_written = counters.batches_written.value();
  stats.entries_written = counters.entries_written.value();
  stats.user_bytes_written = counters.user_bytes_written.value();
  stats.wal_bytes_written = counters.wal_bytes_written.value();
  stats.flush_bytes_written = counters.flush_bytes_written.value();
  stats.compaction_bytes_read = counters.compaction_bytes_read.value();
  stats.compaction_bytes_written = counters.compaction_bytes_written.value();
  stats.flushes = counters.flushes.value();
  stats.compactions = counters.compactions.value();
  stats.trivial_moves = counters.trivial_moves.value();
  stats.remote_compactions = counters.remote_compactions.value();
  stats.remote_compaction_failures = counters.remote_compaction_failures.value();
  stats.remote_compaction_fallbacks = counters.remote_compaction_fallbacks.value();
  stats.stalls = counters.stalls.value();
  stats.stall_micros = counters.stall_micros.value();
  stats.write_durations = counters.write_durations.value();
  stats.flush_durations = counters.flush_durations.value();
  stats.compaction_durations = counters.compaction_durations.value();
  if (background_ != nullptr) stats.stall_cause = StallCauseName(background_->stall().cause);
  MutexLock lock(context_.mutex());
  stats.remote_compactions_running = context_.remote_compactions_running;
  stats.remote_compaction_failure = context_.remote_compaction_failure;
  stats.snapshots = context_.snapshots->count();
  stats.open_tables = context_.tables->open_tables();
  stats.open_table_bytes = context_.tables->MemoryUsage();
  for (const Family* family : context_.families.all()) {
    stats.memtable_bytes += family->MemoryUsage();
    stats.pinned_memtable_bytes += family->PinnedMemoryUsage();
  }
  return stats;
}

std::vector<FamilyStats> Engine::StatsOfFamilies() const {
  std::vector<FamilyStats> all;
  MutexLock lock(context_.mutex());
  for (const Family* family : context_.families.all()) {
    if (family->dropped()) continue;
    FamilyStats& stats = all.emplace_back();
    stats.id = family->id();
    stats.name = family->name();
    if (const auto version = log_->VersionOf(family->id())) {
      for (int level = 0; level < version->num_levels(); ++level) {
        stats.levels.push_back({level, version->files(level).size(), version->LevelBytes(level)});
      }
      stats.blob_files = version->blob_files().size();
      for (const BlobFileMetadata& blob : version->blob_files()) {
        stats.blob_bytes += kBlobFileHeaderSize + blob.bytes + kBlobFileFooterSize;
        stats.blob_garbage_bytes += blob.garbage_bytes;
      }
    }
    if (const auto& memtable = family->memtable(); memtable != nullptr) {
      stats.memtable_bytes = memtable->MemoryUsage();
      stats.memtable_entries = memtable->entries();
      stats.memtable_deletions = memtable->deletions();
    }
    for (const ImmutableMemTable& sealed : family->immutables()) {
      stats.sealed_memtable_entries += sealed.memtable->entries();
      stats.sealed_memtable_deletions += sealed.memtable->deletions();
    }
    stats.sealed_memtables = family->immutables().size();
    stats.sealed_memtable_bytes = family->MemoryUsage() - stats.memtable_bytes;
    stats.pending_compaction_bytes = family->jobs().pending_compaction_bytes;
    if (background_ != nullptr) {
      stats.running_compactions = background_->RunningCompactions(*family);
    }
    family->views().AddCounters(&stats);
  }
  return all;
}

}  // namespace varve
