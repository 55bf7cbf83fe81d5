// SPDX-License-Identifier: Apache-2.0
#include "core/repair/recompress.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/table/point/point_index_builder.h"
#include "core/table/read/table_reader.h"
#include "core/table/write/table_builder.h"

namespace varve {
namespace {

// Keys that share their beginnings, and blocks that are easy to compress, may be far longer than
// the file; each trial builds them all. A file of 1 MiB gets the first bound, which is what the
// slowest codec does in a second or two; a larger one as much as blocks may be believed to hold.
constexpr uint64_t kEntryBytesFree = 16 * kMiB;
// The index and the filter are held until the table ends, and the index is compressed as a whole.
constexpr uint64_t kHeldBytesFree = 8 * kMiB;
constexpr uint64_t kHeldBytesPerByte = 32;

uint64_t EntryBytesMax(uint64_t file_size) {
  return std::max(kEntryBytesFree, kBlockExpansionMax * (file_size - std::min(file_size, kMiB)));
}

uint64_t HeldBytesMax(uint64_t file_size) {
  return std::max(kHeldBytesFree, kHeldBytesPerByte * file_size);
}

// A block, and the blocks that a dictionary is made of (dictionary_sampler.cc).
uint64_t AskedToHold(const TableOptions& options) {
  return 2 * uint64_t{options.block_size} +
         std::max<uint64_t>(4 * uint64_t{options.compression_dict_bytes},
                            options.zstd_max_train_bytes);
}

// Refuses what would take time or memory out of proportion to the file.
class BuildMeter {
 public:
  BuildMeter(std::string path, uint64_t file_size, const TableOptions& options)
      : path_(std::move(path)),
        file_size_(file_size),
        block_size_(options.block_size),
        held_max_(HeldBytesMax(file_size) + AskedToHold(options)) {}

  Status Count(const TableBuilder& builder, uint64_t entry_bytes) {
    entry_bytes_ += entry_bytes;
    if (entry_bytes_ > EntryBytesMax(file_size_)) {
      return Status::NotSupported(path_ + ": its entries take more than " +
                                  std::to_string(EntryBytesMax(file_size_)) +
                                  " bytes, in a file of " + std::to_string(file_size_) +
                                  ": they are not rebuilt for a comparison");
    }
    DCHECK_OP(builder.EstimatedFileSize(), >=, builder.file_size());
    if (builder.EstimatedFileSize() - builder.file_size() > held_max_) {
      return Status::NotSupported(path_ + ": with blocks of " + std::to_string(block_size_) +
                                  " bytes its index would take more than " +
                                  std::to_string(HeldBytesMax(file_size_)) +
                                  ": larger blocks need less (--block-size)");
    }
    return Status::Ok();
  }

 private:
  const std::string path_;
  const uint64_t file_size_, block_size_, held_max_;
  uint64_t entry_bytes_ = 0;
};

// Counts the bytes written and discards them.
class NoFile final : public WritableFile {
 public:
  Status Append(std::string_view bytes) override {
    size_ += bytes.size();
    return Status::Ok();
  }
  Status Sync() override { return Status::Ok(); }
  Status Close() override { return Status::Ok(); }
  uint64_t size() const override { return size_; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "nowhere";
  uint64_t size_ = 0;
};

Result<std::unique_ptr<TableReader>> OpenToRecompress(FileSystem& fs, const std::string& path) {
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  return TableReader::Open(std::move(file), {});
}

}  // namespace

Result<TableOptions> OptionsOfTable(FileSystem& fs, const std::string& path) {
  ASSIGN_OR_RETURN(const auto table, OpenToRecompress(fs, path));
  TableOptions options;
  if (table->format_version() >= 2) {
    options.format_version = std::min<uint32_t>(table->format_version(), 7);
  }
  if (table->checksum_type() != ChecksumType::kNone) options.checksum = table->checksum_type();
  if (table->properties().filter_policy.empty()) options.filter = FilterKind::kNone;
  options.point_index = PointIndexLike(table->properties());
  return options;
}

Result<RecompressedSize> MeasureRecompressed(const Environment& env, const std::string& path,
                                             const TableOptions& options) {
  const uint64_t begin = env.clock->NowMicros();
  ASSIGN_OR_RETURN(const auto table, OpenToRecompress(*env.file_system, path));
  if (table->comparator() == nullptr) {
    return UnknownOrder(path, table->comparator_name());
  }
  ASSIGN_OR_RETURN(const uint64_t file_size, env.file_system->FileSize(path));
  BuildMeter meter(path, file_size, options);
  NoFile file;
  TableOrigin origin;
  origin.base_context_checksum = 1;
  TableBuilder builder(options, *table->comparator(), origin, &file);
  const std::unique_ptr<InternalIterator> it = table->NewIterator({.fill_cache = false});
  // The builder CHECKs this, but here the order comes from a file.
  std::string last_key;
  uint64_t last_packed = 0;
  bool any = false;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    const InternalKey& key = it->key();
    const int order = any ? table->comparator()->Compare(last_key, key.user_key) : -1;
    if (order > 0 || (order == 0 && last_packed <= key.packed())) {
      return Status::Corruption(path + ": " + DebugString(key) +
                                " is not greater than the previous key");
    }
    RETURN_IF_ERROR(meter.Count(builder, key.user_key.size() + it->value().size()));
    RETURN_IF_ERROR(builder.Add(key, it->value()));
    last_key.assign(key.user_key);
    last_packed = key.packed();
    any = true;
  }
  RETURN_IF_ERROR(it->status());
  for (const RangeTombstone& tombstone : table->RawTombstones()) {
    RETURN_IF_ERROR(meter.Count(builder, tombstone.begin.size() + tombstone.end.size()));
    RETURN_IF_ERROR(builder.AddRangeTombstone(tombstone.begin, tombstone.end, tombstone.sequence));
  }
  if (builder.empty()) return Status::InvalidArgument(path + ": the table is empty");
  RETURN_IF_ERROR(builder.Finish());
  CHECK_OP(builder.file_size(), ==, file.size());
  return RecompressedSize{.file_bytes = builder.file_size(),
                          .data_bytes = builder.properties().data_size,
                          .data_blocks = builder.properties().data_blocks,
                          .micros = env.clock->NowMicros() - begin};
}

}  // namespace varve
