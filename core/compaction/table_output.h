// SPDX-License-Identifier: Apache-2.0
// TableOutput writes one table for a flush or compaction and prepares it for the MANIFEST: built,
// synced, closed (rule S3; the job syncs the directory once).
//
//   Create -> Add()* -> Finish -> FileDescription -> VerifyOutput, if paranoid_checks
//          \-- destroyed without Finish: the file is removed
//
// One thread; uses the executor to write (fs/background_writer.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/try.h"
#include "core/compaction/job_context.h"
#include "core/format/manifest/file_description.h"
#include "core/table/read/table_reader.h"
#include "core/table/write/table_builder.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

class TableOutput {
 public:
  // Creates a file with the next number; `options` specify the format of blocks.
  static Result<std::unique_ptr<TableOutput>> Create(const JobContext& job,
                                                     const TableOptions& options);
  ~TableOutput();
  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;

  // As TableBuilder::Add(). The description will have the blob files that entries refer to.
  Status Add(const InternalKey& key, std::string_view value) {
    if (key.type == ValueType::kBlobIndex) RETURN_IF_ERROR(NoteBlobIndex(key.user_key, value));
    return builder_->Add(key, value);
  }
  TableBuilder& builder() { return *builder_; }
  FileNumber number() const { return description_.number; }

  // Completes and syncs the file. The description has everything except the epoch.
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

// Opens a table that has just been written, to read it back.
Result<std::unique_ptr<TableReader>> OpenOutput(const JobContext& job, const std::string& path,
                                                uint64_t size);

// Reads back the whole table (paranoid_checks): it must have as many entries, including range
// tombstones, as were added, in order. With DCHECK also compares it with the description for the
// MANIFEST (output_check.h). Any thread.
Status VerifyOutput(const JobContext& job, const FileDescription& output, uint64_t entries);

// Removes finished tables that will not be installed.
void RemoveOutputs(const JobContext& job, const std::vector<FileDescription>& outputs);

}  // namespace varve
