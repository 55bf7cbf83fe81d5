// SPDX-License-Identifier: Apache-2.0
#include "core/python/snapshot.h"

#include <utility>

#include "core/python/errors.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {
namespace {

std::shared_ptr<Held<PinnedSnapshot>> Pin(const std::shared_ptr<OpenDb>& open) {
  std::shared_ptr<DB> db = open->Use();
  varve::Snapshot snapshot = Unlocked([&] { return db->GetSnapshot(); });
  open->CheckOpen();  // Closed meanwhile.
  auto pinned = std::make_shared<PinnedSnapshot>(
      PinnedSnapshot{.db = std::move(db), .snapshot = std::move(snapshot)});
  return std::make_shared<Held<PinnedSnapshot>>(open, std::move(pinned));
}

}  // namespace

Snapshot::Snapshot(const std::shared_ptr<OpenDb>& open)
    : View(open, kDefaultColumnFamilyId, "default", Pin(open)),
      sequence_(snapshot()->Use()->snapshot.sequence()) {}

View Snapshot::Family(const Name& name) const {
  return {open(), FindFamily(*open(), name.text), name.text, snapshot()};
}

void BindSnapshot(nb::module_& module) {
  nb::class_<Snapshot, View>(
      module, "Snapshot",
      "One state of the whole database: reads see it whatever is written later. It reads the family "
      "\"default\"\nitself. close() it, use it with `with`, or drop it, when it is not needed: "
      "compactions keep what it sees.")
      .def("family", &Snapshot::Family, "name"_a, "Another column family in this state.")
      .def_prop_ro("sequence", &Snapshot::sequence,
                   "The sequence number of the newest write that it sees.")
      .def("close", &Snapshot::Close,
           "Gives the state up. Reads at it raise Shutdown from then on.")
      .def(
          "__enter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> Snapshot"))
      .def(
          "__exit__", [](Snapshot& self, const nb::args&) { self.Close(); },
          nb::sig("def __exit__(self, *args: object) -> None"));
}

}  // namespace varve::python
