// SPDX-License-Identifier: Apache-2.0
#include "core/python/records.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/python/bytes.h"
#include "core/python/errors.h"
#include "core/python/pickling.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

constexpr size_t kMaxRecordsAhead = 256;
constexpr size_t kMaxBytesAhead = 1 << 20;  // Except for a single record that is larger.

}  // namespace

Records::Records(const std::shared_ptr<OpenDb>& open, Cursor cursor, Part part, bool reverse)
    : open_(open),
      cursor_(std::make_unique<Held<Cursor>>(open, std::make_shared<Cursor>(std::move(cursor)))),
      part_(part),
      reverse_(reverse) {}

nb::object Records::Next() {
  open_->CheckOpen();
  while (next_ == chunk_.sizes.size()) {
    if (chunk_.end.has_value()) Finish();
    Refill();
  }
  return Take();
}

void Records::Refill() {
  if (reading_) throw std::runtime_error("another thread is using this iterator");
  const std::shared_ptr<Cursor> cursor = cursor_->Use();
  {
    const Raised reading(&reading_);
    chunk_ = Unlocked([&] { return Read(*cursor); });
  }
  open_->CheckOpen();  // Closed meanwhile.
  next_ = offset_ = 0;
  positioned_ = true;
  records_ahead_ = std::min(2 * records_ahead_, kMaxRecordsAhead);
  // list() and the like do not look for signals themselves. The records are given by the next call.
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

Records::Chunk Records::Read(Cursor& cursor) const {
  Iterator& it = cursor.it;
  Chunk chunk;
  if (!positioned_) reverse_ ? it.SeekToLast() : it.SeekToFirst();
  const auto append = [&](std::string_view key, std::string_view value) {
    if (part_ == Part::kValue) key = {};
    if (part_ == Part::kKey) value = {};
    chunk.bytes.append(key).append(value);
    chunk.sizes.push_back({.key = key.size(), .value = value.size()});
  };
  if (reverse_) {
    for (; it.Valid() && chunk.sizes.size() < records_ahead_; it.Prev()) {
      if (chunk.bytes.size() >= kMaxBytesAhead) break;
      append(it.key(), it.value());
    }
  } else if (it.Valid()) {
    for (const Record& record : it.NextBatch(records_ahead_)) append(record.key, record.value);
  }
  if (!it.Valid()) chunk.end = it.status();
  return chunk;
}

void Records::Finish() {
  const Status end = std::exchange(*chunk_.end, Status::Ok());  // An error is raised once.
  cursor_->Drop();
  Check(end);
  throw nb::stop_iteration();
}

nb::object Records::Take() {
  const Chunk::Sizes sizes = chunk_.sizes[next_++];
  const std::string_view key(chunk_.bytes.data() + offset_, sizes.key);
  const std::string_view value(key.data() + key.size(), sizes.value);
  offset_ += sizes.key + sizes.value;
  switch (part_) {
    case Part::kKey:
      return ToBytes(key);
    case Part::kValue:
      return ToBytes(value);
    case Part::kItem:
      break;
  }
  return nb::make_tuple(ToBytes(key), ToBytes(value));
}

void BindRecords(nb::module_& module) {
  nb::class_<Records>(
      module, "Records",
      "What items(), keys() and values() give: an iterator over records in the order "
      "of their keys,\n"
      "in the state that the database had when it was made.")
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> Records"))
      .def("__next__", &Records::Next, nb::sig("def __next__(self) -> bytes | tuple[bytes, bytes]"))
      .def("__reduce__", &RefusePickling, nb::sig("def __reduce__(self) -> typing.NoReturn"));
}

}  // namespace varve::python
