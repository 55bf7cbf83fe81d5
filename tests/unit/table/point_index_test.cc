// SPDX-License-Identifier: Apache-2.0
#include "core/table/point/point_index.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "core/format/table/block_trailer.h"
#include "core/format/table/metaindex.h"
#include "core/table/point/integer_index_builder.h"
#include "core/table/read/batch_search.h"
#include "core/table/read/table_state.h"
#include "table_harness.h"
#include "tests/append_block_trailer.h"

namespace varve {
namespace {

using Integers = std::vector<uint64_t>;

std::string KeyOf(uint64_t integer, size_t size = 8, const std::string& prefix = "") {
  std::string key = prefix;
  for (size_t i = size; i-- > 0;) key.push_back(static_cast<char>(integer >> (8 * i)));
  return key;
}

struct Case {
  const char* name;
  Integers integers;  // Ascending.
  const char* form;   // Or the beginning of why there is no index.
};

Integers Stepping(uint64_t first, uint64_t step, size_t count) {
  Integers integers;
  for (size_t i = 0; i < count; ++i) integers.push_back(first + step * i);
  return integers;
}
// `count` of first .. first + range.
Integers Drawn(uint64_t first, uint64_t range, size_t count) {
  std::mt19937_64 random(count);
  std::set<uint64_t> drawn;
  while (drawn.size() < count) drawn.insert(first + random() % range);
  return {drawn.begin(), drawn.end()};
}
Integers Clusters() {
  Integers integers;
  for (uint64_t cluster = 0; cluster < 40; ++cluster) {
    for (uint64_t i = 0; i < 50; ++i) integers.push_back((cluster << 40) + i * (1 + cluster));
  }
  return integers;
}
Integers Together(Integers a, const Integers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Case> Cases() {
  constexpr uint64_t kMax = ~uint64_t{0};
  std::vector<Case> cases;
  for (const size_t count : {1, 2, 3, 63, 64, 65, 127, 128, 129, 383, 384, 385, 100'000}) {
    cases.push_back({"all", Stepping(77, 1, count), "all_one"});
    cases.push_back({"all, to the largest", Stepping(kMax - count + 1, 1, count), "all_one"});
    if (count == 1) continue;
    cases.push_back({"even", Stepping(5, 1000, count), "piecewise"});
    if (count > 64) cases.push_back({"two of three", Drawn(9, count * 3 / 2, count), "dense"});
    if (count > 64) cases.push_back({"few of many", Drawn(9, count * 700, count), "piecewise"});
  }
  cases.push_back({"a gap", Together(Stepping(0, 1, 500), Stepping(900, 1, 500)), "dense"});
  cases.push_back(
      {"a wide gap", Together(Stepping(0, 1, 256), Stepping(1 << 30, 1, 256)), "piecewise"});
  cases.push_back({"clusters", Clusters(), "none: keys lie too far apart"});
  cases.push_back({"both ends", {0, kMax}, "none: keys lie too far apart"});
  cases.push_back({"lines to the largest", Stepping(kMax - 12'700, 100, 128), "piecewise"});
  cases.push_back({"anything", Drawn(0, kMax, 1000), "none: keys lie too far apart"});
  return cases;
}

BuiltIndex Build(const Integers& integers, uint32_t block_entries) {
  IntegerIndexBuilder builder;
  uint64_t offset = 0;
  for (size_t i = 0; i < integers.size(); ++i) {
    builder.Add(KeyOf(integers[i]), true);
    if ((i + 1) % block_entries != 0 && i + 1 != integers.size()) continue;
    builder.EndBlock();
    builder.AddHandle({offset, 100});
    offset += 105;
  }
  const uint64_t estimate = builder.EstimatedSize();
  BuiltIndex built = builder.Finish();
  CHECK(built.bytes.size() <= estimate + estimate / 4);
  return built;
}

TEST_CASE("PointIndex: every key is at its place, and what lies between is absent") {
  for (const Case& one : Cases()) {
    CAPTURE(one.name);
    CAPTURE(one.integers.size());
    constexpr uint32_t kBlockEntries = 37;
    const BuiltIndex built = Build(one.integers, kBlockEntries);
    REQUIRE_MESSAGE(built.what.starts_with(one.form), built.what);
    if (built.bytes.empty()) continue;
    CHECK(built.bytes.size() * 8 <=
          one.integers.size() * (IntegerIndexBuilder::kBitsPerKeyMax + 4) + 1000);
    auto decoded = DecodeIntegerIndex(built.bytes);
    REQUIRE_MESSAGE(decoded.ok(), decoded.status().ToString());
    CHECK(EncodeIntegerIndex(*decoded) == built.bytes);
    const PointIndex index(*std::move(decoded));
    REQUIRE(index.keys() == one.integers.size());
    REQUIRE(index.entries() == one.integers.size());
    for (size_t i = 0; i < one.integers.size(); ++i) {
      const uint64_t integer = one.integers[i];
      const auto place = index.Find(KeyOf(integer));
      REQUIRE(place.has_value());
      REQUIRE(place->block == i / kBlockEntries);
      REQUIRE(place->slot == i % kBlockEntries);
      REQUIRE(place->more == 0);
      REQUIRE(index.handle(place->block) == BlockHandle{105 * (i / kBlockEntries), 100});
      for (const uint64_t near :
           {integer - 1, integer + 1, integer + 64, integer ^ (uint64_t{1} << 63)}) {
        const bool there = std::binary_search(one.integers.begin(), one.integers.end(), near);
        REQUIRE(index.Find(KeyOf(near)).has_value() == there);
      }
    }
    CHECK(!index.Find("").has_value());
    CHECK(!index.Find(KeyOf(one.integers[0]) + "x").has_value());
    CHECK(!index.Find(KeyOf(one.integers[0]).substr(1)).has_value());
  }
}

TEST_CASE("PointIndex: blocks of any sizes") {
  IntegerIndexBuilder builder;
  std::vector<std::pair<uint32_t, uint32_t>> places;
  uint32_t block = 0;
  for (const uint32_t entries : {1, 1, 1, 5000, 1, 2, 9, 700, 1, 1, 1, 1, 1, 3000, 1}) {
    for (uint32_t slot = 0; slot < entries; ++slot) {
      builder.Add(KeyOf(1'000 + places.size()), true);
      places.emplace_back(block, slot);
    }
    builder.EndBlock();
    builder.AddHandle({1000ull * block++, 900});
  }
  auto decoded = DecodeIntegerIndex(builder.Finish().bytes);
  REQUIRE(decoded.ok());
  const PointIndex index(*std::move(decoded));
  for (size_t i = 0; i < places.size(); ++i) {
    const auto place = index.Find(KeyOf(1'000 + i));
    REQUIRE(place.has_value());
    REQUIRE(place->block == places[i].first);
    REQUIRE(place->slot == places[i].second);
  }
}

TEST_CASE("PointIndex: tables whose keys are no integers have none, and say why") {
  const auto why = [](const std::vector<std::string>& keys) {
    IntegerIndexBuilder builder;
    for (const std::string& key : keys) builder.Add(key, true);
    if (!keys.empty()) builder.EndBlock();
    if (!keys.empty()) builder.AddHandle({0, 10});
    return builder.Finish().what;
  };
  CHECK(why({}) == "none: no keys");
  CHECK(why({"a", "ab"}) == "none: keys of 1 and of 2 bytes");
  CHECK(why({"a12345678", "b12345678"}) == "none: keys differ before their last 8 bytes");
  CHECK(why({"a12345678", "a12345679"}) == "all_one");
  CHECK(why({""}) == "all_one");
  CHECK(why({"a"}) == "all_one");
}

// --- In tables

TableReaderOptions Cached(uint64_t bytes) {
  TableReaderOptions options;
  if (bytes > 0) options.cache = std::make_shared<ClockCache>(bytes);
  return options;
}
TableReaderOptions Ingested(Sequence sequence) {
  TableReaderOptions options;
  options.global_sequence = sequence;
  return options;
}

// The versions of a key, newest first, by integer.
using Versions = std::map<uint64_t, std::vector<TableEntry>>;

struct Shape {
  TestTable table;
  Versions versions;
  std::string prefix;
  bool tails = false;

  // With tails, keys are of different sizes: no integers, in the same order.
  std::string Key(uint64_t integer) const {
    return KeyOf(integer, 8, prefix) + std::string(tails ? integer % 3 : 0, 't');
  }
};

// About `count` keys, every fifth with several versions: with a step of 1 or 2 all or two thirds of
// the integers that follow each other, else about as far apart.
Shape Draw(const std::string& prefix, uint64_t step, uint64_t count, uint64_t seed,
           bool tails = false) {
  std::mt19937_64 random(seed);
  Shape shape;
  shape.prefix = prefix;
  shape.tails = tails;
  for (uint64_t i = 0; i < count; ++i) {
    if (step == 2 && random() % 3 == 0) continue;
    const uint64_t integer = step <= 2 ? 5000 + i : 5000 + i * step + random() % (step / 2);
    const uint64_t more = random() % 5 == 0 ? random() % 12 : 0;
    Sequence sequence = 1'000 + random() % 1'000;
    for (uint64_t v = 0; v <= more; ++v) {
      constexpr ValueType kTypes[] = {ValueType::kValue, ValueType::kMerge, ValueType::kDeletion,
                                      ValueType::kSingleDeletion, ValueType::kMerge};
      const ValueType type = kTypes[random() % std::size(kTypes)];
      const bool empty = type == ValueType::kDeletion || type == ValueType::kSingleDeletion;
      const TableEntry entry{shape.Key(integer), sequence, type,
                             empty ? "" : std::string(1 + random() % 40, 'v') + std::to_string(v)};
      shape.table.entries.push_back(entry);
      shape.versions[integer].push_back(entry);
      sequence -= 1 + random() % 20;
    }
  }
  return shape;
}

// What a Get has to find, from the versions and nothing of the engine's.
void CheckAnswer(const Shape& shape, uint64_t integer, const Lookup& lookup) {
  const auto found = shape.versions.find(integer);
  std::vector<std::string> operands;
  Lookup::State state = Lookup::State::kSearching;
  std::string value;
  for (const TableEntry& entry :
       found == shape.versions.end() ? std::vector<TableEntry>() : found->second) {
    if (entry.sequence > lookup.snapshot) continue;
    if (entry.type == ValueType::kMerge) {
      operands.push_back(entry.value);
      state = Lookup::State::kMerging;
      continue;
    }
    const bool merged = !operands.empty();
    if (entry.type == ValueType::kValue) {
      state = merged ? Lookup::State::kMergedOnto : Lookup::State::kFound;
      value = entry.value;
    } else {
      state = merged ? Lookup::State::kMergedOntoNothing : Lookup::State::kDeleted;
    }
    break;
  }
  REQUIRE(lookup.state == state);
  REQUIRE(lookup.value.view() == value);
  REQUIRE(lookup.operands.size() == operands.size());
  for (size_t i = 0; i < operands.size(); ++i) CHECK(lookup.operands[i].view() == operands[i]);
}

void AskAll(const TableReader& table, const Shape& shape) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> integers;
  for (const auto& [integer, versions] : shape.versions) {
    for (const uint64_t near : {integer, integer + 1, integer - 1}) integers.push_back(near);
  }
  std::sort(integers.begin(), integers.end());
  integers.erase(std::unique(integers.begin(), integers.end()), integers.end());
  std::vector<std::string> keys;
  for (const uint64_t integer : integers) keys.push_back(shape.Key(integer));
  for (int round = 0; round < 3; ++round) {  // From the second on, blocks have heads.
    std::vector<Lookup> many;
    many.reserve(keys.size());
    std::vector<Lookup*> batch;
    for (size_t i = 0; i < keys.size(); ++i) {
      const Sequence at = random() % 2 == 0 ? kMaxSequence : 900 + random() % 1'200;
      Lookup& lookup = many.emplace_back(keys[i], at);
      batch.push_back(&lookup);
      Lookup single(keys[i], at);
      table.Get({}, &single);
      CAPTURE(integers[i]);
      CheckAnswer(shape, integers[i], single);
    }
    SearchTable({}, table, batch);
    for (size_t i = 0; i < keys.size(); ++i) {
      CAPTURE(integers[i]);
      CheckAnswer(shape, integers[i], many[i]);
    }
  }
}

TEST_CASE("PointIndex: gets and batches find what was written, whatever the table's parts") {
  std::map<std::string_view, int> forms;
  for (uint64_t seed = 0; seed < 96; ++seed) {
    CAPTURE(seed);
    constexpr uint64_t kSteps[] = {1, 2, 1000};
    const bool tails = seed >= 48;
    const Shape shape =
        Draw(seed % 2 == 0 ? "" : "tenant-0001/", kSteps[seed % 3], 400, seed, tails);
    TableOptions options;
    options.point_index = tails ? PointIndexKind::kAny : PointIndexKind::kInteger;
    if (seed % 11 == 5) options.filter_bits_per_key = 0;
    options.format_version = 2 + static_cast<uint32_t>(seed % 6);
    options.block_size = seed % 5 == 0 ? 100 : 600;
    options.block_restart_interval = seed % 4 == 0 ? 1 : 7;
    options.index_block_restart_interval = seed % 7 == 0 ? 3 : 1;
    options.index_type = seed / 2 % 2 == 0 ? IndexType::kBinary : IndexType::kTwoLevel;
    options.partition_filters = options.index_type == IndexType::kTwoLevel;
    options.metadata_block_size = 200;
    options.data_block_hash_index = seed / 3 % 2 == 0;
    options.compression = seed % 6 == 1 ? CompressionType::kLz4 : CompressionType::kNone;
    options.compression_dict_bytes = seed % 12 == 1 ? 2000 : 0;
    TableHarness harness;
    REQUIRE(harness.Build(options, shape.table).ok());
    TableReaderOptions reading;
    if (seed % 3 != 0) reading.cache = std::make_shared<ClockCache>(16 << 20);
    if (seed % 2 == 0) reading.grades.block_form = BlockForm::kDisk;
    const auto table = harness.Open(reading);
    REQUIRE(table.ok());
    REQUIRE_MESSAGE((*table)->point_status().ok(), (*table)->point_status().ToString());
    REQUIRE((*table)->impl().point != nullptr);
    ++forms[(*table)->impl().point->form_name()];
    CHECK((*table)->properties().point_index == harness.builder().properties().point_index);
    AskAll(**table, shape);
  }
  CHECK(forms == std::map<std::string_view, int>{
                     {"all_one", 16}, {"dense", 16}, {"piecewise", 16}, {"hash", 48}});
}

TEST_CASE("PointIndex: of any keys, those that allow the integer form have it") {
  TableOptions options;
  options.point_index = PointIndexKind::kAny;
  const auto form = [&](const Shape& shape) {
    TableHarness harness;
    REQUIRE(harness.Build(options, shape.table).ok());
    const auto table = harness.Open();
    REQUIRE((*table)->impl().point != nullptr);
    CHECK((*table)->properties().point_index == (*table)->impl().point->form_name());
    return std::string((*table)->impl().point->form_name());
  };
  CHECK(form(Draw("prefix", 1, 200, 1)) == "all_one");
  CHECK(form(Draw("prefix", 1, 200, 1, /*tails=*/true)) == "hash");
  CHECK(form(Draw("", uint64_t{1} << 50, 200, 1)) == "hash");  // Too far apart.
  TableHarness harness;
  REQUIRE(harness.Build(options, {}).ok());
  CHECK(harness.builder().properties().point_index == "none: no keys");
}

TEST_CASE("PointIndex: of a hash index, few absent keys read a block or ask the filter") {
  const Shape shape = Draw("", 3, 3000, 1, /*tails=*/true);
  TableOptions options;
  options.point_index = PointIndexKind::kAny;
  TableHarness harness;
  REQUIRE(harness.Build(options, shape.table).ok());
  const auto table = harness.Open(Cached(1 << 20));
  REQUIRE(table.ok());
  ReadOptions from_cache;
  from_cache.cache_only = true;
  int asked = 0;
  for (uint64_t integer = 100'000; integer < 200'000; ++integer) {
    const std::string key = shape.Key(integer);
    Lookup lookup(key, kMaxSequence);
    (*table)->Get(from_cache, &lookup);
    asked += lookup.filters.asked > 0 || lookup.state != Lookup::State::kSearching;
  }
  CHECK(asked < 100);
  for (const auto& [integer, versions] : shape.versions) {
    const std::string key = shape.Key(integer);
    Lookup lookup(key, kMaxSequence);
    (*table)->Get(from_cache, &lookup);
    CHECK(lookup.state == Lookup::State::kFailed);  // Nothing is cached.
  }
}

TEST_CASE("PointIndex: an absent key reads no block and asks no filter") {
  const Shape shape = Draw("", 3, 300, 1);
  TableOptions options;
  options.point_index = PointIndexKind::kInteger;
  TableHarness harness;
  REQUIRE(harness.Build(options, shape.table).ok());
  const auto table = harness.Open(Cached(1 << 20));
  REQUIRE(table.ok());
  ReadOptions from_cache;
  from_cache.cache_only = true;
  for (uint64_t integer = 4'990; integer < 6'000; ++integer) {
    const std::string key = KeyOf(integer);
    Lookup lookup(key, kMaxSequence);
    (*table)->Get(from_cache, &lookup);
    const bool there = shape.versions.contains(integer);
    if (!there) CHECK(lookup.filters.asked == 0);
    // Nothing is cached yet.
    CHECK(lookup.state == (there ? Lookup::State::kFailed : Lookup::State::kSearching));
  }
}

TEST_CASE("PointIndex: range deletions cover keys that are absent, too") {
  Shape shape = Draw("", 3, 100, 1);
  shape.table.tombstones = {{KeyOf(5'001), KeyOf(5'100), 5'000}};
  TableOptions options;
  options.point_index = PointIndexKind::kInteger;
  TableHarness harness;
  REQUIRE(harness.Build(options, shape.table).ok());
  const auto table = harness.Open();
  REQUIRE((*table)->impl().point != nullptr);
  const std::string key = KeyOf(5'002);
  Lookup lookup(key, kMaxSequence), batched(key, kMaxSequence);
  (*table)->Get({}, &lookup);
  CHECK(lookup.covered_by == 5'000);
  Lookup* const batch[] = {&batched};
  SearchTable({}, **table, batch);
  CHECK(batched.covered_by == 5'000);
}

TEST_CASE("PointIndex: entries of an ingested table have its sequence number") {
  TestTable contents;
  for (uint64_t i = 0; i < 300; ++i) {
    contents.entries.push_back({KeyOf(i), 0, ValueType::kValue, "v" + std::to_string(i)});
  }
  TableOptions options;
  options.point_index = PointIndexKind::kInteger;
  TableHarness harness;
  TableOrigin origin;
  origin.for_ingestion = true;
  REQUIRE(harness.Build(options, contents, *BytewiseComparator(), origin).ok());
  const auto table = harness.Open(Ingested(70));
  REQUIRE(table.ok());
  REQUIRE((*table)->impl().point != nullptr);
  for (const Sequence at : {69, 70, 71}) {
    const std::string key = KeyOf(123);
    Lookup lookup(key, at), batched(key, at);
    (*table)->Get({}, &lookup);
    Lookup* const batch[] = {&batched};
    SearchTable({}, **table, batch);
    for (const Lookup& one : {lookup, batched}) {
      CHECK(one.state == (at < 70 ? Lookup::State::kSearching : Lookup::State::kFound));
    }
  }
}

TEST_CASE("PointIndex: none with another order or without checksums, and none if not asked for") {
  TestTable contents;
  for (uint64_t i = 300; i > 0; --i) {
    contents.entries.push_back({KeyOf(i), 5, ValueType::kValue, "v"});
  }
  TableHarness harness;
  TableOptions options;
  options.point_index = PointIndexKind::kInteger;
  REQUIRE(harness.Build(options, contents, *ReverseBytewiseComparator()).ok());
  CHECK((*harness.Open())->properties().point_index == "none: the order of keys is not bytewise");
  CHECK((*harness.Open())->impl().point == nullptr);
  options.point_index = PointIndexKind::kAny;
  REQUIRE(harness.Build(options, contents, *ReverseBytewiseComparator()).ok());
  CHECK((*harness.Open())->properties().point_index == "none: the order of keys is not bytewise");
  std::reverse(contents.entries.begin(), contents.entries.end());
  options.checksum = ChecksumType::kNone;
  REQUIRE(harness.Build(options, contents).ok());
  CHECK((*harness.Open())->properties().point_index == "none: nothing would guard its bytes");
  CHECK((*harness.Open())->impl().point == nullptr);
  REQUIRE(harness.Build({}, contents).ok());
  CHECK((*harness.Open())->properties().point_index.empty());
  CHECK((*harness.Open())->impl().point == nullptr);
}

// --- Damage

// Puts another index into the block of the first, with a right checksum. It has as many bytes.
void ReplaceIndex(TableHarness& harness, BlockHandle handle, const std::string& index,
                  CompressionType compression = CompressionType::kNone) {
  REQUIRE(index.size() == handle.size);
  std::string block = index;
  AppendBlockTrailer(&block, compression, ChecksumType::kXxh3, 0, handle.offset);
  std::string bytes = harness.Bytes();
  bytes.replace(handle.offset, block.size(), block);
  harness.Replace(bytes);
}

// Although the index, which is used, says otherwise.
void CheckAllFound(TableHarness& harness, const TestTable& contents) {
  for (const bool cached : {false, true}) {
    const auto table = harness.Open(Cached(cached ? 1 << 20 : 0));
    REQUIRE_MESSAGE((*table)->point_status().ok(), (*table)->point_status().ToString());
    REQUIRE((*table)->impl().point != nullptr);
    for (int round = 0; round < 3; ++round) {
      for (const TableEntry& entry : contents.entries) {
        Lookup lookup(entry.key, kMaxSequence), batched(entry.key, kMaxSequence);
        (*table)->Get({}, &lookup);
        CHECK(lookup.value.view() == entry.value);
        Lookup* const batch[] = {&batched};
        SearchTable({}, **table, batch);
        CHECK(batched.value.view() == entry.value);
      }
    }
  }
}

TEST_CASE("PointIndex: an index that leads to other keys costs time, and answers what is there") {
  // The odd numbers to 400: dense. An index of the even ones is as large, and wrong about all.
  TestTable contents;
  for (uint64_t i = 1; i < 400; i += 2) {
    contents.entries.push_back({KeyOf(i * i), 5, ValueType::kValue, "v" + std::to_string(i)});
  }
  TableOptions options;
  options.point_index = PointIndexKind::kInteger;
  options.block_size = 300;
  for (const IndexType type : {IndexType::kBinary, IndexType::kTwoLevel}) {
    options.index_type = type;
    TableHarness harness;
    REQUIRE(harness.Build(options, contents).ok());
    BlockHandle handle;
    {
      const auto table = harness.Open();
      REQUIRE((*table)->impl().point != nullptr);
      handle = *FindMeta((*table)->impl().metaindex, kMetaIntegerIndex);
    }
    const std::string bytes = harness.Bytes().substr(handle.offset, handle.size);
    auto index = *DecodeIntegerIndex(bytes);
    // The same keys in other places: one block has an entry more, the next one less.
    ++index.blocks[3].entries;
    --index.blocks[4].entries;
    ReplaceIndex(harness, handle, EncodeIntegerIndex(index));
    CheckAllFound(harness, contents);
  }
}

TEST_CASE(
    "PointIndex: a hash index that leads to other keys costs time, and answers what is there") {
  TestTable contents;
  for (uint64_t i = 1; i < 400; ++i) {
    const std::string key = KeyOf(i * i) + std::string(i % 3, 't');
    contents.entries.push_back({key, 5, ValueType::kValue, "v" + std::to_string(i)});
  }
  TableOptions options;
  options.point_index = PointIndexKind::kAny;
  options.block_size = 300;
  TableHarness harness;
  REQUIRE(harness.Build(options, contents).ok());
  const BlockHandle handle = *FindMeta((*harness.Open())->impl().metaindex, kMetaHashIndex);
  HashIndex index = *DecodeHashIndex(harness.Bytes().substr(handle.offset, handle.size));
  // Every key leads to the entry that is as far from the end as its own from the beginning.
  for (HashIndex::Line& line : index.lines) {
    for (uint32_t i = 0; i < line.used(); ++i) {
      const uint64_t slot = line.slot(i, index.slot_size);
      const uint64_t mask = (uint64_t{1} << index.entry_bits()) - 1;
      const auto turned =
          static_cast<uint32_t>(slot - (slot & mask) + index.entries - 1 - (slot & mask));
      std::memcpy(line.bytes.data() + 4 + 4 * i, &turned, 4);
    }
  }
  ReplaceIndex(harness, handle, EncodeHashIndex(index));
  CheckAllFound(harness, contents);
}

TEST_CASE("PointIndex: a damaged one, or one of another table, is not used, and why is told") {
  TestTable contents;
  for (uint64_t i = 0; i < 500; ++i) {
    contents.entries.push_back({KeyOf(i), 5, ValueType::kValue, "value"});
  }
  TableOptions options;
  options.point_index = PointIndexKind::kInteger;
  TableHarness harness;
  REQUIRE(harness.Build(options, contents).ok());
  const BlockHandle handle = *FindMeta((*harness.Open())->impl().metaindex, kMetaIntegerIndex);
  const std::string whole = harness.Bytes();
  const IntegerIndex right = *DecodeIntegerIndex(whole.substr(handle.offset, handle.size));

  const auto check = [&](std::string_view why) {
    const auto table = harness.Open();
    REQUIRE(table.ok());
    CHECK((*table)->impl().point == nullptr);
    const std::string message((*table)->point_status().message());
    CHECK_MESSAGE(message.find(why) != std::string::npos, message);
    CHECK(message.find("000007.sst@" + std::to_string(handle.offset)) != std::string::npos);
    Lookup lookup(contents.entries[77].key, kMaxSequence);
    (*table)->Get({}, &lookup);
    CHECK(lookup.value.view() == "value");
    harness.Replace(whole);
  };
  std::string damaged = whole;
  damaged[handle.offset + 5] ^= 1;
  harness.Replace(damaged);
  check("checksum is");
  IntegerIndex other = right;
  --other.blocks[0].handle.size;
  ReplaceIndex(harness, handle, EncodeIntegerIndex(other));
  check("block 0 is not where");
  other = right;
  --other.entries;
  --other.keys;
  --other.span;
  --other.blocks.back().entries;
  ReplaceIndex(harness, handle, EncodeIntegerIndex(other));
  check("it has 499 entries");
  other = right;
  other.form = IntegerIndex::Form::kDense;
  std::string not_so = EncodeIntegerIndex(right);
  not_so[1] = static_cast<char>(IntegerIndex::Form::kDense);
  ReplaceIndex(harness, handle, not_so);
  check("it ends too early");
  // Whatever it would become: a few bytes may become gigabytes.
  ReplaceIndex(harness, handle, EncodeIntegerIndex(right), CompressionType::kZlib);
  check("it is compressed");

  // A hash index, under the name of an integer index.
  for (TableEntry& entry : contents.entries) entry.key += entry.key[7] % 2 == 0 ? "" : "t";
  options.point_index = PointIndexKind::kAny;
  REQUIRE(harness.Build(options, contents).ok());
  const BlockHandle hash = *FindMeta((*harness.Open())->impl().metaindex, kMetaHashIndex);
  const std::string table = harness.Bytes();
  for (const size_t at : {size_t{0}, size_t{7}, size_t{100}, size_t{hash.size}}) {
    damaged = table;
    damaged[hash.offset + at] ^= 1;
    harness.Replace(damaged);
    CHECK((*harness.Open())->impl().point == nullptr);
    Lookup lookup(contents.entries[77].key, kMaxSequence);
    (*harness.Open())->Get({}, &lookup);
    CHECK(lookup.value.view() == "value");
  }
}

}  // namespace
}  // namespace varve
