// SPDX-License-Identifier: Apache-2.0
#include "core/table/write/table_builder.h"

#include <algorithm>
#include <random>
#include <set>

#include "core/table/read/table_state.h"
#include "table_harness.h"
#include "tests/codecs.h"

namespace varve {
namespace {

std::string Key(int i) {
  std::string digits = std::to_string(i);
  return "user" + std::string(6 - digits.size(), '0') + digits;
}

// `count` user keys with one to three versions each; values of many sizes, some compressible.
TestTable SomeEntries(int count, int versions_max = 3) {
  std::mt19937 random(91);
  TestTable table;
  Sequence sequence = 100'000;
  for (int i = 0; i < count; ++i) {
    const int versions = 1 + static_cast<int>(random() % static_cast<unsigned>(versions_max));
    for (int v = 0; v < versions; ++v) {
      const auto type = std::array{ValueType::kValue, ValueType::kDeletion, ValueType::kMerge,
                                   ValueType::kSingleDeletion}[random() % 8 < 5 ? 0 : random() % 4];
      std::string value;
      if (type == ValueType::kValue || type == ValueType::kMerge) {
        value =
            std::string(random() % 90, static_cast<char>('a' + i % 26)) + std::to_string(random());
      }
      table.entries.push_back({Key(2 * i), --sequence, type, std::move(value)});
    }
  }
  return table;
}

std::string Describe(const TableOptions& o) {
  return "fv=" + std::to_string(o.format_version) +
         " checksum=" + std::to_string(static_cast<int>(o.checksum)) +
         " codec=" + std::to_string(static_cast<int>(o.compression)) +
         " index=" + std::to_string(static_cast<int>(o.index_type)) +
         " filter=" + std::to_string(static_cast<int>(o.filter)) +
         " partitions=" + std::to_string(o.partition_filters) +
         " decoupled=" + std::to_string(o.decouple_partitioned_filters) +
         " hash=" + std::to_string(o.data_block_hash_index) +
         " dict=" + std::to_string(o.compression_dict_bytes) + "/" +
         std::to_string(o.zstd_max_train_bytes);
}

// Reads a table back every way there is.
void CheckReadsBackWith(TableHarness& harness, const TestTable& contents,
                        const TableReaderOptions& options) {
  const auto table = harness.Open(options);
  REQUIRE_MESSAGE(table.ok(), table.status().ToString());
  CHECK_MESSAGE((*table)->filter_status().ok(), (*table)->filter_status().ToString());
  REQUIRE(ReadForward(**table) == contents.entries);
  std::vector<TableEntry> backward = ReadBackward(**table);
  std::reverse(backward.begin(), backward.end());
  REQUIRE(backward == contents.entries);
  const auto it = (*table)->NewIterator({});
  for (size_t i = 0; i < contents.entries.size(); i += 1 + i / 40) {
    const TableEntry& entry = contents.entries[i];
    it->Seek(entry.internal_key());
    REQUIRE(it->Valid());
    REQUIRE(EntryOf(*it) == entry);
    Lookup lookup(entry.key, entry.sequence);
    (*table)->Get({}, &lookup);
    REQUIRE(lookup.state != Lookup::State::kSearching);
    REQUIRE(lookup.state != Lookup::State::kFailed);
    if (entry.type == ValueType::kValue) REQUIRE(lookup.value.view() == entry.value);
    const std::string missing = entry.key + "x";
    Lookup absent(missing, kMaxSequence);
    CHECK(!(*table)->Get({}, &absent));
    it->Seek(LookupKey(absent.user_key, kMaxSequence));
    const auto next =
        std::find_if(contents.entries.begin() + static_cast<long>(i), contents.entries.end(),
                     [&](const TableEntry& e) { return e.key != entry.key; });
    REQUIRE(it->Valid() == (next != contents.entries.end()));
    if (it->Valid()) REQUIRE(EntryOf(*it) == *next);
  }
}

void CheckReadsBack(TableHarness& harness, const TestTable& contents,
                    TableReaderOptions options = {}) {
  CheckReadsBackWith(harness, contents, options);
  options.grades.partition_search = PartitionSearch::kIterate;
  CheckReadsBackWith(harness, contents, options);
}

TEST_CASE("TableBuilder: every version, checksum, codec, index and filter reads back") {
  const TestTable contents = SomeEntries(400);
  int combination = 0;
  for (uint32_t version = 2; version <= 7; ++version) {
    for (int checksum = 0; checksum <= 4; ++checksum) {
      for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
        for (const FilterKind filter :
             {FilterKind::kNone, FilterKind::kBloom, FilterKind::kRibbon}) {
          for (int cut = 0; cut < (index == IndexType::kTwoLevel ? 3 : 1); ++cut) {
            TableOptions options;
            options.format_version = version;
            options.checksum = static_cast<ChecksumType>(checksum);
            options.compression =
                kCompressionTypes[static_cast<size_t>(combination) % std::size(kCompressionTypes)];
            options.index_type = index;
            options.filter = filter;
            options.partition_filters = cut > 0;
            options.decouple_partitioned_filters = cut == 2;
            options.data_block_hash_index = combination % 2 == 0;
            options.block_size = 512;
            options.metadata_block_size = 128;
            options.block_restart_interval = std::array{1u, 4u, 16u}[combination % 3];
            options.index_block_restart_interval = std::array{1u, 3u}[combination % 2];
            ++combination;
            CAPTURE(Describe(options));
            TableHarness harness;
            REQUIRE(harness.Build(options, contents).ok());
            CheckReadsBack(harness, contents);
          }
        }
      }
    }
  }
}

TEST_CASE("TableBuilder: dictionaries serve every codec that takes one, trained or not") {
  const TestTable contents = SomeEntries(1500, 1);
  for (const CompressionType codec :
       {CompressionType::kZlib, CompressionType::kLz4, CompressionType::kLz4hc,
        CompressionType::kZstd, CompressionType::kSnappy}) {
    for (const uint32_t train : {0u, 64u << 10, 10u << 20}) {
      TableOptions options;
      options.compression = codec;
      options.compression_dict_bytes = 4096;
      options.zstd_max_train_bytes = train;
      options.block_size = 1024;
      CAPTURE(Describe(options));
      TableHarness harness;
      REQUIRE(harness.Build(options, contents).ok());
      CheckReadsBack(harness, contents);
    }
  }
}

TEST_CASE("TableBuilder: many versions of one key across blocks keep their order in the index") {
  TestTable contents;
  Sequence sequence = 1000;
  for (int i = 0; i < 20; ++i) {
    for (int v = 0; v < 40; ++v) {
      contents.entries.push_back({Key(i), --sequence, ValueType::kValue, std::string(30, 'v')});
    }
  }
  for (const bool decoupled : {false, true}) {
    TableOptions options;
    options.block_size = 256;
    options.metadata_block_size = 64;
    options.index_type = IndexType::kTwoLevel;
    options.partition_filters = true;
    options.decouple_partitioned_filters = decoupled;
    TableHarness harness;
    REQUIRE(harness.Build(options, contents).ok());
    const auto table = harness.Open();
    REQUIRE(table.ok());
    CHECK(!(*table)->properties().index_key_is_user_key);
    CheckReadsBack(harness, contents);
  }
}

// The sizes of the partitions of a table's index and of its filter, as stored.
std::vector<uint64_t> PartitionSizes(const Block& top, const IndexEncoding& encoding) {
  std::vector<uint64_t> sizes;
  IndexBlockCursor cursor;
  cursor.Attach(top, encoding);
  for (bool on = cursor.SeekToFirst(); on; on = cursor.Next())
    sizes.push_back(cursor.handle().size);
  return sizes;
}

TEST_CASE("TableBuilder: merging runts leaves no small last partition, and joins no others") {
  int runts = 0;
  for (int count = 1000; count < 3000; count += 61) {
    CAPTURE(count);
    TestTable contents;
    for (int i = 0; i < count; ++i) {
      contents.entries.push_back({Key(i), 9, ValueType::kValue, std::string(40, 'v')});
    }
    for (const bool decoupled : {false, true}) {
      std::vector<uint64_t> sizes[2][2];  // [merged][index or filter]
      for (const bool merged : {false, true}) {
        TableOptions options;
        options.block_size = 256;
        options.metadata_block_size = 512;
        options.index_type = IndexType::kTwoLevel;
        options.partition_filters = true;
        options.decouple_partitioned_filters = decoupled;
        options.merge_runt_partitions = merged;
        TableHarness harness;
        REQUIRE(harness.Build(options, contents).ok());
        const auto table = harness.Open();
        REQUIRE(table.ok());
        const TableReader::Impl& impl = (*table)->impl();
        const IndexEncoding& encoding = impl.index.encoding;
        sizes[merged][0] = PartitionSizes(*impl.index.top, encoding);
        sizes[merged][1] = PartitionSizes(*impl.filter.top(), encoding);
        if (merged) CheckReadsBack(harness, contents);
      }
      for (int kind = 0; kind < 2; ++kind) {
        // Half is 256 as the builders estimate; what is stored differs somewhat.
        const std::vector<uint64_t>& apart = sizes[false][kind];
        const std::vector<uint64_t>& joined = sizes[true][kind];
        if (joined.size() == apart.size()) {
          CHECK_EQ(joined, apart);
          CHECK_GE(joined.back(), 150);
        } else {
          REQUIRE_EQ(joined.size() + 1, apart.size());
          CHECK_LE(apart.back(), 300);
          CHECK_GE(joined.back(), apart[joined.size() - 1]);
          ++runts;
        }
      }
    }
  }
  CHECK_GT(runts, 10);
}

TEST_CASE("TableBuilder: bounds and counts cover points and range tombstones") {
  TestTable contents;
  contents.entries = {{"f", 7, ValueType::kValue, "1"}, {"k", 9, ValueType::kDeletion, ""}};
  contents.tombstones = {{"m", "q", 12}, {"b", "g", 3}};
  TableHarness harness;
  REQUIRE(harness.Build({}, contents).ok());
  const TableBuilder& builder = harness.builder();
  CHECK(builder.smallest() == EncodeInternalKey({"b", 3, ValueType::kRangeDeletion}));
  CHECK(builder.largest() == EncodeInternalKey({"q", kMaxSequence, ValueType::kRangeDeletion}));
  CHECK(builder.smallest_sequence() == 3);
  CHECK(builder.largest_sequence() == 12);
  CHECK(builder.entries() == 4);
  const auto table = harness.Open();
  REQUIRE(table.ok());
  CHECK((*table)->properties().range_deletions == 2);
  CHECK((*table)->properties().deletions == 3);
  REQUIRE((*table)->Tombstones() != nullptr);
  CHECK((*table)->Tombstones()->NewestCovering("c", kMaxSequence) == 3);
  CHECK((*table)->RawTombstones().size() == 2);

  contents.tombstones.clear();
  REQUIRE(harness.Build({.block_size = 1}, contents).ok());
  CHECK(harness.builder().smallest() == EncodeInternalKey({"f", 7, ValueType::kValue}));
  CHECK(harness.builder().largest() == EncodeInternalKey({"k", 9, ValueType::kDeletion}));
}

TEST_CASE("TableBuilder: a table of tombstones alone, and one of nothing, open") {
  TestTable contents;
  contents.tombstones = {{"a", "m", 5}};
  for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
    TableOptions options;
    options.index_type = index;
    options.partition_filters = index == IndexType::kTwoLevel;
    TableHarness harness;
    REQUIRE(harness.Build(options, contents).ok());
    CheckReadsBack(harness, contents);
    TableHarness empty;
    REQUIRE(empty.Build(options, {}).ok());
    CheckReadsBack(empty, {});
    CHECK(empty.builder().empty());
  }
}

