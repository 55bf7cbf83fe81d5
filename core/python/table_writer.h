// SPDX-License-Identifier: Apache-2.0
// TableWriter: a table outside any database, of records that are sorted already.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/arrow/record_shape.h"
#include "core/python/bytes.h"
#include "core/python/record_stream.h"
#include "varve/sst_file_writer.h"

namespace varve::python {

// Which record stays of several with one key: none, it is an error; or the last one.
enum class Duplicates : uint8_t { kRefuse, kLast };

// Writes one file, which stays if it is finished and is removed with the writer otherwise. After an
// error it is closed. One thread at a time: others get a RuntimeError. A forked child cannot use
// it, and leaves the file alone, which is the parent's.
class TableWriter {
 public:
  // `options` are those of open(). Raises what SstFileWriter::Create() gives.
  TableWriter(const Path& path, arrow::RecordShape shape, Duplicates duplicates,
              const nanobind::kwargs& options);
  ~TableWriter();
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  // Adds the records of an object with __arrow_c_stream__, and returns how many rows it had. Raises
  // InvalidArgument if a key is not greater than that before it.
  uint64_t Write(const nanobind::object& table);
  void Put(const Bytes& key, const Bytes& value);
  // Completes and syncs the file. Raises InvalidArgument if nothing was added.
  void Finish();
  // Removes the file unless it is finished. A second call does nothing.
  void Close();

  uint64_t file_size() const { return size_; }
  uint64_t records() const { return records_; }
  // Keys of the records so far; nullopt before the first.
  const std::optional<std::string>& smallest_key() const { return smallest_; }
  const std::optional<std::string>& largest_key() const { return largest_; }

 private:
  bool forked() const;
  // Runs `work` without the GIL, and raises its error.
  void Run(const std::function<Status(SstFileWriter&)>& work);
  // Adds a record, or with kLast keeps it until the next key is known.
  Status Add(SstFileWriter& writer, std::string_view key, std::string_view value);
  Status AddKept(SstFileWriter& writer);
  Status AddRows(SstFileWriter& writer, RecordStream& stream, int64_t rows);

  const std::string path_;
  const arrow::RecordShape shape_;
  const Duplicates duplicates_;
  const int64_t process_;
  std::unique_ptr<SstFileWriter> writer_;  // Null once it is closed.
  bool busy_ = false;                      // Now, with the GIL released.
  bool has_kept_ = false;
  std::string kept_key_, kept_value_;
  std::optional<std::string> smallest_, largest_;
  uint64_t records_ = 0, size_ = 0;
};

void BindTableWriter(nanobind::module_& module);

}  // namespace varve::python
