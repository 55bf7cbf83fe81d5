// SPDX-License-Identifier: Apache-2.0
#include "core/wal/wal_walk.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/codec/compression.h"
#include "core/format/log/log_record.h"
#include "core/format/log/two_phase.h"
#include "core/format/log/write_batch_format.h"
#include "tests/unit/wal/log_bytes.h"
#include "varve/write_batch.h"

namespace varve {
namespace {

// A record: `count` puts that begin at `sequence`.
std::string Batch(Sequence sequence, int count = 1) {
  WriteBatch batch;
  for (int i = 0; i < count; ++i) batch.Put("key" + std::to_string(i), "value");
  StampBatch(&batch.mutable_bytes(), sequence);
  return batch.bytes();
}

// What a walk through logs 5, 6, ... applies and says.
struct Walked {
  explicit Walked(const std::vector<std::string>& logs,
                  WalRecoveryMode mode = WalRecoveryMode::kPointInTime,
                  std::vector<FamilyLogState> families = {}) {
    const auto apply = [&](uint64_t wal, const BatchHeader& header, std::string_view) {
      applied += std::to_string(wal) + ":" + std::to_string(header.sequence) + "+" +
                 std::to_string(header.count) + " ";
      return apply_fails ? Status::NoSpace("full") : Status::Ok();
    };
    WalWalk walk(mode, &report, std::move(families), apply);
    uint64_t number = 5;
    for (const std::string& log : logs) {
      WalFile wal{
          .number = number++, .file = std::make_unique<StringFile>(log), .size = log.size()};
      status = walk.Read(wal);
      if (!status.ok()) break;
    }
    if (status.ok()) status = walk.CheckFamilies();
    last_sequence = walk.last_sequence();
  }

