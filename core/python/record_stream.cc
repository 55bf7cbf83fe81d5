// SPDX-License-Identifier: Apache-2.0
#include "core/python/record_stream.h"

#include <cerrno>
#include <string>
#include <utility>

#include "core/python/batch_stream.h"
#include "core/python/scan.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

constexpr uint64_t kMaxRecordBytes = (uint64_t{4} << 30) - 65;  // write_batch.h

nb::object CapsuleOf(const nb::object& table) {
  if (!nb::hasattr(table, "__arrow_c_stream__")) {
    throw nb::type_error("an object with __arrow_c_stream__ is needed");
  }
  return table.attr("__arrow_c_stream__")();
}

ArrowArrayStream* StreamIn(const nb::object& capsule) {
  void* const stream = PyCapsule_GetPointer(capsule.ptr(), kStreamName);
  if (stream == nullptr) throw nb::python_error();
  return static_cast<ArrowArrayStream*>(stream);
}

}  // namespace

arrow::RecordShape ShapeOfColumns(const std::optional<Name>& key, const std::optional<Name>& value,
                                  const std::optional<Name>& key_schema,
                                  const std::optional<Name>& value_schema) {
  if ((key && key_schema) || (value && value_schema)) {
    throw nb::value_error("a schema names the columns itself");
  }
  arrow::RecordShape shape = ShapeOf(key_schema, value_schema);
  if (key) shape.key_name = key->text;
  if (value) shape.value_name = value->text;
  return shape;
}

RecordStream::RecordStream(const nb::object& table)
    : capsule_(CapsuleOf(table)), stream_(StreamIn(capsule_)) {
  if (stream_->release == nullptr) throw nb::value_error("the stream was used already");
}

Status RecordStream::Begin(arrow::RecordShape shape) {
  Released<ArrowSchema> schema;
  if (Status got = StatusOf(stream_->get_schema(stream_, &schema)); !got.ok()) return got;
  Result<arrow::RecordRows> found = arrow::RecordRows::Find(schema, std::move(shape));
  if (found.ok()) rows_.emplace(*std::move(found));
  return found.status();
}

Result<std::optional<int64_t>> RecordStream::Next() {
  batch_.Release();
  if (Status got = StatusOf(stream_->get_next(stream_, &batch_)); !got.ok()) return got;
  if (batch_.release == nullptr) return std::optional<int64_t>();
  ++batches_;
  if (Status begun = rows_->Begin(batch_); !begun.ok()) return InBatch(std::move(begun));
  return std::optional(batch_.length);
}

Result<RecordStream::Record> RecordStream::At(int64_t row) {
  const Result<std::string_view> key = rows_->Key(row), value = rows_->Value(row);
  if (!key.ok()) return key.status();
  if (!value.ok()) return value.status();
  // The engine says itself what else is too large, but ends the process at more than this.
  if (key->size() > kMaxRecordBytes || value->size() > kMaxRecordBytes - key->size()) {
    return Status::InvalidArgument("row " + std::to_string(row) + ": a record of " +
                                   std::to_string(key->size() + value->size()) +
                                   " bytes is too large");
  }
  return Record{*key, *value};
}

Status RecordStream::InBatch(Status status) const {
  if (status.ok()) return status;
  return status.At("batch " + std::to_string(batches_ - 1));
}

// What a function of the stream returned.
Status RecordStream::StatusOf(int code) {
  if (code == 0) return Status::Ok();
  const char* const why = stream_->get_last_error(stream_);
  std::string message = "reading the stream: ";
  message += why != nullptr ? why : "error " + std::to_string(code);
  return code == EINVAL ? Status::InvalidArgument(std::move(message))
                        : Status::IoError(std::move(message));
}

}  // namespace varve::python
