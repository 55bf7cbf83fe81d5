// SPDX-License-Identifier: Apache-2.0
// LogReader takes a WAL or MANIFEST apart into logical records (db-format 2.3) and says exactly
// where and why it cannot go on. It decides nothing: wal/recovery_tail.h does.
//
// Reads both header kinds, compressed WALs (type 9) and skips the meta records. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

class LogReader {
 public:
  enum class Event : uint8_t {
    kRecord,       // record() is one logical record.
    kEnd,          // Clean end between records.
    kTruncated,    // The file ends inside a record (TRUNC).
    kBad,          // Checksum, length, type or fragment order wrong (BAD); dropped_bytes() skipped.
    kOld,          // A record of the file's previous life (recyclable header, other log number).
    kIoError,      // status().
  };

  // `log_number`: the number in the file's name (0 for a MANIFEST).
  LogReader(const RandomAccessFile& file, uint64_t file_size, uint64_t log_number);
  ~LogReader();

  // After kBad the next call goes on behind the damage; after kTruncated and kEnd it stays there.
  Event Next();

  std::string_view record() const;       // Valid until the next call.
  uint64_t record_offset() const;        // Of the first physical record of what Next() returned.
  uint64_t end_offset() const;           // Behind it.
  uint64_t dropped_bytes() const;        // By the last kBad or kTruncated.
  const std::string& reason() const;     // "checksum is 1a2b, record says 3c4d", ...
  bool inside_fragment() const;          // At kTruncated/kEnd/kOld: a record had begun.
  bool saw_recyclable() const;           // The file has recyclable headers so far.
  const Status& status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
