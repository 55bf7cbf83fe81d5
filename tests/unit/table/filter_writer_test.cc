// SPDX-License-Identifier: Apache-2.0
#include "core/table/filter/filter_writer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "block_maker.h"
#include "filter_file.h"

namespace varve {
namespace {

TableOptions Options(FilterKind kind, bool partitioned, bool decoupled = false) {
  TableOptions options;
  options.filter = kind;
  options.metadata_block_size = 256;
  options.index_type = partitioned ? IndexType::kTwoLevel : IndexType::kBinary;
  options.partition_filters = partitioned;
  options.decouple_partitioned_filters = decoupled;
  return options;
}

// The partitions of a filter, by their keys.
size_t PartitionsOf(const FilterReader& reader, const FilterFile& file) {
  IndexBlockCursor cursor;
  cursor.Attach(*reader.top(), file.encoding);
  size_t count = 0;
  for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) ++count;
  CHECK_FALSE(cursor.damaged());
  return count;
}

TEST_CASE("FilterWriter: in every shape, each key that was added may be there, few others") {
  for (const FilterKind kind : {FilterKind::kBloom, FilterKind::kRibbon}) {
    for (const int shape : {0, 1, 2}) {
      for (const int count : {1, 9, 10, 11, 300, 5000}) {
        CAPTURE(shape);
        CAPTURE(count);
        const std::vector<std::string> keys = NumberedKeys(count);
        const FilterFile file(Options(kind, shape > 0, shape == 2), keys);
        const auto fetcher = file.Fetcher();
        const FilterReader reader = file.Open(*fetcher);
        for (const std::string& key : keys) REQUIRE(MayMatch(reader, *fetcher, key));
        int passed = 0;
        for (const std::string& key : keys) passed += MayMatch(reader, *fetcher, key + "x") ? 1 : 0;
        if (count >= 300) CHECK_LT(passed, count / 25);  // Ten bits: about a hundredth.
        CHECK_EQ(file.properties.filter_entries, static_cast<uint64_t>(count));
        CHECK_EQ(file.properties.decoupled_partitioned_filters, shape == 2);
        CHECK_EQ(file.properties.filter_policy,
                 kind == FilterKind::kRibbon ? "ribbonfilter" : "bloomfilter");
        CHECK_GT(file.properties.filter_size, 0u);
      }
    }
  }
}

TEST_CASE("FilterWriter: the metaindex says whether there are partitions") {
  CHECK(FilterFile(Options(FilterKind::kBloom, false), {"a"})
            .metaindex.contains("fullfilter.rocksdb.BuiltinBloomFilter"));
  CHECK(FilterFile(Options(FilterKind::kRibbon, true), {"a"})
            .metaindex.contains("partitionedfilter.rocksdb.BuiltinBloomFilter"));
}

TEST_CASE("FilterWriter: without keys or without a filter nothing is written") {
  for (const bool partitioned : {false, true}) {
    const FilterFile none(Options(FilterKind::kBloom, partitioned), {});
    CHECK(none.enabled);
    CHECK(none.metaindex.empty());
    CHECK_EQ(none.size, 0u);
    TableOptions no_bits = Options(FilterKind::kBloom, partitioned);
    no_bits.filter_bits_per_key = 0;
    for (const TableOptions& options : {Options(FilterKind::kNone, partitioned), no_bits}) {
      const FilterFile off(options, {"a", "b"});
      CHECK_FALSE(off.enabled);
      CHECK_EQ(off.size, 0u);
      CHECK_EQ(off.properties.filter_policy, "");
      CHECK_EQ(off.estimated, 0u);
    }
  }
}

TEST_CASE(
    "FilterWriter: versions of one key are one entry; a partition that begins with one has it") {
  TableOptions options = Options(FilterKind::kBloom, true);
  options.metadata_block_size = 1;  // Each block ends an index partition.
  const FilterFile file(options, NumberedKeys(40));
  CHECK_EQ(file.properties.filter_entries, 40u);
  // The key's versions go on in the next partition.
  FilterWriter writer(options);
  IndexBuilder index(options, *BytewiseComparator());
  for (const Sequence sequence : {9, 8, 7, 6}) {
    writer.Add("same", sequence == 9);
    const bool cut = index.AddSeparator({"same", sequence, ValueType::kValue},
                                        {"same", sequence - 1, ValueType::kValue});
    CHECK(cut);
    writer.EndBlock(index.separators() - 1, cut);
  }
  writer.Add("same", false);
  index.AddLastSeparator({"same", 5, ValueType::kValue});
  const auto fs = NewMemoryFileSystem();
  const auto out = *fs->Create("f", false);
  BlockWriter blocks(out.get(), {});
  Metaindex metaindex;
  TableProperties properties;
  REQUIRE(writer.Finish(index, &blocks, &metaindex, &properties).ok());
  CHECK_GE(properties.filter_entries, 4u);  // One in each partition.
}

TEST_CASE("FilterWriter: partitions are about as large as wanted, the last not much smaller") {
  for (const bool decoupled : {false, true}) {
    for (const bool merge_runts : {false, true}) {
      for (const int count : {900, 910, 950, 1000}) {
        TableOptions options = Options(FilterKind::kBloom, true, decoupled);
        options.merge_runt_partitions = merge_runts;
        const FilterFile file(options, NumberedKeys(count));
        const auto fetcher = file.Fetcher();
        const FilterReader reader = file.Open(*fetcher);
        const size_t partitions = PartitionsOf(reader, file);
        CHECK_GE(partitions, 3u);
        if (!decoupled) continue;
        // A filter of 256 bytes at ten bits has room for about 180 keys.
        IndexBlockCursor cursor;
        cursor.Attach(*reader.top(), file.encoding);
        uint64_t last = 0;
        for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
          last = cursor.handle().size;
          CHECK_LE(last, merge_runts ? 256u * 3 / 2 : 256u);
        }
        if (merge_runts) CHECK_GE(last, 100u);
      }
    }
  }
}

TEST_CASE("FilterWriter: the estimate is near what is written") {
  for (const int shape : {0, 1, 2}) {
    const FilterFile file(Options(FilterKind::kBloom, shape > 0, shape == 2), NumberedKeys(3000));
    CHECK_GT(file.estimated, file.properties.filter_size * 8 / 10);
    CHECK_LT(file.estimated, file.properties.filter_size * 12 / 10);
  }
}

}  // namespace
}  // namespace varve
