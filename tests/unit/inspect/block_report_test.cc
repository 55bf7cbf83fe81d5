// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/block_report.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <random>

#include "core/base/text/text.h"
#include "core/inspect/table/table_report.h"
#include "tests/scratch_directory.h"
#include "tests/unit/inspect/golden_tables.h"
#include "varve/environment.h"

namespace varve {
namespace {

FileSystem& Fs() { return *NativeEnvironment().file_system; }

std::string Slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What the manifest's decoder, which is none of ours, calls the kinds of block.
std::string NameInManifest(TablePartKind kind) {
  switch (kind) {
    case TablePartKind::kIndexPartition:
      return "index-partition";
    case TablePartKind::kFilterIndex:
      return "partitionedfilter";
    case TablePartKind::kFilterPartition:
      return "filter-partition";
    case TablePartKind::kFilter:
      return "fullfilter";
    case TablePartKind::kPerBlockFilter:
      return "filter";
    case TablePartKind::kRangeDeletions:
      return "range-del";
    default:
      return std::string(TablePartName(kind));
  }
}

struct Tally {
  std::map<std::string, std::map<std::string, int>> codecs;  // By kind.
  uint64_t data_entries = 0, range_deletions = 0, handles = 0, partitions = 0;
  std::vector<std::string> separators;  // Of data blocks, in hexadecimal, as stored.
};

// Checks what every block owes to its own bytes.
void CheckBlock(const TableLayout& table, const TablePart& part, const BlockReport& block,
                Tally* tally) {
  if (!table.ContentsOf(part.kind)) return;
  const bool top_of_two = part.kind == TablePartKind::kIndex && table.table().index().two_levels;
  uint64_t entries = 0, restarts = 0, end = 0, key_bytes = 0, shared = 0;
  const Status walked = WalkBlockEntries(table, part, [&](const BlockEntryReport& entry) {
    CHECK((entries == 0 || entry.offset > end));
    CHECK_EQ(entry.shared + entry.non_shared, entry.key.size() + (entry.sequence ? 8 : 0));
    CHECK((!entry.restart || entry.shared == 0));
    end = entry.offset;
    ++entries;
    restarts += entry.restart ? 1 : 0;
    key_bytes += entry.shared + entry.non_shared;
    shared += entry.shared;
    if (part.kind == TablePartKind::kIndexPartition || part.kind == TablePartKind::kIndex) {
      CHECK(table.Find(entry.handle.offset) != nullptr);  // It leads to a block.
      (top_of_two ? tally->partitions : tally->handles) += 1;
      if (!top_of_two) tally->separators.push_back(HexBytes(entry.key));
    }
    return true;
  });
  CHECK(walked.ok());
  CHECK_EQ(entries, block.entries);
  CHECK_EQ(key_bytes, block.key_bytes);
  CHECK_EQ(shared, block.shared_key_bytes);
  if (entries > 0) CHECK_EQ(restarts, block.restarts);
  CHECK((block.restarts == 0 || block.restart_interval * block.restarts >= block.entries));
  if (part.kind == TablePartKind::kData) tally->data_entries += entries;
  if (part.kind == TablePartKind::kRangeDeletions) tally->range_deletions += entries;
}

TEST_CASE(
    "Blocks: kinds, codecs, entries and handles are those that an independent decoder found") {
  int tables = 0;
  for (const GoldenTable& golden : GoldenTables()) {
    if (golden.refused()) continue;
    CAPTURE(golden.name);
    const auto table = TableLayout::Open(Fs(), golden.path);
    REQUIRE(table.ok());
    Tally tally;
    for (const TablePart& part : (*table)->parts()) {
      if (!part.is_block()) continue;
      const BlockReport block = ReportBlock(**table, part);
      CAPTURE(part.offset);
      CHECK_EQ(block.problem, "");
      CHECK(block.checksum_ok);
      CHECK((block.stored_checksum == block.computed_checksum || block.patched ||
             golden.facts["checksum"] == "NoChecksum" || golden.facts["checksum"] == "none"));
      ++tally.codecs[NameInManifest(part.kind)][block.codec];
      CheckBlock(**table, part, block, &tally);
    }
    for (const auto& [kind, facts] : golden.facts["blocks"].items()) {
      CAPTURE(kind);
      if (kind.starts_with("other:")) continue;  // "meta" here.
      std::map<std::string, int> types;
      for (const auto& [codec, count] : facts["types"].items()) types[codec] = count.get<int>();
      if (golden.name == "ldbhead_zstd.ldb" && types.contains("zlib")) {
        types = {{"zstd", types["zlib"]}};  // The same type byte; the payload tells them apart.
      }
      CHECK(tally.codecs[kind] == types);
    }
    const auto& index = golden.facts["index"];
    CHECK_EQ(tally.data_entries, golden.facts["entries_found"].get<uint64_t>());
    CHECK_EQ(tally.handles, index["entries"].get<uint64_t>());
    CHECK_EQ(tally.partitions,
             index["partitions"].is_null() ? 0 : index["partitions"].get<uint64_t>());
    if (golden.name == "ldb123_rawkeys.ldb") continue;  // Its keys have no sequence at all.
    CHECK_EQ((*table)->table().index().encoding.user_keys, index["user_keys"].get<bool>());
    CHECK_EQ((*table)->table().index().encoding.values.delta_encoded,
             index["delta_values"].get<bool>());
    for (size_t i = 0; i < index["first_separators"].size(); ++i) {
      // Internal keys end with eight bytes more.
      const std::string separator = index["first_separators"][i].get<std::string>();
      REQUIRE(i < tally.separators.size());
      CHECK_EQ(tally.separators[i],
               separator.substr(0, separator.size() - (index["user_keys"].get<bool>() ? 0 : 16)));
    }
    ++tables;
  }
  CHECK_EQ(tables, 144);
}

TEST_CASE("Blocks: a changed byte shows at the block that holds it, and at no other") {
  const ScratchDirectory scratch;
  std::mt19937_64 random(11);
  int shown = 0;
  for (const GoldenTable& golden : GoldenTables()) {
    if (golden.refused() || golden.facts["checksum"] == "NoChecksum" ||
        golden.facts["checksum"] == "none") {
      continue;
    }
    CAPTURE(golden.name);
    const std::string bytes = Slurp(golden.path);
    const auto whole = TableLayout::Open(Fs(), golden.path);
    REQUIRE(whole.ok());
    std::vector<TablePart> blocks;
    for (const TablePart& part : (*whole)->parts()) {
      if (part.kind == TablePartKind::kData) blocks.push_back(part);
    }
    if (blocks.empty()) continue;
    const TablePart target = blocks[random() % blocks.size()];
    const size_t at = target.offset + random() % target.size;
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
    CAPTURE(at);
    const std::string path = scratch / "table";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    const auto table = TableLayout::Open(Fs(), path);
    REQUIRE(table.ok());
    for (const TablePart& part : (*table)->parts()) {
      if (!part.is_block()) continue;
      const BlockReport block = ReportBlock(**table, part);
      CHECK_EQ(IsDamaged(block), part.offset == target.offset);
      CHECK_EQ(block.patched, block.part.kind == TablePartKind::kProperties &&
                                  golden.name == "r78_external_ingested.sst");
    }
    ++shown;
  }
  CHECK(shown > 100);
}

TEST_CASE("Blocks: reports of hostile tables end") {
  const ScratchDirectory scratch;
  std::mt19937_64 random(5);
  for (const char* name : {"r119_part_filter_fv7_decoupled.sst", "r78_data_hash_index.sst",
                           "ldb123_bloom.ldb", "r119_sepkv.sst"}) {
    const std::string bytes = Slurp(std::string(VARVE_FIXTURES "/sst/") + name);
    for (int i = 0; i < 60; ++i) {
      std::string damaged = bytes;
      // The tail, where handles, counts and lengths are, gets most of it.
      for (int j = 0; j < 8; ++j) {
        const size_t from = i % 3 == 0 ? 0 : damaged.size() - std::min<size_t>(400, damaged.size());
        damaged[from + random() % (damaged.size() - from)] = static_cast<char>(random());
      }
      CAPTURE(name);
      CAPTURE(i);
      const std::string path = scratch / "table";
      std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
      const auto table = TableLayout::Open(Fs(), path);
      if (!table.ok()) continue;
      for (const TablePart& part : (*table)->parts()) {
        if (part.is_block()) ReportBlock(**table, part);
      }
    }
  }
}

}  // namespace
}  // namespace varve
