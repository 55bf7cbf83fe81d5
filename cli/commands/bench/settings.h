// SPDX-License-Identifier: Apache-2.0
// The settings of a benchmark: the flags shared by `bench run` and `bench compare`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments/parameters.h"
#include "cli/commands/bench/distribution.h"
#include "cli/commands/bench/records.h"
#include "core/base/options/grades.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve::cli::bench {

struct Settings {
  uint64_t num = 1'000'000;            // Records.
  std::optional<uint64_t> operations;  // Of one thread; absent: as many as records.
  double duration = 0;                 // Seconds; 0: count instead.
  uint64_t key_size = 16;
  ValueSizes value_sizes;
  uint64_t threads = 1, seed = 42;
  std::optional<uint64_t>
      batch_size;  // Absent: 1 for writes, 32 for multiread*, 1,000 for readseqbatch.
  uint64_t stride = 0, nexts = 10;
  std::optional<Distribution> distribution;  // Absent: the workload's own.
  uint64_t write_rate = 0;     // Bytes/s of the writer of *whilewriting; 0: unlimited.
  uint64_t sample = 1;         // One operation of this many is timed; 0: none.
  double report_interval = 1;  // Seconds.
  Durability durability = Durability::kBuffered;
  bool use_existing = false, read_only = false;
  bool checksum = false;                  // Compute a checksum of everything that reads return.
  bool serve = false;                     // Show the engine over HTTP while it runs.
  uint64_t port = 0;                      // Port of --serve; 0: any free one.
  std::string directory;                  // Empty: a temporary one.
  std::vector<std::string> peer_options;  // NAME=VALUE that only the store itself knows.
  std::vector<std::string> named;         // Options and grades that were given, by name.
  Options options;
  Grades grades;
};

// Declares the flags on the command line and makes Settings from them.
class SettingsFlags {
 public:
  void Declare(Parameters& parameters);
  // `extra`: more NAME=VALUE words, as given to --option; applied last.
  Result<Settings> Make(const std::vector<std::string>& extra = {}) const;
  // Whether each run finds the same records: the operations depend neither on time nor on a race
  // between threads.
  bool Repeatable(bool writes) const {
    return settings_.duration == 0 && (!writes || settings_.threads == 1);
  }
  // The command line for these settings. Only what differs from the defaults, so that a program
  // that lacks some flags can be used.
  std::vector<std::string> Words() const;

 private:
  // Refuses flags that would have no effect beside the others.
  Status CheckCombinations() const;
  Status TakeValueSizes(ValueSizes* sizes) const;

  Settings settings_;
  std::vector<std::string> options_;
  std::optional<uint64_t> cache_size_, port_;
  std::optional<uint64_t> value_size_, value_size_min_, value_size_max_;
  std::optional<std::string> compression_, distribution_;
  std::string value_sizes_ = "fixed";
  std::string durability_ = "buffered";
  bool direct_reads_ = false;
};

struct NamedValue {
  std::string name, value;
};
// Every engine option and grade that is not at its default, in the tables' order.
std::vector<NamedValue> ChangedOptions(const Settings& settings);
// These, those that were given with their default, and the few that matter to every figure.
std::vector<NamedValue> ToldOptions(const Settings& settings);

inline constexpr std::array<std::string_view, 3> kDurabilityNames = {"sync", "buffered", "none"};
constexpr std::string_view DurabilityName(Durability durability) {
  return kDurabilityNames.at(static_cast<size_t>(durability));
}

// Takes the NAME=VALUE words that set grades out of *words.
Result<Grades> TakeGrades(std::vector<std::string>* words);

}  // namespace varve::cli::bench
