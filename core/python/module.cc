// SPDX-License-Identifier: Apache-2.0
// The extension module varve._varve. See README.md.
#include <nanobind/nanobind.h>
#include <nanobind/typing.h>

#include "core/python/batch.h"
#include "core/python/compaction.h"
#include "core/python/database.h"
#include "core/python/family.h"
#include "core/python/open_db.h"
#include "core/python/records.h"
#include "core/python/scan.h"
#include "core/python/snapshot.h"
#include "core/python/table_writer.h"
#include "core/python/view.h"
#include "varve/version.h"

namespace nb = nanobind;

NB_MODULE(_varve_of_nanobind, module) {  // NOLINT: of nanobind
  // Objects that a forked child or a daemon thread has at the end are not lost by a defect.
  nb::set_leak_warnings(false);
  module.attr("T") = nb::type_var("T");
  module.attr("version") = nb::str(VARVE_VERSION);
  varve::python::WatchForks();
  varve::python::BindRecords(module);
  varve::python::BindScan(module);
  varve::python::BindView(module);
  varve::python::BindFamily(module);
  varve::python::BindSnapshot(module);
  varve::python::BindBatch(module);
  varve::python::BindCompaction(module);
  varve::python::BindDatabase(module);
  varve::python::BindTableWriter(module);
}

// What Python calls. Types of nanobind belong to the whole process: to whoever imported them last,
// if nanobind were asked.
extern "C" NB_EXPORT PyObject* PyInit__varve(void) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(PyExc_ImportError, "varve can only be used in the main interpreter");
    return nullptr;
  }
  return PyInit__varve_of_nanobind();
}
