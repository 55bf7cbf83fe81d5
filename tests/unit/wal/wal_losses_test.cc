// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/format/log/log_record.h"
#include "core/wal/wal_walk.h"
#include "tests/test_bytes.h"
#include "tests/unit/wal/log_bytes.h"

namespace varve {
namespace {

// A batch that puts one value of 300 bytes.
std::string Batch(Sequence sequence) {
  std::string batch;
  AppendFixed64(&batch, sequence);
  AppendFixed32(&batch, 1);
  batch += '\x01';
  AppendVarint32(&batch, 3);
  batch += "key";
  AppendVarint32(&batch, 300);
  return batch + Noise(300, static_cast<unsigned>(sequence));
}

RecoveryReport Walked(const std::string& bytes, WalRecoveryMode mode) {
  RecoveryReport report;
  WalWalk walk(mode, &report, /*families=*/{},
               [](uint64_t, const BatchHeader&, std::string_view) { return Status::Ok(); });
  const WalFile wal{.number = 7, .file = std::make_unique<StringFile>(bytes), .size = bytes.size()};
  const Status read = walk.Read(wal);
  REQUIRE_MESSAGE(read.ok(), read.ToString());
  return report;
}

constexpr WalRecoveryMode kTolerant[] = {WalRecoveryMode::kTolerateCorruptedTail,
                                         WalRecoveryMode::kPointInTime,
                                         WalRecoveryMode::kSkipAnyCorrupted};

TEST_CASE("WalWalk: of a file that is used again, a record that is half written is unfinished") {
  std::string old;
  for (unsigned i = 0; old.size() < 2 * kLogBlockSize; ++i) old += Physical(5, Noise(500, i), 3);
  const std::string first = Physical(5, Batch(1), 7), life = first + Physical(5, Batch(2), 7);
  for (const WalRecoveryMode mode : kTolerant) {
    size_t losses = 0;
    for (size_t size = first.size(); size < life.size(); size += 5) {
      CAPTURE(size);
      const RecoveryReport report = Walked(life.substr(0, size) + old.substr(size), mode);
      CHECK(report.wal_records == 1);
      CHECK_FALSE(report.damaged());
      for (const RecoveryLoss& loss : report.losses) CHECK(loss.unfinished);
      losses += report.losses.size();
    }
    CHECK(losses > 0);
  }
}

TEST_CASE("WalWalk: of a file that is appended to, only a record that is cut is unfinished") {
  const std::string log = Physical(1, Batch(1)) + Physical(1, Batch(2));
  const RecoveryReport cut = Walked(log.substr(0, log.size() - 1), WalRecoveryMode::kPointInTime);
  REQUIRE(cut.losses.size() == 1);
  CHECK(cut.losses[0].unfinished);
  std::string flipped = log;
  flipped.back() ^= 1;
  const RecoveryReport bad = Walked(flipped, WalRecoveryMode::kPointInTime);
  REQUIRE(bad.losses.size() == 1);
  CHECK_FALSE(bad.losses[0].unfinished);
}

TEST_CASE("WalWalk: losses beyond those that are listed are added to the last") {
  std::string block = Physical(1, Batch(1));
  block.back() ^= 1;
  block += Physical(1, Batch(2));  // Behind it, and lost with it.
  block.resize(kLogBlockSize);
  std::string log;
  for (int i = 0; i < 1200; ++i) log += block;
  const RecoveryReport report =
      Walked(log + Physical(1, Batch(9)), WalRecoveryMode::kSkipAnyCorrupted);
  CHECK(report.wal_records == 1);
  REQUIRE(report.losses.size() == 1000);
  CHECK(report.losses.back().bytes > 100 * report.losses.front().bytes);
  CHECK(report.losses.back().damage);
  CHECK_FALSE(report.losses.back().unfinished);
}

}  // namespace
}  // namespace varve
