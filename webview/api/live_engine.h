// SPDX-License-Identifier: Apache-2.0
// What only a running engine knows or can do. Whoever has one open (the server inside a live
// process, the browser's playground) implements this over varve::DB; this library itself links no
// engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varve/status.h"
#include "webview/api/json.h"
#include "webview/api/records.h"

namespace varve::api {

// Thread-safe.
class LiveEngine {
 public:
  virtual ~LiveEngine() = default;

  // Reads what has been written, memtables included; null: through the files, as of anybody's.
  virtual std::shared_ptr<RecordReader> Records() { return nullptr; }

  virtual Json Stats() = 0;         // The members of "stats" in …/stats.
  virtual Json StatsHistory() = 0;  // An array of samples, oldest first.

  // All of `changes` (names as in RocksDB's OPTIONS file) or none; with `validate_only`, none.
  virtual Status SetOptions(const std::string& family,
                            const std::vector<std::pair<std::string, std::string>>& changes,
                            bool validate_only) = 0;
  virtual Status Flush(const std::string& family) = 0;
  virtual Status Compact(const std::string& family, std::optional<std::string> from,
                         std::optional<std::string> to) = 0;
};

}  // namespace varve::api
