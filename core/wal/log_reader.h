// SPDX-License-Identifier: Apache-2.0
// LogReader takes a WAL or MANIFEST apart into logical records (db-format 2.3) and says exactly
// where and why it cannot go on. It decides nothing: wal/recovery_tail.h does.
//
// Reads both header kinds, compressed WALs (type 9) and skips the meta records. Damage costs as
// little as can be told: what fails its checksum or has an impossible length, the rest of its
// block; fragments in an impossible order, the fragments. One thread.
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
    kTruncated,  // The file ends inside a record (TRUNC), be it a physical or a logical one.
    kBad,        // Checksum, length, type or fragment order wrong (BAD); dropped_bytes() skipped.
    kOld,        // An intact record of the file's previous life (another log's number).
    kIoError,    // status().
  };

  // `log_number`: the number in the file's name (0 for a MANIFEST). `file` is opened without direct
  // I/O and outlives the reader; what it grows by beyond `file_size` is not looked at. It may become
  // shorter if it has recyclable headers: its writer cuts off the previous life. Else that is
  // kIoError.
  LogReader(const RandomAccessFile& file, uint64_t file_size, uint64_t log_number);
  ~LogReader();

  // After kBad and kOld the next call goes on behind what was dropped; after kTruncated, kEnd and
  // kIoError it stays there.
  Event Next();

  std::string_view record() const;  // Valid until the next call.
  // Of the first physical record of what Next() returned; at kBad, of the one that is wrong.
  uint64_t record_offset() const;
  uint64_t end_offset() const;        // Behind it: where the next call goes on.
  uint64_t dropped_bytes() const;     // By the last kBad, kOld or kTruncated, fragments included.
  const std::string& reason() const;  // "checksum is 1a2b, record says 3c4d", ...
  bool inside_fragment() const;       // At kTruncated/kBad/kOld: a logical record had begun.
  // At kBad: each physical record is intact, but they do not belong together (fragment order,
  // unknown type, a payload that does not decompress).
  bool disorder() const;
  bool saw_recyclable() const;  // There was a recyclable header, of an intact record or not.
  // There was an intact record with one: the file may have had a previous life.
  bool is_recyclable() const;
  const Status& status() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
