// SPDX-License-Identifier: Apache-2.0
// A route: one row of the table in route_table.cc. Each member but the last three must be given: a
// row that leaves one out does not compile, so nobody adds a route without having said who may call
// it and what it can cost.
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
  kWork,   // Starts or ends work of the server's own, such as a verification. Changes no target.
  kWrite,  // Changes a target: only where the server was started to allow it.
};

enum class Cost : uint8_t {
  kMemory,    // No I/O but finding out whether the MANIFEST has grown.
  kManifest,  // May read the MANIFEST and the directory.
  kFile,      // A bounded number of blocks of one file.
  kScan,      // Blocks of several files, bounded by the rows returned.
  kJob,       // Only starts or looks at a job.
};

// Must<T> is a T that has no default.
template <typename T>
struct Must {
  template <typename From>
    requires std::convertible_to<From, T>
  constexpr Must(From v) : value(v) {}  // NOLINT: implicit by design
  constexpr operator T() const { return value; }
  T value;
};

// How many rows one reply holds at most; kNoRows for what is no list. A list also understands
// page_size, page_token, limit and bytes, and `Accept: application/jsonl`.
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
  // Of the reply: a row of SchemaTable(), "a|b" for one of several, or "" for bytes.
  Must<std::string_view> schema;
  Must<std::string_view> summary;  // One line, for openapi.json.
  ParameterList parameters = {};
  Json (*body)() = nullptr;  // The schema of what a POST or PATCH brings; null: any object.
  // Answers also where the MANIFEST is damaged, with what can be read of it: see Call::damage().
  bool of_damaged_too = false;
};

}  // namespace varve::api
