// SPDX-License-Identifier: Apache-2.0
// Every table of tests/fixtures/sst, written by real RocksDB and LevelDB releases, against what
// manifest.json says of it.
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/hash/sha256.h"
#include "core/base/keys/key_order.h"
#include "core/base/text/text.h"
#include "core/table/read/table_state.h"
#include "table_harness.h"

namespace varve {
namespace {

using nlohmann::json;

const std::string kFolder = std::string(VARVE_FIXTURES) + "/sst/";

const json& Manifest() {
  static const json manifest = [] {
    std::ifstream in(kFolder + "manifest.json");
    return json::parse(in);
  }();
  return manifest;
}

Result<std::unique_ptr<TableReader>> OpenGolden(const json& golden,
                                                const TableReaderOptions& options = {}) {
  auto file = NativeEnvironment().file_system->OpenForRead(
      kFolder + golden["file"].get<std::string>(), false);
  if (!file.ok()) return file.status();
  return TableReader::Open(*std::move(file), options);
}

std::string Line(const TableEntry& entry) {
  return HexBytes(entry.key) + " " + std::to_string(entry.sequence) + " " +
         std::to_string(static_cast<int>(entry.type)) + " " + HexBytes(entry.value) + "\n";
}

bool Refused(const json& golden) { return golden.contains("refuse"); }

void CheckBound(const json& golden, const TableEntry& entry) {
  CHECK(HexBytes(entry.key) == golden["key"].get<std::string>());
  CHECK(entry.sequence == golden["seq"].get<uint64_t>());
  CHECK(static_cast<int>(entry.type) == golden["type"].get<int>());
}

TEST_CASE("Goldens: entries, counts, bounds and range deletions are what the writer wrote") {
  for (const json& golden : Manifest()["files"]) {
    if (Refused(golden)) continue;
    CAPTURE(golden["file"].get<std::string>());
    const auto table = OpenGolden(golden);
    REQUIRE_MESSAGE(table.ok(), table.status().ToString());
    CHECK((*table)->format_version() == golden["format_version"].get<uint32_t>());
    CHECK_MESSAGE((*table)->filter_status().ok(), (*table)->filter_status().ToString());

    const std::vector<TableEntry> entries = ReadForward(**table);
    CHECK(entries.size() == golden["entries_found"].get<size_t>());
    Sha256 digest;
    for (const TableEntry& entry : entries) digest.Add(Line(entry));
    CHECK(digest.HexDigest() == golden["entries_sha256"].get<std::string>());
    if (!entries.empty()) {
      CheckBound(golden["first_key"], entries.front());
      CheckBound(golden["last_key"], entries.back());
    }
    json deletions = json::array();
    for (const RangeTombstone& t : (*table)->RawTombstones()) {
      deletions.push_back(
          {{"begin", HexBytes(t.begin)}, {"end", HexBytes(t.end)}, {"seq", t.sequence}});
    }
    CHECK(deletions == golden["range_deletions"]);
  }
}

TEST_CASE("Goldens: walking backwards gives the same entries in reverse") {
  for (const json& golden : Manifest()["files"]) {
    if (Refused(golden)) continue;
    CAPTURE(golden["file"].get<std::string>());
    const auto table = OpenGolden(golden);
    REQUIRE(table.ok());
    std::vector<TableEntry> backward = ReadBackward(**table);
    std::reverse(backward.begin(), backward.end());
    CHECK(backward == ReadForward(**table));
  }
}

TEST_CASE("Goldens: every entry is found by Seek, SeekForPrev and Get, through a block cache") {
  const auto cache = std::make_shared<ClockCache>(1 << 20);
  for (const json& golden : Manifest()["files"]) {
    if (Refused(golden)) continue;
    CAPTURE(golden["file"].get<std::string>());
    const auto table = OpenGolden(golden, {.cache = cache});
    REQUIRE(table.ok());
    if ((*table)->comparator() == nullptr) continue;
    const auto it = (*table)->NewIterator({});
    for (const TableEntry& entry : ReadForward(**table)) {
      it->Seek(entry.internal_key());
      REQUIRE(it->Valid());
      REQUIRE(EntryOf(*it) == entry);
      it->SeekForPrev(entry.internal_key());
      REQUIRE(it->Valid());
      REQUIRE(EntryOf(*it) == entry);
      Lookup lookup(entry.key, entry.sequence);
      (*table)->Get({}, &lookup);
      REQUIRE_MESSAGE(lookup.state != Lookup::State::kFailed, lookup.status.ToString());
      REQUIRE(lookup.state != Lookup::State::kSearching);  // A filter must never lose a key.
    }
  }
}

TEST_CASE("Goldens: filters let pass exactly as many absent keys as the writer's own do") {
  size_t asked = 0;
  for (const json& golden : Manifest()["files"]) {
    if (Refused(golden) || !golden.contains("filter")) continue;
    if (!golden["filter"].contains("false_positives_per_1000")) continue;
    CAPTURE(golden["file"].get<std::string>());
    const auto table = OpenGolden(golden);
    REQUIRE(table.ok());
    const TableReader::Impl& impl = (*table)->impl();
    if (impl.comparator == nullptr || impl.filter.is_per_block()) continue;
    int passed = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::string digits = std::to_string(i);
      const std::string key = "absent-" + std::string(5 - digits.size(), '0') + digits;
      Lookup lookup(key, kMaxSequence);
      passed += WithKeyOrder(*impl.comparator, [&](auto order) {
        return impl.filter.MayMatch(order, impl.fetcher, {}, &lookup);
      });
    }
    CHECK(passed == golden["filter"]["false_positives_per_1000"].get<int>());
    ++asked;
  }
  CHECK(asked > 40);
}

TEST_CASE("Goldens: other kinds of table are refused by name") {
  std::map<std::string, std::string> names = {{"r78_plain_table.sst", "PlainTable"},
                                              {"r119_plain_table.sst", "PlainTable"},
                                              {"r78_cuckoo_table.sst", "CuckooTable"}};
  size_t refused = 0;
  for (const json& golden : Manifest()["files"]) {
    if (!Refused(golden)) continue;
    CAPTURE(golden["file"].get<std::string>());
    const auto table = OpenGolden(golden);
    REQUIRE(!table.ok());
    CHECK(table.status().code() == Code::kNotSupported);
    CHECK(table.status().message().find(names[golden["file"]]) != std::string_view::npos);
    ++refused;
  }
  CHECK(refused == names.size());
}

TEST_CASE("Goldens: properties are decoded as the writer's own tool shows them") {
  for (const json& golden : Manifest()["files"]) {
    if (Refused(golden)) continue;
    CAPTURE(golden["file"].get<std::string>());
    const auto table = OpenGolden(golden);
    REQUIRE(table.ok());
    const TableProperties& p = (*table)->properties();
    const json& want = golden["properties"];
    const auto check = [&](const char* name, uint64_t got) {
      if (!want.contains(name)) return;
      CAPTURE(name);
      CHECK(want[name].get<uint64_t>() == got);
    };
    check("rocksdb.num.entries", p.entries);
    check("rocksdb.deleted.keys", p.deletions);
    check("rocksdb.merge.operands", p.merge_operands);
    check("rocksdb.num.range-deletions", p.range_deletions);
    check("rocksdb.num.data.blocks", p.data_blocks);
    check("rocksdb.raw.key.size", p.raw_key_size);
    check("rocksdb.raw.value.size", p.raw_value_size);
    check("rocksdb.data.size", p.data_size);
    check("rocksdb.index.size", p.index_size);
    check("rocksdb.filter.size", p.filter_size);
    check("rocksdb.block.based.table.index.type", p.index_type.value_or(0));
    if (want.contains("rocksdb.comparator")) {
      CHECK(want["rocksdb.comparator"].get<std::string>() == p.comparator);
    }
  }
}

}  // namespace
}  // namespace varve
