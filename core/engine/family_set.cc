// SPDX-License-Identifier: Apache-2.0
#include "core/engine/family_set.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace varve {

FamilySet::FamilySet() {
  tables_.push_back(std::make_unique<const Table>());
  table_.store(tables_.back().get(), std::memory_order_release);
}

Family* FamilySet::Find(ColumnFamilyId id) const {
  const Table& table = all();
  // Ids are mostly dense: the default family, and often every other, stands at its own index.
  if (id < table.size() && table[id]->id() == id) return table[id];
  const auto at = std::lower_bound(table.begin(), table.end(), id,
                                   [](const Family* f, ColumnFamilyId i) { return f->id() < i; });
  return at != table.end() && (*at)->id() == id ? *at : nullptr;
}

Family* FamilySet::Add(std::unique_ptr<Family> family) {
  Family* added = family.get();
  CHECK(Find(added->id()) == nullptr);
  Table table = all();
  table.insert(std::upper_bound(table.begin(), table.end(), added,
                                [](const Family* a, const Family* b) { return a->id() < b->id(); }),
               added);
  families_.push_back(std::move(family));
  tables_.push_back(std::make_unique<const Table>(std::move(table)));
  table_.store(tables_.back().get(), std::memory_order_release);
  return added;
}

}  // namespace varve
