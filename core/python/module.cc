// SPDX-License-Identifier: Apache-2.0
// The extension module varve._varve. See README.md.
#include <nanobind/nanobind.h>
#include <nanobind/typing.h>

#include "core/python/batch.h"
#include "core/python/database.h"
#include "core/python/family.h"
#include "core/python/open_db.h"
#include "core/python/records.h"
#include "core/python/snapshot.h"
#include "core/python/view.h"
#include "varve/version.h"

namespace nb = nanobind;

NB_MODULE(_varve, module) {  // NOLINT: of nanobind
  module.attr("T") = nb::type_var("T");
  module.attr("version") = nb::str(VARVE_VERSION);
  varve::python::WatchForks();
  varve::python::BindRecords(module);
  varve::python::BindView(module);
  varve::python::BindFamily(module);
  varve::python::BindSnapshot(module);
  varve::python::BindBatch(module);
  varve::python::BindDatabase(module);
}
