// SPDX-License-Identifier: Apache-2.0
// The metaindex names the blocks other than data and (up to format_version 5) index blocks: a
// key/value block of names sorted bytewise, each value a BlockHandle (sst-format section 8).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/format/table/block_handle.h"
#include "varve/result.h"

namespace varve {

inline constexpr std::string_view kMetaProperties = "rocksdb.properties";
inline constexpr std::string_view kMetaPropertiesOld = "rocksdb.stats";  // Files of 2013.
inline constexpr std::string_view kMetaIndex = "rocksdb.index";          // format_version >= 6.
inline constexpr std::string_view kMetaCompressionDict = "rocksdb.compression_dict";
inline constexpr std::string_view kMetaRangeDeletions = "rocksdb.range_del";

// A filter's name is one of these followed by the policy's compatibility name.
inline constexpr std::string_view kMetaFullFilter = "fullfilter.";
inline constexpr std::string_view kMetaPartitionedFilter = "partitionedfilter.";
inline constexpr std::string_view kMetaBlockFilter = "filter.";  // One filter per 2 KiB of file.
// For Bloom and Ribbon alike: the filter's last bytes specify its kind.
inline constexpr std::string_view kRocksDbFilterName = "rocksdb.BuiltinBloomFilter";
inline constexpr std::string_view kLevelDbFilterName = "leveldb.BuiltinBloomFilter2";

using Metaindex = std::map<std::string, BlockHandle, std::less<>>;

// The block, uncompressed.
std::string EncodeMetaindex(const Metaindex& entries);
// Unknown names are kept. Corruption: invalid entries, a name that is duplicate or out of order, or
// a handle that does not fit below `footer_offset`.
Result<Metaindex> DecodeMetaindex(std::string_view block, uint64_t footer_offset);

std::optional<BlockHandle> FindMeta(const Metaindex& metaindex, std::string_view name);
// kMetaProperties, or its old name.
std::optional<BlockHandle> FindProperties(const Metaindex& metaindex);

// A filter that this engine can use.
struct FilterEntry {
  enum class Kind { kFull, kPartitioned, kPerBlock };
  Kind kind = Kind::kFull;
  bool leveldb_hash = false;  // kPerBlock only: LevelDB's variant of Hash32.
  BlockHandle handle;
};
std::optional<FilterEntry> FindFilter(const Metaindex& metaindex);

}  // namespace varve
