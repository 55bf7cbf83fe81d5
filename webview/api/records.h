// SPDX-License-Identifier: Apache-2.0
// Reads records as a user of the database sees them. An interface, because visibility (merges,
// blobs, range deletions, logs to replay) requires the engine, which this library does not link.
// engine_records.h implements it over varve::DB.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"
#include "varve/value.h"

namespace varve::api {

struct RecordRange {
  std::optional<std::string> from = {}, to = {};  // Half-open, in either direction.
  std::optional<std::string> prefix = {};
  // First position within the range, inclusive; nullopt: the end where the walk begins.
  std::optional<std::string> start = {};
  bool reverse = false;
  bool fill_cache = false;
};

// Records one after the other. One thread; may outlive the reader that made it.
class RecordCursor {
 public:
  virtual ~RecordCursor() = default;
  // False: the end, or an error. The views are valid until the next call.
  virtual bool Next(std::string_view* key, std::string_view* value) = 0;
  virtual const Status& status() const = 0;
};

// A database at one moment. Thread-safe.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  virtual Sequence sequence() const = 0;  // Of that moment, including the logs.
  // `at`: an older sequence number, as far as compaction has kept it; nullopt: this moment.
  virtual Result<std::optional<Value>> Get(const std::string& family, std::string_view key,
                                           std::optional<Sequence> at) = 0;
  virtual std::vector<Result<std::optional<Value>>> MultiGet(const std::string& family,
                                                             const std::vector<std::string>& keys,
                                                             std::optional<Sequence> at) = 0;
  virtual Result<std::unique_ptr<RecordCursor>> Scan(const std::string& family,
                                                     const RecordRange& range,
                                                     std::optional<Sequence> at) = 0;
};

// Opens the database at `path` of `fs` in its current state, without changing any file.
using RecordOpener =
    std::function<Result<std::shared_ptr<RecordReader>>(FileSystem& fs, const std::string& path)>;

}  // namespace varve::api
