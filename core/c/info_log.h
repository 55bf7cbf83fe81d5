// SPDX-License-Identifier: Apache-2.0
// The LOG of an open database, as RocksDB writes it: a text of what was given and what happened, in
// the directory of the database or in db_log_dir.
//
//   2026/11/26-07:54:23.330986 14559 Options.max_open_files: -1
//   2026/11/26-07:54:24.033763 14676 EVENT_LOG_v1 {"time_micros": 1795679664033757, "job": 2, ...}
//
// The LOG of the opening before is LOG.old.<microseconds> then; with max_log_file_size or
// log_file_time_to_roll, so is one that is too large or too old. Of all of them, keep_log_file_num
// stay. Nothing is written before Begin(), so that an opening that is refused changes nothing. What
// cannot be written is left out: a database works without its LOG.
//
// Times are local, as in RocksDB. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/c/option_handles.h"
#include "core/engine/job_listener.h"
#include "varve/environment.h"

namespace varve::c {

// RocksDB's InfoLogLevel. Lines below info_log_level are left out, and those of kHeader with those
// of kInfo, as in RocksDB.
enum class LogLevel : uint8_t { kDebug, kInfo, kWarn, kError, kFatal, kHeader };

class InfoLog final : public JobListener {
 public:
  // Of a database in `path`, with the members of `options` that concern it.
  InfoLog(const rocksdb_options_t& options, const std::string& path);
  ~InfoLog() override = default;

  // A line, or several. Those of kHeader are repeated at the beginning of each new file.
  void Write(LogLevel level, std::string_view line) EXCLUDES(mutex_);
  // Makes the file, in `directory` unless there is a db_log_dir, and writes what there is so far.
  void Begin(const std::string& directory) EXCLUDES(mutex_);

  void OnFlushBegin(uint64_t job, const JobFamily& family,
                    std::span<const std::shared_ptr<MemTable>> memtables,
                    FlushReason reason) override;
  void OnCompactionBegin(uint64_t job, const JobFamily& family,
                         const CompactionPlan& plan) override;
  void OnEnd(uint64_t job, const JobFamily& family, const JobEnd& end) override;
  void OnTableDeleted(FileNumber number) override;

 private:
  void WriteEvent(uint64_t job, std::string_view event, std::string_view more);
  void WriteTables(uint64_t job, const JobFamily& family, std::span<const FileDescription> tables);
  void Append(std::string_view text) REQUIRES(mutex_);
  void Open() REQUIRES(mutex_);
  bool IsDue() const REQUIRES(mutex_);
  void KeepNewest() const REQUIRES(mutex_);

  const Environment env_;
  const std::shared_ptr<Logger> logger_;  // Null: the file.
  const std::string database_;            // Absolute.
  const std::string log_directory_;
  const LogLevel level_;
  const size_t bytes_max_;      // 0: no limit.
  const uint64_t seconds_max_;  // 0: no limit.
  const size_t files_max_;

  Mutex mutex_;
  std::string directory_ GUARDED_BY(mutex_);
  std::string name_ GUARDED_BY(mutex_);  // "LOG".
  std::unique_ptr<WritableFile> file_ GUARDED_BY(mutex_);
  bool begun_ GUARDED_BY(mutex_) = false;
  std::string header_ GUARDED_BY(mutex_);   // Lines of kHeader.
  std::string waiting_ GUARDED_BY(mutex_);  // Until Begin().
  uint64_t bytes_ GUARDED_BY(mutex_) = 0;   // Of the file.
  uint64_t opened_seconds_ GUARDED_BY(mutex_) = 0;
};

// The lines of RocksDB's LOG on options: those of a database, and those of a family.
void LogOptions(const rocksdb_options_t& options, InfoLog* log);
void LogFamilyOptions(const std::string& family, const rocksdb_options_t& options, InfoLog* log);

}  // namespace varve::c
