// SPDX-License-Identifier: Apache-2.0
// The "rocksdb.*" properties of a database and its families, as far as the engine knows them.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>

#include "core/c/error.h"
#include "core/c/handles.h"

using varve::DbStats;
using varve::FamilyStats;
using Family = rocksdb_column_family_handle_t;

namespace varve::c {
namespace {

uint64_t TableBytes(const FamilyStats& family) {
  uint64_t bytes = 0;
  for (const LevelInfo& level : family.levels) bytes += level.bytes;
  return bytes;
}

// Entries without those that deletions account for, as RocksDB estimates it.
uint64_t EstimatedKeys(DB& db, const FamilyStats& stats) {
  const auto files = db.LiveFiles(stats.id);
  if (!files.ok()) return 0;
  uint64_t entries = stats.memtable_entries + stats.sealed_memtable_entries;
  uint64_t deletions = stats.memtable_deletions + stats.sealed_memtable_deletions;
  for (const LiveFile& file : *files) {
    entries += file.entries;
    deletions += file.deletions;
  }
  return entries > 2 * deletions ? entries - 2 * deletions : 0;
}

struct Question {
  rocksdb_t& handle;
  DB& db;
  ColumnFamilyId family;
  const FamilyStats& stats;
};
struct Number {
  std::string_view name;
  uint64_t (*answer)(const Question&);
};
constexpr Number kNumbers[] = {
    {"rocksdb.num-immutable-mem-table", [](const Question& q) { return q.stats.sealed_memtables; }},
    {"rocksdb.mem-table-flush-pending",
     [](const Question& q) -> uint64_t { return q.stats.sealed_memtables > 0; }},
    {"rocksdb.cur-size-active-mem-table", [](const Question& q) { return q.stats.memtable_bytes; }},
    {"rocksdb.cur-size-all-mem-tables",
     [](const Question& q) { return q.stats.memtable_bytes + q.stats.sealed_memtable_bytes; }},
    {"rocksdb.size-all-mem-tables",
     [](const Question& q) {
       return q.stats.memtable_bytes + q.stats.sealed_memtable_bytes +
              q.db.Stats().pinned_memtable_bytes;
     }},
    {"rocksdb.num-entries-active-mem-table",
     [](const Question& q) { return q.stats.memtable_entries; }},
    {"rocksdb.num-entries-imm-mem-tables",
     [](const Question& q) { return q.stats.sealed_memtable_entries; }},
    {"rocksdb.num-deletes-active-mem-table",
     [](const Question& q) { return q.stats.memtable_deletions; }},
    {"rocksdb.num-deletes-imm-mem-tables",
     [](const Question& q) { return q.stats.sealed_memtable_deletions; }},
    // Those that are flushed are gone at once.
    {"rocksdb.num-immutable-mem-table-flushed", [](const Question&) -> uint64_t { return 0; }},
    {"rocksdb.is-file-deletions-enabled",
     [](const Question& q) -> uint64_t {
       MutexLock lock(q.handle.mutex);
       return q.handle.file_deletion_pauses == 0;
     }},
    {"rocksdb.num-snapshots", [](const Question& q) { return q.db.Stats().snapshots; }},
    {"rocksdb.compaction-pending",
     [](const Question& q) -> uint64_t { return q.stats.pending_compaction_bytes > 0; }},
    {"rocksdb.estimate-pending-compaction-bytes",
     [](const Question& q) { return q.stats.pending_compaction_bytes; }},
    {"rocksdb.estimate-num-keys", [](const Question& q) { return EstimatedKeys(q.db, q.stats); }},
    {"rocksdb.estimate-live-data-size", [](const Question& q) { return TableBytes(q.stats); }},
    {"rocksdb.total-sst-files-size", [](const Question& q) { return TableBytes(q.stats); }},
    {"rocksdb.live-sst-files-size", [](const Question& q) { return TableBytes(q.stats); }},
    {"rocksdb.num-blob-files", [](const Question& q) { return q.stats.blob_files; }},
    {"rocksdb.total-blob-file-size", [](const Question& q) { return q.stats.blob_bytes; }},
    {"rocksdb.live-blob-file-size", [](const Question& q) { return q.stats.blob_bytes; }},
    {"rocksdb.live-blob-file-garbage-size",
     [](const Question& q) { return q.stats.blob_garbage_bytes; }},
    {"rocksdb.estimate-table-readers-mem",
     [](const Question& q) { return q.db.Stats().open_table_bytes; }},
    {"rocksdb.is-write-stopped",
     [](const Question& q) -> uint64_t { return !q.db.Stats().stall_cause.empty(); }},
    {"rocksdb.block-cache-capacity",
     [](const Question& q) { return q.db.Stats().block_cache_capacity; }},
    {"rocksdb.block-cache-usage", [](const Question& q) { return q.db.Stats().block_cache_bytes; }},
};

std::optional<FamilyStats> StatsOf(DB& db, ColumnFamilyId family) {
  for (FamilyStats& stats : db.StatsOfFamilies()) {
    if (stats.id == family) return std::move(stats);
  }
  return std::nullopt;
}

std::optional<uint64_t> NumberOf(rocksdb_t& handle, ColumnFamilyId family, std::string_view name) {
  const auto* const row = std::find_if(std::begin(kNumbers), std::end(kNumbers),
                                       [&](const Number& number) { return number.name == name; });
  if (row == std::end(kNumbers)) return std::nullopt;
  const std::optional<FamilyStats> stats = StatsOf(*handle.db, family);
  if (!stats) return std::nullopt;
  return row->answer({handle, *handle.db, family, *stats});
}

std::optional<uint64_t> FilesAtLevel(const FamilyStats& stats, std::string_view level) {
  int wanted = -1;
  const auto [end, error] = std::from_chars(level.data(), level.data() + level.size(), wanted);
  if (error != std::errc() || end != level.data() + level.size()) return std::nullopt;
  for (const LevelInfo& info : stats.levels) {
    if (info.level == wanted) return info.files;
  }
  return std::nullopt;
}

std::string LevelTable(const FamilyStats& stats) {
  std::string text = "Level Files Size(MB)\n--------------------\n";
  for (const LevelInfo& level : stats.levels) {
    char line[64];
    std::snprintf(line, sizeof(line), "%3d %8llu %8.0f\n", level.level,
                  static_cast<unsigned long long>(level.files),
                  static_cast<double>(level.bytes) / (1 << 20));
    text += line;
  }
  return text;
}

// As RocksDB's InternalStats::HandleBlobStats() has it.
std::string BlobStats(const FamilyStats& stats) {
  const uint64_t used = stats.blob_bytes - std::min(stats.blob_bytes, stats.blob_garbage_bytes);
  std::ostringstream text;
  text << "Number of blob files: " << stats.blob_files
       << "\nTotal size of blob files: " << stats.blob_bytes
       << "\nTotal size of garbage in blob files: " << stats.blob_garbage_bytes
       << "\nBlob file space amplification: "
       << (used == 0 ? 0.0 : static_cast<double>(stats.blob_bytes) / static_cast<double>(used))
       << "\n";
  return text.str();
}

std::string Report(DB& db, const FamilyStats& stats) {
  const DbStats all = db.Stats();
  std::string text = "\n** Compaction Stats [" + stats.name + "] **\n" + LevelTable(stats);
  text += "\n** DB Stats **\n";
  const auto add = [&](std::string_view name, uint64_t value) {
    text.append(name).append(": ").append(std::to_string(value)).append("\n");
  };
  text.append("Cumulative writes: ")
      .append(std::to_string(all.batches_written))
      .append(" writes\n");
  add("Entries written", all.entries_written);
  add("WAL bytes written", all.wal_bytes_written);
  add("Flushes", all.flushes);
  add("Flush bytes written", all.flush_bytes_written);
  add("Compactions", all.compactions);
  add("Compaction bytes read", all.compaction_bytes_read);
  add("Compaction bytes written", all.compaction_bytes_written);
  add("Stalls", all.stalls);
  add("Stall micros", all.stall_micros);
  return text;
}

std::optional<std::string> PropertyOf(rocksdb_t& handle, ColumnFamilyId family,
                                      std::string_view name) {
  if (const auto number = NumberOf(handle, family, name)) return std::to_string(*number);
  DB& db = *handle.db;
  const std::optional<FamilyStats> stats = StatsOf(db, family);
  if (!stats) return std::nullopt;
  constexpr std::string_view kFilesAtLevel = "rocksdb.num-files-at-level";
  if (name.starts_with(kFilesAtLevel)) {
    const auto files = FilesAtLevel(*stats, name.substr(kFilesAtLevel.size()));
    if (files) return std::to_string(*files);
  }
  if (name == "rocksdb.blob-stats") return BlobStats(*stats);
  if (name == "rocksdb.levelstats") return LevelTable(*stats);
  if (name == "rocksdb.stats" || name == "rocksdb.cfstats") return Report(db, *stats);
  return std::nullopt;
}

char* Property(rocksdb_t* db, const Family* family, const char* name) {
  const auto text = PropertyOf(*db, IdOf(family), name);
  return text ? CopyText(*text) : nullptr;
}

// 0, or -1 for a name that is none of a number.
int IntProperty(rocksdb_t* db, const Family* family, const char* name, uint64_t* value) {
  const auto number = NumberOf(*db, IdOf(family), name);
  if (!number) return -1;
  *value = *number;
  return 0;
}

}  // namespace
}  // namespace varve::c

extern "C" {

char* rocksdb_property_value(rocksdb_t* db, const char* name) {
  return varve::c::Property(db, nullptr, name);
}
char* rocksdb_property_value_cf(rocksdb_t* db, Family* family, const char* name) {
  return varve::c::Property(db, family, name);
}
int rocksdb_property_int(rocksdb_t* db, const char* name, uint64_t* value) {
  return varve::c::IntProperty(db, nullptr, name, value);
}
int rocksdb_property_int_cf(rocksdb_t* db, Family* family, const char* name, uint64_t* value) {
  return varve::c::IntProperty(db, family, name, value);
}

}  // extern "C"
