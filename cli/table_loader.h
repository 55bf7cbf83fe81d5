// SPDX-License-Identifier: Apache-2.0
// TableLoader turns sorted records of one column family into table files and hands them to the
// database all at once, so a load that fails or is killed leaves the database as it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve::cli {

class TableLoader {
 public:
  // Tables are first written to `directory`, on the database's file system.
  TableLoader(DB& db, ColumnFamilyId family, ColumnFamilyOptions options, Environment env,
              std::string directory);

  // InvalidArgument, and nothing is added, if `key` is not after all keys before.
  Status Add(std::string_view key, std::string_view value);
  Status Finish();

  uint64_t records() const { return records_; }
  uint64_t bytes() const { return bytes_; }  // Of the tables.

 private:
  Status FinishTable();

  DB& db_;
  const ColumnFamilyId family_;
  const ColumnFamilyOptions options_;
  const Environment env_;
  const std::string directory_;
  std::optional<SstFileWriter> writer_;
  std::vector<std::string> paths_;
  std::string last_key_;  // Of the table finished last.
  uint64_t records_ = 0, bytes_ = 0;
};

}  // namespace varve::cli
