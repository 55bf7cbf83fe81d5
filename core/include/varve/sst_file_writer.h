// SPDX-License-Identifier: Apache-2.0
// SstFileWriter makes a table outside any database, to be ingested (DB::Ingest, or RocksDB's
// IngestExternalFile). All entries have sequence number 0. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "varve/export.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// Writes one table file: Create(), entries, Finish(). After a call has failed with anything but
// kInvalidArgument, destroy the writer. One thread at a time. A writer that is destroyed without
// Finish() removes its file, so two of one path must not live at the same time.
class VARVE_EXPORT SstFileWriter {
 public:
  // Creates the file `path`, or truncates it if it is there. Members of `env` that are null are
  // NativeEnvironment()'s; its executor is not used. Of `options`, those of `table`, the codec of
  // the deepest level, the comparator (null: bytewise) and the merge operator's name are used; the
  // comparator and the file system must outlive the writer. kInvalidArgument for options that
  // ValidateOptions() refuses, kNotFound if there is no such directory; kIoError and kNoSpace as
  // these codes say.
  static Result<SstFileWriter> Create(const Environment& env, const ColumnFamilyOptions& options,
                                      const std::string& path);
  // One that was moved from may be destroyed or assigned to, nothing else.
  SstFileWriter(SstFileWriter&&) noexcept;
  // Removes its unfinished file, if it has one; else as the constructor.
  SstFileWriter& operator=(SstFileWriter&&) noexcept;
  ~SstFileWriter();  // An unfinished file is removed.

  // Adds a key with its value. Keys, of Put(), Delete() and Merge() together, must come in strictly
  // ascending order of the comparator; InvalidArgument otherwise, for a key of more than 256 MiB or
  // a key and value of more than 4 GiB - 65 together, and after Finish(). kIoError or kNoSpace if
  // the file cannot be written, kNotSupported for a codec that this build does not have.
  Status Put(std::string_view key, std::string_view value);
  // Adds the deletion of a key. As Put().
  Status Delete(std::string_view key);
  // Adds a merge operand of a key. As Put().
  Status Merge(std::string_view key, std::string_view operand);
  // Adds the deletion of [begin, end), in any order among the other calls; does nothing if both are
  // equal. It concerns what the table is ingested over, not the table's own keys. InvalidArgument
  // if `begin` is behind `end`; else as Put().
  Status DeleteRange(std::string_view begin, std::string_view end);

  uint64_t file_size() const;  // Bytes written so far; after Finish(), the size of the file.
  uint64_t entries() const;    // Entries added so far, range deletions among them.
  // Completes, syncs and closes the file (not its directory: DB::Ingest() sees to its own).
  // InvalidArgument if nothing was added, and after another Finish().
  Status Finish();

 private:
  struct Impl;
  explicit SstFileWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
