// SPDX-License-Identifier: Apache-2.0
#include "core/wal/recovery_tail.h"

#include <doctest/doctest.h>

#include "tests/test_bytes.h"
#include "tests/unit/wal/log_bytes.h"

namespace varve {
namespace {

constexpr WalRecoveryMode kModes[] = {
    WalRecoveryMode::kTolerateCorruptedTail, WalRecoveryMode::kAbsoluteConsistency,
    WalRecoveryMode::kPointInTime, WalRecoveryMode::kSkipAnyCorrupted};

// "end", "continue", "stop", "refuse", with " *" for a loss.
std::string Words(TailDecision decision) {
  const char* const kActions[] = {"continue", "end", "stop", "refuse"};
  return kActions[static_cast<int>(decision.action)] + std::string(decision.loss ? " *" : "");
}

struct Row {
  const char* what;
  TailEvent event;
  TailCircumstances circumstances;
  const char* decisions[4];  // In the order of kModes.
};

constexpr Row kRows[] = {
    {"ends between records", TailEvent::kEnd, {}, {"end", "end", "end", "end"}},
    {"ends, recyclable", TailEvent::kEnd, {true, false}, {"end", "end", "end", "end"}},
    {"cut", TailEvent::kCut, {}, {"end *", "refuse", "stop *", "end *"}},
    {"cut in fragment", TailEvent::kCut, {false, true}, {"end *", "refuse", "stop *", "end *"}},
    {"cut, recyclable", TailEvent::kCut, {true, true}, {"end *", "refuse", "stop *", "end *"}},
    {"bad", TailEvent::kBad, {}, {"refuse", "refuse", "stop *", "continue *"}},
    {"bad in fragment",
     TailEvent::kBad,
     {false, true},
     {"refuse", "refuse", "stop *", "continue *"}},
    {"bad, recyclable",
     TailEvent::kBad,
     {true, false},
     {"end *", "refuse", "stop *", "continue *"}},
    {"bad in fragment, recyclable",
     TailEvent::kBad,
     {true, true},
     {"end *", "refuse", "stop *", "continue *"}},
    {"disorder", TailEvent::kDisorder, {}, {"refuse", "refuse", "stop *", "continue *"}},
    {"disorder, recyclable",
     TailEvent::kDisorder,
     {true, true},
     {"refuse", "refuse", "stop *", "continue *"}},
    {"short", TailEvent::kShortRecord, {}, {"refuse", "refuse", "stop *", "continue *"}},
    {"short, recyclable",
     TailEvent::kShortRecord,
     {true, false},
     {"refuse", "refuse", "stop *", "continue *"}},
    {"old", TailEvent::kOld, {true, false}, {"end", "end", "stop", "continue"}},
    {"old in fragment", TailEvent::kOld, {true, true}, {"end *", "refuse", "stop *", "continue *"}},
    {"malformed", TailEvent::kMalformedBatch, {}, {"refuse", "refuse", "refuse", "refuse"}},
    {"malformed, recyclable",
     TailEvent::kMalformedBatch,
     {true, false},
     {"refuse", "refuse", "refuse", "refuse"}},
    {"unreadable", TailEvent::kReadFailed, {}, {"refuse", "refuse", "refuse", "end *"}},
    {"unreadable, recyclable",
     TailEvent::kReadFailed,
     {true, true},
     {"refuse", "refuse", "refuse", "end *"}},
};

TEST_CASE("DecideTail: every cell of the table") {
  for (const Row& row : kRows) {
    for (size_t mode = 0; mode < 4; ++mode) {
      CAPTURE(row.what);
      CAPTURE(mode);
      CHECK(Words(DecideTail(kModes[mode], row.event, row.circumstances)) == row.decisions[mode]);
    }
  }
}

TEST_CASE("ClassifyTail: what the reader met") {
  const auto classify = [](std::string bytes) {
    const StringFile file(bytes);
    LogReader reader(file, bytes.size(), 7);
    return ClassifyTail(reader, reader.Next());
  };
  std::string damaged = Physical(1, "x");
  damaged.back() = 'y';
  CHECK(classify(Physical(1, "x")) == std::nullopt);
  CHECK(classify("") == TailEvent::kEnd);
  CHECK(classify("torn") == TailEvent::kCut);
  CHECK(classify(damaged) == TailEvent::kBad);
  CHECK(classify(Physical(4, "x")) == TailEvent::kDisorder);
  CHECK(classify(Physical(5, "x", 3)) == TailEvent::kOld);
  CHECK(classify(Physical(9, Noise(4, 1))) == TailEvent::kReadFailed);
}

using Verdict = WalSequence::Verdict;

TEST_CASE("WalSequence: gaps are accepted while nothing was lost, steps back never") {
  WalSequence sequence;
  CHECK(sequence.Admit(5) == Verdict::kApply);
  sequence.Advance(8);
  CHECK(sequence.Admit(8) == Verdict::kApply);
  CHECK(sequence.Admit(20) == Verdict::kApply);
  sequence.Advance(21);
  CHECK(sequence.Admit(20) == Verdict::kBackwards);
}

TEST_CASE("WalSequence: behind a stop only the next sequence goes on") {
  WalSequence sequence;
  CHECK(sequence.Admit(5) == Verdict::kApply);
  sequence.Advance(8);
  sequence.Stop(3);
  CHECK(sequence.Admit(9) == Verdict::kDropWal);
  CHECK(sequence.stopped());
  CHECK(sequence.Admit(7) == Verdict::kDropWal);
  CHECK(sequence.Admit(8) == Verdict::kApply);
  CHECK(!sequence.stopped());
  sequence.Advance(9);
  CHECK(sequence.Admit(30) == Verdict::kApply);
}

TEST_CASE("WalSequence: if nothing was applied before the stop, nothing is behind it") {
  WalSequence sequence;
  sequence.Stop(3);
  CHECK(sequence.Admit(0) == Verdict::kDropWal);
  CHECK(sequence.Admit(1) == Verdict::kDropWal);
}

TEST_CASE("WalSequence: a family with tables beyond the damage is refused by name") {
  WalSequence sequence;
  const FamilyLogState families[] = {{"empty", 9, false}, {"behind", 4, true}, {"ahead", 5, true}};
  CHECK(sequence.CheckFamilies(families).ok());
  sequence.Stop(4);
  CHECK(sequence.CheckFamilies(std::span(families).first(2)).ok());
  const Status status = sequence.CheckFamilies(families);
  CHECK(status.code() == Code::kCorruption);
  CHECK(status.message().find("\"ahead\" is ahead of the damaged WAL 4") != std::string::npos);
}

}  // namespace
}  // namespace varve
