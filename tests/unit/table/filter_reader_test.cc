// SPDX-License-Identifier: Apache-2.0
#include "core/table/filter/filter_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "block_maker.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/hash.h"
#include "filter_file.h"
#include "tests/append_block_trailer.h"

namespace varve {
namespace {

// A file whose only block is this one, and its fetcher.
struct OneBlock {
  explicit OneBlock(std::string payload) : handle{0, payload.size()} {
    AppendBlockTrailer(&payload, CompressionType::kNone, ChecksumType::kXxh3, 0, 0);
    const auto file = *fs->Create("000007.sst", false);
    REQUIRE(file->Append(payload).ok());
    fetcher = std::make_unique<BlockFetcher>(*fs->OpenForRead("000007.sst", false), payload.size(),
                                             nullptr);
    Footer footer;
    footer.checksum = ChecksumType::kXxh3;
    footer.format_version = 5;
    footer.offset = payload.size();
    fetcher->set_footer(footer);
  }
  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  BlockHandle handle;
  std::unique_ptr<BlockFetcher> fetcher;
};

std::string BloomOf(const std::vector<std::string>& keys) {
  FilterBuilder builder({});
  for (const std::string& key : keys) builder.AddKey(key);
  return builder.Finish();
}

TEST_CASE("FilterReader: without a filter every key may be there, and nobody was asked") {
  const OneBlock file("");
  const FilterReader reader;
  Lookup lookup("k", kMaxSequence);
  CHECK(reader.MayMatch(BytewiseOrder{}, *file.fetcher, {}, &lookup));
  CHECK_EQ(lookup.filters.asked, 0u);
  CHECK_FALSE(reader.is_resident());
  CHECK_FALSE(reader.is_per_block());
  CHECK_FALSE(reader.entry().has_value());
  CHECK_EQ(reader.memory_bytes(), 0u);
}

TEST_CASE("FilterReader: a full filter is in memory, and lookups count what it said") {
  const OneBlock file(BloomOf({"a", "b"}));
  FilterReader reader;
  REQUIRE(reader.Open(*file.fetcher, {.handle = file.handle}, {}, {}).ok());
  CHECK(reader.is_resident());
  CHECK_GE(reader.memory_bytes(), file.handle.size);
  Lookup there("a", kMaxSequence), absent("zz", kMaxSequence);
  CHECK(reader.ResidentMayMatch(&there));
  CHECK_FALSE(reader.ResidentMayMatch(&absent));
  CHECK_EQ(there.filters.asked, 1u);
  CHECK_EQ(there.filters.passed, 1u);
  CHECK_EQ(absent.filters.asked, 1u);
  CHECK_EQ(absent.filters.passed, 0u);
  CHECK(there.has_key_hash);  // Computed once, for all tables.
  CHECK_EQ(there.key_hash, Xxph3_64("a"));
}

TEST_CASE("FilterReader: a filter that is damaged is not used, and says so") {
  OneBlock file(BloomOf({"a"}));
  FilterReader reader;
  const BlockHandle outside{0, 1 << 20};
  const Status opened = reader.Open(*file.fetcher, {.handle = outside}, {}, {});
  CHECK_EQ(opened.code(), Code::kCorruption);
  CHECK(opened.message().find("filter not used") != std::string::npos);
  CHECK(opened.message().find("000007.sst@0") != std::string::npos);
  CHECK(MayMatch(reader, *file.fetcher, "zz"));
}

TEST_CASE("FilterReader: a filter of an unknown kind lets every key pass, one of no keys none") {
  const auto may_match = [](const std::string& bytes) {
    const OneBlock file(bytes);
    FilterReader reader;
    REQUIRE(reader.Open(*file.fetcher, {.handle = file.handle}, {}, {}).ok());
    return MayMatch(reader, *file.fetcher, "anything");
  };
  CHECK(may_match(std::string(64, 'x') + "\x80xxxx"));
  CHECK_FALSE(may_match(""));       // As RocksDB has it:
  CHECK_FALSE(may_match("12345"));  // there is nothing in front of what says the kind.
}

TEST_CASE("FilterReader: a filter of prefixes is asked for them, if the extractor is known") {
  const OneBlock file(BloomOf({"user", "item"}));
  TableProperties properties;
  properties.whole_key_filtering = false;
  properties.prefix_extractor = "rocksdb.FixedPrefix.4";
  FilterReader reader;
  REQUIRE(reader.Open(*file.fetcher, {.handle = file.handle}, properties, {}).ok());
  CHECK(MayMatch(reader, *file.fetcher, "user1234"));
  CHECK_FALSE(MayMatch(reader, *file.fetcher, "zzzz1234"));
  CHECK(MayMatch(reader, *file.fetcher, "us"));  // Of no prefix: not in the filter.
  properties.prefix_extractor = "mine";
  REQUIRE(reader.Open(*file.fetcher, {.handle = file.handle}, properties, {}).ok());
  CHECK(MayMatch(reader, *file.fetcher, "zzzz1234"));
  properties.prefix_extractor = "rocksdb.FixedPrefix.4";
  properties.prefix_filtering = false;
  REQUIRE(reader.Open(*file.fetcher, {.handle = file.handle}, properties, {}).ok());
  CHECK(MayMatch(reader, *file.fetcher, "zzzz1234"));
}

TEST_CASE("FilterReader: of a partitioned filter the partition of the key is asked") {
  TableOptions options;
  options.index_type = IndexType::kTwoLevel;
  options.partition_filters = true;
  options.metadata_block_size = 128;
  for (const bool decoupled : {false, true}) {
    options.decouple_partitioned_filters = decoupled;
    const std::vector<std::string> keys = NumberedKeys(1000);
    const FilterFile file(options, keys);
    const auto cache = std::make_shared<ClockCache>(1 << 20);
    const auto fetcher = file.Fetcher(cache);
    const FilterReader reader = file.Open(*fetcher);
    CHECK_FALSE(reader.is_resident());
    REQUIRE(reader.top() != nullptr);
    CHECK_EQ(cache->usage(), 0u);  // Its index is the reader's own.
    CHECK_FALSE(MayMatch(reader, *fetcher, "key100500x"));
    const uint64_t one = cache->usage();
    CHECK_GT(one, 0u);
    CHECK(MayMatch(reader, *fetcher, "key100500"));
    CHECK_EQ(cache->usage(), one);      // The same partition.
    MayMatch(reader, *fetcher, "zzz");  // Behind all: the last partition says.
    CHECK_GT(cache->usage(), one);
    // An empty partition has no key; one that cannot be read might.
    Lookup lookup("k", kMaxSequence);
    CHECK_FALSE(reader.PartitionMayMatch({}, *fetcher, {}, &lookup));
    CHECK(reader.PartitionMayMatch({file.size, 10}, *fetcher, {}, &lookup));
    CHECK(MayMatch(reader, *file.Fetcher(), "key100500"));
    FetchOptions cached;
    cached.cache_only = true;
    Lookup cold("key100200x", kMaxSequence);
    CHECK(reader.MayMatch(BytewiseOrder{}, *file.Fetcher(), cached, &cold));  // Not in the cache.
  }
}

TEST_CASE("FilterReader: a partition index that is damaged lets every key pass") {
  std::string bytes = PutsOf({"a", "b"}, 16);
  bytes[0] = '\x05';
  const OneBlock file(bytes);
  FilterReader reader;
  REQUIRE(reader
              .Open(*file.fetcher, {.kind = FilterEntry::Kind::kPartitioned, .handle = file.handle},
                    {}, {})
              .ok());
  CHECK(MayMatch(reader, *file.fetcher, "anything"));
}

TEST_CASE("FilterReader: LevelDB's filter is asked by the offset of the data block") {
  // Two filters of no bits, one that passes everything and one that passes nothing: | probes |.
  std::string block("\xff\xff\x01", 3);
  const auto second = static_cast<uint32_t>(block.size());
  block += std::string("\0\0\x01", 3);
  const auto array = static_cast<uint32_t>(block.size());
  AppendFixed32(&block, 0);
  AppendFixed32(&block, second);
  AppendFixed32(&block, array);
  block += '\x0b';  // 2 KiB each.
  const OneBlock file(block);
  FilterReader reader;
  REQUIRE(
      reader
          .Open(*file.fetcher,
                {.kind = FilterEntry::Kind::kPerBlock, .leveldb_hash = true, .handle = file.handle},
                {}, {})
          .ok());
  CHECK(reader.is_per_block());
  CHECK_FALSE(reader.is_resident());
  for (const uint64_t offset : {0u, 2047u}) CHECK(reader.BlockMayMatch(offset, "k"));
  for (const uint64_t offset : {2048u, 4095u}) CHECK_FALSE(reader.BlockMayMatch(offset, "k"));
  CHECK(MayMatch(reader, *file.fetcher, "k"));  // Before the index there is nothing to ask.

  const OneBlock broken("\x01\x02");
  const Status refused = FilterReader().Open(
      *broken.fetcher, {.kind = FilterEntry::Kind::kPerBlock, .handle = broken.handle}, {}, {});
  CHECK_EQ(refused.ToString(),
           "corruption: 000007.sst@0: filter not used: its offsets do not fit its size");
}

}  // namespace
}  // namespace varve
