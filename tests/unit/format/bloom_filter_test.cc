// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/bloom_filter.h"

#include <doctest/doctest.h>

#include "core/base/hash/hash.h"
#include "core/format/table/filter.h"
#include "tests/unit/format/table_file.h"

namespace varve {

namespace {

// Which bits a key sets, in the order they are probed, as the vectors write them.
std::vector<uint32_t> LocalBits(std::string_view key, uint32_t probes) {
  std::vector<uint32_t> bits;
  uint8_t line[kBloomLineSize];
  const uint64_t hash = Xxph3_64(key);
  for (uint32_t i = 1; i <= probes; ++i) {
    for (uint32_t bit = 0; bit < 512; ++bit) {  // The bit without which probe i says no.
      std::fill(std::begin(line), std::end(line), 0xFF);
      line[bit / 8] = static_cast<uint8_t>(line[bit / 8] & ~(1u << bit % 8));
      if (FastLocalBloomMayMatch(line, hash, i - 1) && !FastLocalBloomMayMatch(line, hash, i)) {
        bits.push_back(bit);
      }
    }
  }
  return bits;
}

std::string Build(FilterOptions options, const std::vector<std::string>& keys) {
  FilterBuilder builder(options);
  for (const std::string& key : keys) builder.AddKey(key);
  return builder.Finish();
}

}  // namespace

TEST_CASE("BloomFilter: the vectors' lines and bits are probed in order") {
  CHECK(FastLocalBloomLine(Xxph3_64(""), 10) == 0);
  CHECK(FastLocalBloomLine(Xxph3_64("abc"), 10) == 7);
  CHECK(FastLocalBloomLine(Xxph3_64("key000001"), 10) == 2);
  CHECK(LocalBits("", 6) == std::vector<uint32_t>{166, 121, 469, 452, 231, 149});
  CHECK(LocalBits("abc", 6) == std::vector<uint32_t>{423, 188, 464, 413, 226, 254});
  CHECK(LocalBits("key000001", 6) == std::vector<uint32_t>{339, 448, 231, 152, 300, 148});
}

TEST_CASE("BloomFilter: the vectors' whole filters come out byte for byte") {
  CHECK(Build({.kind = FilterKind::kBloom, .bits_per_key = 10, .format_version = 5},
              {"a", "b", "c"}) ==
        FromHex("0a000000000104000000000000400000000000410000000200000400000000002000020002000020"
                "000000002001010000000000020000000000040000000000ff00060000"));
  CHECK(Build({.kind = FilterKind::kBloom, .bits_per_key = 10, .format_version = 4},
              {"a", "b", "c"}) ==
        FromHex("00080040000000000000248000000000001000100000000008004000400000000000000000000000"
                "0020000000008200000000000000010012000000800100000601000000"));
}

TEST_CASE("BloomFilter: RocksDB 7.8's filters come out byte for byte at any bits per key") {
  struct Row {
    const char* table;
    double bits_per_key;
    uint32_t format_version;
  };
  for (const Row& row : {Row{"r78_filter_bloom5_bpk1.sst", 1, 5},
                         {"r78_filter_bloom5_bpk2.5.sst", 2.5, 5},
                         {"r78_filter_bloom5_bpk10.sst", 10, 5},
                         {"r78_filter_bloom5_bpk28.5.sst", 28.5, 5},
                         {"r78_filter_bloom5_binary_keys.sst", 10, 5},
                         {"r78_filter_bloom4_bpk1.sst", 1, 4},
                         {"r78_filter_bloom4_bpk10.sst", 10, 4},
                         {"r78_filter_bloom4_bpk45.sst", 45, 4},
                         {"r78_filter_bloom4_binary_keys.sst", 10, 4}}) {
    const TableFile table(row.table);
    const std::string built = Build({.kind = FilterKind::kBloom,
                                     .bits_per_key = row.bits_per_key,
                                     .format_version = row.format_version},
                                    table.UserKeys());
    CHECK_MESSAGE(built == table.Filter(), std::string(row.table));
  }
}

TEST_CASE("BloomFilter: bits per key are rounded and limited as RocksDB does") {
  CHECK(MillibitsPerKey(0.49) == 0);
  CHECK(MillibitsPerKey(-3) == 0);
  CHECK(MillibitsPerKey(0.5) == 1000);
  CHECK(MillibitsPerKey(10) == 10000);
  CHECK(MillibitsPerKey(2.0805) == 2081);
  CHECK(MillibitsPerKey(1e9) == 100000);
}

TEST_CASE("BloomFilter: probes follow the bits") {
  CHECK(FastLocalBloomProbes(1000) == 1);
  CHECK(FastLocalBloomProbes(2080) == 1);
  CHECK(FastLocalBloomProbes(2081) == 2);
  CHECK(FastLocalBloomProbes(25501) == 12);
  CHECK(FastLocalBloomProbes(28500) == 13);
  CHECK(FastLocalBloomProbes(50000) == 23);
  CHECK(FastLocalBloomProbes(50001) == 24);
}

TEST_CASE("BloomFilter: sizes are whole lines and end at the largest") {
  CHECK(FastLocalBloomSize(3, 10000) == 64);
  CHECK(FastLocalBloomSize(52, 10000) == 128);
  CHECK(FastLocalBloomSize(uint64_t{1} << 62, 100000) == kBloomSizeMax);
}

}  // namespace varve
