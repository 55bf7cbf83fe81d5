// SPDX-License-Identifier: Apache-2.0
#include "core/python/view.h"

#include <nanobind/stl/optional.h>

#include <vector>

#include "core/python/errors.h"
#include "core/python/pickling.h"
#include "core/python/scan.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {

View::Reading View::Read() const {
  Reading reading{.db = open_->Use(), .at = nullptr, .options = {}};
  if (snapshot_ != nullptr) {
    reading.at = snapshot_->Use();
    if (reading.at == nullptr) Raise(Status::Shutdown("the snapshot is closed"));
    reading.options.snapshot = &reading.at->snapshot;
  }
  return reading;
}

std::optional<Value> View::Find(const Reading& reading, const Bytes& key) const {
  return Unwrap(Unlocked([&] { return reading.db->Get(reading.options, key.view(), id_); }));
}

nb::object View::Get(const Bytes& key, const nb::object& absent) const {
  const Reading reading = Read();
  const std::optional<Value> value = Find(reading, key);
  return value ? nb::object(ToBytes(value->view())) : absent;
}

nb::object View::At(const Bytes& key) const {
  const Reading reading = Read();
  const std::optional<Value> value = Find(reading, key);
  if (value) return ToBytes(value->view());
  PyErr_SetObject(PyExc_KeyError, ToBytes(key.view()).ptr());
  throw nb::python_error();
}

bool View::Contains(const Bytes& key) const {
  const Reading reading = Read();
  return Find(reading, key).has_value();
}

nb::list View::MultiGet(const nb::iterable& keys) const {
  std::vector<Bytes> owners;
  for (const nb::handle key : keys) {
    if (!owners.emplace_back().Take(key)) {
      throw nb::type_error("multi_get(): keys are bytes, or have the buffer protocol");
    }
  }
  std::vector<std::string_view> views;
  views.reserve(owners.size());
  for (const Bytes& owner : owners) views.push_back(owner.view());
  const Reading reading = Read();
  const auto results = Unlocked([&] { return reading.db->MultiGet(reading.options, views, id_); });
  nb::list values;
  for (const Result<std::optional<Value>>& result : results) {
    if (!result.ok()) Raise(result.status());
    values.append(*result ? nb::object(ToBytes((*result)->view())) : nb::none());
  }
  return values;
}

Cursor View::OpenCursor(const Bounds& bounds) const {
  const auto& [start, stop, prefix] = bounds;
  if (prefix && (start || stop)) throw nb::value_error("prefix excludes start and stop");
  Reading reading = Read();
  if (start) reading.options.lower_bound = start->view();
  if (stop) reading.options.upper_bound = stop->view();
  if (prefix) reading.options.prefix = prefix->view();
  Iterator it = Unwrap(Unlocked([&] { return reading.db->NewIterator(reading.options, id_); }));
  open_->CheckOpen();  // Closed meanwhile.
  return Cursor{.db = reading.db, .it = std::move(it)};
}

Records View::Walk(Part part, const Bounds& bounds, bool reverse) const {
  return Records(open_, OpenCursor(bounds), part, reverse);
}

ColumnFamilyId FindFamily(const OpenDb& open, const std::string& name) {
  const std::optional<ColumnFamilyId> id = open.Use()->FindFamily(name);
  if (!id) Raise(Status::InvalidArgument("there is no column family \"" + name + "\""));
  return *id;
}

namespace {

template <Part kPart>
Records WalkFor(const View& view, const std::optional<Bytes>& start,
                const std::optional<Bytes>& stop, const std::optional<Bytes>& prefix,
                bool reverse) {
  return view.Walk(kPart, {.start = start, .stop = stop, .prefix = prefix}, reverse);
}

// Buffers in the types of parameters are spelled out, because stubgen does not look into them.
#define WALK_SIGNATURE(name, element)                                               \
  nb::sig("def " name                                                               \
          "(self, *, start: _typeshed.ReadableBuffer | None = None, "               \
          "stop: _typeshed.ReadableBuffer | None = None, "                          \
          "prefix: _typeshed.ReadableBuffer | None = None, reverse: bool = False) " \
          "-> collections.abc.Iterator[" element "]")

template <Part kPart, typename Class, typename... Extra>
void BindWalk(Class& view, const char* name, const Extra&... extra) {
  view.def(name, &WalkFor<kPart>, nb::kw_only(), "start"_a = nb::none(), "stop"_a = nb::none(),
           "prefix"_a = nb::none(), "reverse"_a = false, extra...);
}

}  // namespace

