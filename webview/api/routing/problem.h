// SPDX-License-Identifier: Apache-2.0
// Why a request has no answer: an RFC 9457 problem. The table in problem.cc (api.md section 4) has
// for each code its title, HTTP status and exit code; nothing else decides these.
#pragma once

#include <optional>
#include <span>
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
std::span<const ProblemKind> ProblemKinds();

class Problem {
 public:
  // `code` must be in the table; an unknown one becomes "internal".
  Problem(std::string_view code, std::string detail);
  // What a failed operation below means to a caller. The kinds of damage that have codes of their
  // own are told apart by the message; its place ("name@offset: ") becomes "location".
  Problem(const Status& status);  // NOLINT: implicit by design, so that RETURN_IF_ERROR works.

  // Of a read within a target that is open: what is not there has vanished, since a compaction was
  // faster, and asking again looks at the MANIFEST as it is by then.
  static Problem OfReading(const Status& status);
  // The same, or nothing if it did not fail: what List::problem takes.
  static std::optional<Problem> OfFailure(const Status& status);

  // A stored figure is larger than JSON can carry exactly.
  static Problem OfLargeNumber();

  // A further member of the object: "location", "hint", "restart_href", "lost_range", …
  Problem&& With(std::string_view member, Json value) && {
    more_[std::string(member)] = std::move(value);
    return std::move(*this);
  }

  const ProblemKind& kind() const { return *kind_; }
  const std::string& detail() const { return detail_; }
  Json ToJson() const;
  Response ToResponse() const;

 private:
  const ProblemKind* kind_;
  std::string detail_;
  Json more_ = Json::object();
};

// Of a failure that is a part of an answer; nullopt if it is none.
std::optional<Json> ProblemJson(const Status& status);
Json ProblemSchema();

}  // namespace varve::api
