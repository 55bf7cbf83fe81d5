// SPDX-License-Identifier: Apache-2.0
// Every index of a memtable, and every way to look up a batch in it, under concurrent writers and
// readers: is what readers see what one after the other could have seen? Run under TSan as well
// (scripts/test.sh).
//   memtable_grades_test --seconds=4
//
// A register is a key that one writer writes, its versions counting up; what a version leaves is a
// function of its number (a put, a merge, a deletion, a range deletion). Around each operation the
// writer tells when it begins and when it was acknowledged. A reader then knows that what it reads
// is no older than what had been acknowledged before it began, nor newer than what had begun when
// it ended, and that it never goes back (M. Herlihy, J. Wing, "Linearizability", TOPLAS 1990; with
// one writer a register, these three are all of it).
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/options/grades.h"
#include "core/engine/open/open_graded.h"
#include "core/fs/memory_fs.h"
#include "tests/test_bytes.h"
#include "varve/db.h"

namespace varve {
namespace {

double g_seconds = 4;

struct Grade {
  std::string name;
  MemtableRep rep;
  MemtableBatchLookup batch_lookup;
};
const Grade kGrades[] = {
    {"skip_list off", MemtableRep::kSkipList, MemtableBatchLookup::kOff},
    {"skip_list finger", MemtableRep::kSkipList, MemtableBatchLookup::kFinger},
    {"skip_list interleaved", MemtableRep::kSkipList, MemtableBatchLookup::kInterleaved},
    {"btree off", MemtableRep::kBtree, MemtableBatchLookup::kOff},
    {"btree interleaved", MemtableRep::kBtree, MemtableBatchLookup::kInterleaved},
    {"btree_hash off", MemtableRep::kBtreeHash, MemtableBatchLookup::kOff},
    {"btree_hash interleaved", MemtableRep::kBtreeHash, MemtableBatchLookup::kInterleaved},
};

constexpr int kWriters = 3, kReaders = 2;
constexpr uint64_t kRegisters = 24;  // Of each writer.
constexpr uint64_t kPairs = 8;       // Of each writer: two keys written by one batch.

// The names of neighbours share long prefixes and belong to different writers.
std::string RegisterName(int writer, uint64_t n) {
  return "register/of/a/long/prefix/" + std::to_string(10 + n) + "/" + std::to_string(writer);
}
std::string PairName(int writer, uint64_t n, bool second) {
  return (second ? "z/" : "a/") + std::to_string(n) + "/" + std::to_string(writer);
}
// Written once each, to make lists high and nodes full: one writer ascends, the others jump about.
std::string FillName(int writer, uint64_t n) {
  const uint64_t place = writer == 0 ? n : (n * 2654435761u) % (1u << 20);
  return "fill/" + std::to_string((1u << 20) + place) + "/" + std::to_string(writer) + "/" +
         std::to_string(n);
}

// What version n of a register is. Version 0 is its absence.
bool IsDeletedBy(uint64_t version) { return version % 8 == 0; }
bool IsRangeDeletedBy(uint64_t version) { return version % 128 == 0; }
bool IsMergedBy(uint64_t version) { return version % 8 != 1 && version % 3 != 0; }

struct Progress {
  std::atomic<uint64_t> begun{0}, acknowledged{0};
};

class Course {
 public:
  explicit Course(const Grade& grade) : files_(NewMemoryFileSystem()) {
    Options options;
    options.env = NativeEnvironment();
    options.env.file_system = files_.get();
    options.create_if_missing = true;
    options.max_background_jobs = 2;
    options.family.write_buffer_size = 384 << 10;  // Some thousand entries, then the next one.
    options.family.merge_operator = MergeOperatorByName("uint64add");
    auto opened = OpenGraded(
        options, {.memtable_rep = grade.rep, .memtable_batch_lookup = grade.batch_lookup}, "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    db_ = *std::move(opened);
  }
  ~Course() { db_.reset(); }

  void Run(double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::vector<std::thread> threads;
    const auto start = [&](const std::function<void()>& body) {
      threads.emplace_back([&, body] {
        while (!failed_ && std::chrono::steady_clock::now() < end) body();
      });
    };
    for (int w = 0; w < kWriters; ++w) {
      start([this, w, random = std::mt19937_64(w)]() mutable { Write(w, random); });
    }
    for (int r = 0; r < kReaders; ++r) {
      start([this, seen = Seen{}, random = std::mt19937_64(100 + r)]() mutable {
        Read(random, &seen);
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK_MESSAGE(why_.empty(), why_);
    CHECK_GT(writes_, 10);
    CHECK_GT(reads_, 2);
  }

  uint64_t writes() const { return writes_; }
  uint64_t reads() const { return reads_; }

 private:
  // What a reader has seen of each register.
  using Seen = std::array<std::array<uint64_t, kRegisters>, kWriters>;

  void Fail(const std::string& why) {
    if (!failed_.exchange(true)) why_ = why;  // Read when all threads have ended.
  }
  bool Require(const Status& status) {
    if (!status.ok()) Fail(status.ToString());
    return status.ok();
  }

  // ---- writing

  void Write(int w, std::mt19937_64& random) {
    WriteRegister(w, random() % kRegisters);
    if (random() % 4 == 0) WritePair(w, random() % kPairs);
    Fill(w, 1 + random() % 8);
    ++writes_;
  }

  void WriteRegister(int w, uint64_t n) {
    Progress& progress = registers_[w][n];
    const uint64_t version = progress.begun.load(std::memory_order_relaxed) + 1;
    const std::string name = RegisterName(w, n);
    WriteBatch batch;
    if (IsRangeDeletedBy(version)) {
      batch.DeleteRange(name, name + '\0');
    } else if (IsDeletedBy(version)) {
      batch.Delete(name);
    } else if (IsMergedBy(version)) {
      batch.Merge(name, Fixed64(1));
    } else {
      batch.Put(name, Fixed64(version));
    }
    progress.begun.store(version, std::memory_order_release);
    if (!Require(db_->Write({.durability = Durability::kNone}, std::move(batch)))) return;
    progress.acknowledged.store(version, std::memory_order_release);
    const auto own = db_->Get({}, name);
    if (!Require(own.status())) return;
    if (own->has_value() == IsDeletedBy(version) ||
        (own->has_value() && FromFixed64((**own).view()) != version)) {
      Fail("the writer of " + name + " does not see its version " + std::to_string(version));
    }
  }

  void WritePair(int w, uint64_t n) {
    const std::string value = Fixed64(++pairs_[w][n]);
    WriteBatch batch;
    batch.Put(PairName(w, n, false), value);
    batch.Put(PairName(w, n, true), value);
    Require(db_->Write({.durability = Durability::kNone}, std::move(batch)));
  }

  void Fill(int w, uint64_t count) {
    Progress& progress = fills_[w];
    const uint64_t first = progress.acknowledged.load(std::memory_order_relaxed);
    WriteBatch batch;
    for (uint64_t n = first; n < first + count; ++n) {
      const std::string name = FillName(w, n);
      batch.Put(name, name + std::string(n % 50, 'f'));
    }
    if (!Require(db_->Write({.durability = Durability::kNone}, std::move(batch)))) return;
    progress.acknowledged.store(first + count, std::memory_order_release);
  }

  // ---- reading

  using Answer = Result<std::optional<Value>>;

  void Read(std::mt19937_64& random, Seen* seen) {
    ReadNow(random, seen);
    if (random() % 4 == 0) ReadAtSnapshot(random);
    ReadFills(random);
    ++reads_;
  }

  // Registers, by batch or one by one, as of now.
  void ReadNow(std::mt19937_64& random, Seen* seen) {
    struct Reading {
      int writer;
      uint64_t n;
      uint64_t before;
      std::string name;
    };
    std::vector<Reading> readings(random() % 3 == 0 ? 1 : 1 + random() % 70);
    for (Reading& reading : readings) {
      reading = {static_cast<int>(random() % kWriters), random() % kRegisters, 0, {}};
      reading.name = RegisterName(reading.writer, reading.n);
    }
    if (random() % 2 == 0) {
      std::sort(readings.begin(), readings.end(),
                [](const Reading& a, const Reading& b) { return a.name < b.name; });
    }
    std::vector<std::string_view> keys;
    for (Reading& reading : readings) {
      keys.push_back(reading.name);
      reading.before =
          registers_[reading.writer][reading.n].acknowledged.load(std::memory_order_acquire);
    }
    std::vector<Answer> answers;
    if (keys.size() == 1) {
      answers.push_back(db_->Get({}, keys[0]));
    } else {
      answers = db_->MultiGet({}, keys);
    }
    for (size_t i = 0; i < readings.size(); ++i) {
      const Reading& reading = readings[i];
      Judge(reading.name, answers[i], reading.before,
            registers_[reading.writer][reading.n].begun.load(std::memory_order_acquire),
            &(*seen)[reading.writer][reading.n]);
    }
  }

  void Judge(const std::string& name, const Answer& answer, uint64_t before, uint64_t begun,
             uint64_t* seen) {
    if (!Require(answer.status())) return;
    const uint64_t least = std::max(before, *seen);
    // Absence: the first version from `least` on that leaves it.
    const uint64_t found =
        answer->has_value() ? FromFixed64((**answer).view()) : (least + 7) / 8 * 8;
    if (found < least || found > begun || IsDeletedBy(found) == answer->has_value()) {
      return Fail(name + " reads as " +
                  (answer->has_value() ? std::to_string(found) : std::string("absent")) + "; " +
                  std::to_string(before) + " was acknowledged, " + std::to_string(*seen) +
                  " seen before, " + std::to_string(begun) + " the newest begun");
    }
    *seen = found;
  }

  // A snapshot's moment is one: whatever asks sees the same, and no batch by halves.
  void ReadAtSnapshot(std::mt19937_64& random) {
    const Snapshot snapshot = db_->GetSnapshot();
    const ReadOptions at{.snapshot = &snapshot};
    std::vector<std::string> names;
    for (int w = 0; w < kWriters; ++w) {
      for (uint64_t n = 0; n < kRegisters; ++n) names.push_back(RegisterName(w, n));
      for (uint64_t n = 0; n < kPairs; ++n) {
        names.push_back(PairName(w, n, false));
        names.push_back(PairName(w, n, true));
      }
    }
    for (int i = 0; i < 10; ++i) names.push_back(names[random() % names.size()]);
    if (random() % 2 == 0) {
      std::sort(names.begin(), names.end());
    } else {
      std::shuffle(names.begin(), names.end(), random);
    }
    const std::vector<std::string_view> keys(names.begin(), names.end());
    const std::vector<Answer> answers = db_->MultiGet(at, keys);
    std::vector<std::pair<std::string_view, std::string>> present;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!Require(answers[i].status())) return;
      if (answers[i]->has_value()) present.emplace_back(keys[i], (**answers[i]).ToString());
      if (i % 8 != 0) continue;
      const Answer alone = db_->Get(at, keys[i]);
      if (!Require(alone.status())) return;
      if (alone->has_value() != answers[i]->has_value() ||
          (alone->has_value() && (**alone).view() != (**answers[i]).view())) {
        return Fail(names[i] + ": a batch and a get at one snapshot differ");
      }
    }
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    ExpectScans(at, present);
    for (int w = 0; w < kWriters; ++w) {
      for (uint64_t n = 0; n < kPairs; ++n) {
        const auto value = [&](bool second) {
          const std::string name = PairName(w, n, second);
          const auto found = std::lower_bound(present.begin(), present.end(),
                                              std::pair(std::string_view(name), std::string()));
          return found != present.end() && found->first == name ? found->second : std::string();
        };
        if (value(false) != value(true)) return Fail("half a batch is seen");
      }
    }
  }

  // What lies beside the fills, both ways.
  void ExpectScans(const ReadOptions& at,
                   const std::vector<std::pair<std::string_view, std::string>>& present) {
    const auto passes_by = [](std::string_view key) { return key.starts_with("fill"); };
    auto it = db_->NewIterator(at);
    if (!Require(it.status())) return;
    size_t i = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      if (passes_by(it->key())) it->Seek("fill~");
      if (!it->Valid()) break;
      if (i == present.size() || it->key() != present[i].first ||
          it->value() != present[i].second) {
        return Fail("a scan and a batch at one snapshot differ at " + std::string(it->key()));
      }
      ++i;
    }
    if (i != present.size()) return Fail("a scan ends early");
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      if (passes_by(it->key())) it->SeekForPrev("fill");
      if (!it->Valid()) break;
      if (i == 0 || it->key() != present[i - 1].first || it->value() != present[i - 1].second) {
        return Fail("a scan back and a batch at one snapshot differ at " + std::string(it->key()));
      }
      --i;
    }
    if (i != 0) return Fail("a scan back ends early");
    Require(it->status());
  }

