// SPDX-License-Identifier: Apache-2.0
// The result of Handle(): a complete body, or one that is read in pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webview/api/routing/request.h"

namespace varve::api {

// A body that is too large or too slow to be held in memory: JSON lines, an event stream, bytes of
// a file. One thread. Destroying it ends the work behind it.
class BodyStream {
 public:
  enum class Event : uint8_t {
    kPiece,  // *piece holds the next bytes, not empty.
    kWait,   // Nothing yet: call again later. Only for event streams.
    kEnd,
  };
  virtual ~BodyStream() = default;
  virtual Event Next(std::string* piece) = 0;
  // For a command line, once it has ended; 0: what Response::exit_code says.
  virtual int exit_code() const { return 0; }
};

struct Response {
  int status = 200;
  Headers headers = {};   // Includes Content-Type; never Content-Length, which the transport adds.
  std::string body = {};  // Empty if `stream` is set.
  std::unique_ptr<BodyStream> stream = nullptr;
  // Of `stream`, if known: a body that ends earlier has failed.
  std::optional<uint64_t> content_length = std::nullopt;
  // The exit code for a command line: 0, 1 for "found": false, otherwise the problem's. A stream
  // may find more wrong (BodyStream::exit_code()).
  int exit_code = 0;
};

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kJsonLinesType = "application/jsonl";
inline constexpr std::string_view kProblemType = "application/problem+json";
inline constexpr std::string_view kBytesType = "application/octet-stream";
inline constexpr std::string_view kEventsType = "text/event-stream";

}  // namespace varve::api
