// SPDX-License-Identifier: Apache-2.0
// BlockFetcher loads blocks of one table: from the block cache, or else from the file, verified,
// decompressed and (if requested) put into the cache.
//
//   file -> | payload | type (1) | checksum (4) |  -> verify -> decompress -> outline -> Block
//
// Nothing is interpreted before its checksum was verified. Every error names file@offset.
// Thread-safe once set up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/format/table/block_handle.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/footer.h"
#include "core/table/block/block.h"
#include "core/table/block/clock_cache.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

class Prefetcher;

struct FetchOptions {
  bool verify_checksums = true;
  bool fill_cache = true;
  bool cache_only = false;           // Fail with kBusy instead of reading.
  Prefetcher* prefetcher = nullptr;  // Of the calling iterator, if any.
  // The block is used only until the next call to the prefetcher, and so may refer to its buffer.
  bool in_place = false;
};

class BlockFetcher {
 public:
  BlockFetcher(std::unique_ptr<RandomAccessFile> file, uint64_t file_size,
               std::shared_ptr<ClockCache> cache);

  // Setters for TableReader::Open.
  void set_protect_metadata(bool protect) { protect_metadata_ = protect; }
  void set_footer(const Footer& footer) { footer_ = footer; }
  // Data blocks precede all others: a handle behind this offset cannot be a data block's.
  void set_end_of_data(uint64_t offset) { end_of_data_ = offset; }
  void set_dictionary(std::shared_ptr<const Block> dictionary) {
    dictionary_ = std::move(dictionary);
  }

  // Point lookups use BlockHeads once a block is used repeatedly. `room` for them is reserved in
  // each block.
  void use_heads(uint32_t room) { heads_room_ = room; }

  // Looks in the cache first.
  Result<std::shared_ptr<const Block>> Fetch(BlockHandle handle, BlockKind kind,
                                             const FetchOptions& options) const;
  // The same after FindCached() did not find the block.
  Result<std::shared_ptr<const Block>> FetchMissing(BlockHandle handle, BlockKind kind,
                                                    const FetchOptions& options) const;
  bool IsCached(BlockHandle handle) const {
    return cache_ != nullptr && cache_->Contains({cache_id_, handle.offset});
  }
  // The cached block of that kind, or null.
  std::shared_ptr<const Block> FindCached(BlockHandle handle, BlockKind kind) const {
    if (cache_ == nullptr) return nullptr;
    std::shared_ptr<const Block> block = cache_->Find({cache_id_, handle.offset});
    if (block != nullptr && block->kind() != kind) [[unlikely]]
      block = nullptr;
    return block;
  }
  // ClockCache::Peek(). Requires a cache.
  const Block* PeekCached(BlockHandle handle) const {
    DCHECK(cache_ != nullptr);
    return cache_->Peek({cache_id_, handle.offset});
  }
  void PrefetchFilter(BlockHandle handle) const {
    DCHECK(cache_ != nullptr);
    cache_->PrefetchFilter({cache_id_, handle.offset});
  }
  // Two steps before FindCached() that prefetch the memory it reads.
  void PrefetchPlace(BlockHandle handle) const {
    if (cache_ != nullptr) cache_->PrefetchPlace({cache_id_, handle.offset});
  }
  void PrefetchBlock(BlockHandle handle) const {
    if (cache_ != nullptr) cache_->PrefetchBlock({cache_id_, handle.offset});
  }
  // As Fetch(), for a data block that a point lookup will search.
  Result<std::shared_ptr<const Block>> FetchForLookup(BlockHandle handle,
                                                      const FetchOptions& options) const {
    Result<std::shared_ptr<const Block>> block = Fetch(handle, BlockKind::kData, options);
    if (block.ok()) NoteLookup(**block);
    return block;
  }
  void NoteLookup(const Block& block) const {
    if (heads_room_ > 0) block.NoteLookup();
  }
  BlockCacheKey CacheKey(BlockHandle handle) const { return {cache_id_, handle.offset}; }
  ClockCache* cache() const { return cache_.get(); }  // Null: none.
  // Reads from the file.
  Result<std::shared_ptr<const Block>> Read(BlockHandle handle, BlockKind kind,
                                            const FetchOptions& options) const;
  // Verifies and decodes `stored`, the block at `handle` with its trailer.
  Result<std::shared_ptr<const Block>> Decode(std::string_view stored, BlockHandle handle,
                                              BlockKind kind, bool verify) const;
  // A block with room to read the stored bytes at `handle` into. Null: no memory (NoMemory()).
  std::shared_ptr<Block> MakeBuffer(BlockHandle handle, BlockKind kind) const {
    return MakeBlock(handle.size + kBlockTrailerSize, kind);
  }
  // As Decode(), of bytes that are usually in `buffer`: a block stored uncompressed is then not
  // copied.
  Result<std::shared_ptr<const Block>> DecodeInto(std::shared_ptr<Block> buffer,
                                                  std::string_view stored, BlockHandle handle,
                                                  BlockKind kind, bool verify) const;
  std::shared_ptr<const Block> Insert(BlockHandle handle, std::shared_ptr<const Block> block,
                                      BlockKind kind) const {
    if (cache_ == nullptr) return block;
    VARVE_CHECK(block->owns_bytes(), "a prefetcher's buffer is used again");
    const bool protect = protect_metadata_ && kind != BlockKind::kData;
    std::shared_ptr<const Block> there = cache_->Insert(
        {cache_id_, handle.offset}, block, protect ? BlockRank::kProtected : BlockRank::kPlain);
    return there->kind() == kind ? there : block;
  }
  // What a reader is told when there is no memory for `size` bytes of the block at `handle`.
  Status NoMemory(uint64_t size, BlockHandle handle) const;
  // Payload and trailer, unverified.
  Result<std::string> ReadStored(BlockHandle handle) const;
  // Reads any bytes of the file; fewer than requested is Corruption.
  Result<std::string> ReadBytes(uint64_t offset, uint64_t size) const;

  // Corruption if the block does not end before the footer or, for a data block, before all others.
  Status CheckHandle(BlockHandle handle, BlockKind kind) const;
  // "000012.sst@4096"
  std::string Where(uint64_t offset) const;

  const RandomAccessFile& file() const { return *file_; }
  uint64_t file_size() const { return file_size_; }
  const Footer& footer() const { return footer_; }
  const std::shared_ptr<const Block>& dictionary() const { return dictionary_; }

 private:
  struct Payload {
    CompressionType codec = CompressionType::kNone;
    std::string_view bytes;
    uint64_t raw_size = 0;
  };
  std::shared_ptr<Block> MakeBlock(uint64_t size, BlockKind kind) const {
    return Block::Make({size, kind == BlockKind::kData ? heads_room_ : 0});
  }
  Result<StoredBlock> Split(std::string_view stored, BlockHandle handle, bool verify) const;
  Result<Payload> SplitPayload(const StoredBlock& stored) const;
  Result<std::shared_ptr<const Block>> Inflate(const StoredBlock& stored, BlockKind kind) const;

  const std::unique_ptr<RandomAccessFile> file_;
  const uint64_t file_size_;
  const std::shared_ptr<ClockCache> cache_;
  const uint64_t cache_id_;
  Footer footer_;
  uint64_t end_of_data_ = ~uint64_t{0};  // Unknown: only the footer limits them.
  bool protect_metadata_ = false;
  std::shared_ptr<const Block> dictionary_;
  uint32_t heads_room_ = 0;
};

}  // namespace varve
