// SPDX-License-Identifier: Apache-2.0
// Scan: records for programs that take Arrow's record batches.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

#include "core/arrow/record_shape.h"
#include "core/python/bytes.h"
#include "core/python/view.h"

namespace varve::python {

// What scan() gives: a range of a view, which can be read many times. Each stream is an iterator of
// the engine, and sees what that sees.
class Scan {
 public:
  Scan(View view, Bounds bounds, bool reverse, arrow::RecordShape shape)
      : view_(std::move(view)),
        bounds_(std::move(bounds)),
        reverse_(reverse),
        shape_(std::move(shape)) {}

  // A capsule with an ArrowArrayStream.
  nanobind::object Stream() const;

 private:
  View view_;
  Bounds bounds_;
  bool reverse_;
  arrow::RecordShape shape_;
};

// The columns that records have by these schemas. Raises InvalidArgument if one cannot be read.
arrow::RecordShape ShapeOf(const std::optional<Name>& key_schema,
                           const std::optional<Name>& value_schema);

void BindScan(nanobind::module_& module);

}  // namespace varve::python
