// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <unistd.h>

#include "cli/database.h"

namespace varve::cli {
namespace {

constexpr double kSilentSeconds = 1, kTerminalSeconds = 0.2, kLogSeconds = 10;

std::string Amount(uint64_t count, const std::string& unit) {
  return unit == "bytes" ? HumanBytes(count) : HumanCount(count) + " " + unit;
}

}  // namespace

Progress::Progress(Console& console, std::string_view what, std::string_view unit, uint64_t total)
    : console_(console), what_(what), unit_(unit), total_(total) {}

Progress::~Progress() {
  constexpr std::string_view kWipe = "\r\033[K";
  if (drawn_ && write(STDERR_FILENO, kWipe.data(), kWipe.size()) < 0) return;
}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::Look(uint64_t done) {
  if (console_.quiet()) return;
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double since = std::chrono::duration<double>(now - shown_).count();
  const bool terminal = console_.err_is_terminal();
  if (elapsed < kSilentSeconds || since < (terminal ? kTerminalSeconds : kLogSeconds)) return;
  shown_ = now;
  const double rate = static_cast<double>(done) / elapsed;
  std::string line = what_ + ": " + Amount(done, unit_);
  if (total_ > 0) line += " of " + Amount(total_, unit_);
  line += ", " + Amount(static_cast<uint64_t>(rate), unit_) + "/s";
  if (total_ > done && rate > 0) {
    line += ", " + std::to_string(static_cast<uint64_t>(static_cast<double>(total_ - done) / rate)) +
            " s to go";
  }
  if (!terminal) {
    console_.Error(line);
    return;
  }
  line = "\r\033[K" + line;
  drawn_ = write(STDERR_FILENO, line.data(), line.size()) > 0;
}

}  // namespace varve::cli
