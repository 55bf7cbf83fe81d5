// SPDX-License-Identifier: Apache-2.0
// db_bench's basic workloads on varve, with db_bench's flags, keys, values and output line, so that
// scripts/bench.sh can run the two in turn and divide.
//
//   workloads --benchmarks=fillrandom,readrandom --db=DIR --num=1000000 [--cache_size=N]
//
// Keys: the number as 8 bytes big-endian, then '0' up to 16. Values: 100 bytes out of a half
// compressible buffer.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "varve/db.h"
#include "varve/option_table.h"

namespace varve::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kKeySize = 16;

struct Flags {
  std::string benchmarks = "fillrandom,readrandom";
  std::string db;
  uint64_t num = 1000000, reads = 0, value_size = 100, threads = 1, seed = 42;
  bool use_existing_db = false, disable_wal = false, readonly = false;
  Options options;
};

[[noreturn]] void Die(const std::string& why) {
  std::fprintf(stderr, "workloads: %s\n", why.c_str());
  std::exit(1);
}

void Check(const Status& status) {
  if (!status.ok()) Die(status.ToString());
}

class Values {
 public:
  explicit Values(uint64_t seed) {
    std::mt19937_64 random(seed);
    while (data_.size() < (1 << 20)) {  // 50 random bytes, then the same again.
      std::string piece(50, '\0');
      for (char& c : piece) c = static_cast<char>(' ' + random() % 95);
      data_ += piece + piece;
    }
  }
  std::string_view Next(size_t size) {
    if (at_ + size > data_.size()) at_ = 0;
    at_ += size;
    return std::string_view(data_).substr(at_ - size, size);
  }

 private:
  std::string data_;
  size_t at_ = 0;
};

struct Key {
  char bytes[kKeySize];
  explicit Key(uint64_t number) {
    for (int i = 7; i >= 0; --i, number >>= 8) bytes[i] = static_cast<char>(number);
    for (size_t i = 8; i < kKeySize; ++i) bytes[i] = '0';
  }
  std::string_view view() const { return {bytes, kKeySize}; }
};

class Runner {
 public:
  explicit Runner(Flags flags) : flags_(std::move(flags)) {}

  void Run() {
    std::stringstream names(flags_.benchmarks);
    for (std::string name; std::getline(names, name, ',');) {
      const bool fresh = (name == "fillseq" || name == "fillrandom") && !flags_.use_existing_db;
      if (fresh) {
        db_.reset();
        std::filesystem::remove_all(flags_.db);
      }
      if (db_ == nullptr) Open();
      const auto begin = Clock::now();
      const uint64_t operations = RunOne(name);
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      std::printf("%-12s : %11.3f micros/op %ld ops/sec %.3f seconds %lu operations;\n",
                  name.c_str(), seconds * 1e6 / static_cast<double>(operations),
                  static_cast<long>(static_cast<double>(operations) / seconds), seconds,
                  operations);
      std::fflush(stdout);
    }
    if (db_ != nullptr) Check(db_->Close());
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    std::printf("maxrss_kb : %ld\n", usage.ru_maxrss);
  }

 private:
  void Open() {
    flags_.options.create_if_missing = true;
    const auto begin = Clock::now();
    auto opened = flags_.readonly ? DB::OpenReadOnly(flags_.options, flags_.db)
                                  : DB::Open(flags_.options, flags_.db);
    if (!opened.ok()) Die(opened.status().ToString());
    db_ = std::move(*opened);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::printf("OpenDb:     %.3f milliseconds\n", seconds * 1e3);
  }

  uint64_t RunOne(const std::string& name) {
    if (name == "fillseq") return Parallel([&](uint64_t t) { return Fill(t, true); });
    if (name == "fillrandom" || name == "overwrite") {
      return Parallel([&](uint64_t t) { return Fill(t, false); });
    }
    if (name == "readrandom") return Parallel([&](uint64_t t) { return ReadRandom(t); });
    if (name == "multireadrandom") return Parallel([&](uint64_t t) { return MultiRead(t); });
    if (name == "readseq" || name == "readtocache") return ReadSequential();
    if (name == "flush") return Check(db_->FlushAll()), 1;
    if (name == "waitforcompaction") return Check(db_->WaitForBackgroundWork()), 1;
    if (name == "compact") return Check(db_->CompactRange({}, {}, {})), 1;
    if (name == "levels") {
      for (const LevelInfo& level : db_->Levels()) {
        if (level.files > 0) {
          std::printf("L%d: %lu files, %lu bytes\n", level.level, level.files, level.bytes);
        }
      }
      return 1;
    }
    Die("unknown benchmark " + name);
  }

