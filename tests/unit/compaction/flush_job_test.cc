// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/flush_job.h"

#include <doctest/doctest.h>

#include "core/format/value/blob_record.h"
#include "core/version/blob_reader.h"
#include "tests/unit/compaction/job_fixture.h"

namespace varve {
namespace {

using enum ValueType;

std::shared_ptr<MemTable> Filled(uint64_t id, const TableContents& contents) {
  auto memtable = MemTable::Create(*BytewiseComparator(), id);
  for (const TestEntry& e : contents.entries) {
    memtable->Add(e.sequence, e.type, e.user_key, e.value);
  }
  for (const RangeTombstone& t : contents.tombstones) {
    memtable->Add(t.sequence, kRangeDeletion, t.begin, t.end);
  }
  return memtable;
}

// What the table holds; "none" if there is none.
std::string Flushed(JobFixture* t, const std::vector<std::shared_ptr<MemTable>>& memtables) {
  const auto table = RunFlush(t->job, memtables);
  REQUIRE_MESSAGE(table.ok(), table.status().ToString());
  CHECK_EQ(t->Files().size(), table->table ? 1 : 0);
  return table->table ? Show(t->Contents(table->table->number)) : "none";
}

TEST_CASE("FlushJob: several memtables become one table, without versions that nobody sees") {
  const std::vector<std::shared_ptr<MemTable>> memtables = {
      Filled(1, {{{"a", 1, kValue, "x"}, {"b", 2, kValue, "y"}, {"d", 3, kValue, "w"}}, {}}),
      Filled(2, {{{"a", 4, kValue, "z"}, {"c", 5, kDeletion, ""}}, {{"d", "e", 6}}})};
  JobFixture t;
  CHECK_EQ(Flushed(&t, memtables), "a@4=z b@2=y c@5- [d..e)@6");
  JobFixture seen;
  seen.job.snapshots = {2};
  CHECK_EQ(Flushed(&seen, memtables), "a@4=z a@1=x b@2=y c@5- [d..e)@6");
}

TEST_CASE("FlushJob: what leaves nothing to write leaves no file, and syncs nothing") {
  const auto put_and_single_deletion =
      Filled(1, {{{"a", 1, kValue, "x"}, {"a", 2, kSingleDeletion, ""}}, {}});
  for (const auto& memtable : {Filled(1, {}), put_and_single_deletion}) {
    JobFixture t;
    CHECK_EQ(Flushed(&t, {memtable}), "none");
    CHECK_EQ(t.fs.Find("sync"), t.fs.log().size());
  }
}

TEST_CASE("FlushJob: a range deletion alone is a table") {
  JobFixture t;
  CHECK_EQ(Flushed(&t, {Filled(1, {{}, {{"b", "k", 3}}})}), "[b..k)@3");
}

TEST_CASE("FlushJob: the table is synced, then its directory, before it is called done") {
  JobFixture t;
  Flushed(&t, {Filled(1, {{{"a", 1, kValue, "x"}}, {}})});
  const std::vector<std::string>& log = t.fs.log();
  REQUIRE_GE(log.size(), 2);
  CHECK_EQ(log[log.size() - 2], "sync 000100.sst");
  CHECK_EQ(log.back(), "sync_directory out");
}

TEST_CASE("FlushJob: whatever fails, no file remains") {
  JobFixture t;
  const auto memtable = Filled(1, {{{"a", 1, kValue, std::string(2 << 20, 'v')}}, {{"b", "c", 2}}});
  const int failed = t.FailEach(
      [&] { return RunFlush(t.job, std::vector<std::shared_ptr<MemTable>>{memtable}).status(); });
  CHECK_GE(failed, 5);
}

TEST_CASE("FlushJob: a table that cannot be read back is no flush") {
  JobFixture t;
  t.fs.set_judge([&t](const std::string& event) {
    if (event.starts_with("sync 0")) t.Flip(100, 2);  // A disk that wrote something else.
    return Status::Ok();
  });
  const auto memtable = Filled(1, {{{"a", 1, kValue, "x"}}, {}});
  const auto flushed = RunFlush(t.job, std::vector<std::shared_ptr<MemTable>>{memtable});
  CHECK(flushed.status().code() == Code::kCorruption);
  CHECK(flushed.status().message().find("000100.sst@0") != std::string::npos);
  CHECK(t.Files().empty());
}

TEST_CASE("FlushJob: large values are in blob files, which are synced before the directory") {
  JobFixture t;
  t.job.options.blobs = {.enabled = true, .min_size = 3};
  const auto memtable =
      Filled(1, {{{"a", 1, kValue, "xx"}, {"b", 2, kValue, "yyy"}, {"c", 3, kMerge, "zzz"}}, {}});
  const auto flushed = RunFlush(t.job, std::vector<std::shared_ptr<MemTable>>{memtable});
  REQUIRE_MESSAGE(flushed.ok(), flushed.status().ToString());
  REQUIRE_EQ(flushed->blobs.size(), 1);
  CHECK_EQ(flushed->blobs[0].number, 101);
  CHECK_EQ(flushed->blobs[0].blobs, 1);
  CHECK_EQ(flushed->blobs[0].bytes, kBlobRecordHeaderSize + 4);
  CHECK_EQ(flushed->table->oldest_blob_file, 101);
  const TableContents contents = t.Contents(flushed->table->number);
  REQUIRE_EQ(contents.entries.size(), 3);
  CHECK(contents.entries[0].type == kValue);
  CHECK(contents.entries[1].type == kBlobIndex);
  CHECK(contents.entries[2].type == kMerge);
  const BlobReader reader(t.fs, "out");
  CHECK_EQ(reader.Read("b", contents.entries[1].value)->view(), "yyy");
  CHECK_EQ(reader.Verify(101)->bytes, flushed->blobs[0].bytes);
  CHECK_LT(t.fs.Find("sync 000101.blob"), t.fs.Find("sync_directory out"));
}

TEST_CASE("FlushJob: whatever fails, no blob file remains") {
  JobFixture t;
  t.job.options.blobs = {.enabled = true, .min_size = 1000, .file_size = 1 << 20};
  TableContents contents;
  for (Sequence i = 1; i <= 4; ++i) {
    contents.entries.push_back({std::to_string(i), i, kValue, std::string(1 << 20, 'v')});
  }
  const auto memtable = Filled(1, contents);
  const int failed = t.FailEach(
      [&] { return RunFlush(t.job, std::vector<std::shared_ptr<MemTable>>{memtable}).status(); });
  CHECK_GE(failed, 15);
  CHECK_EQ(t.Files().size(), 5);
}

TEST_CASE("FlushJob: every reader finds in the table what the memtables held") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    JobFixture t;
    TableContents all;
    std::vector<std::shared_ptr<MemTable>> memtables;
    Sequence sequence = 0;
    for (uint64_t id = 1; id <= 1 + seed % 3; ++id) {
      TableContents contents;
      for (uint64_t i = random() % 30; i > 0; --i) {
        const std::string key(1, static_cast<char>('a' + random() % 8));
        ++sequence;
        if (random() % 6 == 0) {
          contents.tombstones.push_back({key, key + "zz", sequence});
        } else {
          const ValueType type = random() % 3 == 0 ? kDeletion : kValue;
          contents.entries.push_back(
              {key, sequence, type, type == kValue ? std::to_string(sequence) : ""});
        }
      }
      memtables.push_back(Filled(id, contents));
      for (const TestEntry& e : contents.entries) all.entries.push_back(e);
      for (const RangeTombstone& r : contents.tombstones) all.tombstones.push_back(r);
    }
    for (uint64_t i = random() % 4; i > 0; --i) {
      t.job.snapshots.push_back(random() % (sequence + 1));
    }
    std::sort(t.job.snapshots.begin(), t.job.snapshots.end());
    const auto table = RunFlush(t.job, memtables);
    REQUIRE(table.ok());
    const TableContents output = table->table ? t.Contents(table->table->number) : TableContents();
    for (const Sequence snapshot : t.job.snapshots) {
      CHECK_EQ(ReadAll(output, snapshot), ReadAll(all, snapshot));
    }
    CHECK_EQ(ReadAll(output, kMaxSequence), ReadAll(all, kMaxSequence));
  }
}

}  // namespace
}  // namespace varve
