// SPDX-License-Identifier: Apache-2.0
// The write-ahead logs of a database and the contents of their records. A record is one batch.
// Damage is reported with its location, and reading continues behind it if possible;
// wal/recovery_tail.h decides what recovery does.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/log/write_batch_format.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

// The MANIFEST's data of a family that a batch may refer to.
struct WalFamily {
  std::string name;
  uint64_t log_number = 0;  // The family needs no WAL below it.
};
using WalFamilies = std::map<ColumnFamilyId, WalFamily>;

struct WalOperation {
  // An entry type ("put", "delete", ...), or "log_data", "noop", "begin_prepare", "commit", ...
  std::string type;
  ColumnFamilyId family = kDefaultColumnFamilyId;
  std::optional<std::string_view> family_name;  // If the MANIFEST has the family.
  std::string_view key, value;                  // Of a range deletion: begin and end.
  // If the operation has one; a prepared one gets it with its commit. Unknown behind a commit, in
  // the same batch, of what was prepared in another log.
  std::optional<Sequence> sequence;
  // For operations with a sequence, if there is a MANIFEST: whether recovery would apply it.
  std::optional<bool> live;
};

struct WalRecord {
  uint64_t offset = 0, size = 0;  // In the file, including headers and fragments.
  uint32_t stored_crc = 0;        // As in the header of its first fragment: masked.
  uint32_t payload_crc32c = 0;    // Of the whole batch.
  uint64_t batch_bytes = 0;
  Sequence sequence = 0;
  uint32_t count = 0;
  std::vector<WalOperation> operations;  // Views: valid until the next call.
  // Not empty: damage instead of a batch. `size` is the lost size; only the offset is also set.
  std::string damage;
  // The damage is the end of the log, as a crash leaves it (wal/log_end.h).
  bool unfinished = false;
};

// Walks one WAL. One thread.
class WalStream {
 public:
  // `number`: from the file's name, 0 if it has none.
  static Result<WalStream> Open(FileSystem& fs, const std::string& path, FileNumber number,
                                WalFamilies families);
  WalStream(WalStream&&) noexcept;
  WalStream& operator=(WalStream&&) noexcept;
  ~WalStream();

  bool Next(WalRecord* record);
  const Status& status() const;  // Check it when Next() returns false.
  uint64_t file_size() const;
  bool recyclable() const;  // So far.

 private:
  struct Impl;
  explicit WalStream(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct WalSegment {
  FileNumber number = 0;
  std::string name;  // "000007.log", "archive/000004.log".
  uint64_t size = 0;
  bool live = false;  // Would be replayed when the database is opened.
  bool recyclable = false;
  uint64_t batches = 0, operations = 0;
  std::optional<Sequence> first_sequence, last_sequence;  // Of its batches' operations.
  uint64_t damaged_bytes = 0, unfinished_bytes = 0;
  std::vector<std::string> damage;  // "000007.log@4096: checksum is ..."; the first few.
  Status failure;                   // Not damage: an error while reading it.
};

struct WalReport {
  std::vector<WalSegment> segments;  // By number, including archived ones.
  uint64_t min_log_number = 0;       // Older ones are obsolete.
  WalFamilies families;
};

// Reads all WALs completely. `directory` is a database's.
Result<WalReport> ReportWals(FileSystem& fs, const std::string& directory);
// The first error of any of them.
Status FailureOf(const WalReport& report);

// Location of a WAL: of a database by its number, which is not needed if it has only one, or
// `target` itself if it is a file. The families are those of the MANIFEST in the same directory, if
// there is one.
struct WalPlace {
  std::string path;
  FileNumber number = 0;
  WalFamilies families;
};
Result<WalPlace> FindWal(FileSystem& fs, const std::string& target,
                         std::optional<FileNumber> number);

// Corruption: the first damage in the log, which is read completely. An end as a crash leaves it is
// not damage.
Status CheckWal(FileSystem& fs, const WalPlace& place);

}  // namespace varve
