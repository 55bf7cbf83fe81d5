// SPDX-License-Identifier: Apache-2.0
// Progress of long work on standard error: nothing in the first second; then one updated line on a
// terminal, otherwise a line every ten seconds. With the rate and, if the total is known, the share
// done and the remaining time:
//
//   load: 1,203,441 records, 38.1 %, 401,147 records/s, 5 s to go
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cli/output/console.h"

namespace varve::cli {

class Progress {
 public:
  // `unit`: "records" or "bytes", `total` of them; 0: unknown.
  Progress(Console& console, std::string_view what, std::string_view unit, uint64_t total = 0);
  // Called when the total is first needed: computing it may take a while, and most work finishes
  // before anything is shown.
  using Total = std::function<uint64_t()>;
  Progress(Console& console, std::string_view what, std::string_view unit, Total total);
  ~Progress() { console_.status_line().Wipe(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: reads the clock once every few hundred calls.
  void Update(uint64_t done) {
    if (++calls_ % 256 == 0) Look(done);
  }
  void Look(uint64_t done) {
    if (Due()) Show(done, done, Whole());
  }
  // If the share done is measured in other units than the count: input bytes of records.
  void UpdateShare(uint64_t count, uint64_t done, uint64_t total) {
    if (++calls_ % 256 == 0) LookShare(count, done, total);
  }
  void LookShare(uint64_t count, uint64_t done, uint64_t total) {
    if (Due()) Show(count, done, total);
  }
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool Due();
  uint64_t Whole();
  void Show(uint64_t count, uint64_t done, uint64_t total);

  Console& console_;
  const std::string what_, unit_;
  uint64_t total_;
  Total find_total_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  uint64_t calls_ = 0;
};

// The number of entries in a database or table, as counted by its tables, as the total for a walk
// over all of them: of one column family, or of all if `family` is empty. 0: unknown.
uint64_t EntriesIn(const std::string& target, const std::string& family);

}  // namespace varve::cli
