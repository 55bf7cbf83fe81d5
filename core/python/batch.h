// SPDX-License-Identifier: Apache-2.0
// Batch: changes that are written together.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "core/python/bytes.h"
#include "core/python/open_db.h"
#include "varve/write_batch.h"

namespace varve::python {

class Family;

// Collects changes; a family that is null is "default". Raises InvalidArgument for a family of
// another database than those before, and for what a batch has no room for.
class Batch {
 public:
  void Put(const Bytes& key, const Bytes& value, const Family* family);
  void Delete(const Bytes& key, const Family* family);
  void SingleDelete(const Bytes& key, const Family* family);
  void DeleteRange(const Bytes& start, const Bytes& stop, const Family* family);
  void Merge(const Bytes& key, const Bytes& operand, const Family* family);
  void Clear();

  WriteBatch Take() && { return std::move(changes_); }
  size_t size() const { return changes_.count(); }
  // The changes, to be written to that database. Raises InvalidArgument if they are for another.
  WriteBatch ChangesFor(const std::shared_ptr<OpenDb>& open) const;

 private:
  // The family's id. Raises if `bytes` more, or the family, do not fit in.
  ColumnFamilyId Admit(const Family* family, size_t bytes);

  WriteBatch changes_;
  std::weak_ptr<OpenDb> open_;  // What the families in it are of.
  bool has_families_ = false;
};

void BindBatch(nanobind::module_& module);

}  // namespace varve::python
