// SPDX-License-Identifier: Apache-2.0
// Verification of a whole database or of one table: every checksum, order, count, level and
// directory invariant, from the outside in. Findings are located and say what they cost.
//
//   directory -> MANIFEST -> families and levels -> each table (footer, metaindex, properties,
//   index, filter, data blocks, entries, range deletions) -> WALs
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/inspect/table/table_report.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct Finding {
  enum class Severity : uint8_t {
    kWarning,     // Worth knowing, nothing is lost.
    kNotChecked,  // Something here is not supported, so nothing can be said about it.
    kUnreadable,  // The system did not let it be read: not damage, and nothing can be said.
    kError,
  };
  Severity severity = Severity::kError;
  std::string layer = {};  // "directory", "manifest", "level", "table", "block", "wal", ...
  std::string file = {};   // Name within the directory; empty if none.
  std::optional<uint64_t> offset = {};
  std::string what = {};  // Stored and computed value where there are such.
  // User keys that it may lose; long ones cut, so that they enclose the range (reported_key.h).
  std::optional<std::string> key_from = {}, key_to = {};
};

struct VerifyProgress {
  uint64_t bytes_done = 0, bytes_total = 0;
};

struct VerifyReport {
  uint64_t files = 0, blocks = 0, bytes = 0, entries = 0, wal_records = 0;
  std::vector<Finding> findings;  // At most kFindingsMax; then one that says so.
  uint64_t Count(Finding::Severity severity) const;
  // The gravest severity there is. Warnings are allowed in what is sound.
  Finding::Severity worst() const;
  // Everything was checked and is sound.
  bool clean() const { return worst() == Finding::Severity::kWarning; }
};

// With a key at either end of a few hundred bytes, a report stays below some 16 MiB.
inline constexpr size_t kFindingsMax = 10'000;
inline constexpr size_t kFindingTextMax = 1024;

// `progress` (may be null) is called now and then; return false to stop early.
using VerifyProgressFn = std::function<bool(const VerifyProgress&)>;

// NotSupported/IoError when it cannot even begin; damage is a finding, not a failure.
// A live database is read as a snapshot of its MANIFEST: a vanished file means starting over.
Result<VerifyReport> VerifyDatabase(FileSystem& fs, const std::string& path,
                                    const VerifyProgressFn& progress);

Result<VerifyReport> VerifyTable(FileSystem& fs, const std::string& path,
                                 const VerifyProgressFn& progress);

// The same some blocks at a time, for whoever has other things to do in between. One thread.
class Verification {
 public:
  virtual ~Verification() = default;
  // Goes on for some milliseconds; false: that was all.
  virtual Result<bool> Step() = 0;
  virtual const VerifyReport& report() const = 0;
};
std::unique_ptr<Verification> NewDatabaseVerification(FileSystem& fs, std::string path,
                                                      VerifyProgressFn progress);
std::unique_ptr<Verification> NewTableVerification(FileSystem& fs, std::string path,
                                                   VerifyProgressFn progress);

}  // namespace varve
