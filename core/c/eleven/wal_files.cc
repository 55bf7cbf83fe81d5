// SPDX-License-Identifier: Apache-2.0
// The list of a database's logs. None is archived: they are deleted when nothing needs them.
#include <memory>
#include <string>
#include <vector>

#include "core/c/error.h"
#include "core/c/handles.h"
#include "core/format/file_name.h"

struct rocksdb_wal_file_t {
  std::string path;  // "/000004.log", as RocksDB has it.
  varve::LogFile log;
};
struct rocksdb_wal_files_t {
  std::vector<rocksdb_wal_file_t> files;
};

namespace varve::c {
namespace {

constexpr int kAliveLog = 1;  // rocksdb_wal_file_type_alive_log

rocksdb_wal_file_t FileOf(const LogFile& log) { return {"/" + WalFileName(log.number), log}; }

}  // namespace
}  // namespace varve::c

extern "C" {

// Those with a batch in them, the oldest first.
rocksdb_wal_files_t* rocksdb_get_sorted_wal_files(rocksdb_t* db, char** errptr) {
  const auto logs = db->db->LogFiles();
  if (varve::c::SaveError(errptr, logs.status())) return nullptr;
  auto list = std::make_unique<rocksdb_wal_files_t>();
  for (const varve::LogFile& log : *logs) {
    if (log.first_sequence) list->files.push_back(varve::c::FileOf(log));
  }
  return list.release();
}
void rocksdb_wal_files_destroy(rocksdb_wal_files_t* list) { delete list; }
size_t rocksdb_wal_files_count(const rocksdb_wal_files_t* list) { return list->files.size(); }
const rocksdb_wal_file_t* rocksdb_wal_files_get_wal_file(const rocksdb_wal_files_t* list,
                                                         size_t index) {
  return index < list->files.size() ? &list->files[index] : nullptr;
}

// As in RocksDB, its first sequence number is not looked up.
rocksdb_wal_file_t* rocksdb_get_current_wal_file(rocksdb_t* db, char** errptr) {
  const auto logs = db->db->LogFiles();
  if (varve::c::SaveError(errptr, logs.status())) return nullptr;
  for (varve::LogFile log : *logs) {
    if (!log.present) continue;
    log.first_sequence.reset();
    return new rocksdb_wal_file_t(varve::c::FileOf(log));
  }
  varve::c::SaveError(errptr, varve::Status::IoError("log file not available"));
  return nullptr;
}
void rocksdb_wal_file_destroy(rocksdb_wal_file_t* file) { delete file; }
const char* rocksdb_wal_file_path_name(const rocksdb_wal_file_t* file) {
  return file->path.c_str();
}
uint64_t rocksdb_wal_file_log_number(const rocksdb_wal_file_t* file) { return file->log.number; }
int rocksdb_wal_file_type(const rocksdb_wal_file_t* /*file*/) { return varve::c::kAliveLog; }
uint64_t rocksdb_wal_file_start_sequence(const rocksdb_wal_file_t* file) {
  return file->log.first_sequence.value_or(0);
}
uint64_t rocksdb_wal_file_size_file_bytes(const rocksdb_wal_file_t* file) { return file->log.size; }

}  // extern "C"
