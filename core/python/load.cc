// SPDX-License-Identifier: Apache-2.0
#include "core/python/load.h"

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "core/arrow/record_rows.h"
#include "core/python/batch_stream.h"
#include "core/python/errors.h"
#include "core/python/scan.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

constexpr size_t kBytesOfWrite = 1 << 20;  // At least, of a batch of the engine.
constexpr uint64_t kMaxRecordBytes = (uint64_t{4} << 30) - 65;  // write_batch.h

// A schema or an array, which is released at the end.
template <typename T>
struct Released : T {
  Released() : T{} {}
  ~Released() {
    if (this->release != nullptr) this->release(this);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
};

// The stream in the capsule, which belongs to that.
ArrowArrayStream& StreamIn(const nb::object& capsule) {
  void* const stream = PyCapsule_GetPointer(capsule.ptr(), kStreamName);
  if (stream == nullptr) throw nb::python_error();
  return *static_cast<ArrowArrayStream*>(stream);
}

// What a function of the stream returned.
Status StatusOf(ArrowArrayStream& stream, int code) {
  if (code == 0) return Status::Ok();
  const char* const why = stream.get_last_error(&stream);
  std::string message = "reading the stream: ";
  message += why != nullptr ? why : "error " + std::to_string(code);
  return code == EINVAL ? Status::InvalidArgument(std::move(message))
                        : Status::IoError(std::move(message));
}

// Works without the GIL, like what it calls.
class Loader {
 public:
  Loader(const Family& family, ArrowArrayStream& stream, Durability durability)
      : family_(family), stream_(stream), durability_(durability) {}

  Status Begin(arrow::RecordShape shape) {
    Released<ArrowSchema> schema;
    if (Status got = StatusOf(stream_, stream_.get_schema(&stream_, &schema)); !got.ok())
      return got;
    Result<arrow::RecordRows> found = arrow::RecordRows::Find(schema, std::move(shape));
    if (found.ok()) rows_.emplace(*std::move(found));
    return found.status();
  }

  // False behind the last batch.
  Result<bool> LoadBatch(DB& db) {
    Released<ArrowArray> batch;
    if (Status got = StatusOf(stream_, stream_.get_next(&stream_, &batch)); !got.ok()) return got;
    if (batch.release == nullptr) return false;
    if (Status written = Write(db, batch); !written.ok()) {
      return written.At("batch " + std::to_string(batches_));
    }
    ++batches_;
    return true;
  }

  uint64_t records() const { return records_; }

 private:
  Status Write(DB& db, const ArrowArray& batch) {
    if (Status begun = rows_->Begin(batch); !begun.ok()) return begun;
    WriteBatch changes;
    for (int64_t row = 0; row < batch.length; ++row) {
      if (Status added = Add(row, &changes); !added.ok()) return added;
      if (changes.bytes().size() < kBytesOfWrite && row + 1 < batch.length) continue;
      if (Status written = WriteChanges(db, &changes); !written.ok()) return written;
    }
    return Status::Ok();
  }

  Status Add(int64_t row, WriteBatch* changes) {
    const Result<std::string_view> key = rows_->Key(row), value = rows_->Value(row);
    if (!key.ok()) return key.status();
    if (!value.ok()) return value.status();
    // The engine says itself what else is too large, but ends the process at more than this.
    if (key->size() > kMaxRecordBytes || value->size() > kMaxRecordBytes - key->size()) {
      return Status::InvalidArgument("row " + std::to_string(row) + ": a record of " +
                                     std::to_string(key->size() + value->size()) +
                                     " bytes is too large");
    }
    changes->Put(*key, *value, family_.id());
    return Status::Ok();
  }

  Status WriteChanges(DB& db, WriteBatch* changes) {
    const uint32_t count = changes->count();
    const WriteOptions options = {.durability = durability_};
    Status written = OrEnd([&] { return db.Write(options, std::move(*changes)); });
    if (written.ok()) records_ += count;
    return written;
  }

  const Family& family_;
  ArrowArrayStream& stream_;
  const Durability durability_;
  std::optional<arrow::RecordRows> rows_;
  uint64_t batches_ = 0, records_ = 0;
};

}  // namespace

uint64_t Load(const Family& family, const nb::object& table, const std::optional<Name>& key,
              const std::optional<Name>& value, const std::optional<Name>& key_schema,
              const std::optional<Name>& value_schema, Durability durability) {
  if ((key && key_schema) || (value && value_schema)) {
    throw nb::value_error("load(): a schema names the columns itself");
  }
  arrow::RecordShape shape = ShapeOf(key_schema, value_schema);
  if (key) shape.key_name = key->text;
  if (value) shape.value_name = value->text;
  family.open()->CheckOpen();
  if (!nb::hasattr(table, "__arrow_c_stream__")) {
    throw nb::type_error("load(): an object with __arrow_c_stream__ is needed");
  }
  const nb::object capsule = table.attr("__arrow_c_stream__")();  // Releases the stream at its end.
  ArrowArrayStream& stream = StreamIn(capsule);
  if (stream.release == nullptr) throw nb::value_error("load(): the stream was used already");
  Loader loader(family, stream, durability);
  Check(Unlocked([&] { return loader.Begin(std::move(shape)); }));
  for (bool more = true; more;) {
    const std::shared_ptr<DB> db = family.open()->Use();
    more = Unwrap(Unlocked([&] { return loader.LoadBatch(*db); }));
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return loader.records();
}

}  // namespace varve::python
