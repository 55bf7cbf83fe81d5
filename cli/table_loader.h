// SPDX-License-Identifier: Apache-2.0
// TableLoader writes sorted records of one column family into table files, which are ingested all
// at once: a load that fails or is killed leaves the database unchanged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/comparator.h"
#include "varve/environment.h"
#include "varve/options.h"
#include "varve/sst_file_writer.h"

namespace varve::cli {

class TableLoader {
 public:
  // Tables are called "<prefix>0.sst" and so on.
  TableLoader(ColumnFamilyOptions options, Environment env, std::string prefix);

  // InvalidArgument, without adding it, unless `key` is behind all earlier keys.
  Status Add(std::string_view key, std::string_view value);
  Status Finish();

  const std::vector<std::string>& paths() const { return paths_; }
  uint64_t records() const { return records_; }
  uint64_t bytes() const { return bytes_; }  // Of the tables.

 private:
  Status FinishTable();

  const ColumnFamilyOptions options_;
  const Environment env_;
  const std::string prefix_;
  std::optional<SstFileWriter> writer_;
  std::vector<std::string> paths_;
  std::string last_key_;  // Of the table finished last.
  uint64_t records_ = 0, bytes_ = 0;
};

}  // namespace varve::cli
