// SPDX-License-Identifier: Apache-2.0
#include "core/wal/log_end.h"

#include <doctest/doctest.h>

#include "core/format/log/log_record.h"
#include "tests/test_bytes.h"
#include "tests/unit/wal/log_bytes.h"

namespace varve {
namespace {

// What the first place that cannot be read is: "end" (none), "torn", or why it is damage.
std::string EndOf(const std::string& bytes, uint64_t log_number = 7) {
  const StringFile file(bytes);
  LogReader log(file, bytes.size(), log_number);
  LogReader::Event event = LogReader::Event::kRecord;
  while (event == LogReader::Event::kRecord) event = log.Next();
  if (event == LogReader::Event::kEnd) return "end";
  const auto behind = FindDataBehind(file, bytes.size(), log_number, log, event);
  REQUIRE(behind.ok());
  return behind->has_value() ? **behind : "torn";
}

std::string Flipped(std::string bytes, size_t at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
  return bytes;
}

const std::string kFirst = Physical(1, Noise(300, 1));
const std::string kSecond = Physical(1, Noise(300, 2));
const std::string kThird = Physical(1, Noise(300, 3));

TEST_CASE("LogEnd: wherever a write is cut off, the log ends there") {
  const std::string log = Written({Noise(300, 1), Noise(90000, 2), Noise(300, 3)});
  for (size_t size = 0; size <= log.size(); size += size < 400 ? 1 : 97) {
    CAPTURE(size);
    const std::string end = EndOf(log.substr(0, size));
    CHECK((end == "torn" || end == "end"));
    // In space that was preallocated.
    const std::string in_zeros = EndOf(log.substr(0, size) + std::string(70000, '\0'));
    CHECK((in_zeros == "torn" || in_zeros == "end"));
  }
}

TEST_CASE("LogEnd: a flipped byte is damage wherever records follow, in each byte of the record") {
  for (size_t at = 0; at < kSecond.size(); ++at) {
    CAPTURE(at);
    const std::string end = EndOf(kFirst + Flipped(kSecond, at) + kThird);
    CHECK(end != "end");
    CHECK(end != "torn");
  }
  // Of the last record it cannot be told from a write that was cut short.
  CHECK(EndOf(kFirst + kSecond + Flipped(kThird, 100)) == "torn");
}

// Of any bit in the first `bytes`.
void CheckFlipsAreDamage(const std::string& log, size_t bytes) {
  for (size_t bit = 0; bit < 8 * bytes; ++bit) {
    CAPTURE(bit);
    std::string flipped = log;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    const std::string end = EndOf(flipped);
    CHECK(end != "end");
    CHECK(end != "torn");
  }
}

TEST_CASE(
    "LogEnd: a flipped bit is damage in the first record, too, whose header says what the log is") {
  CheckFlipsAreDamage(kFirst + kSecond + kThird, kFirst.size());
  CheckFlipsAreDamage(Written({Noise(90000, 1)}), 12);  // Its later fragments are behind.
  CheckFlipsAreDamage(Written({Noise(90000, 1), Noise(300, 2)}), 12);
  // The first byte is missing, so that all headers are read one byte late.
  CHECK(EndOf((kFirst + kSecond + kThird).substr(1)).starts_with("a whole record"));
}

TEST_CASE("LogEnd: damage in one block is seen from the blocks behind it") {
  const std::string log = Written({Noise(300, 1), Noise(50000, 2), Noise(50000, 3), Noise(300, 4)});
  for (size_t at = 310; at < log.size() - 400; at += 501) {
    CAPTURE(at);
    const std::string end = EndOf(Flipped(log, at));
    CHECK(end != "end");
    CHECK(end != "torn");
  }
}

TEST_CASE("LogEnd: zeros with data behind them are damage, in one block or whole blocks") {
  std::string log = Written({Noise(300, 1), Noise(50000, 2), Noise(50000, 3)});
  std::string hole = log;
  hole.replace(kLogBlockSize, kLogBlockSize, kLogBlockSize, '\0');
  CHECK(EndOf(hole).starts_with("data follows at 65536"));
  const std::string records = kFirst + std::string(kSecond.size(), '\0') + kThird;
  CHECK(EndOf(records) == "a whole record of this log follows at 614");
  log.resize(2 * kLogBlockSize);
  CHECK(EndOf(log + std::string(3 * kLogBlockSize, '\0')) == "torn");
}

TEST_CASE("LogEnd: intact records in an impossible order are damage") {
  CHECK(EndOf(kFirst + Physical(4, "a last without its first")) ==
        "its bytes are intact, their order is not");
}

TEST_CASE("LogEnd: a file that is used again ends in its previous life") {
  const auto own = [](unsigned seed) { return Physical(5, Noise(300, seed), 7); };
  std::string old;
  for (unsigned i = 0; old.size() < 3 * kLogBlockSize; ++i) old += Physical(5, Noise(500, i), 3);
  const std::string life = own(1) + own(2);
  for (size_t size = own(1).size(); size <= life.size(); ++size) {
    CAPTURE(size);
    CHECK(EndOf(life.substr(0, size) + old.substr(size)) == "torn");
  }
  // Damage in the present life: its own records go on behind it, in this block or a later one.
  const std::string three = own(1) + Flipped(own(2), 50) + own(3);
  CHECK(EndOf(three + old.substr(three.size())).starts_with("a whole record"));
  std::string later = own(1) + Flipped(own(2), 50) + old.substr(2 * own(1).size());
  later.replace(kLogBlockSize, own(3).size(), own(3));
  CHECK(EndOf(later) == "a whole record of this log follows at 32768");
}

TEST_CASE("LogEnd: a flipped bit in a log with recyclable headers is damage where records follow") {
  std::string log;
  for (unsigned i = 0; i < 3; ++i) log += Physical(5, Noise(300, i), 7);
  CheckFlipsAreDamage(log, 320);
}

TEST_CASE("LogEnd: a reused file whose first new record was cut short ends there") {
  std::string old;
  for (unsigned i = 0; old.size() < 2 * kLogBlockSize; ++i) old += Physical(5, Noise(500, i), 3);
  const std::string first = Physical(5, Noise(300, 9), 7);
  for (size_t size = 0; size <= first.size(); ++size) {
    CAPTURE(size);
    CHECK(EndOf(first.substr(0, size) + old.substr(size)) == "torn");
  }
}

// The bytes of a file that is written over while it is read: each read sees a later state.
class FileInUse final : public RandomAccessFile {
 public:
  explicit FileInUse(std::vector<std::string> states) : states_(std::move(states)) {}
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    const std::string& bytes = states_[std::min(reads_++, states_.size() - 1)];
    if (offset > bytes.size()) return std::string_view();
    return std::string_view(buffer, bytes.copy(buffer, size, offset));
  }
  Result<uint64_t> Size() const override { return uint64_t{states_.front().size()}; }
  const std::string& path() const override { return path_; }