  static inline bool apply_fails = false;
  RecoveryReport report;
  std::string applied;
  Status status;
  Sequence last_sequence = 0;
};

TEST_CASE("WalWalk: batches of all logs, in order, and the last sequence that they used") {
  const std::vector<std::string> logs = {Written({Batch(1), Batch(2, 3)}), Written({}),
                                         Written({Batch(5, 2)})};
  const Walked walked(logs);
  REQUIRE(walked.status.ok());
  CHECK_EQ(walked.applied, "5:1+1 5:2+3 7:5+2 ");
  CHECK_EQ(walked.last_sequence, 6);
  CHECK(walked.report.losses.empty());
  CHECK_EQ(walked.report.wal_files, 3);
  CHECK_EQ(walked.report.wal_records, 3);
  CHECK_EQ(walked.report.wal_bytes, logs[0].size() + logs[2].size());
}

TEST_CASE("WalWalk: a small compressed log with too much that is prepared is refused, located") {
  using namespace std::string_literals;
  std::string log = Physical(9, "\x07\0\0\0"s);  // Compressed by zstd.
  WriteBatch large;
  large.Put("k", std::string(44 << 20, 'v'));
  uint64_t third = 0;
  for (const char* name : {"one", "two", "three"}) {
    WriteBatch section = PreparedSection(large, name);
    StampBatch(&section.mutable_bytes(), 1);
    std::string frame;
    (*Compressor::Create(CompressionType::kZstd, 3, ""))->Compress(section.bytes(), &frame);
    REQUIRE(frame.size() < kLogBlockSize / 4);
    third = log.size();
    log += Physical(1, frame);
  }
  const Walked walked({log});
  CHECK(walked.status.code() == Code::kNotSupported);
  CHECK(walked.status.message().find("@" + std::to_string(third)) != std::string::npos);
}

TEST_CASE("WalWalk: a record that a crash cut short is a loss, and no damage") {
  std::string cut = Written({Batch(1), Batch(2)});
  const size_t first = Written({Batch(1)}).size();
  cut.pop_back();
  const Walked walked({cut});
  REQUIRE(walked.status.ok());
  CHECK_EQ(walked.applied, "5:1+1 ");
  REQUIRE_EQ(walked.report.losses.size(), 1);
  const RecoveryLoss& loss = walked.report.losses[0];
  CHECK_EQ(loss.file, "000005.log");
  CHECK_EQ(loss.offset, first);
  CHECK_EQ(loss.bytes, cut.size() - first);
  CHECK_FALSE(loss.damage);
  CHECK(loss.unfinished);
}

TEST_CASE("WalWalk: a cut log, and one that goes on where it broke off, leave nothing out") {
  std::string cut = Written({Batch(1), Batch(2)});
  cut.pop_back();
  const Walked walked({cut, Written({Batch(2), Batch(3)})});
  REQUIRE(walked.status.ok());
  CHECK_EQ(walked.applied, "5:1+1 6:2+1 6:3+1 ");
  REQUIRE_EQ(walked.report.losses.size(), 1);
  CHECK_FALSE(walked.report.damaged());
}

TEST_CASE("WalWalk: a later log that does not continue shows that more was written") {
  std::string cut = Written({Batch(1), Batch(2)});
  cut.pop_back();
  const std::string after = Written({Batch(3)});
  const Walked walked({cut, after});
  REQUIRE(walked.status.ok());
  CHECK_EQ(walked.applied, "5:1+1 ");
  REQUIRE_EQ(walked.report.losses.size(), 2);
  CHECK(walked.report.losses[0].damage);
  CHECK(walked.report.losses[1].damage);
  CHECK_EQ(walked.report.losses[1].file, "000006.log");
  CHECK_EQ(walked.report.losses[1].offset, 0);
  CHECK_EQ(walked.report.losses[1].bytes, after.size());
}

// Only an opening with two-phase commits reads such logs. One that a crash cut short is still there
// if power was lost before the removal of the log's name was durable.
TEST_CASE("WalWalk: a cut log that all families are past does not make the later ones doubtful") {
  std::string cut = Written({Batch(1), Batch(2)});
  cut.pop_back();
  const std::vector<FamilyLogState> past = {{"a", 6, true}, {"b", 7, true}};
  const auto in_time = WalRecoveryMode::kPointInTime;
  const Walked alone({cut}, in_time, past);
  CHECK(alone.status.ok());
  CHECK_FALSE(alone.report.damaged());
  const Walked followed({cut, Written({Batch(7)})}, in_time, past);
  CHECK(followed.status.ok());
  CHECK_EQ(followed.applied, "5:1+1 6:7+1 ");
  CHECK_FALSE(followed.report.damaged());
  // A family that needs it would lose what the other one's tables have.
  CHECK_FALSE(Walked({cut}, in_time, {{"a", 6, true}, {"b", 5, true}}).status.ok());
}

TEST_CASE("WalWalk: a bad record with whole ones behind it is damage; a walk that skips goes on") {
  // Large enough that the next record is in another block, which a reader goes on with.
  WriteBatch large;
  large.Put("key", std::string(40000, 'v'));
  StampBatch(&large.mutable_bytes(), 1);
  std::string log = Written({large.bytes(), Batch(2)});
  log[100] ^= 1;
  const Walked stops({log});
  REQUIRE(stops.status.ok());
  CHECK_EQ(stops.applied, "");
  CHECK(stops.report.damaged());
  const Walked skips({log}, WalRecoveryMode::kSkipAnyCorrupted);
  REQUIRE(skips.status.ok());
  CHECK_EQ(skips.applied, "5:2+1 ");
  CHECK(skips.report.damaged());
  const Walked absolute({log}, WalRecoveryMode::kAbsoluteConsistency);
  CHECK_EQ(absolute.status.code(), Code::kCorruption);
  CHECK(absolute.status.message().find("@0: ") != std::string_view::npos);
}

TEST_CASE("WalWalk: sequences that go backwards are corruption in every mode") {
  for (const auto mode : {WalRecoveryMode::kPointInTime, WalRecoveryMode::kSkipAnyCorrupted}) {
    const Walked walked({Written({Batch(5, 3), Batch(6)})}, mode);
    CHECK_EQ(walked.status.code(), Code::kCorruption);
    CHECK(walked.status.message().find("goes backwards") != std::string_view::npos);
    CHECK_EQ(walked.applied, "5:5+3 ");
  }
}

TEST_CASE("WalWalk: a sequence that no write is given, and one beyond the last there is") {
  const Walked none({Written({Batch(0)})});
  CHECK_EQ(none.applied, "");
  CHECK(none.report.damaged());
  const Walked beyond({Written({Batch(kMaxSequence - 1, 3)})});
  CHECK_EQ(beyond.status.code(), Code::kCorruption);
  CHECK_EQ(beyond.applied, "");
}

TEST_CASE("WalWalk: a failure to apply ends the walk") {
  Walked::apply_fails = true;
  const Walked walked({Written({Batch(1), Batch(2)}), Written({Batch(3)})});
  Walked::apply_fails = false;
  CHECK_EQ(walked.status.code(), Code::kNoSpace);
  CHECK_EQ(walked.applied, "5:1+1 ");
}

TEST_CASE("WalWalk: what is no batch ends the log") {
  const Walked shorter({Written({Batch(1), "eleven byte"})});
  REQUIRE(shorter.status.ok());
  CHECK_EQ(shorter.applied, "5:1+1 ");
  CHECK(shorter.report.damaged());
  std::string wrong_count = Batch(2);
  wrong_count[8] = 7;
  const Walked malformed({Written({Batch(1), wrong_count})});
  CHECK_EQ(malformed.applied, "5:1+1 ");
  CHECK((!malformed.status.ok() || malformed.report.damaged()));
}

TEST_CASE("CheckReplayable: what is written ahead of commits is refused by its name") {
  BatchMarks marks;
  const auto with = [&](const std::string& record) {
    std::string batch = Batch(1);
    batch += record;
    marks = {};
    return CheckReplayable(batch, &marks);
  };
  CHECK(CheckReplayable(Batch(1, 2), &marks).ok());
  CHECK_FALSE(marks.two_phase);
  CHECK_FALSE(marks.sub_batches);
  CHECK(
      with("\x0D").ok());  // Noop behind an entry: the next transaction of a group, or a sub-batch.
  CHECK(marks.sub_batches);
  CHECK(with("\x09\x0A\x01t").ok());  // A prepared section without changes.
  CHECK(marks.two_phase);
  CHECK(with("\x0B\x01t").ok());
  CHECK(with("\x0C\x01t").ok());
  for (const char* const record : {"\x12\x0A\x01t", "\x13\x0A\x01t", "\x15\x01s\x01t"}) {
    CHECK(with(record).code() == Code::kNotSupported);
  }
  CHECK(with("\x12").message().find("write-prepared") != std::string_view::npos);
  CHECK(with("\x13").message().find("write-unprepared") != std::string_view::npos);
  CHECK(with("\x70").code() == Code::kCorruption);
}

TEST_CASE("CheckReplayable: prepared sections begin and end in turn") {
  for (const char* const record :
       {"\x09", "\x0A\x01t", "\x09\x09\x0A\x01t", "\x09\x0B\x01t\x0A\x01t", "\x09\x0C\x01t"}) {
    CHECK(CheckReplayable(Batch(1) + record).code() == Code::kCorruption);
  }
}

// `prepared` puts in a section of that name; it uses no sequence numbers.
std::string Section(Sequence sequence, const std::string& name, int prepared = 1) {
  WriteBatch section = PreparedSection(WriteBatch(Batch(sequence, prepared)), name);
  StampBatch(&section.mutable_bytes(), sequence);
  return section.bytes();
}

std::string Stamped(Sequence sequence, WriteBatch batch) {
  StampBatch(&batch.mutable_bytes(), sequence);
  return batch.bytes();
}

TEST_CASE("WalWalk: prepared changes are numbered where they are committed") {
  const Walked walked({Written({Batch(1), Section(2, "one", 3), Batch(2)}),
                       Written({Stamped(3, CommitMark("one")), Batch(6), Section(7, "two")}),
                       Written({Batch(7), Stamped(8, RollbackMark("two")), Batch(8)})});
  REQUIRE_MESSAGE(walked.status.ok(), walked.status.ToString());
  CHECK_EQ(walked.applied, "5:1+1 5:2+0 5:2+1 6:3+3 6:6+1 6:7+0 7:7+1 7:8+0 7:8+1 ");
  CHECK_EQ(walked.last_sequence, 8);
  CHECK(walked.report.losses.empty());
}

// Its section was in a log that is not needed any more: numbers are missing that it used.
TEST_CASE("WalWalk: a commit of what is not known changes nothing") {
  const Walked walked({Written({Batch(1), Stamped(2, CommitMark("gone")), Batch(5)})});
  REQUIRE(walked.status.ok());
  CHECK_EQ(walked.applied, "5:1+1 5:2+0 5:5+1 ");
}

TEST_CASE("WalWalk: numbers that a commit brings must not exceed the last there is") {
  const Walked walked({Written(
      {Section(kMaxSequence - 1, "one", 3), Stamped(kMaxSequence - 1, CommitMark("one"))})});
  CHECK_EQ(walked.status.code(), Code::kCorruption);
}

// Two transactions in one group, as RocksDB's TransactionDB logs those that are not prepared.
TEST_CASE("WalWalk: sub-batches that are numbered by change are transactions, others are refused") {
  std::string group = Batch(1, 2) + "\x0D" + Batch(1, 2).substr(kWriteBatchHeaderSize);
  group[sizeof(Sequence)] = 4;
  CHECK_EQ(Walked({Written({group, Batch(5)})}).applied, "5:1+4 5:5+1 ");
  const Walked prepared({Written({group, Batch(3)})});
  CHECK_EQ(prepared.status.code(), Code::kNotSupported);
  CHECK(prepared.status.message().find("write-prepared") != std::string_view::npos);
}

TEST_CASE("CheckNumbered: only a batch without changes may have the sequence 0") {
  CHECK(CheckNumbered({.sequence = 1, .count = 1}).ok());
  CHECK(CheckNumbered({.sequence = 0, .count = 0}).ok());
  CHECK_EQ(CheckNumbered({.sequence = 0, .count = 1}).code(), Code::kCorruption);
}

}  // namespace
}  // namespace varve
