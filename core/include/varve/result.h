// SPDX-License-Identifier: Apache-2.0
// Result<T> is a T or the Status that explains why there is none.
#pragma once

#include <optional>
#include <utility>

#include "varve/export.h"
#include "varve/status.h"

namespace varve {

// Ends the process: somebody took the value of a failed Result without looking.
[[noreturn]] VARVE_EXPORT void ResultMisused(const Status& status);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}           // NOLINT: implicit by design
  Result(Status error) : error_(std::move(error)) {       // NOLINT: implicit by design
    if (error_.ok()) ResultMisused(error_);
  }

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return error_; }

  T& operator*() & { return Checked(); }
  const T& operator*() const& { return const_cast<Result*>(this)->Checked(); }
  T&& operator*() && { return std::move(Checked()); }
  T* operator->() { return &Checked(); }
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
