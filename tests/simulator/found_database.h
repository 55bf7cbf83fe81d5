// SPDX-License-Identifier: Apache-2.0
// The database that is found on a disk after a loss of power: it opens, is judged, takes a write
// and keeps it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "tests/mix/database.h"
#include "tests/mix/model.h"
#include "tests/simulator/history.h"
#include "tests/simulator/simulated_disk.h"
#include "varve/db.h"

namespace varve::simulator {

// Passes by a microsecond with each look at it.
class CountingClock final : public Clock {
 public:
  uint64_t NowMicros() override { return ++micros_; }
  uint64_t UnixMicros() override { return 1'700'000'000'000'000 + ++micros_; }

 private:
  uint64_t micros_ = 0;
};

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(uint64_t seed) : random_(seed) {}
  uint64_t Next64() override { return random_(); }

 private:
  std::mt19937_64 random_;
};

// The outside world of a database that one thread uses.
struct World {
  World(SimulatedDisk* disk, uint64_t seed) : random(seed) {
    environment = {&disk->file_system(), &clock, &random, &executor};
  }
  CountingClock clock;
  SeededRandom random;
  InlineExecutor executor;
  Environment environment;
};

// All families, each read by an iterator; and, if there are any, the prepared transactions, as if
// they were the keys of one more family, with what they would change.
inline constexpr std::string_view kPreparedTransactions = "prepared transactions";
std::string TextOfPrepared(const WriteBatch& changes);
Result<mix::Moment> ReadAll(DB* db);

class Examination {
 public:
  struct Counts {
    uint64_t states = 0, recoveries_cut_short = 0;
    uint64_t refused = 0;  // Called damaged, as sectors lost at random may have left them.
  };
  using Judge = std::function<mix::Trouble(const mix::Moment&)>;

  // `judge`: whether this may be found. `path`: of the database.
  Examination(std::string path, Judge judge, Counts* counts, uint64_t seed)
      : path_(std::move(path)), judge_(std::move(judge)), counts_(*counts), seed_(seed) {}

  // Of what is found on the disk, which is changed. `cut_short`: power is lost again at some
  // mutations of the recovery, and the next recovery must end in the same state.
  mix::Trouble Examine(SimulatedDisk* disk, Loss loss, bool cut_short);

 private:
  using Disks = std::vector<std::unique_ptr<SimulatedDisk>>;
  struct Opened {
    std::unique_ptr<DB> db;  // Null if there is no way to open it.
    bool refused = false;    // Called damaged; if it is open, then by consent.
  };

  Result<Opened> Open(const World& world) const;
  void KeepCuts(SimulatedDisk* disk, Disks* cuts) const;
  mix::Trouble Recover(SimulatedDisk* disk, Loss loss, std::optional<mix::Moment>* recovered);
  mix::Trouble Reopen(SimulatedDisk* disk, mix::Moment recovered) const;
  mix::Trouble RecoverAgain(SimulatedDisk* disk, Digest recovered) const;

  const std::string path_;
  const Judge judge_;
  Counts& counts_;
  const uint64_t seed_;
};

}  // namespace varve::simulator
