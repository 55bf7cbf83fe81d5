// SPDX-License-Identifier: Apache-2.0
// TableOutput writes one table on behalf of a flush or compaction and makes it fit to be named in a
// MANIFEST: built, synced, closed (rule S3; the directory is synced once per job, by the job).
//
//   Create -> Add()* -> Finish -> FileDescription -> VerifyOutput, if paranoid_checks
//          \-- destroyed without Finish: the file is removed
//
// One thread; the executor's help to write (fs/background_writer.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/counter.h"
#include "core/base/try.h"
#include "core/format/manifest/file_description.h"
#include "core/table/write/table_builder.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

// What the jobs of one family need of the world. Outlives the job.
struct JobContext {
  Environment env;
  std::string directory;
  ColumnFamilyOptions options;                  // Comparator known; merge operator maybe.
  TableOrigin origin;                           // Family and database; the rest is set per table.
  std::vector<Sequence> snapshots;              // Live ones, ascending.
  std::function<FileNumber()> new_file_number;  // Thread-safe.
  std::function<bool()> cancelled;              // Thread-safe: the database is closing.
  bool direct_io = false;
  bool paranoid_checks = true;    // Read outputs back before they count.
  uint64_t readahead_size = 0;    // For inputs.
  Counter* bytes_read = nullptr;  // Added to as a compaction reads; null: nobody looks.
};

class TableOutput {
 public:
  // A new file with the next number; `options` says how blocks look.
  static Result<std::unique_ptr<TableOutput>> Create(const JobContext& job,
                                                     const TableOptions& options);
  ~TableOutput();
  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;

  // As TableBuilder::Add(). The description will name the blob files that entries refer to.
  Status Add(const InternalKey& key, std::string_view value) {
    if (key.type == ValueType::kBlobIndex) RETURN_IF_ERROR(NoteBlobIndex(key.user_key, value));
    return builder_->Add(key, value);
  }
  TableBuilder& builder() { return *builder_; }
  FileNumber number() const { return description_.number; }

  // Completes and syncs the file. The description has everything but the epoch.
  Result<FileDescription> Finish();

 private:
  explicit TableOutput(const JobContext& job) : job_(job) {}
  Status NoteBlobIndex(std::string_view user_key, std::string_view blob_index);

  const JobContext& job_;
  std::string path_;
  std::unique_ptr<WritableFile> file_;
  std::unique_ptr<TableBuilder> builder_;
  FileDescription description_;
  bool finished_ = false;
};

// Reads all of a finished table back, under paranoid_checks: it must have as many entries, range
// tombstones included, as went into it, in order. Where DCHECK is on, what the MANIFEST will say of
// the table is held against that, too (output_check.h). Any thread.
Status VerifyOutput(const JobContext& job, const FileDescription& output, uint64_t entries);

// Removes tables that were finished and will not be installed after all.
void RemoveOutputs(const JobContext& job, const std::vector<FileDescription>& outputs);

}  // namespace varve
