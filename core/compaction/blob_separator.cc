// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/blob_separator.h"

#include <limits>
#include <utility>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/version/blob_reader.h"

namespace varve {

BlobSeparator::BlobSeparator(const JobContext& job, int level, FileNumber collect_below)
    : job_(job),
      options_(job.options.blobs),
      collect_below_(collect_below),
      writes_(options_.enabled && level >= options_.starting_level) {}

BlobSeparator::~BlobSeparator() = default;

Status BlobSeparator::Separate(InternalKey* key, std::string_view* value) {
  if (key->type == ValueType::kBlobIndex) return Collect(key, value);
  if (writes_ && key->type == ValueType::kValue) return WriteBlob(key, value);
  return Status::Ok();
}

Status BlobSeparator::WriteBlob(InternalKey* key, std::string_view* value) {
  // A reader takes no larger records.
  if (value->size() < options_.min_size ||
      value->size() > kBlockRawSizeMax - key->user_key.size()) {
    return Status::Ok();
  }
  std::string_view stored = *value;
  std::unique_ptr<BlobOutput>* output = &plain_;
  CompressionType codec = CompressionType::kNone;
  if (options_.compression != CompressionType::kNone) {
    if (compressor_ == nullptr) {
      ASSIGN_OR_RETURN(compressor_, Compressor::Create(options_.compression,
                                                       TableOptions::kDefaultCompressionLevel, {}));
    }
    if (compressor_->Compress(*value, &index_)) {
      packed_.clear();
      if (options_.compression != CompressionType::kSnappy) {
        AppendVarint32(&packed_, static_cast<uint32_t>(value->size()));
      }
      packed_ += index_;
      stored = packed_;
      output = &compressed_;
      codec = options_.compression;
    }
  }
  if (*output == nullptr) {
    ASSIGN_OR_RETURN(*output, BlobOutput::Create(job_, codec));
  }
  ASSIGN_OR_RETURN(const BlobIndex index, (*output)->Add(key->user_key, stored));
  if ((*output)->size() >= options_.file_size) RETURN_IF_ERROR(Close(output));
  index_.clear();
  AppendBlobIndex(index, &index_);
  key->type = ValueType::kBlobIndex;
  *value = index_;
  return Status::Ok();
}

Status BlobSeparator::Collect(InternalKey* key, std::string_view* value) {
  ASSIGN_OR_RETURN(const BlobIndex index, DecodeBlobIndex(*value, key->user_key));
  if (index.file >= collect_below_) return kept_.Add(key->user_key, *value);
  CHECK(job_.blobs != nullptr);
  ASSIGN_OR_RETURN(collected_, job_.blobs->Read(key->user_key, *value));
  key->type = ValueType::kValue;
  *value = collected_.view();
  return writes_ ? WriteBlob(key, value) : Status::Ok();
}

Status BlobSeparator::Close(std::unique_ptr<BlobOutput>* output) {
  ASSIGN_OR_RETURN(BlobFileAddition file, (*output)->Finish());
  files_.push_back(std::move(file));
  output->reset();
  return Status::Ok();
}

Status BlobSeparator::Finish() {
  if (compressed_ != nullptr) RETURN_IF_ERROR(Close(&compressed_));
  if (plain_ != nullptr) RETURN_IF_ERROR(Close(&plain_));
  return Status::Ok();
}

void BlobSeparator::Abandon() {
  compressed_.reset();
  plain_.reset();
  RemoveBlobFiles(job_, std::exchange(files_, {}));
}

FileNumber CollectBlobsBelow(const std::vector<BlobFileMetadata>& files,
                             const BlobOptions& options) {
  if (!options.collect_garbage) return 0;
  const auto oldest = static_cast<size_t>(options.age_cutoff * static_cast<double>(files.size()));
  if (oldest >= files.size()) return std::numeric_limits<FileNumber>::max();
  return files[oldest].number;
}

}  // namespace varve
