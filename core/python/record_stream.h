// SPDX-License-Identifier: Apache-2.0
// Keys and values from an object of Python that gives Arrow's record batches.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/arrow/c_data.h"
#include "core/arrow/record_rows.h"
#include "core/arrow/record_shape.h"
#include "core/python/bytes.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve::python {

// Which columns keys and values are made of, by the arguments of load() and others: those that are
// named, or those of the schemas. Raises ValueError for a name beside a schema, and InvalidArgument
// for a schema that cannot be read.
arrow::RecordShape ShapeOfColumns(const std::optional<Name>& key, const std::optional<Name>& value,
                                  const std::optional<Name>& key_schema,
                                  const std::optional<Name>& value_schema);

// Made and destroyed with the GIL; the other functions need no GIL. One thread at a time.
class RecordStream {
 public:
  // The stream of an object with __arrow_c_stream__. Raises TypeError for another object, and
  // ValueError for a stream that was used already.
  explicit RecordStream(const nanobind::object& table);
  RecordStream(const RecordStream&) = delete;
  RecordStream& operator=(const RecordStream&) = delete;

  // Finds the columns. InvalidArgument if one is missing or of another type.
  Status Begin(arrow::RecordShape shape);
  // Reads the next batch and returns its number of rows; nullopt behind the last one.
  Result<std::optional<int64_t>> Next();
  // Of a row of the batch; valid until the next call. InvalidArgument also for more bytes than a
  // record may have.
  struct Record {
    std::string_view key, value;
  };
  Result<Record> At(int64_t row);
  // The key alone, of a shape without values.
  Result<std::string_view> KeyAt(int64_t row) { return rows_->Key(row); }
  // An error with the number of the batch, which began with 0.
  Status InBatch(Status status) const;

 private:
  // Released at the end of its life, and before it is filled again.
  template <typename T>
  struct Released : T {
    Released() : T{} {}
    ~Released() { Release(); }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    void Release() {
      if (this->release != nullptr) this->release(this);
    }
  };

  Status StatusOf(int code);

  const nanobind::object capsule_;  // Releases the stream at its end.
  ArrowArrayStream* const stream_;
  std::optional<arrow::RecordRows> rows_;
  Released<ArrowArray> batch_;
  int64_t batches_ = 0;
};

}  // namespace varve::python
