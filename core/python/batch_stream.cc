// SPDX-License-Identifier: Apache-2.0
#include "core/python/batch_stream.h"

#include <cerrno>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "core/arrow/c_export.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

int ErrnoOf(Code code) {
  switch (code) {
    case Code::kShutdown:
      return ESHUTDOWN;
    case Code::kNotSupported:
      return ENOTSUP;
    case Code::kInvalidArgument:
      return EINVAL;
    case Code::kBusy:
      return EBUSY;
    default:
      return EIO;
  }
}

class BatchStream {
 public:
  BatchStream(std::shared_ptr<OpenDb> open, Cursor cursor, arrow::Columns columns, bool reverse)
      : open_(std::move(open)),
        cursor_(open_, std::make_shared<Cursor>(std::move(cursor))),
        columns_(columns),
        reverse_(reverse) {}

  void GiveSchema(ArrowSchema* out) const { arrow::ExportSchema(columns_, out); }
  // Needs the GIL.
  int GiveNext(ArrowArray* out);
  const char* error() const { return error_.empty() ? nullptr : error_.c_str(); }
  int Fail(int code, std::string message) {
    error_ = std::move(message);
    return code;
  }

 private:
  arrow::RecordColumns Read(Cursor& cursor);

  const std::shared_ptr<OpenDb> open_;
  Held<Cursor> cursor_;
  const arrow::Columns columns_;
  const bool reverse_;
  bool positioned_ = false;
  bool reading_ = false;       // Now, with the GIL released.
  std::optional<Status> end_;  // Nothing follows, and why.
  std::string error_;
};

int BatchStream::GiveNext(ArrowArray* out) {
  if (reading_) return EBUSY;  // error_ is the other thread's.
  arrow::RecordColumns records(columns_);
  if (const Status usable = open_->State(); !usable.ok()) end_ = usable;
  if (!end_.has_value()) {
    const std::shared_ptr<Cursor> cursor = cursor_.Use();
    const Raised reading(&reading_);
    records = Unlocked([&] { return Read(*cursor); });
    if (const Status usable = open_->State(); !usable.ok()) end_ = usable;  // Closed meanwhile.
  }
  if (records.rows() > 0) {
    arrow::ExportBatch(std::move(records), out);
    return 0;
  }
  cursor_.Drop();
  if (!end_->ok()) return Fail(ErrnoOf(end_->code()), std::string(end_->message()));
  *out = {};
  return 0;
}

arrow::RecordColumns BatchStream::Read(Cursor& cursor) {
  Iterator& it = cursor.it;
  arrow::RecordColumns records(columns_);
  if (!positioned_) reverse_ ? it.SeekToLast() : it.SeekToFirst();
  positioned_ = true;
  const bool values = columns_ == arrow::Columns::kKeysAndValues;
  while (it.Valid() && !records.full()) {
    records.Append(it.key(), values ? it.value() : "");
    reverse_ ? it.Prev() : it.Next();
  }
  if (!it.Valid()) end_ = it.status();
  return records;
}

BatchStream& Of(ArrowArrayStream* stream) {
  return *static_cast<BatchStream*>(stream->private_data);
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  Of(stream).GiveSchema(out);
  return 0;
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  const nb::gil_scoped_acquire locked;
  try {
    return Of(stream).GiveNext(out);
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

const char* GetLastError(ArrowArrayStream* stream) { return Of(stream).error(); }

void Release(ArrowArrayStream* stream) {
  if (!nb::is_alive()) return;  // The engine may not be destroyed any more.
  const nb::gil_scoped_acquire locked;
  delete &Of(stream);
  stream->release = nullptr;
}

}  // namespace

void ExportStream(std::shared_ptr<OpenDb> open, Cursor cursor, arrow::Columns columns, bool reverse,
                  ArrowArrayStream* out) {
  *out = {.get_schema = &GetSchema,
          .get_next = &GetNext,
          .get_last_error = &GetLastError,
          .release = &Release,
          .private_data = new BatchStream(std::move(open), std::move(cursor), columns, reverse)};
}

}  // namespace varve::python
