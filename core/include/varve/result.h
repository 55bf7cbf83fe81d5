// SPDX-License-Identifier: Apache-2.0
// Result<T> is a T, or the Status that says why there is none. Thread-compatible, if T is.
#pragma once

#include <optional>
#include <utility>

#include "varve/export.h"
#include "varve/status.h"

namespace varve {

// Ends the process with `status` on standard error: the value of a failed Result was used, or a
// Result was made from a Status that is ok.
[[noreturn]] VARVE_EXPORT void ResultMisused(const Status& status);

// A T, or a Status that is not ok. Check ok() before using the value: using it when there is none
// ends the process (see ResultMisused()), in release builds as well. A moved-from success still is
// ok() and holds a moved-from T. It owns both: references to them live as long as it does.
template <typename T>
class [[nodiscard]] Result {
 public:
  // A success.
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit by design
  // A failure; `error` must not be ok.
  Result(Status error) : error_(std::move(error)) {  // NOLINT: implicit by design
    if (error_.ok()) ResultMisused(error_);
  }

  // There is a value.
  bool ok() const { return value_.has_value(); }
  // Ok, or why there is no value.
  const Status& status() const { return error_; }

  // The value, which lives as long as this Result. Requires ok().
  T& operator*() & { return Checked(); }
  // The value. Requires ok().
  const T& operator*() const& { return const_cast<Result*>(this)->Checked(); }
  // The value, as an rvalue. Requires ok().
  T&& operator*() && { return std::move(Checked()); }
  // Its members. Requires ok().
  T* operator->() { return &Checked(); }
  // Its members. Requires ok().
  const T* operator->() const { return &const_cast<Result*>(this)->Checked(); }

 private:
  T& Checked() {
    if (!value_.has_value()) ResultMisused(error_);
    return *value_;
  }

  std::optional<T> value_;
  Status error_;
};

}  // namespace varve
