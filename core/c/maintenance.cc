// SPDX-License-Identifier: Apache-2.0
// Flushes, compactions, options changed while a database is open, sizes of ranges.
#include <algorithm>
#include <iterator>

#include "core/c/error.h"
#include "core/c/file_deletions.h"
#include "core/c/handles.h"

using varve::Status;
using varve::c::IdOf;
using varve::c::SaveError;
using Family = rocksdb_column_family_handle_t;

namespace varve::c {
namespace {

std::optional<std::string_view> Bound(const char* key, size_t size) {
  if (key == nullptr) return std::nullopt;
  return View(key, size);
}

void Compact(rocksdb_t* db, const Family* family, const rocksdb_compactoptions_t* options,
             std::optional<std::string_view> begin, std::optional<std::string_view> end) {
  if (db->manual_compaction_pauses > 0) return;  // RocksDB: Incomplete, which c.h drops as well.
  if (options != nullptr && options->full_history_ts_low) {
    // RocksDB takes it for everything only, and what it refuses is not compacted.
    if (begin || end) return;
    const Status low =
        db->db->IncreaseFullHistoryTsLow(*options->full_history_ts_low, IdOf(family));
    if (!low.ok()) return;
  }
  CompactRangeOptions compact;
  constexpr unsigned char kIfFiltered = 1, kForce = 2;  // 1 is the default.
  const auto& objects = FamilyOf(*db, family).objects;
  const bool filtered = objects != nullptr && objects->compaction_filters != nullptr;
  const unsigned char bottommost =
      options == nullptr ? kIfFiltered : options->bottommost_level_compaction;
  compact.force_bottommost = bottommost >= kForce || (bottommost == kIfFiltered && filtered);
  db->db->CompactRange(compact, begin, end, IdOf(family))
      .Ignore("c.h has no errptr here; a failed compaction loses nothing");
}

void Flush(rocksdb_t* db, const rocksdb_flushoptions_t* options, const Family* family,
           char** errptr) {
  if (options->force_atomic_flush) {
    return Refuse(errptr, "rocksdb_flushoptions_set_force_atomic_flush");
  }
  const Status flushed = db->db->Flush({.wait = options->wait}, IdOf(family));
  SaveFamilyError(errptr, *db, IdOf(family), flushed);
}

// Options that RocksDB changes while a database is open, and that are hints here.
constexpr std::string_view kHintsAtRunTime[] = {"arena_block_size",
                                                "blob_compaction_readahead_size",
                                                "inplace_update_num_locks",
                                                "max_sequential_skip_in_iterations",
                                                "max_successive_merges",
                                                "memtable_huge_page_size",
                                                "memtable_prefix_bloom_size_ratio",
                                                "paranoid_file_checks",
                                                "report_bg_io_stats"};

// Hints are checked and dropped; the engine takes the others, all or none.
Status TrySetOptions(rocksdb_t* db, const Family* family, int count, const char* const* keys,
                     const char* const* values) {
  if (count <= 0) return Status::InvalidArgument("empty input");
  std::vector<std::pair<std::string, std::string>> changes;
  rocksdb_options_t scratch;
  for (int i = 0; i < count; ++i) {
    const bool hint = std::find(std::begin(kHintsAtRunTime), std::end(kHintsAtRunTime), keys[i]) !=
                      std::end(kHintsAtRunTime);
    if (!hint) {
      changes.emplace_back(keys[i], values[i]);
      continue;
    }
    const Status checked = SetByName(keys[i], values[i], &scratch);
    if (!checked.ok() && checked.code() != Code::kNotFound) return checked;
  }
  return changes.empty() ? Status::Ok() : db->db->SetOptions(changes, IdOf(family));
}

void SetOptions(rocksdb_t* db, const Family* family, int count, const char* const* keys,
                const char* const* values, char** errptr) {
  const Status changed = TrySetOptions(db, family, count, keys, values);
  SaveFamilyError(errptr, *db, IdOf(family), changed);
}

Status CheckMayDelete(const rocksdb_t& db) {
  if (!db.read_only) return Status::Ok();
  return Status::NotSupported("Not supported operation in read only mode.");
}

void Measure(rocksdb_t* db, const Family* family, int count, const char* const* begins,
             const size_t* begin_sizes, const char* const* ends, const size_t* end_sizes,
             uint64_t* sizes, char** errptr) {
  for (int i = 0; i < count; ++i) {
    const auto size = db->db->ApproximateSize(View(begins[i], begin_sizes[i]),
                                              View(ends[i], end_sizes[i]), IdOf(family));
    sizes[i] = size.ok() ? *size : 0;
    if (SaveError(errptr, size.status())) return;
  }
}

}  // namespace

void EnableFileDeletions(rocksdb_t* db, bool force, char** errptr) {
  if (SaveError(errptr, CheckMayDelete(*db))) return;
  std::shared_ptr<const void> kept;  // Files are deleted when the lock is free.
  MutexLock lock(db->mutex);
  uint64_t& pauses = db->file_deletion_pauses;
  pauses = force || pauses == 0 ? 0 : pauses - 1;
  if (pauses == 0) kept = std::move(db->kept_files);
}

}  // namespace varve::c