void BindView(nb::module_& module) {
  nb::class_<View> view(
      module, "View",
      "The records of a column family, to be read like a dict from bytes to bytes.\n\n"
      "It differs from a dict in this: items(), keys() and values() are iterators in the order of "
      "the keys,\nand there is no len(), which would read all of it.");
  view.def("__getitem__", &View::At, "key"_a,
           nb::sig("def __getitem__(self, key: _typeshed.ReadableBuffer, /) -> bytes"),
           "The value of the key. Raises KeyError if there is none.")
      .def("__contains__", &View::Contains, "key"_a,
           nb::sig("def __contains__(self, key: _typeshed.ReadableBuffer, /) -> bool"))
      .def(
          "get", [](const View& self, const Bytes& key) { return self.Get(key, nb::none()); },
          "key"_a, nb::sig("def get(self, key: _typeshed.ReadableBuffer) -> bytes | None"),
          "The value of the key, or `default`.")
      .def("get", &View::Get, "key"_a, nb::arg("default").none(),
           nb::sig("def get(self, key: _typeshed.ReadableBuffer, default: T) -> bytes | T"))
      .def("multi_get", &View::MultiGet, "keys"_a,
           nb::sig("def multi_get(self, keys: "
                   "collections.abc.Iterable[_typeshed.ReadableBuffer]) -> list[bytes | None]"),
           "The values of many keys in one state of the database, None where there is none. Faster "
           "than one by one.")
      .def(
          "__iter__", [](const View& self) { return WalkFor<Part::kKey>(self, {}, {}, {}, false); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[bytes]"))
      .def_prop_ro(
          "name", [](const View& self) { return Name{self.name()}; },
          "The name of the column family.")
      .def("__reduce__", &RefusePickling, nb::sig("def __reduce__(self) -> typing.NoReturn"));
  BindWalk<Part::kItem>(
      view, "items", WALK_SIGNATURE("items", "tuple[bytes, bytes]"),
      "Keys and values in the order of the keys: from `start`, inclusive, to `stop`, exclusive, or "
      "those\nthat begin with `prefix`. With `reverse` the same records, the last one first.");
  BindWalk<Part::kKey>(view, "keys", WALK_SIGNATURE("keys", "bytes"),
                       "As items(), keys only: values are not copied.");
  BindWalk<Part::kValue>(view, "values", WALK_SIGNATURE("values", "bytes"),
                         "As items(), values only.");
  view.def(
      "scan",
      [](const View& self, const std::optional<Bytes>& start, const std::optional<Bytes>& stop,
         const std::optional<Bytes>& prefix, bool reverse, bool values,
         const std::optional<Name>& key_schema, const std::optional<Name>& value_schema,
         const Name& mismatch) {
        Bounds bounds = {.start = start, .stop = stop, .prefix = prefix};
        self.OpenCursor(bounds);  // What is wrong with them is said here.
        if (mismatch.text != "stop" && mismatch.text != "null") {
          throw nb::value_error("mismatch is \"stop\" or \"null\"");
        }
        arrow::RecordShape shape = ShapeOf(key_schema, value_schema);
        shape.has_values = values;
        shape.null_if_unfit = mismatch.text == "null";
        return Scan(self, std::move(bounds), reverse, std::move(shape));
      },
      nb::kw_only(), "start"_a = nb::none(), "stop"_a = nb::none(), "prefix"_a = nb::none(),
      "reverse"_a = false, "values"_a = true, "key_schema"_a = nb::none(),
      "value_schema"_a = nb::none(), "mismatch"_a = Name{"stop"},
      nb::sig("def scan(self, *, start: _typeshed.ReadableBuffer | None = None, "
              "stop: _typeshed.ReadableBuffer | None = None, "
              "prefix: _typeshed.ReadableBuffer | None = None, reverse: bool = False, "
              "values: bool = True, key_schema: str | None = None, "
              "value_schema: str | None = None, "
              "mismatch: typing.Literal['stop', 'null'] = 'stop') -> Scan"),
      "The records of items() for programs that take Arrow's record batches; without `values` only "
      "the keys.\nSchemas such as \"id:u64be,name:str\" say what keys and values consist of, as for "
      "`varve scan`: each part is a\ncolumn of its type. What does not fit is an error, or null in all "
      "of these columns.");
}

}  // namespace varve::python
