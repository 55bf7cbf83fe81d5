// SPDX-License-Identifier: Apache-2.0
// A table file of tests/fixtures/sst, taken apart with the decoders of core/format and nothing
// else. Every failure ends the test case.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes/byte_reader.h"
#include "core/base/codec/compression.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/block_view.h"
#include "core/format/table/block_walker.h"
#include "core/format/table/footer.h"
#include "core/format/table/metaindex.h"
#include "core/format/table/table_properties.h"

namespace varve {

template <typename T>
T Must(Result<T> result) {
  REQUIRE_MESSAGE(result.ok(), result.status().ToString());
  return *std::move(result);
}

// Bytes on the heap with nothing behind them, so that a sanitizer sees the first byte read beyond.
class ExactBytes {
 public:
  explicit ExactBytes(std::string_view bytes)
      : bytes_(new char[bytes.size()]), size_(bytes.size()) {
    bytes.copy(bytes_.get(), bytes.size());
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_;
};

inline std::string ReadFixture(const std::string& name) {
  std::ifstream in(std::string(VARVE_FIXTURES) + "/" + name, std::ios::binary);
  REQUIRE_MESSAGE(in.good(), name);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TableFile {
 public:
  explicit TableFile(const std::string& name) : bytes_(ReadFixture("sst/" + name)) {
    const size_t tail = std::min<size_t>(bytes_.size(), kFooterSize);
    footer_ =
        Must(DecodeFooter(std::string_view(bytes_).substr(bytes_.size() - tail), bytes_.size()));
    metaindex_ = Must(DecodeMetaindex(Block(footer_.metaindex), footer_.offset));
    if (const auto handle = FindProperties(metaindex_)) {
      properties_ = Must(DecodeTableProperties(Block(*handle)));
    }
  }

  const std::string& bytes() const { return bytes_; }
  const Footer& footer() const { return footer_; }
  const Metaindex& metaindex() const { return metaindex_; }
  const TableProperties& properties() const { return properties_; }
  IndexValueFormat index_format() const {
    return {properties_.index_value_is_delta_encoded,
            properties_.index_type == static_cast<uint32_t>(IndexType::kBinaryWithFirstKey)};
  }

  // Verified and decompressed. The codecs that the fixtures use, at format_version >= 2.
  std::string Block(BlockHandle handle) const {
    REQUIRE(handle.FitsBelow(footer_.offset));
    const StoredBlock block = Must(SplitTrailer(
        std::string_view(bytes_).substr(handle.offset, handle.size + kBlockTrailerSize),
        footer_.checksum, footer_.base_context_checksum, handle.offset));
    const CompressionType codec = Must(CodecOf(block, footer_.legacy_magic));
    if (codec == CompressionType::kNone) return std::string(block.payload);
    ByteReader in(block.payload);
    uint64_t raw_size = 0;
    if (codec == CompressionType::kSnappy) {
      raw_size = Must(SnappyRawSize(block.payload));
    } else {
      REQUIRE(in.ReadVarint64(&raw_size));
    }
    std::string raw(raw_size, '\0');
    const Status status = Decompress(codec, in.rest(), "", raw.data(), raw_size);
    REQUIRE_MESSAGE(status.ok(), status.ToString());
    return raw;
  }

  BlockHandle index() const {
    if (footer_.index.has_value()) return *footer_.index;
    const auto handle = FindMeta(metaindex_, kMetaIndex);
    REQUIRE(handle.has_value());
    return *handle;
  }

  struct IndexEntry {
    std::string key;
    BlockHandle handle;
    std::string first_key;
  };
  std::vector<IndexEntry> IndexEntries(BlockHandle index_block) const {
    const std::string raw = Block(index_block);
    const BlockView view = Must(ParseBlock(raw));
    std::vector<IndexEntry> entries;
    IndexWalker walker(view, index_format());
    while (walker.Next()) {
      entries.push_back(
          {std::string(walker.key()), walker.handle(), std::string(walker.first_key())});
    }
    REQUIRE_MESSAGE(walker.status().ok(), walker.status().ToString());
    return entries;
  }

  // Of all data blocks, in order, through one or two levels of index.
  std::vector<IndexEntry> DataBlocks() const {
    std::vector<IndexEntry> top = IndexEntries(index());
    if (properties_.index_type != static_cast<uint32_t>(IndexType::kTwoLevel)) return top;
    std::vector<IndexEntry> all;
    for (const IndexEntry& partition : top) {
      for (IndexEntry& entry : IndexEntries(partition.handle)) all.push_back(std::move(entry));
    }
    return all;
  }

  struct Entry {
    std::string key;
    std::string value;
    BlockHandle block;
  };
  std::vector<Entry> Entries() const {
    std::vector<Entry> entries;
    for (const IndexEntry& block : DataBlocks()) {
      const std::string raw = Block(block.handle);
      const BlockView view = Must(ParseBlock(raw));
      BlockWalker walker(view);
      while (walker.Next()) {
        entries.push_back({std::string(walker.key()), std::string(walker.value()), block.handle});
      }
      REQUIRE_MESSAGE(walker.status().ok(), walker.status().ToString());
    }
    return entries;
  }

  std::vector<std::string> UserKeys() const {
    std::vector<std::string> keys;
    for (const Entry& entry : Entries()) {
      keys.emplace_back(DecodeInternalKey(entry.key)->user_key);
    }
    return keys;
  }

  // The full filter's bytes.
  std::string Filter() const {
    const auto filter = FindFilter(metaindex_);
    REQUIRE(filter.has_value());
    return Block(filter->handle);
  }

 private:
  std::string bytes_;
  Footer footer_;
  Metaindex metaindex_;
  TableProperties properties_;
};

inline std::string FromHex(std::string_view hex) {
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return out;
}

}  // namespace varve
