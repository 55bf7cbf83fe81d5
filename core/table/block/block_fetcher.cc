// SPDX-License-Identifier: Apache-2.0
#include "core/table/block/block_fetcher.h"

#include <cstring>
#include <utility>

#include "core/base/bytes/byte_reader.h"
#include "core/base/codec/compression.h"
#include "core/base/thread_reads.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/fs/direct_io.h"
#include "core/table/readahead/prefetcher.h"

namespace varve {
namespace {

// The codecs that a table's dictionary applies to (sst-format 5.4).
bool TakesDictionary(CompressionType codec) {
  return codec == CompressionType::kZlib || codec == CompressionType::kLz4 ||
         codec == CompressionType::kLz4hc || codec == CompressionType::kZstd;
}

Status Outline(BlockKind kind, Block* block) {
  block->set_kind(kind);
  if (kind == BlockKind::kOpaque) return Status::Ok();
  if (kind == BlockKind::kFilter) {
    block->ParseFilter();
    return Status::Ok();
  }
  RETURN_IF_ERROR(block->ParseOutline());
  if (kind == BlockKind::kData && block->writable() != nullptr) block->MakeHints();
  return Status::Ok();
}

Status NoMemoryFor(uint64_t size) {
  return Status::IoError("no memory for a block of " + std::to_string(size) + " bytes");
}

}  // namespace

BlockFetcher::BlockFetcher(std::unique_ptr<RandomAccessFile> file, uint64_t file_size,
                           std::shared_ptr<ClockCache> cache)
    : file_(std::move(file)),
      file_size_(file_size),
      cache_(std::move(cache)),
      cache_id_(cache_ == nullptr ? 0 : cache_->NextTableId()) {
  footer_.offset = file_size;
}

std::string BlockFetcher::Where(uint64_t offset) const {
  const std::string& path = file_->path();
  const size_t slash = path.rfind('/');
  return path.substr(slash == std::string::npos ? 0 : slash + 1) + "@" + std::to_string(offset);
}

Status BlockFetcher::NoMemory(uint64_t size, BlockHandle handle) const {
  return NoMemoryFor(size).At(Where(handle.offset));
}

Status BlockFetcher::CheckHandle(BlockHandle handle, BlockKind kind) const {
  const bool data = kind == BlockKind::kData && end_of_data_ < footer_.offset;
  const uint64_t limit = data ? end_of_data_ : footer_.offset;
  if (handle.FitsBelow(limit)) return Status::Ok();
  return Status::Corruption(
             "block of " + std::to_string(handle.size) + " bytes does not end before the " +
             (data ? "end of the data blocks at " : "footer at ") + std::to_string(limit))
      .At(Where(handle.offset));
}

Result<std::string> BlockFetcher::ReadBytes(uint64_t offset, uint64_t size) const {
  std::string buffer(size, '\0');
  Result<std::string_view> got = ReadAnywhere(*file_, offset, size, buffer.data());
  if (!got.ok()) return got.status();
  if (got->size() != size) {
    return Status::Corruption("file ends after " + std::to_string(got->size()) + " of " +
                              std::to_string(size) + " bytes")
        .At(Where(offset));
  }
  if (size > 0 && got->data() != buffer.data()) std::memcpy(buffer.data(), got->data(), size);
  return buffer;
}

Result<std::string> BlockFetcher::ReadStored(BlockHandle handle) const {
  RETURN_IF_ERROR(CheckHandle(handle, BlockKind::kOpaque));
  return ReadBytes(handle.offset, handle.size + kBlockTrailerSize);
}

Result<std::shared_ptr<const Block>> BlockFetcher::Fetch(BlockHandle handle, BlockKind kind,
                                                         const FetchOptions& options) const {
  if (std::shared_ptr<const Block> block = FindCached(handle, kind)) return block;
  return FetchMissing(handle, kind, options);
}

Result<std::shared_ptr<const Block>> BlockFetcher::FetchMissing(BlockHandle handle, BlockKind kind,
                                                                const FetchOptions& options) const {
  if (options.cache_only) {
    return Status::Busy("block is not in the cache").At(Where(handle.offset));
  }
  Result<std::shared_ptr<const Block>> block = Read(handle, kind, options);
  // Unverified blocks must not be cached for readers that want verified ones.
  if (!block.ok() || !options.fill_cache || !options.verify_checksums) return block;
  return Insert(handle, *std::move(block), kind);
}

Result<std::shared_ptr<const Block>> BlockFetcher::Read(BlockHandle handle, BlockKind kind,
                                                        const FetchOptions& options) const {
  RETURN_IF_ERROR(CheckHandle(handle, kind));
  const uint64_t size = handle.size + kBlockTrailerSize;
  std::shared_ptr<Block> buffer;
  std::string_view stored;
  if (options.prefetcher != nullptr) {
    ASSIGN_OR_RETURN(stored, options.prefetcher->Read(handle.offset, size));
    if (options.in_place) buffer = Block::Over(stored);
  } else {
    buffer = MakeBuffer(handle, kind);
    if (buffer == nullptr) return NoMemory(size, handle);
    ASSIGN_OR_RETURN(stored, ReadAnywhere(*file_, handle.offset, size, buffer->writable()));
  }
  return DecodeInto(std::move(buffer), stored, handle, kind, options.verify_checksums);
}

Result<std::shared_ptr<const Block>> BlockFetcher::DecodeInto(std::shared_ptr<Block> buffer,
                                                              std::string_view stored,
                                                              BlockHandle handle, BlockKind kind,
                                                              bool verify) const {
  if (stored.size() != handle.size + kBlockTrailerSize) {
    return Status::Corruption("file ends within a block of " + std::to_string(handle.size) +
                              " bytes")
        .At(Where(handle.offset));
  }
  ThreadReads& reads = ThreadReads::OfThisThread();
  ++reads.blocks;
  reads.block_bytes += stored.size();
  Result<StoredBlock> split = Split(stored, handle, verify);
  if (!split.ok()) return split.status().At(Where(handle.offset));
  if (split->compression != 0 || buffer == nullptr || stored.data() != buffer->bytes().data()) {
    Result<std::shared_ptr<const Block>> block = Inflate(*split, kind);
    return block.ok() ? std::move(block) : block.status().At(Where(handle.offset));
  }
  buffer->Truncate(handle.size);
  if (Status outline = Outline(kind, buffer.get()); !outline.ok()) {
    return outline.At(Where(handle.offset));
  }
  return std::shared_ptr<const Block>(std::move(buffer));
}

Result<StoredBlock> BlockFetcher::Split(std::string_view stored, BlockHandle handle,
                                        bool verify) const {
  if (!verify) return SplitTrailerUnverified(stored);
  return SplitTrailer(stored, footer_.checksum, footer_.base_context_checksum, handle.offset);
}

Result<std::shared_ptr<const Block>> BlockFetcher::Decode(std::string_view stored,
                                                          BlockHandle handle, BlockKind kind,
                                                          bool verify) const {
  return DecodeInto(nullptr, stored, handle, kind, verify);
}

// Removes the raw-size prefix (sst-format 5.2).
Result<BlockFetcher::Payload> BlockFetcher::SplitPayload(const StoredBlock& stored) const {
  Payload payload;
  ASSIGN_OR_RETURN(payload.codec, CodecOf(stored, footer_.legacy_magic));
  payload.bytes = stored.payload;
  const bool bare_sizes = footer_.format_version < 2;  // Then only zstd and LZ4 have the prefix.
  ByteReader in(stored.payload);
  switch (payload.codec) {
    case CompressionType::kNone:
      payload.raw_size = stored.payload.size();
      return payload;
    case CompressionType::kSnappy: {
      ASSIGN_OR_RETURN(payload.raw_size, SnappyRawSize(stored.payload));
      return payload;
    }
    case CompressionType::kZlib:
    case CompressionType::kBzip2:
      if (bare_sizes) {
        ASSIGN_OR_RETURN(payload.raw_size,
                         MeasureRawSize(payload.codec, stored.payload, kBlockExpansionFree));
        return payload;
      }
      break;
    case CompressionType::kLz4:
    case CompressionType::kLz4hc:
      if (bare_sizes) {
        if (!in.ReadFixed64(&payload.raw_size)) return Status::Corruption("no raw size");
        payload.bytes = in.rest();
        return payload;
      }
      break;
    case CompressionType::kZstd:
      // As LevelDB writes it.
      if (stored.compression == static_cast<uint8_t>(CompressionType::kZlib)) {
        ASSIGN_OR_RETURN(payload.raw_size, ZstdFrameRawSize(stored.payload));
        return payload;
      }
      break;
    case CompressionType::kXpress:
      return Status::NotSupported("block is compressed with XPRESS");
  }
  if (!in.ReadVarint64(&payload.raw_size)) return Status::Corruption("no raw size");
  payload.bytes = in.rest();
  return payload;
}

Result<std::shared_ptr<const Block>> BlockFetcher::Inflate(const StoredBlock& stored,
                                                           BlockKind kind) const {
  ASSIGN_OR_RETURN(const Payload payload, SplitPayload(stored));
  // No writer compresses filters. A partition that decompresses to a thousand times its size for
  // each lookup would make a small file unbounded work.
  if (kind == BlockKind::kFilter && payload.codec != CompressionType::kNone) {
    return Status::Corruption("a filter is compressed");
  }
  if (!IsPlausibleRawSize(payload.raw_size, stored.payload.size())) {
    return Status::Corruption("a block of " + std::to_string(stored.payload.size()) +
                              " bytes claims to hold " + std::to_string(payload.raw_size));
  }
  std::shared_ptr<Block> block = MakeBlock(payload.raw_size, kind);
  if (block == nullptr) return NoMemoryFor(payload.raw_size);
  if (payload.codec == CompressionType::kNone) {
    std::memcpy(block->writable(), payload.bytes.data(), payload.raw_size);
  } else {
    std::string_view dictionary;
    if (kind == BlockKind::kData && dictionary_ != nullptr && TakesDictionary(payload.codec)) {
      dictionary = dictionary_->bytes();
    }
    RETURN_IF_ERROR(
        Decompress(payload.codec, payload.bytes, dictionary, block->writable(), payload.raw_size));
  }
  RETURN_IF_ERROR(Outline(kind, block.get()));
  return std::shared_ptr<const Block>(std::move(block));
}

}  // namespace varve
