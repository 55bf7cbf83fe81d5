// SPDX-License-Identifier: Apache-2.0
// Database: what varve.open() gives. In Python it is called DB.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "core/python/family.h"
#include "core/python/snapshot.h"

namespace varve::python {

// An open database, and its family "default".
class Database : public Family {
 public:
  explicit Database(std::shared_ptr<OpenDb> open)
      : Family(std::move(open), kDefaultColumnFamilyId, "default") {}

  void Close() const { open()->Close(); }
  void Write(const Batch& batch, Durability durability, bool no_slowdown) const;
  Snapshot TakeSnapshot() const { return Snapshot(open()); }

  Family FamilyNamed(const Name& name) const;
  std::vector<Name> FamilyNames() const;
  Family CreateFamily(const Name& name, const nanobind::kwargs& options) const;
  void DropFamily(const Name& name) const;

  // All in one step, or none.
  void IngestFamilies(const nanobind::dict& tables, bool move) const;
  void FlushAll() const;
  void SyncWal() const;
  void WaitForBackgroundWork() const;
  void Checkpoint(const Path& path) const;
  nanobind::dict Stats() const;
  nanobind::dict Recovery() const;
};

void BindDatabase(nanobind::module_& module);

}  // namespace varve::python
