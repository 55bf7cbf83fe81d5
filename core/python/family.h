// SPDX-License-Identifier: Apache-2.0
// Family: a column family that is read and written.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/python/batch.h"
#include "core/python/view.h"

namespace varve::python {

class Family : public View {
 public:
  using View::View;

  void Put(const Bytes& key, const Bytes& value, Durability durability) const;
  void Delete(const Bytes& key, Durability durability) const;
  void DeleteRange(const Bytes& start, const Bytes& stop, Durability durability) const;
  void Merge(const Bytes& key, const Bytes& operand, Durability durability) const;

  void Flush(bool wait) const;
  void Compact(const std::optional<Bytes>& begin, const std::optional<Bytes>& end,
               bool force_bottommost) const;
  void Ingest(const std::vector<Path>& paths, bool move) const;

  nanobind::dict Options() const;
  void SetOptions(const nanobind::kwargs& changes) const;
  nanobind::dict Stats() const;
  nanobind::list Levels() const;
  nanobind::list Files() const;
  uint64_t ApproximateSize(const std::optional<Bytes>& start,
                           const std::optional<Bytes>& stop) const;

 protected:
  void Write(WriteBatch changes, const WriteOptions& options) const;
};

void BindFamily(nanobind::module_& module);

}  // namespace varve::python
