// SPDX-License-Identifier: Apache-2.0
#include "core/engine/family_set.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace varve {
namespace {

constexpr size_t kRoomMin = 8;

bool HasLowerId(const Family* family, ColumnFamilyId id) { return family->id() < id; }

}  // namespace

FamilySet::FamilySet() {
  tables_.push_back(std::make_unique<Table>(kRoomMin));
  table_.store(tables_.back().get(), std::memory_order_release);
}

Family* FamilySet::Find(ColumnFamilyId id) const {
  const std::span<Family* const> families = all();
  // Ids are mostly dense: the default family, and often all others, are at their own index.
  if (id < families.size() && families[id]->id() == id) return families[id];
  DCHECK(std::is_sorted(families.begin(), families.end(),
                        [](const Family* a, const Family* b) { return a->id() < b->id(); }));
  const auto at = std::lower_bound(families.begin(), families.end(), id, HasLowerId);
  return at != families.end() && (*at)->id() == id ? *at : nullptr;
}

Family* FamilySet::Add(std::unique_ptr<Family> family) {
  Family* const added = family.get();
  CHECK(Find(added->id()) == nullptr);
  families_.push_back(std::move(family));
  Table& table = *tables_.back();
  const size_t count = table.count.load(std::memory_order_relaxed);
  const bool is_last = count == 0 || table.families[count - 1]->id() < added->id();
  if (is_last && count < table.capacity) {
    table.families[count] = added;
    table.count.store(count + 1, std::memory_order_release);
    return added;
  }
  tables_.push_back(Rebuilt(added));
  table_.store(tables_.back().get(), std::memory_order_release);
  return added;
}

std::unique_ptr<FamilySet::Table> FamilySet::Rebuilt(Family* added) const {
  std::vector<Family*> alive;
  for (Family* family : all()) {
    if (family->readable()) alive.push_back(family);
  }
  alive.insert(std::lower_bound(alive.begin(), alive.end(), added->id(), HasLowerId), added);
  DCHECK(std::is_sorted(alive.begin(), alive.end(),
                        [](const Family* a, const Family* b) { return a->id() < b->id(); }));
  auto table = std::make_unique<Table>(2 * alive.size() + kRoomMin);
  std::copy(alive.begin(), alive.end(), table->families.get());
  table->count.store(alive.size(), std::memory_order_relaxed);
  return table;
}

}  // namespace varve