  uint64_t Parallel(const std::function<uint64_t(uint64_t)>& work) {
    std::vector<std::thread> threads;
    std::vector<uint64_t> done(flags_.threads);
    for (uint64_t t = 0; t < flags_.threads; ++t) {
      threads.emplace_back([&, t] { done[t] = work(t); });
    }
    uint64_t sum = 0;
    for (uint64_t t = 0; t < flags_.threads; ++t) {
      threads[t].join();
      sum += done[t];
    }
    return sum;
  }

  uint64_t Fill(uint64_t thread, bool sequential) {
    std::mt19937_64 random(flags_.seed + thread);
    Values values(flags_.seed + thread);
    const WriteOptions options{.durability = flags_.disable_wal ? Durability::kNone
                                                                : Durability::kBuffered};
    for (uint64_t i = 0; i < flags_.num; ++i) {
      const Key key(sequential ? thread * flags_.num + i : random() % flags_.num);
      Check(db_->Put(options, key.view(), values.Next(flags_.value_size)));
    }
    return flags_.num;
  }

  uint64_t Reads() const { return flags_.reads > 0 ? flags_.reads : flags_.num; }

  uint64_t ReadRandom(uint64_t thread) {
    std::mt19937_64 random(flags_.seed + 1000 + thread);
    uint64_t found = 0;
    for (uint64_t i = 0; i < Reads(); ++i) {
      const Key key(random() % flags_.num);
      const auto value = db_->Get({}, key.view());
      Check(value.status());
      found += value->has_value() ? 1 : 0;
    }
    std::printf("(%lu of %lu found)\n", found, Reads());
    return Reads();
  }

  uint64_t MultiRead(uint64_t thread) {
    constexpr size_t kBatch = 32;
    std::mt19937_64 random(flags_.seed + 1000 + thread);
    uint64_t found = 0;
    for (uint64_t i = 0; i < Reads(); i += kBatch) {
      std::vector<Key> keys;
      std::vector<std::string_view> views;
      for (size_t k = 0; k < kBatch; ++k) keys.emplace_back(random() % flags_.num);
      for (const Key& key : keys) views.push_back(key.view());
      for (const auto& value : db_->MultiGet({}, views)) {
        Check(value.status());
        found += value->has_value() ? 1 : 0;
      }
    }
    std::printf("(%lu of %lu found)\n", found, Reads());
    return Reads();
  }

  uint64_t ReadSequential() {
    auto it = db_->NewIterator({});
    Check(it.status());
    uint64_t count = 0, bytes = 0;
    for (it->SeekToFirst(); it->Valid() && count < Reads(); it->Next()) {
      ++count;
      bytes += it->key().size() + it->value().size();
    }
    Check(it->status());
    std::printf("(%lu bytes)\n", bytes);
    return count;
  }

  Flags flags_;
  std::unique_ptr<DB> db_;
};

// db_bench's name for what has another name or shape here.
void SetOption(Options* options, const std::string& name, const std::string& value) {
  static const std::map<std::string, std::string> kNames = {{"cache_size", "block_cache_bytes"},
                                                            {"bloom_bits", "filter_bits_per_key"},
                                                            {"compression_type", "compression"},
                                                            {"open_files", "max_open_files"}};
  const auto renamed = kNames.find(name);
  const OptionRow* row = FindOption(renamed == kNames.end() ? name : renamed->second);
  if (row == nullptr) Die("unknown flag --" + name);
  const Status set = row->set(options, value);
  if (!set.ok()) Die("--" + name + ": " + std::string(set.message()));
}

Flags ParseFlags(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string::npos) Die("say --flag=value: " + word);
    const std::string name = word.substr(2, equals - 2), value = word.substr(equals + 1);
    const std::map<std::string, uint64_t*> numbers = {{"num", &flags.num},
                                                      {"reads", &flags.reads},
                                                      {"value_size", &flags.value_size},
                                                      {"threads", &flags.threads},
                                                      {"seed", &flags.seed}};
    const std::map<std::string, bool*> switches = {{"use_existing_db", &flags.use_existing_db},
                                                   {"disable_wal", &flags.disable_wal},
                                                   {"readonly", &flags.readonly}};
    if (name == "benchmarks") {
      flags.benchmarks = value;
    } else if (name == "db") {
      flags.db = value;
    } else if (const auto number = numbers.find(name); number != numbers.end()) {
      *number->second = std::strtoull(value.c_str(), nullptr, 10);
    } else if (const auto flag = switches.find(name); flag != switches.end()) {
      *flag->second = value == "1" || value == "true";
    } else {
      SetOption(&flags.options, name, value);
    }
  }
  if (flags.db.empty()) Die("--db=DIR is required");
  return flags;
}

}  // namespace
}  // namespace varve::bench

int main(int argc, char** argv) {
  varve::bench::Runner(varve::bench::ParseFlags(argc, argv)).Run();
}
