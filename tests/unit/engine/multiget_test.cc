// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/multiget.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "core/engine/read/get.h"
#include "core/fs/posix_fs.h"
#include "tests/forwarding_fs.h"
#include "tests/orders.h"
#include "tests/scratch_directory.h"
#include "tests/unit/engine/tree.h"

namespace varve {
namespace {

constexpr MultiGetGrade kGrades[] = {{MultiGetMode::kPerKey, MultiGetIo::kPerFile},
                                     {MultiGetMode::kGrouped, MultiGetIo::kPerFile},
                                     {MultiGetMode::kPipeline, MultiGetIo::kPerFile},
                                     {MultiGetMode::kPipeline, MultiGetIo::kGlobal}};

std::string Describe(const Result<std::optional<Value>>& answer) {
  if (!answer.ok()) return "failed: " + answer.status().ToString();
  return answer->has_value() ? "found: " + (*answer)->ToString() : "absent";
}

// Every grade against Get() and against the model, of one tree.
void CheckGrades(const History& history, const ReadView& view, std::mt19937& random,
                 Sequence oldest = 0) {
  for (int round = 0; round < 8; ++round) {
    const Sequence at =
        random() % 3 == 0 ? history.last() : oldest + random() % (history.last() - oldest + 1);
    std::vector<std::string> keys(random() % 150);
    for (std::string& key : keys) key = History::RandomKey(random, 70);
    for (size_t i = 1; i < keys.size(); ++i) {
      if (random() % 5 == 0) keys[i] = keys[random() % i];  // Duplicates, near and far.
    }
    const std::vector<std::string_view> batch(keys.begin(), keys.end());
    for (const MultiGetGrade grade : kGrades) {
      const auto answers = MultiGetFromView(view, {}, batch, at, grade);
      REQUIRE(answers.size() == keys.size());
      for (size_t i = 0; i < keys.size(); ++i) {
        CAPTURE(keys[i]);
        const auto expected = history.Expected(keys[i], at);
        REQUIRE(Describe(answers[i]) == (expected ? "found: " + *expected : "absent"));
        REQUIRE(Describe(GetFromView(view, {}, keys[i], at)) == Describe(answers[i]));
      }
    }
  }
}

TEST_CASE("MultiGet: every grade answers as Get does, whatever the order, tables and cache") {
  const OwnOrder some_order;
  const Comparator* const orders[] = {BytewiseComparator(), ReverseBytewiseComparator(),
                                      &some_order};
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    History history(orders[seed % 3]);
    history.AddRandom(random, 400, 60);
    Tree::Setup setup;
    setup.tables.block_size = 32u << (random() % 6);
    setup.tables.block_restart_interval = random() % 2 == 0 ? 16 : 2;
    if (random() % 3 == 0) {
      setup.tables.index_type = IndexType::kTwoLevel;
      setup.tables.metadata_block_size = 64;
      setup.tables.partition_filters = random() % 2 == 0;
    }
    constexpr uint64_t kCaches[] = {0, 1'000, 1 << 20};
    setup.cache_bytes = kCaches[random() % 3];
    setup.max_open_files = random() % 4 == 0 ? 1 : -1;
    setup.grades.block_form = random() % 3 == 0 ? BlockForm::kDisk : BlockForm::kLookup;
    Tree tree(history, setup);
    CheckGrades(history, *tree.View(random), random);
  }
}

// A table's range deletions may reach over its neighbour, which was compacted on its own since and
// whose versions have lost the sequences that say that they are newer.
TEST_CASE("MultiGet: range deletions end where their tables end, as RocksDB leaves both") {
  for (uint32_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    History history(seed % 3 == 0 ? ReverseBytewiseComparator() : BytewiseComparator());
    history.AddRandom(random, 300, 60);
    Tree::Setup setup;
    setup.as_rocksdb = true;
    setup.max_open_files = random() % 4 == 0 ? 1 : -1;
    Tree tree(history, setup);
    const auto view = tree.View(random);
    CheckGrades(history, *view, random, tree.oldest_readable());
  }
}

TEST_CASE("MultiGet: the same from a real disk, buffered and with direct reads") {
  const auto posix = NewPosixFileSystem();
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const ScratchDirectory scratch;
    std::mt19937 random(seed);
    History history;
    history.AddRandom(random, 400, 60);
    Tree::Setup setup;
    setup.cache_bytes = seed % 4 < 2 ? 0 : 1 << 20;
    setup.direct_reads = seed % 2 == 0;
    setup.fs = posix.get();
    setup.directory = scratch / "db";
    Tree tree(history, setup);
    CheckGrades(history, *tree.View(random), random);
  }
}

// Reads that touch a bad spot fail; where they are is said while a test runs.
class BadSpotsFs final : public ForwardingFs {
 public:
  using ForwardingFs::ForwardingFs;
  void FailBelow(uint64_t offset) { fail_below_ = offset; }

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    auto file = ForwardingFs::OpenForRead(path, direct);
    if (!file.ok()) return file;
    return std::unique_ptr<RandomAccessFile>(std::make_unique<File>(this, *std::move(file)));
  }

