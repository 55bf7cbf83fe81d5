// SPDX-License-Identifier: Apache-2.0
// What only a running engine knows or can do. Programs that have one open (the server inside a live
// process, the browser's playground) implement this over varve::DB; this library itself does not
// link the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/result.h"
#include "varve/stats.h"
#include "varve/types.h"
#include "webview/api/records.h"

namespace varve::api {

struct EngineStats {
  DbStats db;
  std::vector<FamilyStats> families;
};

struct StatsSample {
  uint64_t unix_micros = 0;  // When it was taken.
  DbStats db;
};

// Where tables are that Ingest() may take: this folder of the database's directory.
inline constexpr std::string_view kStagingFolder = "ingest";
// Whether it may be the name of a file in there: no path, and nothing outside.
inline bool IsStagedName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos &&
         name.find('\0') == name.npos;
}

class Uploads;

// Thread-safe.
class LiveEngine {
 public:
  virtual ~LiveEngine() = default;

  // Reads the engine's data including memtables; null: read from the files instead.
  virtual std::shared_ptr<RecordReader> Records() { return nullptr; }

  virtual EngineStats Stats() = 0;
  virtual std::vector<StatsSample> StatsHistory() = 0;  // The oldest first.
  // For /metrics, in Prometheus' text format; empty: none.
  virtual std::string Metrics() { return {}; }

  struct Operation {
    enum class Kind : uint8_t { kPut, kDelete, kSingleDelete, kMerge, kDeleteRange };
    Kind kind = Kind::kPut;
    std::string family = "default";
    std::string key = {};
    std::string value = {};  // For a range deletion: its end.
  };
  // What the value of a key must still be, so that a change that was made for it is not made of
  // another one.
  struct Expectation {
    std::string family = "default";
    std::string key = {};
    std::optional<std::string> sha256 = {};  // Sha256Of() its value; nullopt: there is no such key.
  };
  struct Written {
    Sequence sequence = 0;  // The newest one.
    // The first expectation that does not hold: then nothing is written.
    std::optional<size_t> unmet = {};
  };
  // Writes all or none of the operations, durably. Between the look at what is expected and the
  // write, nothing else is written by this function or by Ingest().
  virtual Result<Written> Write(const std::vector<Operation>&, const std::vector<Expectation>&) {
    return Status::NotSupported("this engine does not accept batches");
  }

  // Applies all of `changes` (names as in RocksDB's OPTIONS file) or none; with `validate_only`,
  // only validates them.
  virtual Status SetOptions(const std::string& family,
                            const std::vector<std::pair<std::string, std::string>>& changes,
                            bool validate_only) = 0;
  virtual Status Flush(const std::string& family) = 0;
  virtual Status Compact(const std::string& family, std::optional<std::string> from,
                         std::optional<std::string> to) = 0;

  // What clients bring of tables; null: none is taken. As long as this.
  virtual Uploads* uploads() { return nullptr; }

  // Tables for one family, in a folder of the database's directory.
  struct StagedTables {
    std::string family = "default";
    std::vector<std::string> files = {};
  };
  // Adds all of them or none, durably; DB::IngestFamilies(). `folder` is kStagingFolder or that of
  // an upload. InvalidArgument also for what is no IsStagedName(), and for a symbolic link.
  virtual Status Ingest(const std::string& /*folder*/, const std::vector<StagedTables>&,
                        bool /*move*/) {
    return Status::NotSupported("this engine does not take tables");
  }
};

}  // namespace varve::api
