// SPDX-License-Identifier: Apache-2.0
#include "core/python/batch.h"

#include "core/python/errors.h"
#include "core/python/family.h"
#include "core/python/pickling.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {
namespace {

// The engine takes batches up to 4 GiB - 1, and ends the process if a part alone is larger.
constexpr size_t kMaxBatchBytes = 0xFFFFFFFF;

}  // namespace

ColumnFamilyId Batch::Admit(const Family* family, size_t bytes) {
  const size_t used = changes_.bytes().size();
  if (bytes > kMaxBatchBytes || used > kMaxBatchBytes - bytes) {
    Raise(Status::InvalidArgument("a batch may not be larger than 4 GiB"));
  }
  if (family == nullptr) return kDefaultColumnFamilyId;
  if (has_families_ && open_.lock() != family->open()) {
    Raise(Status::InvalidArgument("the families in a batch must be of one database"));
  }
  open_ = family->open();
  has_families_ = true;
  return family->id();
}

void Batch::Put(const Bytes& key, const Bytes& value, const Family* family) {
  const ColumnFamilyId id = Admit(family, key.view().size() + value.view().size());
  changes_.Put(key.view(), value.view(), id);
}

void Batch::Delete(const Bytes& key, const Family* family) {
  const ColumnFamilyId id = Admit(family, key.view().size());
  changes_.Delete(key.view(), id);
}

void Batch::SingleDelete(const Bytes& key, const Family* family) {
  const ColumnFamilyId id = Admit(family, key.view().size());
  changes_.SingleDelete(key.view(), id);
}

void Batch::DeleteRange(const Bytes& start, const Bytes& stop, const Family* family) {
  const ColumnFamilyId id = Admit(family, start.view().size() + stop.view().size());
  changes_.DeleteRange(start.view(), stop.view(), id);
}

void Batch::Merge(const Bytes& key, const Bytes& operand, const Family* family) {
  const ColumnFamilyId id = Admit(family, key.view().size() + operand.view().size());
  changes_.Merge(key.view(), operand.view(), id);
}

void Batch::Clear() {
  changes_.Clear();
  has_families_ = false;
}

WriteBatch Batch::ChangesFor(const std::shared_ptr<OpenDb>& open) const {
  if (has_families_ && open_.lock() != open) {
    Raise(Status::InvalidArgument("the batch has families of another database"));
  }
  return changes_;
}

void BindBatch(nb::module_& module) {
  const auto family = [] { return nb::arg("family").none() = nb::none(); };
  nb::class_<Batch>(
      module, "WriteBatch",
      "Changes that DB.write() applies together or not at all, also after a crash, in "
      "the order in which\nthey were added. A change is for the family \"default\", or "
      "for the one given. May be written again.")
      .def(nb::init<>())
      .def("put", &Batch::Put, "key"_a, "value"_a, family(), "Sets the value of a key.")
      .def("delete", &Batch::Delete, "key"_a, family(),
           "Deletes a key, whether it is there or not.")
      .def("single_delete", &Batch::SingleDelete, "key"_a, family(),
           "As delete(), for a key that was put exactly once since it was last deleted, and never "
           "merged:\ncompactions drop both together.")
      .def("delete_range", &Batch::DeleteRange, "start"_a, "stop"_a, family(),
           "Deletes the keys from `start`, inclusive, to `stop`, exclusive.")
      .def("merge", &Batch::Merge, "key"_a, "operand"_a, family(),
           "Adds an operand for the family's merge operator.")
      .def("clear", &Batch::Clear, "Removes all changes.")
      .def("__len__", &Batch::size)
      .def(
          "__setitem__",
          [](Batch& self, const Bytes& key, const Bytes& value) { self.Put(key, value, nullptr); },
          nb::sig("def __setitem__(self, key: _typeshed.ReadableBuffer, "
                  "value: _typeshed.ReadableBuffer, /) -> None"))
      .def(
          "__delitem__", [](Batch& self, const Bytes& key) { self.Delete(key, nullptr); },
          nb::sig("def __delitem__(self, key: _typeshed.ReadableBuffer, /) -> None"))
      .def("__reduce__", &RefusePickling, nb::sig("def __reduce__(self) -> typing.NoReturn"));
}

}  // namespace varve::python
