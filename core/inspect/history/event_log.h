// SPDX-License-Identifier: Apache-2.0
// The events that RocksDB writes to its LOG, one JSON object per line:
//
//   2026/11/21-01:09:18.786 24334 EVENT_LOG_v1 {"time_micros": 17, "event": "flush_started", ...}
//
// LOG belongs to the current process, LOG.old.<microseconds> to earlier ones. RocksDB does not
// escape strings, so a line may be invalid JSON: such lines are counted and skipped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

// One level of a JSON object: member names, and values as source text, strings without their quotes
// but with their escapes. Nullopt if it is not an object.
using JsonMembers = std::vector<std::pair<std::string_view, std::string_view>>;
std::optional<JsonMembers> SplitJsonObject(std::string_view object);
// "[19, 17]" -> "19", "17". Nullopt if it is not an array.
std::optional<std::vector<std::string_view>> SplitJsonArray(std::string_view array);
// Null if there is no such member.
const std::string_view* FindMember(const JsonMembers& members, std::string_view name);

struct LogEvent {
  std::string log;           // "LOG", "LOG.old.1795223358786379".
  uint64_t offset = 0;       // Of the object in that file.
  uint64_t time_micros = 0;  // Unix.
  std::string type;          // "flush_started".
  std::optional<uint64_t> job;
  std::string json;  // The object as it is written.
};

// The events of a database directory, oldest log first. One thread.
class EventLogReader {
 public:
  static Result<EventLogReader> Open(FileSystem& fs, const std::string& directory);
  EventLogReader(EventLogReader&&) noexcept;
  EventLogReader& operator=(EventLogReader&&) noexcept;
  ~EventLogReader();

  bool Next(LogEvent* event);
  const Status& status() const;                  // Check it when Next() returns false.
  uint64_t unreadable() const;                   // Lines marked as events that are not valid JSON.
  const std::vector<std::string>& logs() const;  // The files, oldest first.

 private:
  struct Impl;
  explicit EventLogReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
