// SPDX-License-Identifier: Apache-2.0
// Answer<T> is a T or the Problem that says why there is none: like Result<T>, for the API. It has
// the members that RETURN_IF_ERROR and ASSIGN_OR_RETURN (core/base/try.h) use, so handlers can mix
// calls that return Result with calls that return Answer.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "core/base/check.h"
#include "webview/api/routing/problem.h"

namespace varve::api {

template <typename T>
class [[nodiscard]] Answer {
 public:
  Answer(T value) : value_(std::move(value)) {}                // NOLINT: implicit by design
  Answer(Problem problem) : problem_(std::move(problem)) {}    // NOLINT: implicit by design
  Answer(const Status& status) : problem_(Problem(status)) {}  // NOLINT: implicit by design

  bool ok() const { return value_.has_value(); }
  const Problem& status() const {  // Requires !ok().
    CHECK(problem_.has_value());
    return *problem_;
  }

  T& operator*() & { return *value_; }  // These require ok().
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  std::optional<Problem> problem_;
};

// Success without a value.
using Done = std::monostate;

}  // namespace varve::api

// Returns from the enclosing function if `expr` (an Answer) has a problem.
#define RETURN_IF_PROBLEM(expr)                                        \
  do {                                                                 \
    if (auto answer_ = (expr); !answer_.ok()) return answer_.status(); \
  } while (false)