 private:
  class File final : public RandomAccessFile {
   public:
    File(const BadSpotsFs* fs, std::unique_ptr<RandomAccessFile> base)
        : fs_(fs), base_(std::move(base)) {}
    Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
      if (offset < fs_->fail_below_) return Status::IoError(path() + ": injected");
      return base_->Read(offset, size, buffer);
    }
    Result<uint64_t> Size() const override { return base_->Size(); }
    const std::string& path() const override { return base_->path(); }

   private:
    const BadSpotsFs* const fs_;
    const std::unique_ptr<RandomAccessFile> base_;
  };

  uint64_t fail_below_ = 0;
};

TEST_CASE("MultiGet: a read that fails fails the keys that need it, and no others") {
  for (const MultiGetGrade grade : kGrades) {
    BadSpotsFs fs(NewMemoryFileSystem());
    History history;
    std::mt19937 random(5);
    for (char c = 'a'; c <= 't'; ++c) {
      history.Put(std::string(1, c), std::string(80, c));
    }
    Tree::Setup setup;
    setup.cache_bytes = 0;
    setup.fs = &fs;
    Tree tree(history, setup);
    std::shared_ptr<const ReadView> view = tree.View(random);
    const std::vector<std::string> keys = history.Keys();
    const std::vector<std::string_view> batch(keys.begin(), keys.end());
    for (const auto& answer : MultiGetFromView(*view, {}, batch, kMaxSequence, grade)) {
      REQUIRE(answer.ok());  // Opens the tables, too.
    }
    fs.FailBelow(250);
    int failed = 0, found = 0;
    const auto answers = MultiGetFromView(*view, {}, batch, kMaxSequence, grade);
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto single = GetFromView(*view, {}, keys[i], kMaxSequence);
      CHECK(Describe(answers[i]) == Describe(single));
      CHECK((single.ok() || single.status().code() == Code::kIoError));
      (single.ok() ? found : failed) += 1;
    }
    CHECK(failed > 0);
    CHECK(found > 0);
  }
}

TEST_CASE("MultiGet: values stay while the cache lets their blocks go, with many threads") {
  History history;
  for (int i = 0; i < 400; ++i) {
    const std::string n = std::to_string(1'000 + i);
    history.Put("key" + n, std::string(60, static_cast<char>('a' + i % 26)) + n);
  }
  std::mt19937 shuffle(3);
  Tree::Setup setup;
  setup.tables.block_size = 512;
  setup.cache_bytes = 24 << 10;  // A third of the data.
  Tree tree(history, setup);
  const auto view = tree.View(shuffle);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      std::vector<std::pair<std::string, Value>> held;  // Looked at again much later.
      for (int round = 0; round < 150; ++round) {
        std::vector<std::string> keys(1 + random() % 40);
        for (std::string& key : keys) key = "key" + std::to_string(1'000 + random() % 400);
        const std::vector<std::string_view> batch(keys.begin(), keys.end());
        const auto answers =
            MultiGetFromView(*view, {}, batch, kMaxSequence, kGrades[random() % 4]);
        for (size_t i = 0; i < keys.size(); ++i) {
          if (!answers[i].ok() || !answers[i]->has_value()) {
            ++wrong;
          } else {
            held.emplace_back(keys[i], **answers[i]);
          }
        }
        if (round % 10 != 9) continue;
        for (const auto& [key, value] : held) {
          if (!value.view().ends_with(key.substr(3)) || value.view().size() != 64) ++wrong;
        }
        held.clear();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace varve