TEST_CASE("TableBuilder: a global sequence number replaces the stored ones of an external file") {
  TestTable contents;
  for (int i = 0; i < 100; ++i) contents.entries.push_back({Key(i), 0, ValueType::kValue, "v"});
  TableOrigin origin;
  origin.for_ingestion = true;
  TableHarness harness;
  REQUIRE(harness.Build({}, contents, *BytewiseComparator(), origin).ok());
  const auto table = harness.Open({.global_sequence = 42});
  REQUIRE(table.ok());
  for (const TableEntry& entry : ReadForward(**table)) REQUIRE(entry.sequence == 42);
  Lookup before(contents.entries[50].key, 41);
  CHECK(!(*table)->Get({}, &before));
  Lookup at(contents.entries[50].key, 42);
  CHECK((*table)->Get({}, &at));
  const auto it = (*table)->NewIterator({});
  it->Seek(LookupKey(Key(50), 41));
  REQUIRE(it->Valid());
  CHECK(it->key().user_key == Key(51));
}

TEST_CASE("TableBuilder: the reverse order works throughout") {
  TestTable contents = SomeEntries(300, 1);
  std::reverse(contents.entries.begin(), contents.entries.end());
  TableOptions options;
  options.block_size = 256;
  TableHarness harness;
  REQUIRE(harness.Build(options, contents, *ReverseBytewiseComparator()).ok());
  const auto table = harness.Open();
  REQUIRE(table.ok());
  CHECK((*table)->comparator() == ReverseBytewiseComparator());
  CHECK(ReadForward(**table) == contents.entries);
  for (const TableEntry& entry : contents.entries) {
    Lookup lookup(entry.key, kMaxSequence);
    (*table)->Get({}, &lookup);
    REQUIRE(lookup.state != Lookup::State::kSearching);
  }
}

TEST_CASE("TableBuilder: the estimate is near the size of the finished file") {
  TestTable contents = SomeEntries(5000, 1);
  TableHarness harness;
  REQUIRE(harness.Build({}, contents).ok());
  const auto file = NewMemoryFileSystem()->Create("/x", false);
  TableBuilder builder({}, *BytewiseComparator(), {}, file->get());
  for (const TableEntry& entry : contents.entries) {
    REQUIRE(builder.Add(entry.internal_key(), entry.value).ok());
  }
  const auto size = static_cast<double>(harness.builder().file_size());
  CHECK(static_cast<double>(builder.EstimatedFileSize()) == doctest::Approx(size).epsilon(0.02));
  CHECK(harness.Bytes().size() == harness.builder().file_size());
}

}  // namespace
}  // namespace varve
