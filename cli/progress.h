// SPDX-License-Identifier: Apache-2.0
// Progress of long work on standard error: nothing in the first second; then on a terminal one
// line redrawn, elsewhere a line every ten seconds, with rate and time to go where known.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/console.h"

namespace varve::cli {

class Progress {
 public:
  // `unit`: "records" or "bytes". total 0: unknown.
  Progress(Console& console, std::string_view what, std::string_view unit, uint64_t total);
  ~Progress();  // Wipes the redrawn line.
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: looks at the clock once every few hundred calls.
  void Update(uint64_t done) {
    if (++calls_ % 256 == 0) Look(done);
  }
  void Look(uint64_t done);
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  Console& console_;
  const std::string what_, unit_;
  const uint64_t total_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  uint64_t calls_ = 0;
  bool drawn_ = false;
};

}  // namespace varve::cli
