// SPDX-License-Identifier: Apache-2.0
// A route: one row of a resource's table (resources/). All members except the last four are
// mandatory: a row without them does not compile, so each route states who may call it and what it
// may cost.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "webview/api/routing/parameter.h"
#include "webview/api/routing/reply.h"
#include "webview/api/schema/schema.h"
#include "webview/api/schema/shape.h"

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

// What a request is about. With Auth, it is the right that it needs: to write for Auth::kWrite, to
// read otherwise. Call::Make() checks it.
enum class Part : uint8_t {
  kServer,  // No target, or a list of those that the caller may see some of.
  kSome,    // Some part of {t}: the handler shows, or touches, what the caller has the right to.
  kTarget,  // All of {t}.
  kFamily,  // The column family {cf} of {t}.
  kFile,    // The family that has the table {n} now; all of {t} if none has.
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

// What a reply is: one of these documents, or bytes. Named by reference: a document that does not
// exist does not compile.
class Documents {
 public:
  static constexpr size_t kDocumentsMax = 12;

  consteval Documents(const DocumentSchema& only) : list_{&only}, count_(1) {}  // NOLINT: implicit
  consteval Documents(std::initializer_list<const DocumentSchema*> list) {
    for (const DocumentSchema* document : list) list_.at(count_++) = document;
  }
  static consteval Documents None() {
    return Documents(std::initializer_list<const DocumentSchema*>{});
  }

  constexpr std::span<const DocumentSchema* const> list() const { return {list_.data(), count_}; }
  // Of the first; empty if the reply is bytes.
  constexpr std::string_view name() const {
    return count_ == 0 ? std::string_view() : list_[0]->name;
  }

 private:
  std::array<const DocumentSchema*, kDocumentsMax> list_{};
  size_t count_ = 0;
};

// The description of a body, with its type erased: BodyOf<KeysBody>.
class BodyDescription {
 public:
  constexpr BodyDescription() = default;                  // The route takes none.
  constexpr BodyDescription(const BodyShape& (*shape)())  // NOLINT: implicit
      : shape_(shape), given_(true) {}

  constexpr bool given() const { return given_; }
  const BodyShape& shape() const { return shape_(); }

 private:
  const BodyShape& (*shape_)() = nullptr;
  // Not `shape_ != nullptr`: with -fsanitize=undefined gcc holds that for no constant expression.
  bool given_ = false;
};
template <auto kShape>
const BodyShape& BodyOf() {
  return kShape();
}

struct Route {
  Must<Method> method;
  // Segments after /api/v1: literal, "{name}", or "{name}:verb".
  Must<std::string_view> pattern;
  Must<Handler> handler;
  Must<Auth> auth;
  Must<Part> part;
  Must<size_t> max_rows;
  Must<Cost> cost;
  Documents documents;             // Of the reply.
  Must<std::string_view> summary;  // One line, for openapi.json.
  ParameterList parameters = {};
  BodyDescription body = {};  // Of a POST or PATCH, which must have one. See Call::Body().
  // Of a POST: its body is bytes, of any number (Call::Bytes()), instead of JSON.
  bool takes_bytes = false;
  // Also works if the MANIFEST is damaged, with its readable part: see Call::damage().
  bool of_damaged_too = false;
};

// Whether the path names what the part is of.
consteval bool IsOf(Part part, std::string_view pattern) {
  const auto has = [&](std::string_view name) {
    return pattern.find(name) != std::string_view::npos;
  };
  return (part == Part::kServer) != has("{t}") && (part == Part::kFamily) == has("{cf}") &&
         (part != Part::kFile || has("/files/{n}"));
}

// Invariants of the routes of a resource, for a static_assert beside them.
consteval bool AreSound(std::span<const Route> routes) {
  for (const Route& route : routes) {
    const Method method = route.method;
    if (!route.pattern.value.starts_with('/') || route.summary.value.empty()) return false;
    if (route.max_rows > kPageRowsMax || !IsOf(route.part, route.pattern)) return false;
    if ((route.auth.value == Auth::kRead) != (method == Method::kGet)) return false;
    const bool takes_body = method == Method::kPost || method == Method::kPatch;
    if (takes_body != (route.body.given() != route.takes_bytes)) return false;
    for (const Route& other : routes) {
      if (&other != &route && other.method.value == method &&
          other.pattern.value == route.pattern.value) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace varve::api
