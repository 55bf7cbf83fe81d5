// SPDX-License-Identifier: Apache-2.0
#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/handles.h"
#include "core/c/live_files.h"

namespace varve::c {
namespace {

// Whether all logs together have at least so many bytes.
Result<bool> LogsReach(const rocksdb_t& db, uint64_t bytes) {
  if (bytes == 0) return true;
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> logs, LogsIn(*db.file_system, db.path));
  uint64_t sum = 0;
  for (const DirectoryEntry& log : logs) sum += log.size;
  return sum >= bytes;
}

// Logs that reach `log_size_for_flush` are not copied: memtables are flushed instead.
Status Create(const rocksdb_t& db, const std::string& path, uint64_t log_size_for_flush) {
  ASSIGN_OR_RETURN(const bool flush, LogsReach(db, log_size_for_flush));
  if (flush) RETURN_IF_ERROR(db.db->FlushAll());
  return db.db->Checkpoint(path);
}

}  // namespace
}  // namespace varve::c

extern "C" {

rocksdb_checkpoint_t* rocksdb_checkpoint_object_create(rocksdb_t* db, char** /*errptr*/) {
  return new rocksdb_checkpoint_t{db};
}

void rocksdb_checkpoint_create(rocksdb_checkpoint_t* checkpoint, const char* directory,
                               uint64_t log_size_for_flush, char** errptr) {
  const varve::Status created = varve::c::Create(*checkpoint->db, directory, log_size_for_flush);
  varve::c::SaveError(errptr, varve::c::IoErrorIfMissing(created));
}

void rocksdb_checkpoint_object_destroy(rocksdb_checkpoint_t* checkpoint) { delete checkpoint; }

}  // extern "C"
