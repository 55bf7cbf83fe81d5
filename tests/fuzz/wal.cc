// SPDX-License-Identifier: Apache-2.0
// A write-ahead log: recovery in each mode, the reports and the layout agree about it, and what was
// read, written again, is read again.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs/memory_fs.h"
#include "core/inspect/wal/wal_report.h"
#include "core/wal/wal_walk.h"
#include "tests/fuzz/mend_log.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

constexpr uint64_t kNumber = 5;
const std::string kDirectory = "db", kPath = "db/000005.log";

struct Recovery {
  Status status;
  RecoveryReport report;
  std::vector<std::string> batches;
};

Recovery Recover(FileSystem& fs, WalRecoveryMode mode) {
  Recovery found;
  WalWalk walk(mode, &found.report, {}, [&](uint64_t, const BatchHeader&, std::string_view batch) {
    found.batches.emplace_back(batch);
    return Status::Ok();
  });
  const auto wal = OpenWal(fs, kDirectory, kNumber);
  MustBeOk(wal.status(), kPath);
  found.status = walk.Read(*wal);
  if (found.status.ok()) found.status = walk.CheckFamilies();
  return found;
}

void RecoverInEachMode(FileSystem& fs) {
  using Mode = WalRecoveryMode;
  const Recovery strict = Recover(fs, Mode::kAbsoluteConsistency);
  const Recovery all = Recover(fs, Mode::kSkipAnyCorrupted);
  for (const Mode mode : {Mode::kTolerateCorruptedTail, Mode::kPointInTime}) {
    const Recovery found = Recover(fs, mode);
    if (found.status.ok() && all.status.ok()) {  // It leaves out values that cannot be read, too.
      Must(found.batches.size() <= all.batches.size() + all.report.losses.size(),
           "the mode that skips damage reads the most");
    }
    if (!strict.status.ok()) continue;
    MustBeOk(found.status, "what the strictest mode takes, all do");
    Must(found.batches == strict.batches, "all modes read a sound log alike");
    Must(found.report.losses.size() == strict.report.losses.size(), "and lose the same");
  }
}

// Whether the log has damage, for reports. Nullopt: it cannot be read.
std::optional<bool> Report(FileSystem& fs) {
  auto stream = WalStream::Open(fs, kPath, kNumber, {});
  MustBeOk(stream.status(), kPath);
  bool damaged = false;
  WalRecord record;
  while (stream->Next(&record)) damaged = damaged || (!record.damage.empty() && !record.unfinished);
  if (!stream->status().ok()) return std::nullopt;
  Must(CheckWal(fs, {kPath, kNumber, {}}).ok() == !damaged,
       "checking a log finds what listing does");
  return damaged;
}

// Reports do not hold a record's sequences against those of the one before, nor a commit against
// what was prepared.
bool IsOfOneRecord(const Status& refused) {
  return refused.code() == Code::kCorruption &&
         refused.message().find("goes backwards") == std::string_view::npos &&
         refused.message().find("what is committed") == std::string_view::npos;
}

void Run(std::string_view bytes) {
  const auto fs = NewMemoryFileSystem();
  MustBeOk(fs->CreateDirectory(kDirectory), kDirectory);
  WriteFile(*fs, kPath, bytes);
  RecoverInEachMode(*fs);
  const std::optional<bool> damaged = Report(*fs);
  const Recovery usual = Recover(*fs, WalRecoveryMode::kPointInTime);
  const bool met = usual.status.ok() ? usual.report.damaged() : IsOfOneRecord(usual.status);
  if (damaged && met) Must(*damaged, "reports see the damage that recovery meets");
  MustTile(*fs, kPath, LogKind::kWal);
  const std::vector<std::string> records = RecordsOf(bytes);
  Must(RecordsOf(LogOf(records)) == records, "records that are written again are read again");
}

}  // namespace

const Target wal = {"wal", Run, ChangeLog};

}  // namespace varve::fuzz
