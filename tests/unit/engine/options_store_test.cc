// SPDX-License-Identifier: Apache-2.0
// A database goes on with the options that it has: what is written into OPTIONS files, what is
// taken from them, and what holds for one opening only.
#include "core/engine/open/options_store.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tests/unit/engine/inline_db.h"
#include "tests/unit/version/manifest_fixture.h"
#include "varve/db.h"
#include "varve/merge_operator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

class Fixture : public InlineDb {
 public:
  Status Open(const Options& with) {
    report = RecoveryReport();
    return TryOpen(with, &report);
  }
  Status Open() { return Open(options); }

  std::vector<std::string> Files() {
    std::vector<std::string> names;
    auto entries = fs.List("db");
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.starts_with("OPTIONS-")) names.push_back(entry.name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  OptionsFile Newest() {
    const auto text = ReadFileToString(fs.base(), "db/" + Files().back(), 1 << 20);
    REQUIRE(text.ok());
    const auto parsed = ParseOptionsFile(*text);
    REQUIRE(parsed.ok());
    return *parsed;
  }
  // What is kept of one option; "(none)" if nothing is.
  std::string Kept(std::string_view name, std::string_view family = "default") {
    const OptionsFile file = Newest();
    for (const OptionsSection& section : file.sections) {
      if (!section.family.empty() && section.family != family) continue;
      if (const std::string* value = section.Find(name)) return *value;
    }
    return "(none)";
  }
  // As another program would leave it.
  void Replace(const std::string& text) {
    db.reset();
    auto file = fs.base().Create("db/OPTIONS-900000", false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(text).ok());
  }
  void ReplaceFamily(const std::string& family, const std::string& table = "") {
    Replace("[DBOptions]\n[CFOptions \"default\"]\n" + family +
            "\n[TableOptions/BlockBasedTable \"default\"]\n" + table + "\n");
  }
  ColumnFamilyOptions Effective(ColumnFamilyId family = 0) {
    auto effective = db->OptionsOf(family);
    REQUIRE(effective.ok());
    return *effective;
  }
  uint64_t TableBytes() {
    uint64_t bytes = 0;
    auto entries = fs.List("db");
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(".sst")) bytes += entry.size;
    }
    return bytes;
  }
  void Fill() {
    for (int i = 0; i < 2000; ++i) {
      REQUIRE(db->Put({}, "key" + std::to_string(10000 + i), std::string(100, 'v')).ok());
    }
  }
  // The deepest level gets what no rule but that for rewriting would touch.
  void Rewrite() {
    REQUIRE(db->CompactRange({.force_bottommost = true}, std::nullopt, std::nullopt).ok());
  }

  RecoveryReport report;
};

