// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/table_properties.h"

#include <doctest/doctest.h>

#include "core/format/table/block_builder.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

std::string Block(const std::map<std::string, std::string>& entries) {
  BlockBuilder builder({.restart_interval = 1000});
  for (const auto& [name, value] : entries) builder.Add(name, value);
  return std::string(builder.Finish());
}

}  // namespace

TEST_CASE("TableProperties: RocksDB's own are understood") {
  const TableProperties p = TableFile("r78_filter_ribbon_bpk10_n1000.sst").properties();
  CHECK(p.entries == 1000);
  CHECK(p.index_type == 0u);
  CHECK(p.index_key_is_user_key);
  CHECK(p.index_value_is_delta_encoded);
  CHECK(p.whole_key_filtering);
  CHECK_FALSE(p.prefix_filtering);
  CHECK(p.compression == "ZSTD");
  CHECK(p.comparator == "leveldb.BytewiseComparator");
  CHECK(p.filter_policy == "ribbonfilter");
  CHECK(p.data_blocks == 15);
  CHECK(p.raw.size() > 30);
  const TableProperties separated = TableFile("r119_sepkv.sst").properties();
  CHECK(separated.separate_key_value);
  CHECK(separated.data_block_restart_interval > 0);
  CHECK(separated.format_version == 7);
}

TEST_CASE("TableProperties: RocksDB's are encoded byte for byte, except those we do not write") {
  const TableFile table("r78_tiny.sst");
  std::map<std::string, std::string> expected(table.properties().raw.begin(),
                                              table.properties().raw.end());
  expected.erase("rocksdb.sample_for_compression.slow.data.size");
  expected.erase("rocksdb.sample_for_compression.fast.data.size");
  expected.erase("rocksdb.seqno.time.map");
  CHECK(EncodeTableProperties(table.properties()) == Block(expected));
}

TEST_CASE("TableProperties: decoding inverts encoding for every field away from its default") {
  TableProperties p;
  p.index_type = 2;
  p.index_key_is_user_key = p.index_value_is_delta_encoded = true;
  p.whole_key_filtering = p.prefix_filtering = p.user_timestamps_persisted = false;
  p.separate_key_value = p.decoupled_partitioned_filters = true;
  p.compression = "BuiltinV2;07;";
  p.prefix_extractor = "nullptr";
  p.external_version = 2;
  p.global_seqno = 0;
  p.entries = uint64_t{1} << 60;
  p.index_partitions = 3;
  p.newest_key_time = 77;
  p.key_largest_seqno = 9;
  p.key_smallest_seqno = 0;
  p.db_id = "an id";
  const std::string block = EncodeTableProperties(p);
  const TableProperties d = Must(DecodeTableProperties(block));
  CHECK(d.index_type == 2u);
  CHECK((d.index_key_is_user_key && d.index_value_is_delta_encoded));
  CHECK_FALSE((d.whole_key_filtering || d.prefix_filtering || d.user_timestamps_persisted));
  CHECK((d.separate_key_value && d.decoupled_partitioned_filters));
  CHECK(d.compression == p.compression);
  CHECK(d.external_version == 2u);
  CHECK(d.global_seqno == 0u);
  CHECK(d.entries == p.entries);
  CHECK(d.index_partitions == 3);
  CHECK(d.newest_key_time == 77);
  CHECK(d.key_largest_seqno == 9u);
  CHECK(d.key_smallest_seqno == 0u);
  CHECK(d.db_id == "an id");
  CHECK(EncodeTableProperties(d) == block);
}

TEST_CASE("TableProperties: unknown names are kept, broken numbers count as absent") {
  const TableProperties p = Must(DecodeTableProperties(
      Block({{"my.own", "bytes"}, {"rocksdb.num.entries", std::string("\x80", 1)}})));
  CHECK(p.raw.at("my.own") == "bytes");
  CHECK(p.entries == 0);
  CHECK(p.whole_key_filtering);
  CHECK_FALSE(p.index_type.has_value());
}

TEST_CASE("TableProperties: invalid values of properties that readers use are corruption") {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"rocksdb.block.based.table.index.type", "abc"},
                                          {"rocksdb.block.based.table.whole.key.filtering", "2"},
                                          {"rocksdb.external_sst_file.global_seqno", "1234567"},
                                          {"rocksdb.external_sst_file.version", ""},
                                          {"rocksdb.index.key.is.user.key", ""},
                                          {"rocksdb.index.value.is.delta.encoded", "\x80"}}) {
    CHECK(DecodeTableProperties(Block({{name, value}})).status().code() == Code::kCorruption);
  }
}

TEST_CASE("TableProperties: names out of order or twice are corruption") {
  for (const char* second : {"a", "b"}) {
    BlockBuilder builder({.restart_interval = 1000});
    builder.Add("b", "1");
    builder.Add(second, "2");
    CHECK(DecodeTableProperties(builder.Finish()).status().code() == Code::kCorruption);
  }
}

TEST_CASE("TableProperties: no cut of a real block reads beyond it") {
  const TableFile table("r78_tiny.sst");
  const std::string whole = table.Block(*FindProperties(table.metaindex()));
  for (size_t size = 0; size < whole.size(); ++size) {
    const ExactBytes cut(whole.substr(0, size));
    const auto properties = DecodeTableProperties(cut.view());
    if (properties.ok()) CHECK(properties->raw.size() < table.properties().raw.size());
  }
}

TEST_CASE("TableProperties: the compression property has a form of its own at format_version 7") {
  CHECK(CompressionProperty(5, CompressionType::kZstd, true) == "ZSTD");
  CHECK(CompressionProperty(5, CompressionType::kZstd, false) == "ZSTD");
  CHECK(CompressionProperty(5, CompressionType::kNone, false) == "NoCompression");
  CHECK(CompressionProperty(7, CompressionType::kZstd, true) == "BuiltinV2;07;");
  CHECK(CompressionProperty(7, CompressionType::kZstd, false) == "BuiltinV2;;");
  CHECK(CompressionProperty(7, CompressionType::kNone, false) == ";;");
  for (const char* name : {"r119_cksum_xxhash64_fv7.sst", "r119_cksum_none_fv6.sst"}) {
    const TableFile table(name);
    CHECK(table.properties().compression ==
          CompressionProperty(table.footer().format_version, CompressionType::kSnappy, true));
  }
}

}  // namespace varve
