// SPDX-License-Identifier: Apache-2.0
#include "core/repair/flushed_logs.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/log/write_batch_format.h"
#include "core/fs/memory_fs.h"
#include "core/wal/log_writer.h"
#include "varve/write_batch.h"

namespace varve {
namespace {

using Needed = std::map<ColumnFamilyId, FileNumber>;

// Logs in memory; each change is a put in the family that is named.
class Logs {
 public:
  Logs() { REQUIRE(fs_->CreateDirectory("db").ok()); }

  void Add(uint64_t number, const std::vector<std::vector<ColumnFamilyId>>& batches,
           uint64_t cut = 0) {
    const std::string path = JoinPath("db", WalFileName(number));
    auto file = fs_->Create(path, /*direct=*/false);
    REQUIRE(file.ok());
    LogWriter log(*std::move(file));
    for (const std::vector<ColumnFamilyId>& families : batches) {
      WriteBatch batch;
      for (const ColumnFamilyId family : families) batch.Put("key", "value", family);
      StampBatch(&batch.mutable_bytes(), sequence_);
      sequence_ += families.size();
      REQUIRE(log.Append(batch.bytes()).ok());
    }
    const uint64_t size = log.size();
    REQUIRE(log.Close().ok());
    if (cut > 0) REQUIRE(fs_->Truncate(path, size - cut).ok());
    numbers_.push_back(number);
  }
  Needed Behind(const NewestSequences& in_tables) {
    return LogsBehindTables(*fs_, "db", numbers_, in_tables);
  }
  void Miss(uint64_t number) { numbers_.push_back(number); }

 private:
  const std::unique_ptr<FileSystem> fs_ = NewMemoryFileSystem();
  Sequence sequence_ = 1;
  std::vector<uint64_t> numbers_;
};

TEST_CASE("LogsBehindTables: a log whose newest entry is in a table is not needed") {
  Logs logs;
  logs.Add(5, {{0}, {0}});  // 1, 2
  logs.Add(7, {{0}});       // 3
  CHECK(logs.Behind({}).empty());
  CHECK(logs.Behind({{0, 1}}).empty());  // A part of a memtable is no flush.
  CHECK(logs.Behind({{0, 2}}) == Needed{{0, 6}});
  CHECK(logs.Behind({{0, 3}}) == Needed{{0, 8}});
  CHECK(logs.Behind({{0, 99}}) == Needed{{0, 8}});
}

TEST_CASE("LogsBehindTables: each family has its own") {
  Logs logs;
  logs.Add(5, {{0, 1}, {0}});  // 0: 1, 3   1: 2
  logs.Add(6, {{1, 2}});       // 1: 4      2: 5
  CHECK(logs.Behind({{0, 3}}) == Needed{{0, 6}});
  CHECK(logs.Behind({{1, 2}}) == Needed{{1, 6}});
  CHECK(logs.Behind({{0, 3}, {1, 4}, {2, 5}}) == Needed{{0, 6}, {1, 7}, {2, 7}});
  CHECK(logs.Behind({{3, 99}}).empty());  // A family that no log knows.
}

TEST_CASE("LogsBehindTables: what recovery would not get to does not count") {
  Logs logs;
  logs.Add(5, {{0}, {0}}, /*cut=*/1);  // 1, and a part of 2
  CHECK(logs.Behind({{0, 1}}) == Needed{{0, 6}});
  logs.Miss(6);
  logs.Add(7, {{0}});  // 3
  CHECK(logs.Behind({{0, 9}}) == Needed{{0, 6}});
}

}  // namespace
}  // namespace varve
