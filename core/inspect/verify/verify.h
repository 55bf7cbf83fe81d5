// SPDX-License-Identifier: Apache-2.0
// Verifies a whole database or one table: every checksum, order, count, level and directory
// invariant, from the outside in. Findings have a location and name the affected keys.
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

#include "core/inspect/progress.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

struct Finding {
  enum class Severity : uint8_t {
    kWarning,     // Nothing is lost.
    kNotChecked,  // Something unsupported, which cannot be verified.
    kUnreadable,  // The system did not permit reading it: not known to be damaged.
    kError,
  };
  Severity severity = Severity::kError;
  std::string layer = {};  // "directory", "manifest", "level", "table", "block", "wal", ...
  std::string file = {};   // Name within the directory; empty if none.
  std::optional<uint64_t> offset = {};
  std::string what = {};  // Stored and computed value, if there are any.
  // Affected user keys; long ones are truncated such that the range is enclosed (reported_key.h).
  std::optional<std::string> key_from = {}, key_to = {};
};

struct VerifyReport {
  uint64_t files = 0, blocks = 0, bytes = 0, entries = 0, wal_records = 0;
  std::vector<Finding> findings;  // At most kFindingsMax, followed by one that says so.
  uint64_t Count(Finding::Severity severity) const;
  // The highest severity. Sound databases may have warnings.
  Finding::Severity worst() const;
  // Everything was checked and is sound.
  bool clean() const { return worst() == Finding::Severity::kWarning; }
};

// With two keys of a few hundred bytes per finding, a report stays below some 16 MiB.
inline constexpr size_t kFindingsMax = 10'000;
inline constexpr size_t kFindingTextMax = 1024;

// NotSupported/IoError if verification cannot start; damage is a finding, not an error. A live
// database is read as a snapshot of its MANIFEST: if a file vanishes, it starts over.
Result<VerifyReport> VerifyDatabase(FileSystem& fs, const std::string& path,
                                    const VerifyProgressFn& progress);

Result<VerifyReport> VerifyTable(FileSystem& fs, const std::string& path,
                                 const VerifyProgressFn& progress);

// The same in steps of some blocks, for callers with other work. One thread.
class Verification {
 public:
  virtual ~Verification() = default;
  // Runs for some milliseconds; false: finished.
  virtual Result<bool> Step() = 0;
  virtual const VerifyReport& report() const = 0;
};
std::unique_ptr<Verification> NewDatabaseVerification(FileSystem& fs, std::string path,
                                                      VerifyProgressFn progress);
std::unique_ptr<Verification> NewTableVerification(FileSystem& fs, std::string path,
                                                   VerifyProgressFn progress);

}  // namespace varve
