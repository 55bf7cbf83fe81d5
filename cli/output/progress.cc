// SPDX-License-Identifier: Apache-2.0
#include "cli/output/progress.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "cli/output/human_numbers.h"
#include "cli/output/text_table.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/target.h"
#include "varve/environment.h"

namespace varve::cli {
namespace {

constexpr double kSilentSeconds = 1, kTerminalSeconds = 0.2, kLogSeconds = 10;

std::string Amount(uint64_t count, const std::string& unit) {
  return unit == "bytes" ? HumanBytes(count) : HumanCount(count) + " " + unit;
}

}  // namespace

Progress::Progress(Console& console, std::string_view what, std::string_view unit, uint64_t total)
    : console_(console), what_(what), unit_(unit), total_(total) {}

Progress::Progress(Console& console, std::string_view what, std::string_view unit, Total total)
    : console_(console), what_(what), unit_(unit), total_(0), find_total_(std::move(total)) {}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

bool Progress::Due() {
  if (console_.quiet()) return false;
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double since = std::chrono::duration<double>(now - shown_).count();
  const double every = console_.status_line().shown() ? kTerminalSeconds : kLogSeconds;
  if (elapsed < kSilentSeconds || since < every) return false;
  shown_ = now;
  return true;
}

uint64_t Progress::Whole() {
  if (find_total_) total_ = std::exchange(find_total_, nullptr)();
  return total_;
}

void Progress::Show(uint64_t count, uint64_t done, uint64_t total) {
  const double elapsed = seconds();
  // Put the most important part first: the terminal may have room only for that.
  std::string line = what_ + ": ";
  if (total > 0) {
    // The total may be exceeded if the data changes while it is counted.
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    line += HumanShare(share) + ", ";
  }
  if (total > done && done > 0) {
    const double left = elapsed * static_cast<double>(total - done) / static_cast<double>(done);
    line += HumanAge(static_cast<uint64_t>(left)) + " to go, ";
  }
  line += Amount(static_cast<uint64_t>(static_cast<double>(count) / elapsed), unit_) + "/s, ";
  if (total > 0 && done == count) {
    const bool bytes = unit_ == "bytes";
    line += (bytes ? HumanBytes(count) : HumanCount(count)) + " of " +
            Amount(std::max(total, count), unit_);
  } else {
    line += Amount(count, unit_);
  }
  console_.status_line().shown() ? console_.status_line().Draw(line) : console_.Error(line);
}

uint64_t EntriesIn(const std::string& target, const std::string& family) {
  FileSystem& fs = *NativeEnvironment().file_system;
  const auto kind = IdentifyTarget(fs, target);
  if (!kind.ok()) return 0;
  if (*kind == TargetKind::kTable) {
    const auto table = ReportTable(fs, target);
    return table.ok() ? table->entries : 0;
  }
  const auto report = ReportLsm(fs, target, {.edit = std::nullopt, .open_tables = true});
  if (!report.ok()) return 0;
  uint64_t entries = 0;
  for (const FamilyReport& row : report->families) {
    if (!family.empty() && row.name != family) continue;
    for (const LevelReport& level : row.levels) {
      for (const FileReport& file : level.files) {
        if (file.contents) entries += file.contents->entries - file.contents->deletions;
      }
    }
  }
  return entries;
}

}  // namespace varve::cli
