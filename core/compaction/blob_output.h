// SPDX-License-Identifier: Apache-2.0
// BlobOutput writes one blob file (format/value/blob_record.h) for a flush or compaction and
// prepares it for the MANIFEST: complete, synced, closed (rule S3; the job syncs the directory).
//
//   Create -> Add()* -> Finish -> BlobFileAddition
//          \------\-- destroyed without Finish: the file is removed
//
// One thread; uses the executor to write (fs/background_writer.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/compaction/job_context.h"
#include "core/format/manifest/version_edit.h"
#include "core/format/value/blob_record.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

class BlobOutput {
 public:
  // Creates a file with the next number, of values that are stored with this codec.
  static Result<std::unique_ptr<BlobOutput>> Create(const JobContext& job, CompressionType codec);
  ~BlobOutput();
  BlobOutput(const BlobOutput&) = delete;
  BlobOutput& operator=(const BlobOutput&) = delete;

  // `stored`: the value as the codec of the file has it.
  Result<BlobIndex> Add(std::string_view user_key, std::string_view stored);
  // Bytes so far.
  uint64_t size() const { return file_->size(); }

  // With paranoid_checks, the whole file is read back.
  Result<BlobFileAddition> Finish();

 private:
  BlobOutput(const JobContext& job, CompressionType codec) : job_(job), codec_(codec) {}

  const JobContext& job_;
  const CompressionType codec_;
  std::string path_;
  std::unique_ptr<WritableFile> file_;
  BlobFileAddition addition_;
  std::string scratch_;
  bool finished_ = false;
};

// Removes finished files that will not be installed.
void RemoveBlobFiles(const JobContext& job, const std::vector<BlobFileAddition>& files);

}  // namespace varve
