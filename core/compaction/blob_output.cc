// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/blob_output.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/fs/background_writer.h"
#include "core/fs/durable.h"
#include "core/version/blob_reader.h"

namespace varve {
namespace {

// Blob files are in the directory of the database, wherever its tables are.
std::string PathOf(const JobContext& job, FileNumber number) {
  return JoinPath(job.directory, BlobFileName(number));
}

Status ReadBack(const JobContext& job, const BlobFileAddition& file) {
  const BlobReader reader(*job.env.file_system, job.directory);
  ASSIGN_OR_RETURN(const BlobReader::Summary found, reader.Verify(file.number));
  if (found.blobs == file.blobs && found.bytes == file.bytes) return Status::Ok();
  return Status::Corruption(PathOf(job, file.number) + ": read back " +
                            std::to_string(found.blobs) + " blobs of " +
                            std::to_string(found.bytes) + " bytes, written were " +
                            std::to_string(file.blobs) + " of " + std::to_string(file.bytes));
}

}  // namespace

Result<std::unique_ptr<BlobOutput>> BlobOutput::Create(const JobContext& job,
                                                       CompressionType codec) {
  std::unique_ptr<BlobOutput> output(new BlobOutput(job, codec));
  output->addition_.number = job.new_file_number();
  output->path_ = PathOf(job, output->addition_.number);
  ASSIGN_OR_RETURN(auto file, job.env.file_system->Create(output->path_, job.direct_io));
  output->file_ = std::make_unique<BackgroundWriter>(std::move(file), job.env.executor,
                                                     Executor::Lane::kCompaction);
  AppendBlobFileHeader({.family = job.origin.family_id, .compression = codec}, &output->scratch_);
  RETURN_IF_ERROR(output->file_->Append(output->scratch_));
  return output;
}

BlobOutput::~BlobOutput() {
  if (finished_ || file_ == nullptr) return;
  file_.reset();
  RemoveObsoleteFile(*job_.env.file_system, path_);
}

Result<BlobIndex> BlobOutput::Add(std::string_view user_key, std::string_view stored) {
  BlobIndex index{.file = addition_.number, .size = stored.size(), .compression = codec_};
  index.offset = file_->size() + kBlobRecordHeaderSize + user_key.size();
  scratch_.clear();
  AppendBlobRecordHeader(user_key, stored, &scratch_);
  scratch_.append(user_key);
  RETURN_IF_ERROR(file_->Append(scratch_));
  RETURN_IF_ERROR(file_->Append(stored));
  addition_.blobs++;
  addition_.bytes += index.RecordSize(user_key);
  return index;
}

Result<BlobFileAddition> BlobOutput::Finish() {
  CHECK(!finished_ && addition_.blobs > 0);
  scratch_.clear();
  AppendBlobFileFooter({.blobs = addition_.blobs}, &scratch_);
  RETURN_IF_ERROR(file_->Append(scratch_));
  RETURN_IF_ERROR(file_->Sync());
  RETURN_IF_ERROR(file_->Close());
  if (job_.paranoid_checks) RETURN_IF_ERROR(ReadBack(job_, addition_));
  finished_ = true;
  return addition_;
}

void RemoveBlobFiles(const JobContext& job, const std::vector<BlobFileAddition>& files) {
  for (const BlobFileAddition& file : files) {
    RemoveObsoleteFile(*job.env.file_system, PathOf(job, file.number));
  }
}

}  // namespace varve
