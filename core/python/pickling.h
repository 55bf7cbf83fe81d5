// SPDX-License-Identifier: Apache-2.0
// Objects of an open database cannot go to another process.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace varve::python {

// The __reduce__ of classes that cannot be pickled.
[[noreturn]] inline void RefusePickling(nanobind::handle self) {
  const nanobind::str name(self.type().attr("__name__"));
  throw nanobind::type_error(("a varve." + std::string(name.c_str()) +
                              " cannot be pickled: each process opens the database for itself")
                                 .c_str());
}

}  // namespace varve::python
