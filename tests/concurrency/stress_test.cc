// SPDX-License-Identifier: Apache-2.0
// Many threads on one database, with invariants that any reader can check at any time. Run under
// TSan as well (scripts/test.sh).
//   stress_test --seconds=4
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/scratch_directory.h"
#include "tests/test_bytes.h"
#include "tests/waiting.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

int g_seconds = 4;

// The first failure of any thread; the others stop when there is one.
class Verdict {
 public:
  void Fail(const std::string& why) {
    if (!failed_.exchange(true)) {
      why_ = why;
      told_.store(true, std::memory_order_release);
    }
  }
  void Require(const Status& status, const char* doing) {
    if (!status.ok()) Fail(std::string(doing) + ": " + status.ToString());
  }
  bool failed() const { return failed_; }
  std::string why() const { return told_.load(std::memory_order_acquire) ? why_ : ""; }

 private:
  std::atomic<bool> failed_{false}, told_{false};
  std::string why_;
};

// A database in a temporary directory whose options keep every background job busy.
class Fixture {
 public:
  Fixture() {
    options.create_if_missing = true;
    options.max_background_jobs = 3;
    options.max_subcompactions = 2;
    options.block_cache_bytes = 256 << 10;
    options.family.write_buffer_size = 32 << 10;
    options.family.level0_file_num_compaction_trigger = 2;
    options.family.max_bytes_for_level_base = 128 << 10;
    options.family.target_file_size_base = 32 << 10;
    options.family.merge_operator = MergeOperatorByName("uint64add");
    auto opened = DB::Open(options, root / "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    db = *std::move(opened);
  }
  // Runs all of `bodies` at once, each again and again until time is up or one has failed.
  void RunTogether(const std::vector<std::function<void()>>& bodies) {
    end_ = std::chrono::steady_clock::now() + std::chrono::seconds(g_seconds);
    std::vector<std::thread> threads;
    for (const auto& body : bodies) {
      threads.emplace_back([&, body] {
        while (!over()) body();
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK_MESSAGE(verdict.why().empty(), verdict.why());
  }
  bool over() const { return verdict.failed() || std::chrono::steady_clock::now() >= end_; }

  const ScratchDirectory root;
  Options options;
  std::unique_ptr<DB> db;
  Verdict verdict;

 private:
  std::chrono::steady_clock::time_point end_;
};

std::string Account(uint64_t n) { return "account" + std::to_string(1000 + n); }

TEST_CASE("money moves between accounts and every moment has the same sum") {
  constexpr uint64_t kAccounts = 200, kStart = 1000000;
  Fixture t;
  {
    WriteBatch batch;
    for (uint64_t n = 0; n < kAccounts; ++n) batch.Put(Account(n), Fixed64(kStart));
    REQUIRE(t.db->Write({}, std::move(batch)).ok());
  }
  std::atomic<uint64_t> moves{0}, sums{0};
  // Additions modulo 2^64: a merge of minus one is a withdrawal.
  const auto transfer = [&] {
    thread_local std::mt19937_64 random(std::hash<std::thread::id>()(std::this_thread::get_id()));
    WriteBatch batch;
    const uint64_t amount = random() % 100;
    batch.Merge(Account(random() % kAccounts), Fixed64(amount));
    batch.Merge(Account(random() % kAccounts), Fixed64(0 - amount));
    t.verdict.Require(t.db->Write({}, std::move(batch)), "transfer");
    ++moves;
  };
  const auto sum_by_iterator = [&] {
    const Snapshot snapshot = t.db->GetSnapshot();
    for (const bool forward : {true, false}) {
      auto it = t.db->NewIterator({.snapshot = &snapshot});
      if (!it.ok()) return t.verdict.Require(it.status(), "iterator");
      uint64_t sum = 0, count = 0;
      for (forward ? it->SeekToFirst() : it->SeekToLast(); it->Valid();
           forward ? it->Next() : it->Prev()) {
        sum += FromFixed64(it->value());
        ++count;
      }
      t.verdict.Require(it->status(), "scan");
      if (sum != kAccounts * kStart || count != kAccounts) {
        t.verdict.Fail("a scan sums to " + std::to_string(sum) + " over " + std::to_string(count));
      }
    }
    ++sums;
  };
  const auto sum_by_multiget = [&] {
    std::vector<std::string> keys;
    for (uint64_t n = 0; n < kAccounts; ++n) keys.push_back(Account(n));
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    uint64_t sum = 0;
    for (const auto& value : t.db->MultiGet({}, views)) {
      if (!value.ok()) return t.verdict.Require(value.status(), "multiget");
      if (!value->has_value()) return t.verdict.Fail("an account is gone");
      sum += FromFixed64((**value).view());
    }
    if (sum != kAccounts * kStart) t.verdict.Fail("a multiget sums to " + std::to_string(sum));
    ++sums;
  };
  const auto disturb = [&] {
    t.verdict.Require(t.db->Flush(), "flush");
    t.verdict.Require(t.db->CompactRange({.force_bottommost = true}, {}, {}), "compact");
    // Between two compactions there is something new to compact.
    const uint64_t before = moves;
    WaitUntil("money moved", [&] { return moves >= before + 500 || t.over(); });
  };
  t.RunTogether({transfer, transfer, transfer, sum_by_iterator, sum_by_multiget, disturb});
  CHECK(moves > 100);
  CHECK(sums > 5);
}

TEST_CASE("acknowledged writes are visible to all later reads, and stay visible") {
  constexpr int kWriters = 3;
  constexpr uint64_t kKeys = 50;
  Fixture t;
  std::array<std::array<std::atomic<uint64_t>, kKeys>, kWriters> acknowledged{};
  std::vector<std::function<void()>> bodies;
  for (int w = 0; w < kWriters; ++w) {
    bodies.push_back([&, w, n = uint64_t{0}]() mutable {
      ++n;
      const uint64_t k = n % kKeys;
      const std::string key = std::to_string(w) + "-" + std::to_string(k);
      const std::string value = Fixed64(n) + std::string(n % 500, 'p');
      t.verdict.Require(t.db->Put({}, key, value), "put");
      acknowledged[w][k].store(n, std::memory_order_release);
      const auto own = t.db->Get({}, key);
      if (!own.ok() || !own->has_value() || (**own).view() != value) {
        t.verdict.Fail("a writer does not see its own write of " + key);
      }
    });
  }
  for (int r = 0; r < 2; ++r) {
    bodies.push_back([&, random = std::mt19937_64(static_cast<uint64_t>(r))]() mutable {
      const int w = static_cast<int>(random() % kWriters);
      const uint64_t k = random() % kKeys;
      const uint64_t before = acknowledged[w][k].load(std::memory_order_acquire);
      const auto value = t.db->Get({}, std::to_string(w) + "-" + std::to_string(k));
      if (!value.ok()) return t.verdict.Require(value.status(), "get");
      const uint64_t found = value->has_value() ? FromFixed64((**value).view()) : 0;
      if (found < before) {
        t.verdict.Fail("read " + std::to_string(found) + " after " + std::to_string(before) +
                       " had been acknowledged");
      }
    });
  }
  t.RunTogether(bodies);
}

TEST_CASE("families come and go, tables are ingested and checkpoints made while others work") {
  Fixture t;
  std::atomic<uint64_t> rounds{0};
  const auto families = [&, n = 0]() mutable {
    const std::string name = "family" + std::to_string(n++);
    const auto family = t.db->CreateColumnFamily(name, t.options.family);
    if (!family.ok()) return t.verdict.Require(family.status(), "create family");
    for (int i = 0; i < 20; ++i) {
      WriteBatch batch;
      batch.Put("k" + std::to_string(i), std::string(200, 'f'), *family);
      batch.Put("shared" + std::to_string(i), name);
      t.verdict.Require(t.db->Write({}, std::move(batch)), "write to two families");
    }
    auto it = t.db->NewIterator({}, *family);
    if (!it.ok()) return t.verdict.Require(it.status(), "iterator");
    t.verdict.Require(t.db->DropColumnFamily(*family), "drop family");
    int count = 0;  // An iterator outlives its family.
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
    if (count != 20) t.verdict.Fail("a dropped family shows " + std::to_string(count));
    ++rounds;
  };
  const auto ingest = [&, n = 0]() mutable {
    const std::string path = t.root / ("in" + std::to_string(n++));
    auto writer = SstFileWriter::Create(NativeEnvironment(), t.options.family, path);
    if (!writer.ok()) return t.verdict.Require(writer.status(), "table");
    for (int i = 100; i < 200; ++i) {
      t.verdict.Require(writer->Put("ingest" + std::to_string(i), std::to_string(n)), "add");
    }
    t.verdict.Require(writer->Finish(), "finish");
    t.verdict.Require(t.db->Ingest({.move_files = true}, {path}), "ingest");
    const auto value = t.db->Get({}, "ingest150");
    if (!value.ok() || !value->has_value() || (**value).view() != std::to_string(n)) {
      t.verdict.Fail("what was just ingested is not seen");
    }
  };
  const auto checkpoint = [&, n = 0]() mutable {
    const std::string path = t.root / ("copy" + std::to_string(n++));
    t.verdict.Require(t.db->Checkpoint(path), "checkpoint");
    auto copy = DB::OpenReadOnly(t.options, path);
    t.verdict.Require(copy.status(), "opening a checkpoint");
    std::filesystem::remove_all(path);
  };
  const auto write = [&, n = 0]() mutable {
    t.verdict.Require(t.db->Put({}, "w" + std::to_string(n++ % 999), std::string(300, 'w')), "put");
  };
  t.RunTogether({families, ingest, checkpoint, write, write});
  CHECK(rounds > 2);
}

TEST_CASE("a busy database that is closed and reopened has all acknowledged writes") {
  for (int round = 0; round < 3; ++round) {
    Fixture t;
    std::array<std::atomic<int>, 3> acknowledged{};
    std::atomic<bool> refused{false};
    std::vector<std::thread> writers;
    for (int w = 0; w < 3; ++w) {
      writers.emplace_back([&, w] {
        for (int n = 1;; ++n) {  // Until the database says that it is shut.
          if (!t.db->Put({}, std::to_string(w), std::to_string(n)).ok()) break;
          acknowledged[w] = n;
        }
        refused = true;
      });
    }
    for (const std::atomic<int>& count : acknowledged) {
      while (count < 2000 && !refused) std::this_thread::yield();
    }
    const Status closed = t.db->Close();
    CHECK_MESSAGE(closed.ok(), closed.ToString());
    for (std::thread& writer : writers) writer.join();
    t.db.reset();
    auto reopened = DB::Open(t.options, t.root / "db");
    REQUIRE_MESSAGE(reopened.ok(), reopened.status().ToString());
    for (int w = 0; w < 3; ++w) {
      const auto value = (*reopened)->Get({}, std::to_string(w));
      REQUIRE(value.ok());
      const int found = value->has_value() ? std::stoi((**value).ToString()) : 0;
      CHECK(found >= acknowledged[w]);
      CHECK(found <= acknowledged[w] + 1);
    }
  }
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--seconds=")) varve::g_seconds = std::atoi(word.c_str() + 10);
  }
  doctest::Context context(argc, argv);
  return context.run();
}
