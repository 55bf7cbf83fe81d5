// SPDX-License-Identifier: Apache-2.0
#include "core/python/batch_stream.h"

#include <cerrno>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/arrow/c_export.h"
#include "core/arrow/record_columns.h"

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

constexpr size_t kRecordsAhead = 1000;

class BatchStream {
 public:
  BatchStream(std::shared_ptr<OpenDb> open, Cursor cursor, arrow::RecordShape shape, bool reverse)
      : open_(std::move(open)),
        cursor_(open_, std::make_shared<Cursor>(std::move(cursor))),
        shape_(std::move(shape)),
        reverse_(reverse) {}

  void GiveSchema(ArrowSchema* out) const { arrow::ExportSchema(shape_.Fields(), out); }
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
  const arrow::RecordShape shape_;
  const bool reverse_;
  bool positioned_ = false;
  std::span<const Record> ahead_;  // Read and not given, in the cursor's memory. Forward only.
  bool reading_ = false;           // Now, with the GIL released.
  std::optional<Status> end_;      // Nothing follows, and why.
  std::string error_;
};

int BatchStream::GiveNext(ArrowArray* out) {
  if (reading_) return EBUSY;  // error_ is the other thread's.
  arrow::RecordColumns records(shape_);
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
  arrow::RecordColumns records(shape_);
  if (!positioned_) reverse_ ? it.SeekToLast() : it.SeekToFirst();
  positioned_ = true;
  const auto append = [&](std::string_view key, std::string_view value) {
    const Status fits = records.Append(key, shape_.has_values ? value : "");
    if (!fits.ok()) end_ = fits;
    return fits.ok();
  };
  if (reverse_) {
    for (; it.Valid() && !records.full(); it.Prev()) {
      if (!append(it.key(), it.value())) return records;
    }
  } else {
    while (!records.full() && (!ahead_.empty() || it.Valid())) {
      if (ahead_.empty()) ahead_ = it.NextBatch(kRecordsAhead);
      for (; !ahead_.empty() && !records.full(); ahead_ = ahead_.subspan(1)) {
        if (!append(ahead_.front().key, ahead_.front().value)) return records;
      }
    }
  }
  if (ahead_.empty() && !it.Valid()) end_ = it.status();
  return records;
}

BatchStream& Of(ArrowArrayStream* stream) {
  return *static_cast<BatchStream*>(stream->private_data);
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  try {
    Of(stream).GiveSchema(out);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
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

void ExportStream(std::shared_ptr<OpenDb> open, Cursor cursor, arrow::RecordShape shape,
                  bool reverse, ArrowArrayStream* out) {
  *out = {.get_schema = &GetSchema,
          .get_next = &GetNext,
          .get_last_error = &GetLastError,
          .release = &Release,
          .private_data =
              new BatchStream(std::move(open), std::move(cursor), std::move(shape), reverse)};
}

}  // namespace varve::python
