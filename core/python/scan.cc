// SPDX-License-Identifier: Apache-2.0
#include "core/python/scan.h"

#include <memory>

#include "core/arrow/c_data.h"
#include "core/python/batch_stream.h"
#include "core/python/errors.h"
#include "core/python/pickling.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {
namespace {

void Destroy(PyObject* capsule) {
  auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kStreamName));
  if (stream->release != nullptr) stream->release(stream);  // Nobody took it.
  delete stream;
}

}  // namespace

nb::object Scan::Stream() const {
  auto stream = std::make_unique<ArrowArrayStream>();
  ExportStream(view_.open(), view_.OpenCursor(bounds_), shape_, reverse_, stream.get());
  PyObject* const capsule = PyCapsule_New(stream.get(), kStreamName, &Destroy);
  if (capsule == nullptr) {
    stream->release(stream.get());
    throw nb::python_error();
  }
  stream.release();  // NOLINT: the capsule's
  return nb::steal(capsule);
}

arrow::RecordShape ShapeOf(const std::optional<Name>& key_schema,
                           const std::optional<Name>& value_schema) {
  const auto text = [](const std::optional<Name>& schema) {
    return schema ? std::string_view(schema->text) : std::string_view();
  };
  return Unwrap(arrow::MakeRecordShape(text(key_schema), text(value_schema)));
}

void BindScan(nb::module_& module) {
  nb::class_<Scan>(
      module, "Scan",
      "Records as a table of Arrow with the columns \"key\" and \"value\", both large_binary, or those "
      "of schemas: "
      "pyarrow.table(),\npolars.DataFrame(), duckdb's FROM and others take it by the Arrow PyCapsule "
      "interface. It is read each time\nthat one asks for a stream, as the state is then.")
      .def(
          "__arrow_c_stream__", [](const Scan& self, nb::handle) { return self.Stream(); },
          nb::arg("requested_schema").none() = nb::none(),
          nb::sig("def __arrow_c_stream__(self, requested_schema: object | None = None) -> object"),
          "A capsule with an ArrowArrayStream. If a record cannot be read, the stream ends with an "
          "error, after\nthe records before it.")
      .def("__reduce__", &RefusePickling, nb::sig("def __reduce__(self) -> typing.NoReturn"));
}

}  // namespace varve::python
