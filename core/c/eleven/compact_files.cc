// SPDX-License-Identifier: Apache-2.0
// Compactions of tables that a program chose.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/c/eleven/handles.h"
#include "core/c/eleven/job_info.h"
#include "core/c/error.h"
#include "core/c/functions.h"

using Family = rocksdb_column_family_handle_t;
using varve::Status;

namespace varve::c {
namespace {

constexpr int kAsTheLevel = 0xff;  // RocksDB's kDisableCompressionOption.

Result<CompactFilesOptions> HowToCompact(const rocksdb_compaction_options_t& options, int path) {
  CompactFilesOptions how;
  if (options.compression != kAsTheLevel) {
    ASSIGN_OR_RETURN(how.compression, CodecOf(options.compression));
  }
  how.output_file_size_limit = options.output_file_size_limit;
  how.max_subcompactions = static_cast<int>(
      std::min<uint32_t>(options.max_subcompactions, std::numeric_limits<int>::max()));
  how.allow_trivial_move = options.allow_trivial_move;
  if (path >= 0) how.output_path = static_cast<uint32_t>(path);
  how.cancelled = options.cancelled;
  return how;
}

bool IsCancelled(const rocksdb_t& db, const rocksdb_compaction_options_t& options) {
  return db.manual_compaction_pauses > 0 ||
         (options.cancelled != nullptr && options.cancelled->load());
}

struct FilesToCompact {
  std::vector<std::string> names;
  int level;
  int path;
};

Status CompactChosen(rocksdb_t* db, const Family* family,
                     const rocksdb_compaction_options_t& options, const FilesToCompact& files,
                     CompactionJobInfo* info) {
  ASSIGN_OR_RETURN(const CompactFilesOptions how, HowToCompact(options, files.path));
  return db->db->CompactFiles(how, files.names, files.level, IdOf(family), info);
}

// In RocksDB's words, where they are not those of the code.
void SaveCompactError(char** errptr, const rocksdb_t& db,
                      const rocksdb_compaction_options_t& options, const Status& status) {
  if (status.code() == Code::kShutdown && IsCancelled(db, options)) {
    SaveErrorText(errptr, "Result incomplete: Manual compaction paused");
  } else if (status.code() == Code::kBusy) {
    SaveErrorText(errptr, "Operation aborted: " + std::string(status.message()));
  } else {
    SaveError(errptr, status);
  }
}

char** CopyPaths(const CompactionJobInfo& info) {
  auto** const list = static_cast<char**>(
      std::malloc((info.outputs.size() + info.blobs.size() + 1) * sizeof(char*)));
  VARVE_CHECK(list != nullptr);
  char** next = list;
  for (const CompactedTable& table : info.outputs) *next++ = CopyText(table.path);
  for (const CompactedBlobs& blobs : info.blobs) *next++ = CopyText(blobs.path);
  *next = nullptr;
  return list;
}

uint64_t ThisThread() { return std::hash<std::thread::id>()(std::this_thread::get_id()); }

}  // namespace
}  // namespace varve::c

extern "C" {

// c.h passes an atomic bool as a byte.
unsigned char* rocksdb_compaction_options_canceled_create() {
  return reinterpret_cast<unsigned char*>(new std::atomic<bool>(false));
}
void rocksdb_compaction_options_canceled_destroy(unsigned char* canceled) {
  delete reinterpret_cast<std::atomic<bool>*>(canceled);
}
void rocksdb_compaction_options_canceled_set(unsigned char* canceled, unsigned char value) {
  if (canceled != nullptr) *reinterpret_cast<std::atomic<bool>*>(canceled) = value != 0;
}
void rocksdb_compaction_options_set_canceled(rocksdb_compaction_options_t* options,
                                             unsigned char* canceled) {
  options->cancelled = reinterpret_cast<std::atomic<bool>*>(canceled);
}

void rocksdb_compact_files_cf(rocksdb_t* db, Family* family,
                              const rocksdb_compaction_options_t* options,
                              const char* const* input_file_names, size_t num_input_file_names,
                              int output_level, int output_path_id, char*** output_file_names,
                              size_t* num_output_file_names,
                              rocksdb_compactionjobinfo_t* compaction_job_info, char** errptr) {
  const rocksdb_compaction_options_t as_usual;
  const rocksdb_compaction_options_t& how = options == nullptr ? as_usual : *options;
  const varve::c::FilesToCompact files{
      {input_file_names, input_file_names + num_input_file_names}, output_level, output_path_id};
  varve::CompactionJobInfo info;
  const Status compacted = varve::c::IsCancelled(*db, how)
                               ? Status::Shutdown("the compaction was cancelled")
                               : varve::c::CompactChosen(db, family, how, files, &info);
  if (!compacted.ok()) return varve::c::SaveCompactError(errptr, *db, how, compacted);
  if (num_output_file_names != nullptr) {
    *num_output_file_names = info.outputs.size() + info.blobs.size();
  }
  if (output_file_names != nullptr) *output_file_names = varve::c::CopyPaths(info);
  if (compaction_job_info != nullptr) {
    compaction_job_info->Set(std::move(info), varve::c::ThisThread());
  }
}
void rocksdb_compact_files(rocksdb_t* db, const rocksdb_compaction_options_t* options,
                           const char* const* input_file_names, size_t num_input_file_names,
                           int output_level, int output_path_id, char*** output_file_names,
                           size_t* num_output_file_names,
                           rocksdb_compactionjobinfo_t* compaction_job_info, char** errptr) {
  rocksdb_compact_files_cf(db, nullptr, options, input_file_names, num_input_file_names,
                           output_level, output_path_id, output_file_names, num_output_file_names,
                           compaction_job_info, errptr);
}
void rocksdb_compact_files_output_file_names_destroy(char** names, size_t count) {
  rocksdb_list_column_families_destroy(names, count);
}

}  // extern "C"
