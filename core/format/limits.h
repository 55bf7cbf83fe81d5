// SPDX-License-Identifier: Apache-2.0
// Limits of everything that is read from or written to disk. A length above its limit is Corruption
// before any byte is allocated. RocksDB's limits, where it has any, are not larger.
#pragma once

#include <cstdint>

namespace varve {

inline constexpr uint64_t kMiB = uint64_t{1} << 20;

// Blocks of a table, decompressed. A data block is as large as the largest entry in it.
inline constexpr uint64_t kBlockRawSizeMax = (uint64_t{1} << 32) - 1;
// A payload that claims to expand by more than this is treated as a decompression bomb: deflate,
// with the highest ratio of the older codecs, ends at 1032; a zstd frame of one repeated byte is
// accepted if its claimed size is small.
inline constexpr uint64_t kBlockExpansionMax = 1100;
inline constexpr uint64_t kBlockExpansionFree = 64 * kMiB;
inline constexpr uint64_t kMetaindexSizeMax = 16 * kMiB;
inline constexpr uint64_t kPropertiesSizeMax = 64 * kMiB;
inline constexpr uint64_t kDictionarySizeMax = 64 * kMiB;
inline constexpr uint64_t kPointIndexSizeMax = uint64_t{1} << 30;  // A larger one is not used.

// Limits for writing: an entry may fill a block of its own, with its lengths, the packed part of
// its key, a restart and the block's last word; and the MANIFEST record of a table has its smallest
// and largest key. (Files of other programs are read up to the format's limits.)
inline constexpr uint64_t kEntryOverheadMax = 64;
inline constexpr uint64_t kWrittenEntrySizeMax = kBlockRawSizeMax - kEntryOverheadMax;
inline constexpr uint64_t kWrittenKeySizeMax = 256 * kMiB;
// One version edit of a flush, a compaction or an ingestion; a snapshot of a family is larger.
inline constexpr uint64_t kWrittenEditSizeMax = 1024 * kMiB;
static_assert(4 * kWrittenKeySizeMax <= kWrittenEditSizeMax, "a flush can be logged");

// The last word of a block has 28 bits for this.
inline constexpr uint32_t kBlockRestartsMax = (uint32_t{1} << 28) - 1;
// A block with a hash index is smaller than this, and its restarts fit the bucket byte.
inline constexpr uint64_t kHashIndexBlockSizeMax = 65536;
inline constexpr uint32_t kHashIndexRestartsMax = 254;

// A WAL record. (A MANIFEST record may be as large as its file.)
inline constexpr uint64_t kWriteBatchSizeMax = (uint64_t{1} << 32) - 1;
inline constexpr uint64_t kOptionsFileSizeMax = 256 * kMiB;  // RocksDB writes 5 KB per family.
inline constexpr uint64_t kCurrentFileSizeMax = 4096;
inline constexpr uint64_t kIdentityFileSizeMax = 4096;

// File numbers and similar counters. RocksDB has 62 bits for them; we accept at most half of that
// range when opening, so that a database can always continue counting.
inline constexpr uint64_t kFileNumberMax = uint64_t{1} << 61;

// Whether a payload of `stored` bytes may plausibly decompress to `raw` bytes.
constexpr bool IsPlausibleRawSize(uint64_t raw, uint64_t stored) {
  return raw <= kBlockRawSizeMax &&
         (raw <= kBlockExpansionFree || raw / kBlockExpansionMax <= stored);
}

}  // namespace varve
