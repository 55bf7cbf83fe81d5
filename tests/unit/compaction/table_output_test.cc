// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/table_output.h"

#include <doctest/doctest.h>

#include "core/base/bytes/byte_writer.h"
#include "core/format/table/unique_id.h"
#include "core/version/table_weight.h"
#include "tests/unit/compaction/job_fixture.h"

namespace varve {
namespace {

// Two versions of a, a range deletion, a value of a thousand bytes.
FileDescription WriteTable(JobFixture* t) {
  auto output = TableOutput::Create(t->job, t->job.options.table);
  REQUIRE(output.ok());
  REQUIRE((*output)->Add({"a", 9, ValueType::kValue}, "new").ok());
  REQUIRE((*output)->Add({"a", 4, ValueType::kValue}, std::string(1000, 'v')).ok());
  REQUIRE((*output)->Add({"b", 5, ValueType::kDeletion}, "").ok());
  REQUIRE((*output)->builder().AddRangeTombstone("b", "d", 7).ok());
  CHECK_EQ((*output)->number(), t->next_number - 1);
  Result<FileDescription> table = (*output)->Finish();
  REQUIRE(table.ok());
  return *std::move(table);
}

TEST_CASE("TableOutput: the description says what the MANIFEST will, all but the epoch") {
  JobFixture t;
  const FileDescription table = WriteTable(&t);
  FileDescription expected;
  expected.number = 100;
  expected.size = *t.fs.FileSize(t.PathOf(100));
  expected.smallest = EncodeInternalKey({"a", 9, ValueType::kValue});
  expected.largest = EncodeInternalKey({"d", kMaxSequence, ValueType::kRangeDeletion});
  expected.smallest_sequence = 4;
  expected.largest_sequence = 9;
  expected.oldest_ancestor_time = expected.creation_time = 1'700'000'000;
  expected.unique_id = TableUniqueId(t.job.origin.db_id, t.job.origin.db_session_id, 100);
  const std::unique_ptr<TableReader> reader = t.Open(100);
  expected.counts = CountsOf(reader->properties());
  CHECK_EQ(expected.counts.deletions, 2);  // One of them of a range.
  CHECK(table == expected);
  CHECK_EQ(reader->properties().db_session_id, t.job.origin.db_session_id);
  CHECK_EQ(reader->properties().file_creation_time, 1'700'000'000);
}

TEST_CASE("TableOutput: the table is synced, after its last byte; its directory is not") {
  JobFixture t;
  WriteTable(&t);
  const std::vector<std::string>& log = t.fs.log();
  REQUIRE_GE(log.size(), 3);
  CHECK_EQ(log.front(), "create 000100.sst");
  CHECK_EQ(log.back(), "sync 000100.sst");
  CHECK_EQ(t.fs.Find("sync_directory"), log.size());
}

TEST_CASE("TableOutput: without Finish the file goes") {
  JobFixture t;
  {
    auto output = TableOutput::Create(t.job, t.job.options.table);
    REQUIRE(output.ok());
    CHECK_EQ(t.Files(), std::vector<std::string>{"000100.sst"});
    REQUIRE((*output)->Add({"a", 9, ValueType::kValue}, std::string(2 << 20, 'v')).ok());
  }
  CHECK(t.Files().empty());
}

TEST_CASE("TableOutput: whatever fails is reported and leaves no file") {
  JobFixture t;
  const int failed = t.FailEach([&]() -> Status {
    ASSIGN_OR_RETURN(const auto output, TableOutput::Create(t.job, t.job.options.table));
    RETURN_IF_ERROR(output->Add({"a", 1, ValueType::kValue}, std::string(2 << 20, 'v')));
    return output->Finish().status();
  });
  CHECK_GE(failed, 4);  // Creation, two buffers, sync.
}

std::string BlobIndexOf(uint64_t file) {
  std::string index(1, '\x01');
  AppendVarint64(&index, file);
  AppendVarint64(&index, 1000);
  AppendVarint64(&index, 10);
  index.push_back(static_cast<char>(CompressionType::kNone));
  return index;
}

TEST_CASE("TableOutput: the description has the oldest blob file that entries refer to") {
  JobFixture t;
  auto output = TableOutput::Create(t.job, t.job.options.table);
  REQUIRE(output.ok());
  REQUIRE((*output)->Add({"a", 1, ValueType::kBlobIndex}, BlobIndexOf(8)).ok());
  REQUIRE((*output)->Add({"b", 1, ValueType::kBlobIndex}, BlobIndexOf(7)).ok());
  REQUIRE((*output)->Add({"c", 1, ValueType::kBlobIndex}, BlobIndexOf(9)).ok());
  REQUIRE((*output)->Add({"d", 1, ValueType::kValue}, BlobIndexOf(2)).ok());  // Just bytes.
  CHECK_EQ((*output)->Finish()->oldest_blob_file, 7);
}

TEST_CASE("TableOutput: a blob index that is none is Corruption, not a table without its file") {
  JobFixture t;
  auto output = TableOutput::Create(t.job, t.job.options.table);
  REQUIRE(output.ok());
  const std::string whole = BlobIndexOf(8);
  for (size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const Status added =
        (*output)->Add({"a", 1, ValueType::kBlobIndex}, std::string_view(whole).substr(0, size));
    CHECK(added.code() == Code::kCorruption);
  }
}

TEST_CASE("VerifyOutput: a table is read back whole, and must have what was added") {
  JobFixture t;
  const FileDescription table = WriteTable(&t);
  CHECK(VerifyOutput(t.job, table, 4).ok());
  const Status fewer = VerifyOutput(t.job, table, 5);
  CHECK(fewer.code() == Code::kCorruption);
  CHECK_EQ(fewer.message(), "out/000100.sst: read back 4 entries of 5 written");
  FileDescription longer = table;
  ++longer.size;
  CHECK(VerifyOutput(t.job, longer, 4).code() == Code::kCorruption);
}

TEST_CASE("VerifyOutput: damage that a reader would meet is met now") {
  for (const int64_t at : {int64_t{10}, int64_t{500}, int64_t{-1}, int64_t{-60}}) {
    CAPTURE(at);
    JobFixture t;
    const FileDescription table = WriteTable(&t);
    t.Flip(100, at);
    const Status verified = VerifyOutput(t.job, table, 4);
    CHECK(verified.code() == Code::kCorruption);
    CHECK(verified.message().find("000100.sst") != std::string::npos);
    t.job.paranoid_checks = false;
    CHECK(VerifyOutput(t.job, table, 4).ok());
  }
}

TEST_CASE("RemoveOutputs: removes those tables and no others, and does not mind a missing one") {
  JobFixture t;
  const FileDescription a = WriteTable(&t);
  WriteTable(&t);
  const FileDescription c = WriteTable(&t);
  RemoveOutputs(t.job, {a, c});
  CHECK_EQ(t.Files(), std::vector<std::string>{"000101.sst"});
  RemoveOutputs(t.job, {a});
  CHECK_EQ(t.Files(), std::vector<std::string>{"000101.sst"});
}

}  // namespace
}  // namespace varve
