// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_writer.h"

#include <doctest/doctest.h>

#include "tests/unit/compaction/job_fixture.h"

namespace varve {
namespace {

// A writer of tables of at most `table_bytes`, with tombstones that no snapshot tells apart.
struct Fixture : JobFixture {
  explicit Fixture(uint64_t table_bytes, const std::vector<RangeTombstone>& list = {},
                   std::optional<std::string> begin = std::nullopt)
      : visibility({}, /*bottommost=*/false), tombstones(*BytewiseComparator(), &visibility) {
    tombstones.Add(FragmentedTombstones(*BytewiseComparator(), list), std::nullopt, std::nullopt);
    REQUIRE(tombstones.Finish().ok());
    first = std::move(begin);
    target = table_bytes;
  }

  OutputWriter NewWriter() {
    return OutputWriter(job, job.options.table, /*level=*/1,
                        OutputSplitter(*BytewiseComparator(), {.target_file_size = target}, {}),
                        tombstones, first, /*collect_below=*/0);
  }

  // The outputs of one version of each key.
  Result<CompactionOutcome> WriteAll(const std::vector<std::string>& keys,
                                     std::optional<std::string> end = std::nullopt) {
    OutputWriter writer = NewWriter();
    Status status;
    for (const std::string& key : keys) {
      if (status.ok()) {
        status = writer.Add({{key, 9, ValueType::kValue}, "v", /*starts_user_key=*/true});
      }
    }
    if (status.ok()) {
      Result<CompactionOutcome> outcome = writer.Finish(std::move(end), {});
      if (outcome.ok()) return outcome;
      status = outcome.status();
    }
    writer.Abandon();
    return status;
  }
  std::string Written(const std::vector<std::string>& keys,
                      std::optional<std::string> end = std::nullopt) {
    const auto outcome = WriteAll(keys, std::move(end));
    REQUIRE_MESSAGE(outcome.ok(), outcome.status().ToString());
    uint64_t bytes = 0;
    for (const FileDescription& table : outcome->outputs) bytes += table.size;
    CHECK_EQ(outcome->bytes_written, bytes);
    CHECK_EQ(Files().size(), outcome->outputs.size());
    return ShowTables(outcome->outputs);
  }

  Visibility visibility;
  CompactionTombstones tombstones;
  std::optional<std::string> first;
  uint64_t target = 0;
};

constexpr uint64_t kOneKeyEach = 1;
constexpr uint64_t kRoomy = 1 << 20;

TEST_CASE("OutputWriter: nothing makes no table") { CHECK_EQ(Fixture(kRoomy).Written({}), ""); }

TEST_CASE("OutputWriter: a full table ends before the next user key") {
  CHECK_EQ(Fixture(kRoomy).Written({"a", "b", "c"}), "a@9=v b@9=v c@9=v");
  CHECK_EQ(Fixture(kOneKeyEach).Written({"a", "b", "c"}), "a@9=v | b@9=v | c@9=v");
}

TEST_CASE("OutputWriter: the versions of a user key stay in one table, however large") {
  Fixture t(kOneKeyEach);
  OutputWriter writer = t.NewWriter();
  REQUIRE(writer.Add({{"a", 9, ValueType::kValue}, "new", true}).ok());
  REQUIRE(writer.Add({{"a", 5, ValueType::kValue}, std::string(3 << 20, 'v'), false}).ok());
  REQUIRE(writer.Add({{"a", 2, ValueType::kDeletion}, "", false}).ok());
  REQUIRE(writer.Add({{"b", 4, ValueType::kValue}, "x", true}).ok());
  const auto outcome = writer.Finish(std::nullopt, {});
  REQUIRE(outcome.ok());
  REQUIRE_EQ(outcome->outputs.size(), 2);
  CHECK_EQ(t.Contents(100).entries.size(), 3);
  CHECK_EQ(Show(t.Contents(101)), "b@4=x");
}

TEST_CASE("OutputWriter: tombstones are cut where tables are, and cover the whole range together") {
  CHECK_EQ(Fixture(kOneKeyEach, {{"a", "z", 7}}).Written({"c", "f"}),
           "c@9=v [a..f)@7 | f@9=v [f..z)@7");
  // Behind the last key, before the first.
  CHECK_EQ(Fixture(kOneKeyEach, {{"a", "b", 7}, {"x", "z", 7}}).Written({"c", "f"}),
           "c@9=v [a..b)@7 | f@9=v [x..z)@7");
}

TEST_CASE("OutputWriter: its part of the tombstones is what lies in its range of user keys") {
  const std::vector<RangeTombstone> list = {{"a", "z", 7}};
  CHECK_EQ(Fixture(kRoomy, list, "f").Written({"g"}, "m"), "g@9=v [f..m)@7");
  CHECK_EQ(Fixture(kRoomy, list).Written({}, "m"), "[a..m)@7");  // Without any entry.
  CHECK_EQ(Fixture(kRoomy, {{"a", "f", 7}}, "f").Written({}), "");
}

TEST_CASE("OutputWriter: whatever fails, Abandon leaves no output") {
  Fixture t(kOneKeyEach, {{"a", "z", 7}});
  const int failed = t.FailEach([&] { return t.WriteAll({"a", "b", "c"}).status(); });
  CHECK_GE(failed, 9);  // Creation, bytes and sync of three tables.
}

TEST_CASE("OutputWriter: abandoned in the middle it takes back what it has finished") {
  Fixture t(kOneKeyEach);
  OutputWriter writer = t.NewWriter();
  for (const char* const key : {"a", "b", "c"}) {
    REQUIRE(writer.Add({{key, 9, ValueType::kValue}, "v", true}).ok());
  }
  CHECK_EQ(t.Files().size(), 3);
  writer.Abandon();
  CHECK(t.Files().empty());
}

TEST_CASE("OutputWriter: an output that cannot be read back fails the whole") {
  Fixture t(kOneKeyEach);
  // The executor has no threads: outputs are read back while Finish() waits.
  OutputWriter writer = t.NewWriter();
  REQUIRE(writer.Add({{"a", 9, ValueType::kValue}, "v", true}).ok());
  REQUIRE(writer.Add({{"b", 9, ValueType::kValue}, "v", true}).ok());
  t.Flip(100, 3);
  const Status finished = writer.Finish(std::nullopt, {}).status();
  CHECK(finished.code() == Code::kCorruption);
  CHECK(finished.message().find("000100.sst") != std::string::npos);
  writer.Abandon();
  CHECK(t.Files().empty());
}

}  // namespace
}  // namespace varve
