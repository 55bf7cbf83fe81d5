// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/table_output.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/output_check.h"
#include "core/format/file_name.h"
#include "core/format/table/unique_id.h"
#include "core/format/value/blob_record.h"
#include "core/fs/background_writer.h"
#include "core/fs/durable.h"
#include "core/version/table_weight.h"

namespace varve {
namespace {

uint64_t UnixSeconds(const Environment& env) { return env.clock->UnixMicros() / 1000000; }

std::string PathOf(const JobContext& job, FileNumber number) {
  return JoinPath(job.directory, TableFileName(number));
}

}  // namespace

Result<std::unique_ptr<TableOutput>> TableOutput::Create(const JobContext& job,
                                                         const TableOptions& options) {
  std::unique_ptr<TableOutput> output(new TableOutput(job));
  FileDescription& description = output->description_;
  description.number = job.new_file_number();
  output->path_ = JoinPath(job.table_directory, TableFileName(description.number));
  description.path_id = job.path_id;
  ASSIGN_OR_RETURN(auto file, job.env.file_system->Create(output->path_, job.direct_io));
  output->file_ = std::make_unique<BackgroundWriter>(std::move(file), job.env.executor,
                                                     Executor::Lane::kCompaction);
  TableOrigin origin = job.origin;
  origin.file_number = description.number;
  origin.file_creation_time = UnixSeconds(job.env);
  origin.creation_time = origin.file_creation_time;
  // Zero would mean that block checksums have no context (format_version 6 and later).
  origin.base_context_checksum = static_cast<uint32_t>(job.env.random->Next64()) | 1;
  description.creation_time = origin.file_creation_time;
  description.oldest_ancestor_time = origin.file_creation_time;
  output->builder_ = std::make_unique<TableBuilder>(options, *job.options.comparator,
                                                    std::move(origin), output->file_.get());
  return output;
}

TableOutput::~TableOutput() {
  if (finished_ || file_ == nullptr) return;
  builder_.reset();
  file_.reset();
  RemoveObsoleteFile(*job_.env.file_system, path_);
}

Status TableOutput::NoteBlobIndex(std::string_view user_key, std::string_view blob_index) {
  ASSIGN_OR_RETURN(const BlobIndex index, DecodeBlobIndex(blob_index, user_key));
  uint64_t& oldest = description_.oldest_blob_file;
  oldest = oldest == 0 ? index.file : std::min(oldest, index.file);
  return Status::Ok();
}

Result<FileDescription> TableOutput::Finish() {
  CHECK(!finished_ && !builder_->empty());
  RETURN_IF_ERROR(builder_->Finish());
  RETURN_IF_ERROR(file_->Sync());
  RETURN_IF_ERROR(file_->Close());
  description_.size = builder_->file_size();
  description_.smallest = builder_->smallest();
  description_.largest = builder_->largest();
  description_.smallest_sequence = builder_->smallest_sequence();
  description_.largest_sequence = builder_->largest_sequence();
  description_.counts = CountsOf(builder_->properties());
  description_.unique_id =
      TableUniqueId(job_.origin.db_id, job_.origin.db_session_id, description_.number);
  finished_ = true;
  return description_;
}

Result<std::unique_ptr<TableReader>> OpenOutput(const JobContext& job, const std::string& path,
                                                uint64_t size) {
  ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file,
                   job.env.file_system->OpenForRead(path, job.direct_io));
  TableReaderOptions options;
  options.comparator = job.options.comparator;
  options.expected_size = size;
  return TableReader::Open(std::move(file), options);
}

Status VerifyOutput(const JobContext& job, const FileDescription& output, uint64_t entries) {
  if (!job.paranoid_checks) return Status::Ok();
  const std::string path = PathOf(job, output.number);
  ASSIGN_OR_RETURN(const std::unique_ptr<TableReader> table, OpenOutput(job, path, output.size));
  TableIteratorOptions reading;
  reading.fill_cache = false;
  reading.readahead.fixed_window = job.readahead_size;
  const std::unique_ptr<InternalIterator> it = table->NewIterator(reading);
  uint64_t found = table->RawTombstones().size();
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++found;
  RETURN_IF_ERROR(it->status());
  if (found != entries) {
    return Status::Corruption(path + ": read back " + std::to_string(found) + " entries of " +
                              std::to_string(entries) + " written");
  }
  DCHECK_OK(CheckOutput(*job.options.comparator, output, *table));
  return Status::Ok();
}

void RemoveOutputs(const JobContext& job, const std::vector<FileDescription>& outputs) {
  for (const FileDescription& output : outputs) {
    RemoveObsoleteFile(*job.env.file_system, PathOf(job, output.number));
  }
}

}  // namespace varve
