// SPDX-License-Identifier: Apache-2.0
// An error of a request: an RFC 9457 problem. The table in problem.cc defines title, HTTP
// status and exit code for each code, for all users.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "varve/status.h"
#include "webview/api/json/json.h"
#include "webview/api/routing/response.h"

namespace varve::api {

struct ProblemKind {
  std::string_view code;  // "page_token_mismatch"
  std::string_view title;
  int http;
  int exit;
  bool retryable;
};

class Problem {
 public:
  // `code` must be in the table; an unknown one becomes "internal".
  Problem(std::string_view code, std::string detail);
  // Maps the Status of a failed operation. Kinds of damage with codes of their own, and an unknown
  // column family, are recognised by the message; its place ("name@offset: ") becomes "location".
  Problem(const Status& status);  // NOLINT: implicit by design, so that RETURN_IF_ERROR works.

  // For a read within an open target: a missing file was deleted by a compaction meanwhile, and a
  // retry uses the new MANIFEST.
  static Problem OfReading(const Status& status);
  // The same, or nullopt if it is ok, for List::problem.
  static std::optional<Problem> OfFailure(const Status& status);

  // Adds one of the optional members: "hint", "restart_href", "allow", …
  Problem&& With(std::string_view member, Json value) &&;
  // Replaces the HTTP status: HTTP has several for some codes.
  Problem&& WithStatus(int http) &&;

  // A place in a file.
  struct Location {
    std::string file;
    uint64_t offset = 0;
  };

  const ProblemKind& kind() const { return *kind_; }
  int http() const { return http_; }
  const std::string& detail() const { return detail_; }
  const std::optional<Location>& location() const { return location_; }
  const Json* more(std::string_view member) const;  // Null: it has none.
  Json ToJson() const;
  Response ToResponse() const;

 private:
  const ProblemKind* kind_;
  int http_;
  std::string detail_;
  std::optional<Location> location_;
  Json more_ = Json::object();
};

// For an error within an answer; nullopt if it is ok.
std::optional<Json> ProblemJson(const Status& status);
Json ProblemSchema();

}  // namespace varve::api
