// SPDX-License-Identifier: Apache-2.0
// A Status that is not ok becomes the exception of its code: varve/_errors.py.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "varve/result.h"
#include "varve/status.h"

namespace varve::python {

// Throws the exception of the status, which must not be ok. Needs the GIL.
[[noreturn]] void Raise(const Status& status);

// The status of an exception of that class of varve/_errors.py; kIoError of others. Needs no GIL.
Status StatusOf(std::string_view class_name, std::string message);

// Throws unless the status is ok. Needs the GIL.
inline void Check(const Status& status) {
  if (!status.ok()) Raise(status);
}

// The value; throws if there is none. Needs the GIL.
template <typename T>
T Unwrap(Result<T> result) {
  if (!result.ok()) Raise(result.status());
  return *std::move(result);
}

}  // namespace varve::python
