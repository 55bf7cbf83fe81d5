// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/level_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

namespace varve {

TEST_CASE("LevelSearch: every grade finds what a search of the sorted keys finds, alone and many") {
  for (const std::string& shared : {std::string(), std::string(20, 'p')}) {
    CAPTURE(shared);
    std::mt19937_64 random(shared.size() + 1);
    const auto key = [&] {
      std::string text = shared;
      for (int i = 0; i < 8; ++i) text.push_back(static_cast<char>(random() % 4 * 64));
      return text;
    };
    std::set<std::string> bounds;
    while (bounds.size() < 500) bounds.insert(key());
    const std::vector<std::string> largest(bounds.begin(), bounds.end());
    std::vector<std::string> targets = {"", shared, largest.front(), largest.back(),
                                        std::string(30, '\xff')};
    while (targets.size() < 300) targets.push_back(key());
    for (const FileSearch grade :
         {FileSearch::kComparator, FileSearch::kPrefix, FileSearch::kHeads}) {
      const LevelSearch search(largest, targets, grade);
      REQUIRE(search.targets() == targets.size());
      std::vector<uint32_t> found(targets.size() - 7);
      search.FindMany(7, found);
      for (size_t i = 0; i < targets.size(); ++i) {
        // A reader at sequence 1 sees the bound itself, which was written at 1.
        const auto at = std::lower_bound(largest.begin(), largest.end(), targets[i]);
        CHECK(search.Find(i) == static_cast<size_t>(at - largest.begin()));
        if (i >= 7) CHECK(found[i - 7] == search.Find(i));
      }
    }
  }
}

}  // namespace varve
