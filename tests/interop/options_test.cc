// SPDX-License-Identifier: Apache-2.0
// OPTIONS files between the engines: RocksDB's options hold when we go on with its database, and
// what we write is what `ldb --try_load_options` takes (LoadLatestOptions, strictly).
#include <doctest/doctest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/utilities/options_util.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/interop/rocksdb_open.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"
#include "varve/option_table.h"

namespace varve {
namespace {

void Must(const rocksdb::Status& status) { REQUIRE_MESSAGE(status.ok(), status.ToString()); }
void Must(const Status& status) { REQUIRE_MESSAGE(status.ok(), status.ToString()); }

std::string Key(int i) { return "key" + std::to_string(100000 + i); }
constexpr int kKeys = 20000;

// As `ldb --try_load_options` does it.
struct Loaded {
  rocksdb::DBOptions db;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;

  explicit Loaded(const std::string& path) {
    rocksdb::ConfigOptions config;
    config.ignore_unknown_options = false;
    config.input_strings_escaped = true;
    Must(rocksdb::LoadLatestOptions(config, path, &db, &families));
  }
  const rocksdb::BlockBasedTableOptions& Table(size_t family = 0) const {
    const auto* table =
        families[family].options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
    REQUIRE(table != nullptr);
    return *table;
  }
};

// Opens with exactly what is kept, counts the records and returns what the tables were made with.
rocksdb::TablePropertiesCollection Properties(const std::string& path, int records) {
  const Loaded loaded(path);
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::unique_ptr<rocksdb::DB> db;
  Must(rocksdb::DB::Open(loaded.db, path, loaded.families, &handles, interop::Into(&db)));
  int count = 0;
  const std::unique_ptr<rocksdb::Iterator> it(db->NewIterator({}));
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  Must(it->status());
  CHECK(count == records);
  rocksdb::TablePropertiesCollection properties;
  Must(db->GetPropertiesOfAllTables(&properties));
  for (auto* handle : handles) db->DestroyColumnFamilyHandle(handle);
  return properties;
}

void FillRocksDb(const rocksdb::Options& options, const std::string& path) {
  std::unique_ptr<rocksdb::DB> db;
  Must(rocksdb::DB::Open(options, path, interop::Into(&db)));
  for (int i = 0; i < kKeys; ++i) Must(db->Put({}, Key(i), std::string(100, 'v')));
  Must(db->Flush({}));
}

std::unique_ptr<DB> OpenOurs(const std::string& path, const Options& options = {}) {
  auto db = DB::Open(options, path);
  Must(db.status());
  return *std::move(db);
}

void Rewrite(const std::string& path) {
  const auto db = OpenOurs(path);
  Must(db->CompactRange({.force_bottommost = true}, std::nullopt, std::nullopt));
  Must(db->Close());
}

TEST_CASE("what RocksDB's database was made with is what our tables are made with") {
  const ScratchDirectory scratch;
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kZSTD;
  options.compression_opts.level = 5;
  options.num_levels = 5;
  options.level_compaction_dynamic_level_bytes = false;
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 4;
  table.block_size = 9999;
  table.checksum = rocksdb::kxxHash64;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(10));
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  FillRocksDb(options, scratch / "db");
  Rewrite(scratch / "db");
  const auto properties = Properties(scratch / "db", kKeys);
  REQUIRE(!properties.empty());
  for (const auto& [name, one] : properties) {
    CAPTURE(name);
    CHECK(one->compression_name == "ZSTD");
    CHECK(one->compression_options.find("level=5;") != std::string::npos);
    CHECK(one->format_version == 4);
    CHECK(one->filter_policy_name == "ribbonfilter");
    CHECK(one->index_partitions > 0);
    CHECK(one->data_size / one->num_data_blocks < 9999);
    CHECK(one->raw_value_size / one->num_data_blocks > 8000);
  }
  // Its own options were not touched.
  CHECK(Loaded(scratch / "db").families[0].options.num_levels == 5);
}

TEST_CASE("a bottommost codec with a dictionary holds for the deepest level") {
  const ScratchDirectory scratch;
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kLZ4Compression;
  options.bottommost_compression = rocksdb::kZSTD;
  options.bottommost_compression_opts.enabled = true;
  options.bottommost_compression_opts.level = 6;
  options.bottommost_compression_opts.max_dict_bytes = 4096;
  options.disable_auto_compactions = true;
  FillRocksDb(options, scratch / "db");
  {
    const auto db = OpenOurs(scratch / "db");
    Must(db->Put({}, Key(kKeys), "flushed"));
    Must(db->Flush());
  }
  bool lz4 = false;
  for (const auto& [name, one] : Properties(scratch / "db", kKeys + 1)) {
    lz4 |= one->num_entries == 1 && one->compression_name == "LZ4";
  }
  CHECK(lz4);
  Rewrite(scratch / "db");
  for (const auto& [name, one] : Properties(scratch / "db", kKeys + 1)) {
    CHECK(one->compression_name == "ZSTD");
    CHECK(one->compression_options.find("level=6;") != std::string::npos);
    CHECK(one->compression_options.find("max_dict_bytes=4096;") != std::string::npos);
  }
}

TEST_CASE("a universal database goes on as RocksDB's") {
  const ScratchDirectory scratch;
  for (const int levels : {1, 7}) {
    CAPTURE(levels);
    const std::string path = scratch / std::to_string(levels);
    rocksdb::Options options;
    options.create_if_missing = true;
    options.compaction_style = rocksdb::kCompactionStyleUniversal;
    options.compaction_options_universal.size_ratio = 7;
    options.num_levels = levels;
    options.write_buffer_size = 64 << 10;
    FillRocksDb(options, path);
    Rewrite(path);
    {
      const auto db = OpenOurs(path);
      const auto ours = db->OptionsOf(kDefaultColumnFamilyId);
      REQUIRE(ours.ok());
      CHECK(ours->compaction_style == CompactionStyle::kUniversal);
      CHECK(ours->universal.size_ratio == 7);
      for (int i = kKeys; i < 2 * kKeys; ++i) Must(db->Put({}, Key(i), std::string(100, 'w')));
      Must(db->WaitForBackgroundWork());
    }
    const Loaded loaded(path);
    CHECK(loaded.families[0].options.compaction_style == rocksdb::kCompactionStyleUniversal);
    CHECK(loaded.families[0].options.compaction_options_universal.size_ratio == 7);
    CHECK(!Properties(path, 2 * kKeys).empty());
  }
}

// Every value that we can write is read back as the same by RocksDB.
TEST_CASE("what we keep is what RocksDB reads") {
  const ScratchDirectory scratch;
  int number = 0;
  for (const OptionRow& row : OptionTable()) {
    if (!row.kept || !row.in_rocksdb) continue;
    Options ours;
    const std::string before = row.get(ours);
    for (const char* value :
         {"true", "false", "77", "0.5", "7", "kZSTD", "kCRC32c", "kCompactionStyleFIFO",
          "kDataBlockBinaryAndHash", "PutOperator", "kTwoLevelIndexSearch", "ribbonfilter:7",
          "{level=9;enabled=true;}", "{max_table_files_size=4711;}", "{size_ratio=5;}",
          "kNoCompression:kZSTD"}) {
      if (row.get(ours) == before) row.set(&ours, value).Ignore("of another type");
    }
    CAPTURE(row.name);
    CAPTURE(row.get(ours));
    if (row.name == "format_version") ours.family.table.format_version = 4;  // It reads up to 5.
    if (!ValidateOptions(ours).ok()) continue;
    ours.create_if_missing = true;
    const std::string path = scratch / std::to_string(number++);
    {
      const auto db = OpenOurs(path, ours);
      Must(db->Put({}, "key", "value"));
      Must(db->CreateColumnFamily("other \\ # family", ours.family).status());
    }
    const Loaded loaded(path);
    REQUIRE(loaded.families.size() == 2);
    CHECK(Properties(path, 1).size() <= 1);
  }
  CHECK(number > 40);
}

TEST_CASE("ldb opens what we made, changed and reopened") {
  const ScratchDirectory scratch;
  Options options;
  options.create_if_missing = true;
  options.family.table.filter = FilterKind::kRibbon;
  options.family.compression_per_level = {CompressionType::kNone, CompressionType::kZstd};
  {
    const auto db = OpenOurs(scratch / "db", options);
    Must(db->CreateColumnFamily("a", {}).status());
    Must(db->CreateColumnFamily("b", {}).status());
    Must(db->DropColumnFamily(*db->FindFamily("a")));
    Must(db->StoreOptions({{"block_size", "8k"}, {"compression_opts.level", "4"}}));
    Must(db->SetOptions({{"write_buffer_size", "3m"}}, *db->FindFamily("b")));
    Must(db->Put({}, "k", "v"));
  }
  const Loaded loaded(scratch / "db");
  REQUIRE(loaded.families.size() == 2);
  CHECK(loaded.families[1].name == "b");
  CHECK(loaded.families[1].options.write_buffer_size == 3 << 20);
  CHECK(loaded.families[0].options.compression_opts.level == 4);
  CHECK(loaded.families[0].options.compression_per_level.size() == 2);
  CHECK(loaded.families[0].options.level_compaction_dynamic_level_bytes);
  CHECK(loaded.Table().block_size == 8192);
  const std::string ldb = "ldb --db=" + (scratch / "db") + " --try_load_options ";
  CHECK(std::system((ldb + "--column_family=b put x y >/dev/null").c_str()) == 0);
  CHECK(std::system((ldb + "compact >/dev/null").c_str()) == 0);
  const auto db = OpenOurs(scratch / "db");
  CHECK((*db->Get({}, "x", *db->FindFamily("b")))->ToString() == "y");
}

}  // namespace
}  // namespace varve
