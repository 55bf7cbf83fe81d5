// SPDX-License-Identifier: Apache-2.0
// LogReader splits a WAL or MANIFEST into logical records (db-format 2.3) and reports exactly where
// and why it cannot continue. wal/recovery_tail.h decides what to do then.
//
// Reads both header kinds and compressed WALs (type 9), and skips the meta records. Damage skips as
// little as possible: for a wrong checksum or impossible length, the rest of the block; for
// fragments in an impossible order, the fragments. One thread.
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
    kRecord,     // record() is one logical record.
    kEnd,        // Clean end between records.
    kTruncated,  // The file ends inside a physical or logical record (TRUNC).
    kBad,        // Checksum, length, type or fragment order wrong (BAD); dropped_bytes() skipped.
    kOld,        // An intact record of the file's previous life (another log's number).
    kIoError,    // The file cannot be read, or a record of it cannot be here: status().
  };

  // `log_number`: the number in the file's name (0 for a MANIFEST). `file` is opened without direct
  // I/O and outlives the reader; bytes beyond `file_size` are ignored. It may only become shorter
  // if it has recyclable headers, when its writer truncates the previous life; otherwise that is
  // kIoError.
  LogReader(const RandomAccessFile& file, uint64_t file_size, uint64_t log_number);
  ~LogReader();

  // After kBad and kOld the next call continues behind the skipped bytes; after kTruncated, kEnd
  // and kIoError it returns the same event again.
  Event Next();

  std::string_view record() const;  // Valid until the next call.
  // Offset of the first physical record of the result; for kBad, of the invalid one.
  uint64_t record_offset() const;
  uint64_t end_offset() const;        // End of the result: where the next call continues.
  uint64_t dropped_bytes() const;     // By the last kBad, kOld or kTruncated, fragments included.
  const std::string& reason() const;  // "checksum is 1a2b, record says 3c4d", ...
  bool inside_fragment() const;       // kTruncated/kBad/kOld: within a logical record.
  // kBad: each physical record is intact, but they do not fit together (fragment order, unknown
  // type, a payload that does not decompress).
  bool disorder() const;
  bool saw_recyclable() const;  // Some record, intact or not, had a recyclable header.
  // An intact record had one: the file may have had a previous life.
  bool is_recyclable() const;
  const Status& status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
