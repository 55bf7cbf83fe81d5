// SPDX-License-Identifier: Apache-2.0
// RocksDB and tables with a point index, of all forms and shapes: its reader verifies them, finds
// in them what was written, takes them in, and compacts them.
#include <doctest/doctest.h>
#include <rocksdb/db.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>

#include <map>
#include <memory>
#include <random>

#include "core/table/read/table_state.h"
#include "core/table/write/table_builder.h"
#include "tests/interop/rocksdb_open.h"
#include "tests/scratch_directory.h"
#include "varve/environment.h"

namespace varve::interop {
namespace {

using Records = std::map<std::string, std::string>;

constexpr uint32_t kVersionMax = ROCKSDB_MAJOR < 10 ? 5 : 7;

Records Draw(std::string_view form, const std::string& prefix, uint64_t seed) {
  std::mt19937_64 random(seed);
  Records records;
  for (uint64_t i = 0; i < 700; ++i) {
    if (form == "dense" && random() % 3 == 0) continue;
    uint64_t integer = 900 + (form == "piecewise" ? 1000 * i : i);
    std::string key = prefix;
    for (int byte = 0; byte < 8; ++byte, integer <<= 8) {
      key.push_back(static_cast<char>(integer >> 56));
    }
    if (form == "hash") key.append(i % 3, 't');  // Keys of different sizes.
    records[key] = std::string(random() % 60, static_cast<char>('a' + i % 26));
  }
  return records;
}

TableOptions ShapeOf(uint64_t seed) {
  TableOptions options;
  options.point_index = PointIndexKind::kAny;
  options.format_version = 2 + static_cast<uint32_t>(seed % (kVersionMax - 1));
  options.checksum = seed % 2 == 0 ? ChecksumType::kXxh3 : ChecksumType::kCrc32c;
  if (ROCKSDB_MAJOR < 8 && options.format_version < 5) options.checksum = ChecksumType::kCrc32c;
  options.block_size = seed % 3 == 0 ? 256 : 1024;
  options.block_restart_interval = seed % 4 == 0 ? 1 : 16;
  options.data_block_hash_index = seed % 5 == 0;
  options.index_type = seed / 2 % 2 == 0 ? IndexType::kBinary : IndexType::kTwoLevel;
  options.partition_filters = options.index_type == IndexType::kTwoLevel;
  options.metadata_block_size = 256;
  options.compression = seed % 3 == 1 ? CompressionType::kSnappy : CompressionType::kNone;
  return options;
}

void Write(const std::string& path, const TableOptions& options, const Records& records) {
  FileSystem& fs = *NativeEnvironment().file_system;
  const auto file = *fs.Create(path, /*direct=*/false);
  TableOrigin origin;
  origin.for_ingestion = true;
  origin.base_context_checksum = 0x1234567;
  TableBuilder builder(options, *BytewiseComparator(), origin, file.get());
  for (const auto& [key, value] : records) {
    REQUIRE(builder.Add({key, 0, ValueType::kValue}, value).ok());
  }
  REQUIRE(builder.Finish().ok());
  REQUIRE(file->Close().ok());
}

template <typename Iterator>
void CheckScan(Iterator* it, const Records& records) {
  it->SeekToFirst();
  for (const auto& [key, value] : records) {
    REQUIRE(it->Valid());
    REQUIRE(it->key().ToStringView() == key);
    REQUIRE(it->value().ToStringView() == value);
    it->Next();
  }
  CHECK(!it->Valid());
  CHECK(it->status().ok());
}

void CheckDatabase(rocksdb::DB& db, const Records& records) {
  CheckScan(std::unique_ptr<rocksdb::Iterator>(db.NewIterator({})).get(), records);
  for (const auto& [key, value] : records) {
    std::string found;
    REQUIRE(db.Get({}, key, &found).ok());
    REQUIRE(found == value);
    std::string absent = key;
    absent[absent.size() - 2] ^= 0x40;
    CHECK(db.Get({}, absent, &found).ok() == records.contains(absent));
  }
  CHECK(db.VerifyChecksum().ok());
}

TEST_CASE("RocksDB verifies, scans, ingests, looks into and compacts tables with a point index") {
  uint64_t seed = 0;
  for (const std::string_view form : {"all_one", "dense", "piecewise", "hash"}) {
    for (int shape = 0; shape < 20; ++shape, ++seed) {
      CAPTURE(seed);
      const ScratchDirectory scratch;
      const std::string path = scratch / "table.sst";
      const Records records = Draw(form, seed % 2 == 0 ? "" : "prefix/", seed);
      Write(path, ShapeOf(seed), records);
      {
        auto file = NativeEnvironment().file_system->OpenForRead(path, /*direct=*/false);
        const auto table = TableReader::Open(*std::move(file), {});
        REQUIRE((*table)->impl().point != nullptr);
        CHECK((*table)->impl().point->form_name() == form);
      }
      rocksdb::Options options;
      options.create_if_missing = true;
      rocksdb::SstFileReader reader(options);
      REQUIRE(reader.Open(path).ok());
      CHECK(reader.VerifyChecksum().ok());
      CheckScan(std::unique_ptr<rocksdb::Iterator>(reader.NewIterator({})).get(), records);

      std::unique_ptr<rocksdb::DB> db;
      REQUIRE(rocksdb::DB::Open(options, scratch / "db", Into(&db)).ok());
      const rocksdb::Status taken = db->IngestExternalFile({path}, {});
      REQUIRE_MESSAGE(taken.ok(), taken.ToString());
      CheckDatabase(*db, records);
      REQUIRE(db->Put({}, records.begin()->first, records.begin()->second).ok());
      REQUIRE(db->CompactRange({}, nullptr, nullptr).ok());
      CheckDatabase(*db, records);
    }
  }
}

}  // namespace
}  // namespace varve::interop
