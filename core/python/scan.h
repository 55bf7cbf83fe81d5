// SPDX-License-Identifier: Apache-2.0
// Scan: records for programs that take Arrow's record batches.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "core/python/view.h"

namespace varve::python {

// What scan() gives: a range of a view, which can be read many times. Each stream is an iterator of
// the engine, and sees what that sees.
class Scan {
 public:
  Scan(View view, Bounds bounds, bool reverse, bool values)
      : view_(std::move(view)), bounds_(std::move(bounds)), reverse_(reverse), values_(values) {}

  // A capsule with an ArrowArrayStream.
  nanobind::object Stream() const;

 private:
  View view_;
  Bounds bounds_;
  bool reverse_, values_;
};

void BindScan(nanobind::module_& module);

}  // namespace varve::python
