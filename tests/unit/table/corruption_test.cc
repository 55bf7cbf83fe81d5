// SPDX-License-Identifier: Apache-2.0
// A table with any one byte changed never crashes a reader: it says where it is damaged, or it
// answers as before.
#include "table_harness.h"

namespace varve {
namespace {

TestTable SmallTable() {
  TestTable table;
  for (int i = 0; i < 60; ++i) {
    table.entries.push_back({"k" + std::to_string(100 + i), 900 - static_cast<Sequence>(i),
                             ValueType::kValue, "value " + std::to_string(i)});
  }
  table.tombstones = {{"k130", "k135", 2000}};
  return table;
}

struct Reading {
  std::vector<TableEntry> entries;
  Status status;
};

Reading ReadAll(const TableReader& table) {
  Reading reading;
  const auto it = table.NewIterator({});
  for (it->SeekToFirst(); it->Valid(); it->Next()) reading.entries.push_back(EntryOf(*it));
  reading.status = it->status();
  return reading;
}

bool Located(const Status& status) {
  return status.message().find("000007.sst@") != std::string_view::npos;
}

void CheckDamaged(TableHarness& harness, const TestTable& contents, const std::string& bytes) {
  harness.Replace(bytes);
  const auto table = harness.Open();
  if (!table.ok()) {
    CHECK_MESSAGE(Located(table.status()), table.status().ToString());
    return;
  }
  const Reading reading = ReadAll(**table);
  if (reading.status.ok()) {
    CHECK(reading.entries == contents.entries);
  } else {
    CHECK_MESSAGE(Located(reading.status), reading.status.ToString());
    CHECK(reading.status.code() == Code::kCorruption);
  }
  for (size_t i = 0; i < contents.entries.size(); i += 7) {
    const TableEntry& entry = contents.entries[i];
    Lookup lookup(entry.key, kMaxSequence);
    (*table)->Get({}, &lookup);
    if (lookup.state == Lookup::State::kFailed) {
      CHECK_MESSAGE(Located(lookup.status), lookup.status.ToString());
    } else if (lookup.covered_by == 0) {
      CHECK(lookup.value.view() == entry.value);
    }
  }
}

TEST_CASE("TableReader: a byte flipped anywhere is found or harmless") {
  const TestTable contents = SmallTable();
  for (const uint32_t version : {2u, 5u, 7u}) {
    for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
      TableOptions options;
      options.format_version = version;
      options.index_type = index;
      options.partition_filters = index == IndexType::kTwoLevel;
      options.block_size = 200;
      options.metadata_block_size = 64;
      options.compression = version == 7 ? CompressionType::kZstd : CompressionType::kNone;
      options.point_index = PointIndexKind::kAny;
      TableHarness harness;
      REQUIRE(harness.Build(options, contents).ok());
      const std::string whole = harness.Bytes();
      for (size_t at = 0; at < whole.size(); ++at) {
        CAPTURE(at);
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
        CheckDamaged(harness, contents, damaged);
      }
    }
  }
}

TEST_CASE("TableReader: without checksums, damaged bytes cannot lead outside the block") {
  const TestTable contents = SmallTable();
  TableOptions options;
  options.checksum = ChecksumType::kNone;
  options.block_size = 200;
  options.data_block_hash_index = true;
  TableHarness harness;
  REQUIRE(harness.Build(options, contents).ok());
  const std::string whole = harness.Bytes();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      harness.Replace(damaged);
      const auto table = harness.Open();
      if (!table.ok()) continue;
      ReadAll(**table);  // Whatever it says; the sanitizers watch.
      const auto it = (*table)->NewIterator({});
      for (it->SeekToLast(); it->Valid(); it->Prev()) {
      }
      it->Seek(LookupKey("k130", kMaxSequence));
      Lookup lookup("k131", kMaxSequence);
      (*table)->Get({}, &lookup);
    }
  }
}

TEST_CASE("TableReader: a table cut short anywhere is refused") {
  TableHarness harness;
  REQUIRE(harness.Build({}, SmallTable()).ok());
  const std::string whole = harness.Bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    harness.Replace(std::string_view(whole).substr(0, size));
    const auto table = harness.Open();
    CAPTURE(size);
    REQUIRE(!table.ok());
    CHECK_MESSAGE(Located(table.status()), table.status().ToString());
  }
}

TEST_CASE("TableReader: a size other than the MANIFEST's is refused") {
  TableHarness harness;
  REQUIRE(harness.Build({}, SmallTable()).ok());
  const uint64_t size = harness.builder().file_size();
  CHECK(harness.Open({.expected_size = size}).ok());
  CHECK(harness.Open({.expected_size = size + 1}).status().code() == Code::kCorruption);
}

}  // namespace
}  // namespace varve
