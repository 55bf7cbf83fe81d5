// SPDX-License-Identifier: Apache-2.0
// Logs that RocksDB writes into files of earlier ones (recycle_log_file_num).
#include <doctest/doctest.h>
#include <rocksdb/db.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "tests/interop/rocksdb_open.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"

namespace varve {
namespace {

std::unique_ptr<rocksdb::DB> OpenRecycling(const std::string& path, uint64_t write_buffer) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.recycle_log_file_num = 2;
  options.write_buffer_size = write_buffer;
  options.avoid_flush_during_shutdown = true;
  std::unique_ptr<rocksdb::DB> db;
  const rocksdb::Status opened = rocksdb::DB::Open(options, path, interop::Into(&db));
  REQUIRE_MESSAGE(opened.ok(), opened.ToString());
  return db;
}

// A block's last bytes are left out where a header of 11 does not fit.
TEST_CASE("Recycled logs are read to their end, however few bytes are left in a block") {
  constexpr int kRecords = 700;
  for (size_t value_size = 95; value_size < 130; ++value_size) {
    CAPTURE(value_size);
    const ScratchDirectory scratch;
    const std::string path = scratch / "db";
    {
      const auto db = OpenRecycling(path, 64 << 20);
      for (int i = 0; i < kRecords; ++i) {
        REQUIRE(db->Put({}, "key" + std::to_string(i), std::string(value_size, 'v')).ok());
      }
    }
    RecoveryReport report;
    const auto db = DB::OpenReadOnly({}, path, &report);
    REQUIRE_MESSAGE(db.ok(), db.status().ToString());
    CHECK(report.losses.empty());
    CHECK(report.wal_records == kRecords);
    const auto last = (*db)->Get({}, "key" + std::to_string(kRecords - 1));
    CHECK((last.ok() && last->has_value()));
    CHECK(DB::Open({}, path).ok());
  }
}

// What was bad when it was read may be a whole record when it is looked at again.
TEST_CASE("Recycled logs that are written to meanwhile have no damage") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "db";
  const auto writer = OpenRecycling(path, 256 << 10);
  std::atomic<uint64_t> acknowledged{0};
  std::atomic<bool> stop{false}, failed{false};
  std::thread writing([&] {
    for (uint64_t i = 1; !stop; ++i) {
      const std::string key = "key" + std::to_string(i % 1000);
      failed = failed || !writer->Put({}, key, std::to_string(i) + std::string(i % 700, 'v')).ok();
      acknowledged = i;
    }
  });
  while (acknowledged < 3000 && !failed) std::this_thread::yield();  // Logs have been used again.
  for (int i = 0; i < 60; ++i) {
    const uint64_t before = acknowledged;
    RecoveryReport report;
    const auto db = DB::OpenReadOnly({}, path, &report);
    REQUIRE_MESSAGE(db.ok(), db.status().ToString());
    CHECK_MESSAGE(report.losses.empty(), report.losses.front().reason);
    const auto value = (*db)->Get({}, "key" + std::to_string(before % 1000));
    REQUIRE((value.ok() && value->has_value()));
    CHECK(std::stoull((*value)->ToString()) >= before);
  }
  stop = true;
  writing.join();
  CHECK(!failed);
}

}  // namespace
}  // namespace varve
