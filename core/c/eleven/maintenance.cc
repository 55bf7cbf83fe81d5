// SPDX-License-Identifier: Apache-2.0
// Flushes of several families, waiting, verifying, sizes, and options at run time.
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/try.h"
#include "core/c/eleven/handles.h"
#include "core/c/error.h"
#include "core/c/functions.h"
#include "core/inspect/verify/verify.h"
#include "core/version/table_paths_fs.h"

using varve::Status;
using varve::c::IdOf;
using varve::c::Refuse;
using varve::c::SaveError;
using varve::c::View;
using Family = rocksdb_column_family_handle_t;

namespace varve::c {
namespace {

// Where tables may be beside the directory of the database.
Result<std::vector<std::string>> PathsOf(const rocksdb_t& db) {
  std::vector<std::string> paths;
  for (const FamilyInfo& family : db.db->Families()) {
    ASSIGN_OR_RETURN(const ColumnFamilyOptions options, db.db->OptionsOf(family.id));
    for (const DbPath& path : options.cf_paths) {
      if (path.path != db.path && std::find(paths.begin(), paths.end(), path.path) == paths.end()) {
        paths.push_back(path.path);
      }
    }
  }
  return paths;
}

// The first thing that is wrong, as RocksDB's: it stops there.
Status Verify(rocksdb_t& db) {
  ASSIGN_OR_RETURN(std::vector<std::string> paths, PathsOf(db));
  const auto files = NewTablePathsFileSystem(*db.file_system, db.path, std::move(paths));
  ASSIGN_OR_RETURN(const VerifyReport report, VerifyDatabase(*files, db.path, {}));
  for (const Finding& finding : report.findings) {
    if (finding.severity == Finding::Severity::kWarning) continue;
    const std::string place =
        finding.file + (finding.offset ? "@" + std::to_string(*finding.offset) : "") + ": ";
    if (finding.severity == Finding::Severity::kError) {
      return Status::Corruption(place + finding.what);
    }
    return finding.severity == Finding::Severity::kUnreadable
               ? Status::IoError(place + finding.what)
               : Status::NotSupported(place + finding.what);
  }
  return Status::Ok();
}

Status Wait(rocksdb_t& db, const rocksdb_wait_for_compact_options_t& options) {
  if (options.flush) RETURN_IF_ERROR(db.db->FlushAll());
  RETURN_IF_ERROR(db.db->WaitForBackgroundWork());
  return options.close_db ? db.db->Close() : Status::Ok();
}

Status FlushMany(rocksdb_t& db, const rocksdb_flushoptions_t& options, Family* const* families,
                 int count) {
  if (options.force_atomic_flush) return Refusal("rocksdb_flushoptions_set_force_atomic_flush");
  for (int i = 0; i < count; ++i) {
    RETURN_IF_ERROR(db.db->Flush({.wait = options.wait}, IdOf(families[i])));
  }
  return Status::Ok();
}

// Options of a database that RocksDB changes while it is open: those of the engine, and hints.
constexpr std::array<std::string_view, 5> kDbOptions = {
    "compaction_readahead_size", "max_background_jobs", "max_manifest_file_size", "max_open_files",
    "max_total_wal_size"};
constexpr std::array<std::string_view, 12> kDbHints = {"avoid_flush_during_shutdown",
                                                       "bytes_per_sync",
                                                       "daily_offpeak_time_utc",
                                                       "delayed_write_rate",
                                                       "delete_obsolete_files_period_micros",
                                                       "stats_dump_period_sec",
                                                       "stats_history_buffer_size",
                                                       "stats_persist_period_sec",
                                                       "strict_bytes_per_sync",
                                                       "verify_manifest_content_on_close",
                                                       "wal_bytes_per_sync",
                                                       "writable_file_max_buffer_size"};

template <size_t N>
bool Has(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Status SetDbOptions(rocksdb_t& db, int count, const char* const* keys, const char* const* values) {
  std::vector<std::pair<std::string, std::string>> changes;
  rocksdb_options_t scratch;
  for (int i = 0; i < count; ++i) {
    if (Has(kDbOptions, keys[i])) {
      changes.emplace_back(keys[i], values[i]);
    } else if (!Has(kDbHints, keys[i])) {
      return Status::InvalidArgument("Option not changeable: " + std::string(keys[i]));
    } else if (const Status checked = SetByName(keys[i], values[i], &scratch);
               !checked.ok() && checked.code() != Code::kNotFound) {
      return checked;
    }
  }
  return changes.empty() ? Status::Ok() : db.db->SetOptions(changes);
}

struct SizesOf {
  bool memtables, files;
};

// The engine measures tables only: what is in memtables is refused.
Status Measure(rocksdb_t& db, const Family* family, const SizesOf& of, int count,
               const char* const* begins, const size_t* begin_sizes, const char* const* ends,
               const size_t* end_sizes, uint64_t* sizes) {
  if (!of.memtables && !of.files) {
    return Status::InvalidArgument("Invalid options: neither memtables nor files");
  }
  if (of.memtables) return Refusal("rocksdb_size_approximation_options_set_include_memtables");
  for (int i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(sizes[i], db.db->ApproximateSize(View(begins[i], begin_sizes[i]),
                                                      View(ends[i], end_sizes[i]), IdOf(family)));
  }
  return Status::Ok();
}

}  // namespace
}  // namespace varve::c

extern "C" {

void rocksdb_flush_cfs(rocksdb_t* db, const rocksdb_flushoptions_t* options, Family** families,
                       int count, char** errptr) {
  SaveError(errptr, varve::c::FlushMany(*db, *options, families, count));
}
void rocksdb_flush_wal_with_options(rocksdb_t* db, const rocksdb_flushwaloptions_t* options,
                                    char** errptr) {
  rocksdb_flush_wal(db, options->sync, errptr);
}

void rocksdb_wait_for_compact(rocksdb_t* db, rocksdb_wait_for_compact_options_t* options,
                              char** errptr) {
  SaveError(errptr, varve::c::Wait(*db, *options));
}

void rocksdb_verify_checksum(rocksdb_t* db, char** errptr) {
  SaveError(errptr, varve::c::Verify(*db));
}
void rocksdb_verify_checksum_with_options(rocksdb_t* db, const rocksdb_readoptions_t* /*options*/,
                                          char** errptr) {
  SaveError(errptr, varve::c::Verify(*db));
}
// No file has a checksum of its own (rocksdb_options_set_file_checksum_gen_factory).
void rocksdb_verify_file_checksums(rocksdb_t* /*db*/, char** errptr) {
  SaveError(errptr,
            Status::InvalidArgument(
                "Cannot verify file checksum if options.file_checksum_gen_factory is null"));
}
void rocksdb_verify_file_checksums_with_options(rocksdb_t* db,
                                                const rocksdb_readoptions_t* /*options*/,
                                                char** errptr) {
  rocksdb_verify_file_checksums(db, errptr);
}

void rocksdb_pause_background_work(rocksdb_t* db, char** errptr) {
  SaveError(errptr, db->db->PauseBackgroundWork());
}
void rocksdb_continue_background_work(rocksdb_t* db, char** errptr) {
  SaveError(errptr, db->db->ContinueBackgroundWork());
}

void rocksdb_set_db_options(rocksdb_t* db, int count, const char* const keys[],
                            const char* const values[], char** errptr) {
  SaveError(errptr, varve::c::SetDbOptions(*db, count, keys, values));
}

// --- sizes

void rocksdb_approximate_sizes_cf_with_flags(rocksdb_t* db, Family* family, int count,
                                             const char* const* begins, const size_t* begin_sizes,
                                             const char* const* ends, const size_t* end_sizes,
                                             uint8_t flags, uint64_t* sizes, char** errptr) {
  constexpr uint8_t kMemtables = 1, kFiles = 2, kBlobs = 4;
  if ((flags & kBlobs) != 0) return Refuse(errptr, __func__);
  const varve::c::SizesOf of{(flags & kMemtables) != 0, (flags & kFiles) != 0};
  SaveError(errptr,
            varve::c::Measure(*db, family, of, count, begins, begin_sizes, ends, end_sizes, sizes));
}
void rocksdb_approximate_sizes_cf_with_options(rocksdb_t* db, Family* family,
                                               const rocksdb_size_approximation_options_t* options,
                                               int count, const char* const* begins,
                                               const size_t* begin_sizes, const char* const* ends,
                                               const size_t* end_sizes, uint64_t* sizes,
                                               char** errptr) {
  if (options->include_blob_files) {
    return Refuse(errptr, "rocksdb_size_approximation_options_set_include_blob_files");
  }
  const varve::c::SizesOf of{options->include_memtables, options->include_files};
  SaveError(errptr,
            varve::c::Measure(*db, family, of, count, begins, begin_sizes, ends, end_sizes, sizes));
}
void rocksdb_approximate_sizes_with_options(rocksdb_t* db,
                                            const rocksdb_size_approximation_options_t* options,
                                            int count, const char* const* begins,
                                            const size_t* begin_sizes, const char* const* ends,
                                            const size_t* end_sizes, uint64_t* sizes,
                                            char** errptr) {
  rocksdb_approximate_sizes_cf_with_options(db, nullptr, options, count, begins, begin_sizes, ends,
                                            end_sizes, sizes, errptr);
}

}  // extern "C"