 private:
  std::vector<std::string> states_;
  mutable size_t reads_ = 0;
  std::string path_ = "000007.log";
};

TEST_CASE(
    "LogEnd: a reused file that is written to meanwhile ends where it ended when it was read") {
  std::string old;
  for (unsigned i = 0; old.size() < 2 * kLogBlockSize; ++i) old += Physical(5, Noise(300, i), 3);
  std::string life;
  std::vector<std::string> states;  // After each record of the present life.
  while (life.size() < kLogBlockSize + 5000) {
    const size_t left = kLogBlockSize - life.size() % kLogBlockSize;
    if (left < kRecyclableLogHeaderSize + 300) {
      life += Physical(6, Noise(left - kRecyclableLogHeaderSize, 1), 7);
      life += Physical(8, Noise(400, 2), 7);
    } else {
      life += Physical(5, Noise(300, 5), 7);
    }
    states.push_back(life + old.substr(life.size()));
  }
  for (size_t seen = 1; seen < states.size(); seen += 3) {
    for (size_t later = seen + 1; later < states.size(); later += 11) {
      CAPTURE(seen);
      CAPTURE(later);
      const FileInUse file({states[seen], states[later], states.back()});
      LogReader log(file, states[seen].size(), 7);
      LogReader::Event event = LogReader::Event::kRecord;
      while (event == LogReader::Event::kRecord) event = log.Next();
      REQUIRE((event == LogReader::Event::kOld || event == LogReader::Event::kBad));
      const auto behind = FindDataBehind(file, states[seen].size(), 7, log, event);
      REQUIRE(behind.ok());
      CHECK_MESSAGE(!behind->has_value(), behind->value_or(""));
    }
  }
}

TEST_CASE("LogEnd: what is known to follow makes no other verdict of the next place") {
  const std::string own = Physical(5, Noise(300, 1), 7);
  const std::string old = Physical(5, Noise(300, 2), 6);
  const std::string chain =
      own + old + old + Physical(5, std::string(32768 - 3 * 311 - 11, 'x'), 6);
  const std::string zeros(100000, '\0');
  for (const std::string& bytes :
       {kFirst + zeros + kSecond + zeros + Flipped(kThird, 100),
        kFirst + Flipped(kSecond, 9) + zeros, chain + own + old + Flipped(own, 40),
        chain + chain + Flipped(own, 40) + zeros}) {
    const StringFile file(bytes);
    LogReader log(file, bytes.size(), 7);
    uint64_t known = 0;
    for (LogReader::Event event = log.Next();
         event != LogReader::Event::kEnd && event != LogReader::Event::kTruncated;
         event = log.Next()) {
      if (event == LogReader::Event::kRecord) continue;
      CAPTURE(log.record_offset());
      const auto anew = FindDataBehind(file, bytes.size(), 7, log, event);
      const auto again = FindDataBehind(file, bytes.size(), 7, log, event, &known);
      REQUIRE((anew.ok() && again.ok()));
      CHECK(anew->has_value() == again->has_value());
    }
  }
}

}  // namespace
}  // namespace varve
