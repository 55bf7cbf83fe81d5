// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "core/base/keys/key_order.h"
#include "core/fs/memory_fs.h"
#include "core/table/read/table_reader.h"
#include "core/table/write/table_builder.h"
#include "tests/unit/iterator/iterator_suite.h"

namespace varve {
namespace {

std::unique_ptr<TableReader> BuildAndOpen(FileSystem& fs, const TableOptions& options,
                                          const Comparator& comparator,
                                          const std::vector<TestEntry>& entries) {
  auto file = fs.Create("t", /*direct=*/false);
  REQUIRE(file.ok());
  TableOrigin origin;
  origin.base_context_checksum = 7;
  TableBuilder builder(options, comparator, origin, file->get());
  for (const TestEntry& entry : entries) REQUIRE(builder.Add(entry.key(), entry.value).ok());
  REQUIRE(builder.Finish().ok());
  auto opened = fs.OpenForRead("t", /*direct=*/false);
  REQUIRE(opened.ok());
  auto reader = TableReader::Open(
      *std::move(opened),
      {.comparator = &comparator, .cache = std::make_shared<ClockCache>(uint64_t{1} << 20)});
  REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
  return *std::move(reader);
}

TEST_CASE("TableIterator: every shape of table shows the same entries, however it is moved") {
  const auto fs = NewMemoryFileSystem();
  uint64_t seed = 1;
  for (const Comparator* comparator : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
      for (const uint32_t block_size : {1, 200, 4096}) {
        for (const uint32_t format_version : {2, 5, 7}) {
          TableOptions options;
          options.format_version = format_version;
          options.index_type = index;
          options.block_size = block_size;
          options.metadata_block_size = 100;
          options.block_restart_interval = 1 + seed % 5;
          options.index_block_restart_interval = 1 + seed % 3;
          options.data_block_hash_index = seed % 2 == 0;
          CAPTURE(seed);
          const std::vector<TestEntry> entries = RandomEntries(*comparator, 120, seed++);
          const auto reader = BuildAndOpen(*fs, options, *comparator, entries);
          TableIteratorOptions reading{.fill_cache = seed % 2 == 0};
          if (seed % 4 < 2) reading.readahead.fixed_window = 300;
          RunIteratorSuite(*comparator, entries, [&] { return reader->NewIterator(reading); });
        }
      }
    }
  }
}

TEST_CASE("TableIterator: a run goes to the end of the block") {
  const auto fs = NewMemoryFileSystem();
  std::vector<TestEntry> entries;
  for (int i = 1000; i < 2000; ++i)
    entries.push_back({"key" + std::to_string(i), 7, ValueType::kValue, "v"});
  const auto reader = BuildAndOpen(*fs, {.block_size = 4096}, *BytewiseComparator(), entries);
  for (const bool cached : {true, false}) {
    const auto it = reader->NewIterator({.fill_cache = cached});
    it->SeekToFirst();
    RecordRun run;
    run.Begin(1000, 1 << 20);
    size_t runs = 0, steps = 1;
    for (; it->Valid(); it->Next(), ++steps)
      runs += it->ReadRun({.at = 7, .before = {}}, &run) > 0 ? 1 : 0;
    CHECK(it->status().ok());
    CHECK_EQ(run.size() + steps - 1, entries.size());  // Each block's first entry is stepped onto.
    CHECK_EQ(runs, steps - 1);
    CHECK(runs < 10);
    it->SeekToFirst();
    run.Begin(1000, 1 << 20);
    CHECK_EQ(it->ReadRun({.at = 6, .before = {}}, &run), 0);
    CHECK_EQ(it->ReadRun({.at = 7, .before = "key1004"}, &run), 3);
  }
}

// Takes any order for its own, under the name of the bytewise one.
class AnyOrder final : public Comparator {
 public:
  std::string_view name() const override { return BytewiseComparator()->name(); }
  int Compare(std::string_view, std::string_view) const override { return -1; }
};

std::string RandomTail(std::mt19937_64& random, size_t most) {
  std::string tail(random() % (most + 1), '\0');
  for (char& c : tail) c = "\x00\x01\x7f\x80\xff"[random() % 5];
  return tail;
}

TEST_CASE("TableIterator: of two neighbours, in order and out of it, whatever they share") {
  const auto fs = NewMemoryFileSystem();
  const AnyOrder any;
  std::mt19937_64 random(5);
  for (int round = 0; round < 3000; ++round) {
    const std::string prefix(random() % 40, 'p');
    std::vector<TestEntry> entries(2);
    for (TestEntry& entry : entries) {
      entry.user_key = prefix + RandomTail(random, 12);
      entry.sequence = 1 + random() % 3;
    }
    if (random() % 4 == 0) entries[1].user_key = entries[0].user_key;
    TableOptions options;
    options.filter = FilterKind::kNone;
    options.block_restart_interval = 2;
    const auto written = BuildAndOpen(*fs, options, any, entries);
    auto file = fs->OpenForRead("t", false);
    const auto reader = TableReader::Open(*std::move(file), {.comparator = BytewiseComparator()});
    REQUIRE(reader.ok());
    const auto iterator = (*reader)->NewIterator({});
    iterator->SeekToFirst();
    REQUIRE(iterator->Valid());
    CHECK_FALSE(iterator->starts_user_key());
    iterator->Next();
    CAPTURE(round);
    const int c = CompareInternalKeys(BytewiseOrder{}, entries[0].key(), entries[1].key());
    CHECK(iterator->Valid() == (c < 0));
    if (c < 0) {
      CHECK(iterator->starts_user_key() == (entries[0].user_key != entries[1].user_key));
    } else {
      CHECK(iterator->status().code() == Code::kCorruption);
    }
  }
}

}  // namespace
}  // namespace varve
