// SPDX-License-Identifier: Apache-2.0
// A route: one row of the table in route_table.cc. All members except the last three are mandatory:
// a row without them does not compile, so each route states who may call it and what it may cost.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "webview/api/routing/parameter.h"
#include "webview/api/routing/reply.h"

namespace varve::api {

class Call;
using Handler = Reply (*)(const Call& call);

enum class Method : uint8_t { kGet, kPost, kPatch, kDelete };  // HEAD is GET without the body.
std::string_view MethodName(Method method);

enum class Auth : uint8_t {
  kRead,   // Changes nothing. GET.
  kWork,   // Starts or ends work of the server, such as a verification. Changes no target.
  kWrite,  // Changes a target: only if the server was started with permission.
};

enum class Cost : uint8_t {
  kMemory,    // No I/O except checking whether the MANIFEST has grown.
  kManifest,  // May read the MANIFEST and the directory.
  kFile,      // A bounded number of blocks of one file.
  kScan,      // Blocks of several files, bounded by the rows returned.
  kJob,       // Only starts or queries a job.
};

// Must<T> is a T without default constructor.
template <typename T>
struct Must {
  template <typename From>
    requires std::convertible_to<From, T>
  constexpr Must(From v) : value(v) {}  // NOLINT: implicit by design
  constexpr operator T() const { return value; }
  T value;
};

// Maximum number of rows in one reply; kNoRows if it is not a list. A list also has the parameters
// page_size, page_token, limit and bytes, and supports `Accept: application/jsonl`.
inline constexpr size_t kNoRows = 0;
inline constexpr size_t kPageRowsMax = 10'000;

struct Route {
  Must<Method> method;
  // Segments after /api/v1: literal, "{name}", or "{name}:verb".
  Must<std::string_view> pattern;
  Must<Handler> handler;
  Must<Auth> auth;
  Must<size_t> max_rows;
  Must<Cost> cost;
  // Of the reply: a row of SchemaTable(), "a|b" for alternatives, or "" for bytes.
  Must<std::string_view> schema;
  Must<std::string_view> summary;  // One line, for openapi.json.
  ParameterList parameters = {};
  Json (*body)() = nullptr;  // The schema of the body of a POST or PATCH; null: any object.
  // Also works if the MANIFEST is damaged, with its readable part: see Call::damage().
  bool of_damaged_too = false;
};

}  // namespace varve::api
