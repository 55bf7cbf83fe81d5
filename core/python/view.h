// SPDX-License-Identifier: Apache-2.0
// View reads a column family, now or at a snapshot.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/python/bytes.h"
#include "core/python/open_db.h"
#include "core/python/records.h"

namespace varve::python {

// A snapshot of the engine, and the engine, which is destroyed after it.
struct PinnedSnapshot {
  std::shared_ptr<DB> db;
  varve::Snapshot snapshot;
};

// Which records an iterator gives. `prefix` excludes the others.
struct Bounds {
  std::optional<Bytes> start, stop, prefix;
};

class View {
 public:
  // `snapshot` may be null: reads then see the current state.
  View(std::shared_ptr<OpenDb> open, ColumnFamilyId id, std::string name,
       std::shared_ptr<Held<PinnedSnapshot>> snapshot = nullptr)
      : open_(std::move(open)), id_(id), name_(std::move(name)), snapshot_(std::move(snapshot)) {}

  nanobind::object Get(const Bytes& key, const nanobind::object& absent) const;
  nanobind::object At(const Bytes& key) const;  // Raises KeyError.
  bool Contains(const Bytes& key) const;
  // Bytes or None for each of `keys`.
  nanobind::list MultiGet(const nanobind::iterable& keys) const;
  // Not positioned yet.
  Cursor OpenCursor(const Bounds& bounds) const;
  Records Walk(Part part, const Bounds& bounds, bool reverse) const;

  const std::shared_ptr<OpenDb>& open() const { return open_; }
  ColumnFamilyId id() const { return id_; }
  const std::string& name() const { return name_; }

 protected:
  const std::shared_ptr<Held<PinnedSnapshot>>& snapshot() const { return snapshot_; }

 private:
  // What one call reads from. Destroyed after the values that it gave.
  struct Reading {
    std::shared_ptr<DB> db;
    std::shared_ptr<PinnedSnapshot> at;
    ReadOptions options;
  };
  Reading Read() const;
  // Destroyed before the engine is, so only within Reading's life.
  std::optional<Value> Find(const Reading& reading, const Bytes& key) const;

  std::shared_ptr<OpenDb> open_;
  ColumnFamilyId id_;
  std::string name_;
  std::shared_ptr<Held<PinnedSnapshot>> snapshot_;
};

// What `of` is called in a database: the family "default" if there is no name for another.
ColumnFamilyId FindFamily(const OpenDb& open, const std::string& name);

void BindView(nanobind::module_& module);

}  // namespace varve::python
