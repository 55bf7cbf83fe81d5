// SPDX-License-Identifier: Apache-2.0
#include "core/python/errors.h"

#include <nanobind/nanobind.h>

#include "core/python/bytes.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

const char* ClassOf(Code code) {
  switch (code) {
    case Code::kOk:
      break;
    case Code::kCorruption:
      return "Corruption";
    case Code::kIoError:
      return "IoError";
    case Code::kNoSpace:
      return "NoSpace";
    case Code::kNotFound:
      return "NotFound";
    case Code::kInvalidArgument:
      return "InvalidArgument";
    case Code::kNotSupported:
      return "NotSupported";
    case Code::kBusy:
      return "Busy";
    case Code::kShutdown:
      return "Shutdown";
  }
  return "Error";
}

}  // namespace

Status StatusOf(std::string_view class_name, std::string message) {
  for (const Code code :
       {Code::kCorruption, Code::kNoSpace, Code::kNotFound, Code::kInvalidArgument,
        Code::kNotSupported, Code::kBusy, Code::kShutdown}) {
    if (class_name == ClassOf(code)) return {code, std::move(message)};
  }
  return Status::IoError(std::move(message));
}

void Raise(const Status& status) {
  const nb::object error = nb::module_::import_("varve._errors").attr(ClassOf(status.code()));
  PyErr_SetObject(error.ptr(), ToStr(status.message()).ptr());
  throw nb::python_error();
}

}  // namespace varve::python
