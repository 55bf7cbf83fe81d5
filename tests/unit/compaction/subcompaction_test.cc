// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/subcompaction.h"

#include <doctest/doctest.h>

#include "core/base/threads/counter.h"
#include "tests/unit/compaction/job_inputs.h"

namespace varve {
namespace {

Result<CompactionOutcome> Run(JobFixture* t, const JobInputs& inputs, const KeyRange& range = {}) {
  WorkMeter meter(nullptr, inputs.bytes());
  return RunSubcompaction({t->job, *inputs.version, inputs.plan, meter}, range);
}

TEST_CASE("Subcompaction: every reader finds in its outputs what the inputs held") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    JobFixture t;
    JobInputs inputs(seed);
    std::mt19937_64 random(seed);
    for (uint64_t i = random() % 4; i > 0; --i) {
      t.job.snapshots.push_back(random() % JobInputs::kNewest);
    }
    std::sort(t.job.snapshots.begin(), t.job.snapshots.end());
    inputs.plan.bottommost = seed % 2 == 0;
    const auto outcome = Run(&t, inputs);
    REQUIRE_MESSAGE(outcome.ok(), outcome.status().ToString());
    const TableContents outputs = t.Contents(outcome->outputs);
    for (const Sequence snapshot : t.job.snapshots) {
      CHECK_EQ(ReadAll(outputs, snapshot), ReadAll(inputs.all, snapshot));
    }
    CHECK_EQ(ReadAll(outputs, kMaxSequence), ReadAll(inputs.all, kMaxSequence));
    CHECK(std::is_sorted(outputs.entries.begin(), outputs.entries.end(),
                         [](const TestEntry& a, const TestEntry& b) {
                           return EntryBefore(*BytewiseComparator(), a.key(), b.key());
                         }));
  }
}

TEST_CASE("Subcompaction: parts of the key range together hold what the whole holds") {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    JobFixture whole, parts;
    const JobInputs inputs(seed);
    const auto once = Run(&whole, inputs);
    REQUIRE(once.ok());
    std::vector<FileDescription> tables;
    const std::string cuts[] = {std::string(1, static_cast<char>('b' + seed % 10)),
                                std::string(1, static_cast<char>('n' + seed % 10))};
    for (const KeyRange& range : {KeyRange{std::nullopt, cuts[0]}, KeyRange{cuts[0], cuts[1]},
                                  KeyRange{cuts[1], std::nullopt}}) {
      const auto part = Run(&parts, inputs, range);
      REQUIRE(part.ok());
      for (const FileDescription& table : part->outputs) {
        tables.push_back(table);
        const TableContents contents = parts.Contents(table.number);
        for (const TestEntry& e : contents.entries) {
          CHECK((!range.lower() || *range.lower() <= e.user_key));
          CHECK((!range.upper() || e.user_key < *range.upper()));
        }
        for (const RangeTombstone& tombstone : contents.tombstones) {
          CHECK((!range.lower() || *range.lower() <= tombstone.begin));
          CHECK((!range.upper() || tombstone.end <= *range.upper()));
        }
      }
    }
    const TableContents a = whole.Contents(once->outputs), b = parts.Contents(tables);
    CHECK_EQ(Show({a.entries, {}}), Show({b.entries, {}}));
    for (Sequence snapshot = 0; snapshot <= JobInputs::kNewest; snapshot += 7) {
      CHECK_EQ(ReadAll(a, snapshot), ReadAll(b, snapshot));
    }
  }
}

TEST_CASE("Subcompaction: versions of one user key are in one output") {
  JobFixture t;
  JobInputs inputs(7);
  inputs.plan.target_file_size = 1;
  for (Sequence s = 1; s < JobInputs::kNewest; ++s) t.job.snapshots.push_back(s);  // All stay.
  const auto outcome = Run(&t, inputs);
  REQUIRE(outcome.ok());
  CHECK_GT(outcome->outputs.size(), 20);
  for (size_t i = 1; i < outcome->outputs.size(); ++i) {
    const auto last = *DecodeInternalKey(outcome->outputs[i - 1].largest);
    const auto first = *DecodeInternalKey(outcome->outputs[i].smallest);
    // Only the end of a range deletion, which is exclusive, is where the next one begins.
    if (last.user_key == first.user_key) CHECK(last.sequence == kMaxSequence);
  }
}

TEST_CASE("Subcompaction: outputs are synced, their directory is left to the job") {
  JobFixture t;
  const JobInputs inputs(1);
  const auto outcome = Run(&t, inputs);
  REQUIRE(outcome.ok());
  REQUIRE_GT(outcome->outputs.size(), 1);
  for (const FileDescription& table : outcome->outputs) {
    CHECK_LT(t.fs.Find("sync " + TableFileName(table.number)), t.fs.log().size());
  }
  CHECK_EQ(t.fs.Find("sync_directory"), t.fs.log().size());
}

TEST_CASE("Subcompaction: a failing write at any place leaves no output") {
  JobFixture t;
  const JobInputs inputs(3);
  CHECK_GE(t.FailEach([&] { return Run(&t, inputs).status(); }), 6);
}

TEST_CASE("Subcompaction: a damaged input is located, and leaves no output") {
  for (FileNumber damaged = 1; damaged <= 4; ++damaged) {
    CAPTURE(damaged);
    JobFixture t;
    JobInputs inputs(5);
    inputs.tables.Damage(damaged);
    const Status status = Run(&t, inputs).status();
    CHECK(status.code() == Code::kCorruption);
    CHECK_MESSAGE(status.message().find(TableFileName(damaged) + "@0") != std::string::npos,
                  status.message());
    CHECK(t.Files().empty());
  }
}

TEST_CASE("Subcompaction: an input that is not there is an error, and leaves no output") {
  JobFixture t;
  JobInputs inputs(5);
  inputs.tables.RemoveFile(2);
  CHECK_FALSE(Run(&t, inputs).ok());
  CHECK(t.Files().empty());
}

TEST_CASE("Subcompaction: what is read of the inputs is counted, never beyond their bytes") {
  JobFixture t;
  const JobInputs inputs(2);
  Counter read;
  WorkMeter meter(&read, inputs.bytes());
  REQUIRE(RunSubcompaction({t.job, *inputs.version, inputs.plan, meter}, {}).ok());
  CHECK_GT(read.value(), inputs.bytes() / 4);
  CHECK_LE(read.value(), inputs.bytes());
}

}  // namespace
}  // namespace varve