TEST_CASE("OptionsStore: compaction goes on with the codec that the database has") {
  Fixture t;
  t.options.family.table.compression = CompressionType::kZstd;
  REQUIRE(t.Open().ok());
  t.Fill();
  t.Rewrite();
  const uint64_t compressed = t.TableBytes();
  CHECK(compressed < 60'000);  // Of 220,000.
  Options plain = t.options;
  plain.family = {};
  REQUIRE(t.Open(plain).ok());
  t.Rewrite();
  CHECK(t.TableBytes() < compressed * 11 / 10);
  CHECK(t.Effective().table.compression == CompressionType::kZstd);
}

TEST_CASE("OptionsStore: options given at creation are stored, for each family") {
  Fixture t;
  t.options.max_open_files = 77;
  t.options.family.write_buffer_size = 123456;
  t.options.family.table.block_size = 8192;
  t.options.family.table.filter = FilterKind::kRibbon;
  t.options.family.bottommost_compression = {
      .type = CompressionType::kZstd, .enabled = true, .level = 7, .dict_bytes = 4096};
  REQUIRE(t.Open().ok());
  ColumnFamilyOptions other;
  other.compression_per_level = {CompressionType::kNone, CompressionType::kLz4};
  other.num_levels = 9;
  REQUIRE(t.db->CreateColumnFamily("other", other).ok());
  Options plain;
  plain.env = t.options.env;
  REQUIRE(t.Open(plain).ok());
  CHECK(t.report.option_notes.empty());
  CHECK(t.Kept("max_open_files") == "77");
  const ColumnFamilyOptions first = t.Effective(), second = t.Effective(1);
  CHECK(first.write_buffer_size == 123456);
  CHECK(first.table.block_size == 8192);
  CHECK(first.table.filter == FilterKind::kRibbon);
  CHECK(first.bottommost_compression.type == CompressionType::kZstd);
  CHECK(first.bottommost_compression.enabled);
  CHECK(first.bottommost_compression.level == 7);
  CHECK(first.bottommost_compression.dict_bytes == 4096);
  CHECK(second.compression_per_level == other.compression_per_level);
  CHECK(second.num_levels == 9);
  CHECK(second.write_buffer_size == ColumnFamilyOptions().write_buffer_size);
}

TEST_CASE("OptionsStore: every option that a database keeps is taken over again") {
  for (const OptionRow& row : OptionTable()) {
    if (!row.kept || !row.in_rocksdb || row.name == "num_levels") continue;
    CAPTURE(row.name);
    Options changed;
    const std::string before = row.get(changed);
    for (const char* value :
         {"true", "false", "77", "0.5", "7", "kZSTD", "kCRC32c", "kCompactionStyleFIFO",
          "kDataBlockBinaryAndHash", "PutOperator", "kTwoLevelIndexSearch", "ribbonfilter:7",
          "{level=9;enabled=true;}", "{max_table_files_size=4711;}", "{size_ratio=5;}",
          "kNoCompression:kZSTD"}) {
      if (row.get(changed) == before) row.set(&changed, value).Ignore("of another type");
    }
    REQUIRE(row.get(changed) != before);
    if (!ValidateOptions(changed).ok()) continue;  // Only with others.
    Fixture t;
    changed.env = t.options.env;
    changed.create_if_missing = true;
    REQUIRE(t.Open(changed).ok());
    Options plain;
    plain.env = t.options.env;
    REQUIRE(t.Open(plain).ok());
    CHECK(t.report.option_notes.empty());
    if (row.scope == OptionScope::kDatabase) {
      CHECK(t.Kept(row.name) == row.get(changed));
    } else {
      Options effective;
      effective.family = t.Effective();
      effective.family.comparator = nullptr;
      CHECK(row.get(effective) == row.get(changed));
    }
  }
}

TEST_CASE("OptionsStore: options given to an opening apply to it and are not stored") {
  Fixture t;
  t.options.family.table.compression = CompressionType::kZstd;
  REQUIRE(t.Open().ok());
  Options other = t.options;
  other.family.table.compression = CompressionType::kNone;
  other.family.write_buffer_size = 99999;
  REQUIRE(t.Open(other).ok());
  CHECK(t.Effective().table.compression == CompressionType::kNone);
  CHECK(t.Effective().write_buffer_size == 99999);
  REQUIRE(t.db->CreateColumnFamily("new", {}).ok());  // Which writes the file.
  Options plain;
  plain.env = t.options.env;
  REQUIRE(t.Open(plain).ok());
  CHECK(t.Effective().table.compression == CompressionType::kZstd);
  CHECK(t.Effective().write_buffer_size == ColumnFamilyOptions().write_buffer_size);
}

TEST_CASE("OptionsStore: a default value counts if it is chosen by name") {
  Fixture t;
  t.options.family.write_buffer_size = 1 << 20;
  REQUIRE(t.Open().ok());
  Options chosen;
  chosen.env = t.options.env;
  chosen.chosen = {"write_buffer_size"};
  REQUIRE(t.Open(chosen).ok());
  CHECK(t.Effective().write_buffer_size == ColumnFamilyOptions().write_buffer_size);
  chosen.chosen = {"write_bufer_size"};
  CHECK(t.Open(chosen).message().find("write_bufer_size") != std::string::npos);
}

TEST_CASE("OptionsStore: a caller may insist on its own options, all of them") {
  Fixture t;
  t.options.family.table.compression = CompressionType::kZstd;
  REQUIRE(t.Open().ok());
  Options own;
  own.env = t.options.env;
  own.source = OptionSource::kCaller;
  REQUIRE(t.Open(own).ok());
  CHECK(t.Effective().table.compression == DefaultCompression());
  CHECK(t.Kept("compression") == "kZSTD");
}

TEST_CASE("OptionsStore: SetOptions and StoreOptions are effective after reopening") {
  Fixture t;
  REQUIRE(t.Open().ok());
  REQUIRE(t.db->SetOptions({{"compression", "zstd"}, {"write_buffer_size", "1m"}}).ok());
  CHECK(t.Effective().write_buffer_size == 1 << 20);
  CHECK(t.db->SetOptions({{"block_size", "8192"}}).code() == Code::kInvalidArgument);
  REQUIRE(t.db->StoreOptions({{"block_size", "8192"},
                              {"filter_bits_per_key", "7"},
                              {"compression_opts.level", "9"},
                              {"max_open_files", "55"},
                              {"disable_auto_compactions", "true"}})
              .ok());
  CHECK(t.Effective().disable_auto_compactions);  // At once: it may change while running.
  CHECK(t.Effective().table.block_size == TableOptions().block_size);
  Options plain;
  plain.env = t.options.env;
  REQUIRE(t.Open(plain).ok());
  CHECK(t.Effective().table.compression == CompressionType::kZstd);
  CHECK(t.Effective().write_buffer_size == 1 << 20);
  CHECK(t.Effective().table.block_size == 8192);
  CHECK(t.Effective().table.filter_bits_per_key == 7);
  CHECK(t.Effective().table.compression_level == 9);
  CHECK(t.Effective().disable_auto_compactions);
  CHECK(t.Kept("max_open_files") == "55");
}

TEST_CASE("OptionsStore: what cannot be kept is refused, and nothing is") {
  Fixture t;
  REQUIRE(t.Open().ok());
  t.Fill();
  t.Rewrite();
  const OptionsFile before = t.Newest();
  const auto refused = [&](const char* name, const char* value) {
    const Status stored = t.db->StoreOptions({{"compression", "zstd"}, {name, value}});
    CHECK(stored.code() == Code::kInvalidArgument);
    CHECK(stored.message().find(name) != std::string::npos);
    CHECK(t.Newest() == before);
    CHECK(t.Effective().table.compression == DefaultCompression());
  };
  refused("no_such_option", "1");
  refused("create_if_missing", "true");
  refused("comparator", "rocksdb.ReverseBytewiseComparator");
  refused("scan_readahead", "off");  // RocksDB's tools would refuse the file.
  refused("block_size", "many");
  refused("level0_stop_writes_trigger", "1");
  refused("num_levels", "3");  // There are tables in level 6.
  CHECK(t.db->StoreOptions({{"compression", "zlib"}, {"compression_opts.level", "99"}}).code() ==
        Code::kInvalidArgument);
}

TEST_CASE("OptionsStore: what RocksDB knows and we do not stays in the file") {
  Fixture t;
  REQUIRE(t.Open().ok());
  t.Replace(
      "[Version]\nrocksdb_version=11.8.1\n[DBOptions]\nnew_db_option=x\nmax_open_files=9\n"
      "[CFOptions \"default\"]\ncompaction_style=kCompactionStyleUniversal\nttl=77\n"
      "compression_opts={checksum=true;level=5;window_bits=-9;}\nprefix_extractor=rocksdb.Noop\n"
      "merge_operator={id=StringAppendOperator;delimiter=:;}\n"
      "[TableOptions/BlockBasedTable \"default\"]\nnew_table_option={a=1;b={c=2;};}\n");
  REQUIRE(t.Open().ok());
  CHECK(t.Effective().compaction_style == CompactionStyle::kUniversal);
  CHECK(t.Effective().table.compression_level == 5);
  CHECK(t.Effective().merge_operator == nullptr);  // Ours joins by commas.
  CHECK(t.report.option_notes.size() == 2);
  REQUIRE(t.db->SetOptions({{"compression", "zstd"}}).ok());
  REQUIRE(t.db->StoreOptions({{"compression_opts.level", "3"}}).ok());
  CHECK(t.Kept("rocksdb_version") == "11.8.1");
  CHECK(t.Kept("new_db_option") == "x");
  CHECK(t.Kept("max_open_files") == "9");
  CHECK(t.Kept("compaction_style") == "kCompactionStyleUniversal");
  CHECK(t.Kept("ttl") == "77");
  CHECK(t.Kept("compression") == "kZSTD");
  CHECK(t.Kept("compression_opts") == "{checksum=true;level=3;window_bits=-9;}");
  CHECK(t.Kept("prefix_extractor") == "rocksdb.Noop");
  CHECK(t.Kept("merge_operator") == "{id=StringAppendOperator;delimiter=:;}");
  CHECK(t.Kept("new_table_option") == "{a=1;b={c=2;};}");
}

TEST_CASE("OptionsStore: a merge operator that is chosen for an opening is not stored") {
  Fixture t;
  REQUIRE(t.Open().ok());
  REQUIRE(t.db->Put({}, "key", "a").ok());
  Options chosen = t.options;
  chosen.family.merge_operator = MergeOperatorByName("stringappend");
  REQUIRE(t.Open(chosen).ok());
  REQUIRE(t.db->CreateColumnFamily("plain", t.options.family).ok());
  REQUIRE(t.db->SetOptions({{"write_buffer_size", "65536"}}).ok());
  CHECK(t.Kept("merge_operator") == "nullptr");
  REQUIRE(t.db->Merge({}, "key", "b").ok());
  REQUIRE(t.db->Flush().ok());
  REQUIRE(t.Open().ok());
  // Without it nobody could read what is in the table, which names it.
  CHECK(t.Effective().merge_operator == chosen.family.merge_operator);
  CHECK(t.Kept("merge_operator") == "nullptr");
  REQUIRE(t.db->StoreOptions({{"merge_operator", "max"}}).ok());
  REQUIRE(t.Open(chosen).ok());
  CHECK(t.Effective().merge_operator == chosen.family.merge_operator);
  REQUIRE(t.Open().ok());
  CHECK(t.Effective().merge_operator == MergeOperatorByName("max"));

  REQUIRE(t.db->CreateColumnFamily("merged", chosen.family).ok());
  CHECK(t.Kept("merge_operator", "merged") == "StringAppendOperator");
}

TEST_CASE("OptionsStore: a universal tree of one level stays one") {
  Fixture t;
  t.options.family.num_levels = 1;
  t.options.family.compaction_style = CompactionStyle::kNone;
  REQUIRE(t.Open().ok());
  t.ReplaceFamily("num_levels=1\ncompaction_style=kCompactionStyleUniversal");
  Options plain;
  plain.env = t.options.env;
  REQUIRE(t.Open(plain).ok());
  CHECK(t.Effective().compaction_style == CompactionStyle::kUniversal);
  t.Fill();
  t.Rewrite();
  const auto levels = t.db->Levels();
  for (const LevelInfo& level : levels) CHECK((level.level == 0 || level.files == 0));
}

TEST_CASE("OptionsStore: nonsense is named and something sensible is used instead") {
  const struct {
    const char* family;
    const char* table;
    const char* note;
  } cases[] = {
      {"max_bytes_for_level_multiplier=0", "", "max_bytes_for_level_multiplier: expected"},
      {"num_levels=-3", "", "num_levels: expected"},
      {"num_levels=2000000000", "", "num_levels: expected"},
      {"num_levels=3", "", "tables in level 6"},
      {"num_levels=1", "", "tables in level 6"},
      {"compression=kXpressCompression", "", "compression: expected"},
      {"compression=kZlibCompression\ncompression_opts={level=99;}", "", "refuses level 99"},
      {"level0_slowdown_writes_trigger=1", "", "level0_slowdown_writes_trigger is at odds"},
      {"level0_stop_writes_trigger=1", "", "level0_stop_writes_trigger is at odds"},
      {"hard_pending_compaction_bytes_limit=5", "",
       "soft_pending_compaction_bytes_limit is at odds"},
      {"write_buffer_size=", "", "write_buffer_size: expected"},
      {"", "block_size=0", "block_size: expected"},
      {"", "index_type=kHashSearch", "index_type: expected"},
      {"", "partition_filters=true", "partition_filters is at odds"},
      {"blob_compression_type=kXpressCompression", "", "blob_compression_type: expected"},
      {"comparator=rocksdb.ReverseBytewiseComparator", "", ""},  // The MANIFEST knows it.
  };
  for (const auto& one : cases) {
    CAPTURE(one.family);
    CAPTURE(one.table);
    Fixture t;
    REQUIRE(t.Open().ok());
    t.Fill();
    t.Rewrite();
    t.ReplaceFamily(one.family, one.table);
    REQUIRE(t.Open().ok());
    if (*one.note == '\0') {
      CHECK(t.report.option_notes.empty());
    } else {
      CHECK(std::any_of(t.report.option_notes.begin(), t.report.option_notes.end(),
                        [&](const std::string& note) { return note.find(one.note) != note.npos; }));
    }
    CHECK((*t.db->Get({}, "key10000"))->ToString() == std::string(100, 'v'));
    t.Rewrite();
    CHECK((*t.db->Get({}, "key11999"))->ToString() == std::string(100, 'v'));
  }
}

TEST_CASE(
    "OptionsStore: a file that cannot be read is named, left alone, and the one before counts") {
  Fixture t;
  t.options.family.table.compression = CompressionType::kZstd;
  REQUIRE(t.Open().ok());
  t.Replace("garbage");
  Options plain;
  plain.env = t.options.env;
  REQUIRE(t.Open(plain).ok());
  REQUIRE(t.report.option_notes.size() == 1);
  CHECK(t.report.option_notes[0].find("OPTIONS-900000") == 0);
  CHECK(t.Effective().table.compression == CompressionType::kZstd);
  CHECK(t.Files().back() == "OPTIONS-900000");
  REQUIRE(t.db->SetOptions({{"write_buffer_size", "1m"}}).ok());
  CHECK(t.Kept("compression") == "kZSTD");
}

// What RocksDB has written when it is stopped between making a database and opening it.
void MakeUnopened(FileSystem& fs) {
  REQUIRE(fs.CreateDirectory("db").ok());
  VersionEdit edit = Counters(/*log=*/0, /*next_file=*/2, /*last=*/0);
  edit.db_id = "11111111-2222-3333-4444-555555555555";
  std::string record;
  EncodeVersionEdit(edit, &record);
  auto file = fs.Create("db/MANIFEST-000001", /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE(LogWriter(*std::move(file)).Append(record).ok());
  WriteFile(fs, "db/CURRENT", "MANIFEST-000001\n");
}

TEST_CASE("OptionsStore: a new database that names no comparator gets the one it is opened with") {
  for (const Comparator* comparator : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    Fixture t;
    MakeUnopened(t.fs.base());
    t.options.family.comparator = comparator;
    REQUIRE(t.Open().ok());
    t.options.family.comparator = nullptr;
    REQUIRE(t.Open().ok());
    CHECK(t.db->Families()[0].comparator == comparator->name());
    REQUIRE(t.db->SetOptions({{"write_buffer_size", "1m"}}).ok());
    CHECK(t.Kept("comparator") == comparator->name());
  }
}

TEST_CASE("OptionsStore: it is not written again without need, and the one before is left") {
  Fixture t;
  REQUIRE(t.Open().ok());
  const std::vector<std::string> first = t.Files();
  CHECK(first == std::vector<std::string>{"OPTIONS-000002"});
  REQUIRE(t.Open().ok());
  CHECK(t.Files() == first);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(t.db->SetOptions({{"write_buffer_size", std::to_string(1000000 + i)}}).ok());
  }
  CHECK(t.Files().size() == 2);
  CHECK(t.Kept("write_buffer_size") == "1000002");
  REQUIRE(t.db->CreateColumnFamily("b", {}).ok());
  CHECK(t.Kept("write_buffer_size", "b") ==
        std::to_string(ColumnFamilyOptions().write_buffer_size));
  REQUIRE(t.db->DropColumnFamily(1).ok());
  CHECK(t.Newest().Find("CFOptions", "b") == nullptr);
}

TEST_CASE("OptionsStore: a family whose options cannot be written does not come to exist") {
  Fixture t;
  REQUIRE(t.Open().ok());
  const size_t families = t.db->Families().size();
  t.fs.set_judge([](const std::string& event) {
    return event.find("OPTIONS-") == std::string::npos ? Status::Ok() : Status::NoSpace("full");
  });
  CHECK(t.db->CreateColumnFamily("other", {}).status().code() == Code::kNoSpace);
  t.fs.set_judge(nullptr);
  CHECK(t.db->Families().size() == families);
  REQUIRE(t.db->CreateColumnFamily("other", {}).ok());
}

TEST_CASE("OptionsStore: each level has its codec, the deepest its own") {
  Fixture t;
  t.options.family.table.compression = CompressionType::kNone;
  t.options.family.bottommost_compression.type = CompressionType::kZstd;
  REQUIRE(t.Open().ok());
  t.Fill();
  REQUIRE(t.db->Flush().ok());
  CHECK(t.TableBytes() > 200'000);  // A flush is not the deepest level's.
  REQUIRE(t.db->CompactRange({}, std::nullopt, std::nullopt).ok());
  CHECK(t.TableBytes() < 60'000);  // Though one table alone could just have been moved.
}

}  // namespace
}  // namespace varve