using varve::c::Bound;

extern "C" {

void rocksdb_flush(rocksdb_t* db, const rocksdb_flushoptions_t* options, char** errptr) {
  varve::c::Flush(db, options, nullptr, errptr);
}
void rocksdb_flush_cf(rocksdb_t* db, const rocksdb_flushoptions_t* options, Family* family,
                      char** errptr) {
  varve::c::Flush(db, options, family, errptr);
}

// The engine passes the log to the system with each write: there is nothing else to be flushed.
void rocksdb_flush_wal(rocksdb_t* db, unsigned char sync, char** errptr) {
  if (sync != 0) SaveError(errptr, db->db->SyncWal());
}

void rocksdb_compact_range(rocksdb_t* db, const char* begin, size_t begin_size, const char* end,
                           size_t end_size) {
  varve::c::Compact(db, nullptr, nullptr, Bound(begin, begin_size), Bound(end, end_size));
}
void rocksdb_compact_range_cf(rocksdb_t* db, Family* family, const char* begin, size_t begin_size,
                              const char* end, size_t end_size) {
  varve::c::Compact(db, family, nullptr, Bound(begin, begin_size), Bound(end, end_size));
}
void rocksdb_compact_range_opt(rocksdb_t* db, rocksdb_compactoptions_t* options, const char* begin,
                               size_t begin_size, const char* end, size_t end_size) {
  varve::c::Compact(db, nullptr, options, Bound(begin, begin_size), Bound(end, end_size));
}
void rocksdb_compact_range_cf_opt(rocksdb_t* db, Family* family, rocksdb_compactoptions_t* options,
                                  const char* begin, size_t begin_size, const char* end,
                                  size_t end_size) {
  varve::c::Compact(db, family, options, Bound(begin, begin_size), Bound(end, end_size));
}

// Tables below level 0 that lie within the range, as by RocksDB.
void rocksdb_delete_file_in_range_cf(rocksdb_t* db, Family* family, const char* begin,
                                     size_t begin_size, const char* end, size_t end_size,
                                     char** errptr) {
  SaveError(errptr, db->db->DeleteFilesInRange(Bound(begin, begin_size), Bound(end, end_size),
                                               IdOf(family)));
}
void rocksdb_delete_file_in_range(rocksdb_t* db, const char* begin, size_t begin_size,
                                  const char* end, size_t end_size, char** errptr) {
  rocksdb_delete_file_in_range_cf(db, nullptr, begin, begin_size, end, end_size, errptr);
}

void rocksdb_disable_manual_compaction(rocksdb_t* db) { ++db->manual_compaction_pauses; }
void rocksdb_enable_manual_compaction(rocksdb_t* db) { --db->manual_compaction_pauses; }

void rocksdb_disable_file_deletions(rocksdb_t* db, char** errptr) {
  if (SaveError(errptr, varve::c::CheckMayDelete(*db))) return;
  varve::MutexLock lock(db->mutex);
  if (++db->file_deletion_pauses == 1) db->kept_files = db->db->HoldFiles();
}

// Hints: what compacts by itself chooses by itself, and stops when the database is closed.
void rocksdb_suggest_compact_range(rocksdb_t* /*db*/, const char* /*begin*/, size_t /*begin_size*/,
                                   const char* /*end*/, size_t /*end_size*/, char** /*errptr*/) {}
void rocksdb_suggest_compact_range_cf(rocksdb_t* /*db*/, Family* /*family*/, const char* /*begin*/,
                                      size_t /*begin_size*/, const char* /*end*/,
                                      size_t /*end_size*/, char** /*errptr*/) {}
void rocksdb_cancel_all_background_work(rocksdb_t* /*db*/, unsigned char /*wait*/) {}

void rocksdb_set_options(rocksdb_t* db, int count, const char* const keys[],
                         const char* const values[], char** errptr) {
  varve::c::SetOptions(db, nullptr, count, keys, values, errptr);
}
void rocksdb_set_options_cf(rocksdb_t* db, Family* family, int count, const char* const keys[],
                            const char* const values[], char** errptr) {
  varve::c::SetOptions(db, family, count, keys, values, errptr);
}

void rocksdb_approximate_sizes(rocksdb_t* db, int count, const char* const* begins,
                               const size_t* begin_sizes, const char* const* ends,
                               const size_t* end_sizes, uint64_t* sizes, char** errptr) {
  varve::c::Measure(db, nullptr, count, begins, begin_sizes, ends, end_sizes, sizes, errptr);
}
void rocksdb_approximate_sizes_cf(rocksdb_t* db, Family* family, int count,
                                  const char* const* begins, const size_t* begin_sizes,
                                  const char* const* ends, const size_t* end_sizes, uint64_t* sizes,
                                  char** errptr) {
  varve::c::Measure(db, family, count, begins, begin_sizes, ends, end_sizes, sizes, errptr);
}

}  // extern "C"
