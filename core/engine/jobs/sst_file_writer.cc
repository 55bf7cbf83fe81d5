// SPDX-License-Identifier: Apache-2.0
#include "varve/sst_file_writer.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/block_compression.h"
#include "core/format/entry_size.h"
#include "core/fs/buffered_writer.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"
#include "core/table/write/table_builder.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

TableOrigin OriginOf(const ColumnFamilyOptions& options, Clock& clock, Random& random) {
  TableOrigin origin;
  origin.for_ingestion = true;
  if (options.merge_operator != nullptr) {
    origin.merge_operator = std::string(options.merge_operator->name());
  }
  origin.creation_time = clock.UnixMicros() / 1000000;
  origin.file_creation_time = origin.creation_time;
  do {
    origin.base_context_checksum = static_cast<uint32_t>(random.Next64());
  } while (origin.base_context_checksum == 0);
  return origin;
}

}  // namespace

struct SstFileWriter::Impl {
  Impl(FileSystem& file_system, const ColumnFamilyOptions& options, const Comparator& order,
       TableOrigin origin, std::unique_ptr<WritableFile> table_file)
      : fs(file_system),
        comparator(order),
        timestamp_size(order.timestamp_size()),
        file(std::make_unique<BufferedWriter>(std::move(table_file))),
        builder(TableOptionsOfIngestion(options), order, std::move(origin), file.get()) {}
  ~Impl() {
    if (!ended) RemoveObsoleteFile(fs, file->path());
  }

  Status Add(ValueType type, std::string_view key, std::string_view value) {
    RETURN_IF_ERROR(CheckOpen());
    RETURN_IF_ERROR(CheckKeySize(key.size()).At(file->path()));
    if (has_key && comparator.Compare(key, last_key) <= 0) {
      return Status::InvalidArgument(file->path() + ": keys must be added in ascending order");
    }
    RETURN_IF_ERROR(builder.Add({key, 0, type}, value));
    last_key.assign(key);
    has_key = true;
    return Status::Ok();
  }

  // `timestamp` is null for keys without.
  Status Add(ValueType type, std::string_view key, const std::string_view* timestamp,
             std::string_view value) {
    const size_t given = timestamp == nullptr ? 0 : timestamp->size();
    if (given != timestamp_size) {
      return Status::InvalidArgument(file->path() + ": a timestamp of " + std::to_string(given) +
                                     " bytes, and those of the comparator have " +
                                     std::to_string(timestamp_size));
    }
    if (timestamp == nullptr) return Add(type, key, value);
    return Add(type, std::string(key).append(*timestamp), value);
  }

  // Now, not in the destructor: by then another writer may have created the file again.
  Status Finish() {
    CHECK(!ended);
    ended = true;
    const Status finished = [&]() -> Status {
      RETURN_IF_ERROR(builder.Finish());
      RETURN_IF_ERROR(file->Sync());
      return file->Close();
    }();
    complete = finished.ok();
    if (!complete) RemoveObsoleteFile(fs, file->path());
    return finished;
  }

  Status CheckOpen() const {
    if (!ended) return Status::Ok();
    return Status::InvalidArgument(
        file->path() + (complete ? ": the file is finished" : ": Finish() has failed before"));
  }

  FileSystem& fs;
  const Comparator& comparator;
  const size_t timestamp_size;
  const std::unique_ptr<WritableFile> file;
  TableBuilder builder;
  std::string last_key;
  bool has_key = false;
  bool ended = false;     // Finish() was called: nothing can be added, whether it succeeded or not.
  bool complete = false;  // Finish() succeeded.
};

Result<SstFileWriter> SstFileWriter::Create(const Environment& env,
                                            const ColumnFamilyOptions& options,
                                            const std::string& path) {
  Options all;
  all.family = options;
  RETURN_IF_ERROR(ValidateOptions(all));
  const Environment complete = Complete(env);
  FileSystem& fs = *complete.file_system;
  const Comparator& comparator =
      options.comparator != nullptr ? *options.comparator : *BytewiseComparator();
  ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, fs.Create(path, /*direct=*/false));
  return SstFileWriter(std::make_unique<Impl>(fs, options, comparator,
                                              OriginOf(options, *complete.clock, *complete.random),
                                              std::move(file)));
}

SstFileWriter::SstFileWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SstFileWriter::SstFileWriter(SstFileWriter&&) noexcept = default;
SstFileWriter& SstFileWriter::operator=(SstFileWriter&&) noexcept = default;
SstFileWriter::~SstFileWriter() = default;

Status SstFileWriter::Put(std::string_view key, std::string_view value) {
  return impl_->Add(ValueType::kValue, key, nullptr, value);
}

Status SstFileWriter::PutAt(std::string_view key, std::string_view timestamp,
                            std::string_view value) {
  return impl_->Add(ValueType::kValue, key, &timestamp, value);
}

Status SstFileWriter::Delete(std::string_view key) {
  return impl_->Add(ValueType::kDeletion, key, nullptr, {});
}

Status SstFileWriter::DeleteAt(std::string_view key, std::string_view timestamp) {
  return impl_->Add(ValueType::kDeletionWithTimestamp, key, &timestamp, {});
}

Status SstFileWriter::Merge(std::string_view key, std::string_view operand) {
  return impl_->Add(ValueType::kMerge, key, nullptr, operand);
}

Status SstFileWriter::DeleteRange(std::string_view begin, std::string_view end) {
  RETURN_IF_ERROR(impl_->CheckOpen());
  if (impl_->timestamp_size != 0) {
    return Status::NotSupported(impl_->file->path() + ": range deletions of keys with timestamps");
  }
  RETURN_IF_ERROR(CheckKeySize(std::max(begin.size(), end.size())).At(impl_->file->path()));
  const int order = impl_->comparator.Compare(begin, end);
  if (order > 0) {
    return Status::InvalidArgument(impl_->file->path() +
                                   ": the begin of the range is behind its end");
  }
  return order == 0 ? Status::Ok() : impl_->builder.AddRangeTombstone(begin, end, 0);
}

uint64_t SstFileWriter::file_size() const { return impl_->builder.file_size(); }
uint64_t SstFileWriter::entries() const { return impl_->builder.entries(); }

Status SstFileWriter::Finish() {
  RETURN_IF_ERROR(impl_->CheckOpen());
  if (impl_->builder.empty()) {
    return Status::InvalidArgument(impl_->file->path() + ": nothing was added");
  }
  return impl_->Finish();
}

}  // namespace varve
