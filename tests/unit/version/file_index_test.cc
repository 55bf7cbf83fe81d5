// SPDX-License-Identifier: Apache-2.0
#include "core/version/file_index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/base/keys/key_order.h"
#include "tests/orders.h"

namespace varve {
namespace {

using Files = std::vector<std::shared_ptr<FileMetadata>>;

Files FilesEndingAt(const std::vector<InternalKey>& ends) {
  Files files;
  for (const InternalKey& end : ends) {
    FileDescription file;
    file.number = files.size() + 1;
    file.smallest = EncodeInternalKey(end);
    file.largest = EncodeInternalKey(end);
    files.push_back(std::make_shared<FileMetadata>(std::move(file)));
  }
  return files;
}

size_t BruteForce(const Comparator& comparator, const Files& files, const InternalKey& target) {
  const VirtualOrder order{&comparator};
  size_t i = 0;
  while (i < files.size() && CompareInternalKeys(order, files[i]->largest, target) < 0) i++;
  return i;
}

std::string RandomKey(std::mt19937_64& random, const std::string& prefix) {
  std::string key =
      prefix.substr(0, random() % 4 == 0 ? random() % (prefix.size() + 1) : prefix.size());
  for (uint64_t size = random() % 12; size > 0; size--)
    key.push_back("\0\1a\x7f\xff"[random() % 5]);
  return key;
}

void AgreesWithBruteForce(const Comparator& comparator) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const std::string prefix = seed % 3 == 0 ? "" : std::string("tenant/\xff\0/table:", 16);
    std::set<std::string> keys;
    const uint64_t count = random() % 80;
    for (uint64_t i = 0; i < count; i++) {
      // Most seeds leave the prefix whole in all files, so that it really is common.
      keys.insert(seed % 2 == 0 ? RandomKey(random, prefix) : prefix + RandomKey(random, ""));
    }
    std::vector<InternalKey> ends;
    for (const std::string& key : keys) ends.push_back({key, 1 + random() % 9, ValueType::kValue});
    // A level cut between two versions of one key.
    if (!ends.empty()) {
      const InternalKey split = ends[random() % ends.size()];
      ends.push_back({split.user_key, split.sequence + 20, ValueType::kValue});
    }
    std::sort(ends.begin(), ends.end(), [&](const InternalKey& a, const InternalKey& b) {
      return CompareInternalKeys(VirtualOrder{&comparator}, a, b) < 0;
    });
    const Files files = FilesEndingAt(ends);
    const std::array<FileIndex, 3> grades = {FileIndex(comparator, files, FileSearch::kComparator),
                                             FileIndex(comparator, files, FileSearch::kPrefix),
                                             FileIndex(comparator, files, FileSearch::kHeads)};
    std::vector<std::string> sought(400);
    std::vector<InternalKey> targets;
    for (size_t i = 0; i < sought.size(); i++) {
      sought[i] = RandomKey(random, prefix);
      if (!ends.empty() && i % 2 == 0) sought[i] = ends[random() % ends.size()].user_key;
      targets.push_back(LookupKey(sought[i], random() % 12));
    }
    for (const FileIndex& index : grades) {
      std::vector<uint32_t> found(targets.size());
      index.FirstNotBefore(targets, found.data());
      for (size_t i = 0; i < targets.size(); i++) {
        const size_t expected = BruteForce(comparator, files, targets[i]);
        REQUIRE_EQ(index.FirstNotBefore(targets[i]), expected);
        REQUIRE_EQ(found[i], expected);
      }
    }
  }
}

TEST_CASE("FileIndex: finds the file that a scan finds, by bytes") {
  AgreesWithBruteForce(*BytewiseComparator());
}

TEST_CASE("FileIndex: finds the file that a scan finds, in reverse") {
  AgreesWithBruteForce(*ReverseBytewiseComparator());
}

TEST_CASE("FileIndex: finds the file that a scan finds, in an order of one's own") {
  AgreesWithBruteForce(ByLength());
}

TEST_CASE("FileIndex: a level without files holds nothing") {
  const Files none;
  CHECK_EQ(
      FileIndex(*BytewiseComparator(), none, FileSearch::kHeads).FirstNotBefore(LookupKey("a", 1)),
      0);
}

}  // namespace
}  // namespace varve
