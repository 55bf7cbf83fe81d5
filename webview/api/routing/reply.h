// SPDX-License-Identifier: Apache-2.0
// The result of a handler: a document, a list (list.h turns it into pages or JSON lines), a
// complete response (bytes, an event stream) or a problem.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "webview/api/json/list.h"
#include "webview/api/routing/problem.h"
#include "webview/api/routing/response.h"

namespace varve::api {

class Reply {
 public:
  Reply(Json document) : value_(std::move(document)) {}                // NOLINT: implicit by design
  Reply(List list) : value_(std::move(list)) {}                        // NOLINT: implicit by design
  Reply(Response response) : value_(std::move(response)) {}            // NOLINT: implicit by design
  Reply(Problem problem) : value_(std::move(problem)) {}               // NOLINT: implicit by design
  Reply(const Status& status) : value_(Problem::OfReading(status)) {}  // NOLINT: implicit by design

  // 201, 202, …; documents only.
  Reply&& WithStatus(int http) && { return status_ = http, std::move(*this); }
  Reply&& WithHeader(std::string name, std::string value) && {
    headers_.emplace_back(std::move(name), std::move(value));
    return std::move(*this);
  }
  // A negative result on the command line; not part of the HTTP status (absence is not an error).
  Reply&& WithExit(int code) && { return exit_ = code, std::move(*this); }
  // The answer depends only on the bytes of one immutable file, identified by `identity`.
  Reply&& Immutable(std::string identity) && {
    return identity_ = std::move(identity), std::move(*this);
  }

  std::variant<Json, List, Response, Problem>& value() { return value_; }
  int http_status() const { return status_; }
  int exit_code() const { return exit_; }
  const Headers& headers() const { return headers_; }
  const std::string& identity() const { return identity_; }

 private:
  std::variant<Json, List, Response, Problem> value_;
  int status_ = 200;
  int exit_ = 0;
  Headers headers_;
  std::string identity_;
};

}  // namespace varve::api
