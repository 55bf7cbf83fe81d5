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

// Writes one table file: Create(), entries, Finish(). After an error other than kInvalidArgument,
// destroy the writer. One thread at a time. A writer destroyed without Finish() removes its file,
// so two writers of one path must not exist at the same time.
class VARVE_EXPORT SstFileWriter {
 public:
  // Creates the file `path`, or truncates it. Null members of `env` are those of
  // NativeEnvironment(); its executor is not used. Used of `options`: `table`, the codec of the
  // deepest level, the comparator (null: bytewise) and the name of the merge operator; comparator
  // and file system must outlive the writer. kInvalidArgument for options that ValidateOptions()
  // rejects, kNotFound if the directory does not exist; kIoError and kNoSpace: see Code.
  static Result<SstFileWriter> Create(const Environment& env, const ColumnFamilyOptions& options,
                                      const std::string& path);
  // A moved-from writer may only be destroyed or assigned to.
  SstFileWriter(SstFileWriter&&) noexcept;
  // Removes its own unfinished file, if it has one.
  SstFileWriter& operator=(SstFileWriter&&) noexcept;
  ~SstFileWriter();  // Removes an unfinished file.

  // Adds a key with its value. The keys of Put(), Delete() and Merge() together must be strictly
  // ascending in the comparator's order; otherwise InvalidArgument, as for a key of more than 256
  // MiB, a key and value of more than 4 GiB - 65 together, and after Finish(). kIoError or kNoSpace
  // if the file cannot be written, kNotSupported for a codec that this build does not have.
  Status Put(std::string_view key, std::string_view value);
  // Adds the deletion of a key. As Put().
  Status Delete(std::string_view key);
  // Put() for a comparator with timestamps, which takes no keys without; of one key, the newest
  // first.
  Status PutAt(std::string_view key, std::string_view timestamp, std::string_view value);
  // Delete() for such a comparator.
  Status DeleteAt(std::string_view key, std::string_view timestamp);
  // Adds a merge operand of a key. As Put().
  Status Merge(std::string_view key, std::string_view operand);
  // Adds the deletion of [begin, end), in any order relative to the other calls; does nothing if
  // both are equal. It deletes keys of the family that the table is ingested into, not those of the
  // table itself. InvalidArgument if `begin` > `end`, kNotSupported for keys with timestamps;
  // otherwise as Put().
  Status DeleteRange(std::string_view begin, std::string_view end);

  uint64_t file_size() const;  // Bytes written so far; after Finish(), the size of the file.
  uint64_t entries() const;    // Entries added so far, including range deletions.
  // Completes, syncs and closes the file (not its directory: DB::Ingest() syncs the database's).
  // InvalidArgument if nothing was added, and after another Finish().
  Status Finish();

 private:
  struct Impl;
  explicit SstFileWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
