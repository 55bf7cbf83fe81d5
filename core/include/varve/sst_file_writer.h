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

class VARVE_EXPORT SstFileWriter {
 public:
  static Result<SstFileWriter> Create(const Environment& env, const ColumnFamilyOptions& options,
                                      const std::string& path);
  SstFileWriter(SstFileWriter&&) noexcept;
  SstFileWriter& operator=(SstFileWriter&&) noexcept;
  ~SstFileWriter();  // An unfinished file is removed.

  // Keys must come in strictly ascending order; InvalidArgument otherwise.
  Status Put(std::string_view key, std::string_view value);
  Status Delete(std::string_view key);
  Status Merge(std::string_view key, std::string_view operand);
  Status DeleteRange(std::string_view begin, std::string_view end);  // Any order.

  uint64_t file_size() const;  // So far.
  uint64_t entries() const;
  // Completes and syncs the file. InvalidArgument if nothing was added.
  Status Finish();

 private:
  struct Impl;
  explicit SstFileWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
