// SPDX-License-Identifier: Apache-2.0
// LogWriter appends records to a WAL or MANIFEST (layout: format/log/log_record.h). Legacy headers
// only, no compression, no recycling: what RocksDB 7.8, 11.x and LevelDB can all read.
//
// After a failed append the writer rejects everything (must-catch M1: a partial record must never
// be followed by another). One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "varve/file_system.h"
#include "varve/status.h"

namespace varve {

class LogWriter {
 public:
  explicit LogWriter(std::unique_ptr<WritableFile> file);  // A fresh, empty file.

  // The record is with the operating system when this returns.
  Status Append(std::string_view record);
  Status Sync();
  Status Close();
  uint64_t size() const { return file_->size(); }
  const std::string& path() const { return file_->path(); }

 private:
  std::unique_ptr<WritableFile> file_;
  uint64_t block_offset_ = 0;
  bool closed_ = false;
  std::string buffer_;  // Physical bytes of one record, for one Append to the file.
  Status failed_;
};

}  // namespace varve
