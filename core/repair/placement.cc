// SPDX-License-Identifier: Apache-2.0
#include "core/repair/placement.h"

#include <algorithm>
#include <numeric>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/format/internal_key.h"

namespace varve {
namespace {

std::string_view UserKey(const std::string& bound) {
  const auto key = DecodeInternalKey(bound);
  CHECK(key.has_value());
  return key->user_key;
}

// Sorts by age, oldest first, if the sequences of the group determine it.
bool SortByAge(const std::vector<FileDescription>& tables, std::vector<size_t>* group) {
  std::sort(group->begin(), group->end(), [&](size_t a, size_t b) {
    return tables[a].largest_sequence < tables[b].largest_sequence;
  });
  for (size_t i = 0; i + 1 < group->size(); ++i) {
    if (tables[(*group)[i]].largest_sequence >= tables[(*group)[i + 1]].smallest_sequence) {
      return false;
    }
  }
  return true;
}

}  // namespace

Placement PlaceTables(const Comparator& order, const std::vector<FileDescription>& tables,
                      int num_levels) {
  Placement placement;
  placement.levels.assign(tables.size(), -1);
  std::vector<size_t> by_key(tables.size());
  std::iota(by_key.begin(), by_key.end(), size_t{0});
  std::sort(by_key.begin(), by_key.end(), [&](size_t a, size_t b) {
    return order.Compare(UserKey(tables[a].smallest), UserKey(tables[b].smallest)) < 0;
  });
  for (size_t begin = 0; begin < by_key.size();) {
    std::vector<size_t> group = {by_key[begin]};
    std::string_view last = UserKey(tables[by_key[begin]].largest);
    size_t end = begin + 1;
    for (; end < by_key.size(); ++end) {
      const FileDescription& table = tables[by_key[end]];
      // An exclusive end (of a range deletion) counts as shared as well, which is always safe.
      if (CompareIgnoringTimestamps(order, UserKey(table.smallest), last) > 0) break;
      if (CompareIgnoringTimestamps(order, UserKey(table.largest), last) > 0)
        last = UserKey(table.largest);
      group.push_back(by_key[end]);
    }
    begin = end;
    const bool ordered = SortByAge(tables, &group);
    if (ordered && group.size() < static_cast<size_t>(num_levels)) {
      for (size_t i = 0; i < group.size(); ++i) {
        placement.levels[group[i]] = num_levels - 1 - static_cast<int>(i);
      }
      continue;
    }
    std::sort(group.begin(), group.end(),
              [&](size_t a, size_t b) { return tables[a].number > tables[b].number; });
    placement.merges.push_back(std::move(group));
  }
  return placement;
}

}  // namespace varve
