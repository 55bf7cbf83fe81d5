// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm/lsm_diff.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/base/check.h"

namespace varve {
namespace {

std::string IdentityOf(const FileReport& file) {
  if (!file.unique_id.empty()) return file.unique_id;
  return std::to_string(file.number) + "/" + std::to_string(file.size);
}

void AddLevels(const FamilyReport& family, bool is_a, FamilyDiff* diff) {
  for (const LevelReport& level : family.levels) {
    CHECK(level.level >= 0);
    const auto index = static_cast<size_t>(level.level);
    while (diff->levels.size() <= index) {
      diff->levels.push_back({.level = static_cast<int>(diff->levels.size())});
    }
    LevelDelta& delta = diff->levels[index];
    (is_a ? delta.files_a : delta.files_b) = level.files.size();
    (is_a ? delta.bytes_a : delta.bytes_b) = level.bytes;
  }
}

FamilyDiff DiffFamily(const FamilyReport* a, const FamilyReport* b) {
  CHECK(a != nullptr || b != nullptr);
  FamilyDiff diff;
  diff.name = a != nullptr ? a->name : b->name;
  diff.in_a = a != nullptr;
  diff.in_b = b != nullptr;
  std::unordered_map<std::string, const FileReport*> of_a;
  if (a != nullptr) {
    AddLevels(*a, /*is_a=*/true, &diff);
    for (const LevelReport& level : a->levels) {
      for (const FileReport& file : level.files) of_a.emplace(IdentityOf(file), &file);
    }
  }
  if (b != nullptr) {
    AddLevels(*b, /*is_a=*/false, &diff);
    for (const LevelReport& level : b->levels) {
      for (const FileReport& file : level.files) {
        const auto before = of_a.find(IdentityOf(file));
        if (before == of_a.end()) {
          diff.only_b.push_back(file);
          continue;
        }
        const FileReport& old = *before->second;
        if (old.level == file.level && old.number == file.number) {
          diff.same++;
        } else {
          diff.moved.push_back({old, file});
        }
        of_a.erase(before);
      }
    }
  }
  for (const auto& [identity, file] : of_a) diff.only_a.push_back(*file);
  std::sort(diff.only_a.begin(), diff.only_a.end(), [](const FileReport& x, const FileReport& y) {
    return std::pair(x.level, x.number) < std::pair(y.level, y.number);
  });
  std::erase_if(diff.levels,
                [](const LevelDelta& delta) { return delta.files_a == 0 && delta.files_b == 0; });
  return diff;
}

}  // namespace

std::vector<FamilyDiff> DiffLsm(const LsmReport& a, const LsmReport& b) {
  std::vector<FamilyDiff> diffs;
  std::unordered_map<std::string_view, const FamilyReport*> of_b;
  for (const FamilyReport& family : b.families) of_b.emplace(family.name, &family);
  std::unordered_set<std::string_view> of_a;
  for (const FamilyReport& family : a.families) {
    of_a.insert(family.name);
    const auto other = of_b.find(family.name);
    diffs.push_back(DiffFamily(&family, other == of_b.end() ? nullptr : other->second));
  }
  for (const FamilyReport& family : b.families) {
    if (!of_a.contains(family.name)) diffs.push_back(DiffFamily(nullptr, &family));
  }
  return diffs;
}

}  // namespace varve
