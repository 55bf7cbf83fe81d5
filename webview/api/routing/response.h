// SPDX-License-Identifier: Apache-2.0
// What Handle() answers with: a whole body, or one that is pulled piece by piece.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webview/api/routing/request.h"

namespace varve::api {

// A body too long, or too slow in coming, to be held at once: JSON lines, an event stream, bytes of
// a file. One thread. Destroying it ends the work behind it.
class BodyStream {
 public:
  enum class Event : uint8_t {
    kPiece,  // *piece holds the next bytes, not empty.
    kWait,   // Nothing yet: ask again later. Only event streams say so.
    kEnd,
  };
  virtual ~BodyStream() = default;
  virtual Event Next(std::string* piece) = 0;
};

struct Response {
  int status = 200;
  Headers headers = {};   // Content-Type always; never Content-Length, which the transport knows.
  std::string body = {};  // Empty if `stream` is set.
  std::unique_ptr<BodyStream> stream = nullptr;
  // Of `stream`, where it is known: a body that turns out shorter has failed on the way.
  std::optional<uint64_t> content_length = std::nullopt;
  // What a command line that asked this exits with: 0, 1 for "found": false, else the problem's.
  int exit_code = 0;
};

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kJsonLinesType = "application/jsonl";
inline constexpr std::string_view kProblemType = "application/problem+json";
inline constexpr std::string_view kBytesType = "application/octet-stream";
inline constexpr std::string_view kEventsType = "text/event-stream";

}  // namespace varve::api
