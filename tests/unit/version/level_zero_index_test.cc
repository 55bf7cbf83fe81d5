// SPDX-License-Identifier: Apache-2.0
#include "core/version/level_zero_index.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "core/base/keys/key_order.h"

namespace varve {
namespace {

FilePtr File(FileNumber number, const std::string& smallest, const std::string& largest) {
  FileDescription file;
  file.number = number;
  file.smallest = EncodeInternalKey({smallest, 9, ValueType::kValue});
  file.largest = EncodeInternalKey({largest, 3, ValueType::kValue});
  return std::make_shared<FileMetadata>(std::move(file));
}

std::vector<FileNumber> Visited(const Comparator& comparator, const LevelZeroIndex& index,
                                const std::string& key) {
  std::vector<FileNumber> visited;
  WithKeyOrder(comparator, [&](auto order) {
    index.Visit(order, key, [&](const FileMetadata& file) {
      visited.push_back(file.number());
      return false;
    });
  });
  return visited;
}

void AgreesWithBruteForce(const Comparator& comparator) {
  for (uint64_t seed = 1; seed <= 80; seed++) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::string prefix = seed % 2 == 0 ? "" : "common/prefix:";
    const auto draw = [&] {
      std::string key = random() % 40 == 0 ? "" : prefix;
      for (uint64_t n = random() % 11; n > 0; n--) key += "\0\1a\xff"[random() % 4];
      return key;
    };
    std::vector<FilePtr> files;
    const uint64_t count = random() % 150;  // More than one sweep.
    for (uint64_t number = 1; number <= count; number++) {
      std::string a = prefix + draw(), b = prefix + draw();
      if (comparator.Compare(a, b) > 0) a.swap(b);
      files.push_back(File(number, a, b));
    }
    const LevelZeroIndex heads(comparator, files, FileSearch::kHeads);
    const LevelZeroIndex plain(comparator, files, FileSearch::kComparator);
    for (int i = 0; i < 200; i++) {
      std::string key = draw();
      if (!files.empty() && i % 3 == 0) key = files[random() % files.size()]->largest.user_key;
      std::vector<FileNumber> expected;
      for (const FilePtr& file : files) {
        if (comparator.Compare(file->smallest.user_key, key) <= 0 &&
            comparator.Compare(key, file->largest.user_key) <= 0) {
          expected.push_back(file->number());
        }
      }
      REQUIRE_EQ(Visited(comparator, heads, key), expected);
      REQUIRE_EQ(Visited(comparator, plain, key), expected);
    }
  }
}

TEST_CASE("LevelZeroIndex: visits the files whose range holds the key, by bytes") {
  AgreesWithBruteForce(*BytewiseComparator());
}

TEST_CASE("LevelZeroIndex: visits the files whose range holds the key, in reverse") {
  AgreesWithBruteForce(*ReverseBytewiseComparator());
}

TEST_CASE("LevelZeroIndex: stops at the file that settles it") {
  const LevelZeroIndex index(*BytewiseComparator(), {File(3, "a", "z"), File(2, "a", "z")},
                             FileSearch::kHeads);
  std::vector<FileNumber> visited;
  CHECK(index.Visit(BytewiseOrder{}, "k", [&](const FileMetadata& file) {
    visited.push_back(file.number());
    return true;
  }));
  CHECK_EQ(visited, std::vector<FileNumber>{3});
}

}  // namespace
}  // namespace varve