  // The newest and any others, which may have moved to a new node or to a table meanwhile.
  void ReadFills(std::mt19937_64& random) {
    std::vector<std::string> names;
    for (int i = 0; i < 24; ++i) {
      const int w = static_cast<int>(random() % kWriters);
      const uint64_t count = fills_[w].acknowledged.load(std::memory_order_acquire);
      if (count == 0) return;
      const uint64_t back = random() % 2 == 0 ? random() % 4 : random() % count;
      names.push_back(FillName(w, count - 1 - std::min(back, count - 1)));
    }
    const std::vector<std::string_view> keys(names.begin(), names.end());
    const std::vector<Answer> answers = db_->MultiGet({}, keys);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!Require(answers[i].status())) return;
      if (!answers[i]->has_value() || !(**answers[i]).view().starts_with(keys[i])) {
        return Fail(names[i] + " was acknowledged and is " +
                    (answers[i]->has_value() ? "wrong" : "missing"));
      }
    }
  }

  const std::unique_ptr<FileSystem> files_;
  std::unique_ptr<DB> db_;
  std::array<std::array<Progress, kRegisters>, kWriters> registers_;
  std::array<std::array<uint64_t, kPairs>, kWriters> pairs_{};  // Each writer's own.
  std::array<Progress, kWriters> fills_;
  std::atomic<uint64_t> writes_{0}, reads_{0};
  std::atomic<bool> failed_{false};
  std::string why_;
};

TEST_CASE("readers see what was acknowledged before they began, and never go back") {
  for (const Grade& grade : kGrades) {
    CAPTURE(grade.name);
    Course course(grade);
    course.Run(g_seconds / std::size(kGrades));
    MESSAGE(grade.name << ": " << course.writes() << " writes, " << course.reads() << " reads");
  }
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--seconds=")) varve::g_seconds = std::atof(word.c_str() + 10);
  }
  doctest::Context context(argc, argv);
  return context.run();
}
