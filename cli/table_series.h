// SPDX-License-Identifier: Apache-2.0
// TableSeries writes ascending records into one table, or into several that follow each other,
// each of at most so many bytes: what one ingestion adds in parallel.
//
// The tables are made in a directory of their own and get their names when all are whole:
// "out.sst", or "out-00001.sst", "out-00002.sst" and so on. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/options.h"
#include "varve/sst_file_writer.h"

namespace varve::cli {

// A table that was written.
struct TableMade {
  std::string file;
  uint64_t records, table_bytes;
};

class TableSeries {
 public:
  // What the tables of a series are called, counted from 0.
  static std::string NameOf(const std::string& path, bool split, size_t index);

  // Of `options`, the environment and the family are used; its comparator is not null. A table ends
  // before it would have more than `bytes_max`, unless it has one record only; nullopt: one table.
  TableSeries(const Options& options, std::string directory, std::string path,
              std::optional<uint64_t> bytes_max);

  // As SstFileWriter::Put(): also across tables, keys must ascend.
  Status Put(std::string_view key, std::string_view value);
  // Completes the tables and gives them their names. InvalidArgument if one of these is taken by
  // now.
  Status Finish();

  const std::vector<TableMade>& tables() const { return made_; }  // After Finish().
  uint64_t records() const;
  uint64_t bytes() const;

 private:
  std::string PlaceOf(size_t index) const;
  bool WouldExceed(std::string_view key, std::string_view value) const;
  Status Begin();
  Status End();

  const Options& options_;
  const std::string directory_, path_;
  const std::optional<uint64_t> bytes_max_;
  std::optional<SstFileWriter> writer_;  // Of the table that is being written.
  std::vector<TableMade> made_;          // Those before it.
  std::string last_key_;
  uint64_t unwritten_ = 0;  // Bytes of records that are in no block of the file yet.
  size_t longest_key_ = 0;  // In the table.
};

}  // namespace varve::cli
