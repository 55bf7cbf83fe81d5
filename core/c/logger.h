// SPDX-License-Identifier: Apache-2.0
// Where the lines of a database's LOG go instead of into its file.
#pragma once

#include <memory>
#include <string_view>

namespace varve::c {

// Thread-safe.
class Logger {
 public:
  virtual ~Logger() = default;
  // A line at RocksDB's InfoLogLevel `level`, of those that pass the logger's own.
  virtual void Log(int level, std::string_view line) = 0;
};

}  // namespace varve::c

struct rocksdb_logger_t {
  std::shared_ptr<varve::c::Logger> rep;
};
