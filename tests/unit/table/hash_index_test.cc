// SPDX-License-Identifier: Apache-2.0
// What HashIndexBuilder makes, HashLines finds; both with hashes alone. In tables:
// point_index_test.cc.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "core/base/hash/hash.h"
#include "core/table/point/hash_index_builder.h"
#include "core/table/point/hash_lines.h"
#include "core/table/point/point_index.h"

namespace varve {
namespace {

std::string KeyOf(uint64_t n) { return "user" + std::to_string(n * 7919); }

constexpr uint32_t kBlockEntries = 33;  // As of blocks of 4 KB with entries of 120 bytes.

std::string Build(const std::vector<uint64_t>& hashes, bool are_random = true) {
  HashIndexBuilder builder;
  uint64_t offset = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    builder.AddKey(hashes[i]);
    if ((i + 1) % kBlockEntries != 0 && i + 1 != hashes.size()) continue;
    builder.EndBlock();
    builder.AddHandle({offset, 4010});
    offset += 4015;
  }
  const uint64_t estimate = builder.EstimatedSize();
  BuiltIndex built = builder.Finish();
  CHECK(built.what == (built.bytes.empty() ? "none: too many keys have nearly the same hash"
                                           : std::string(kHashFormName)));
  if (are_random) CHECK(built.bytes.size() <= estimate + estimate / 8 + 64);
  return built.bytes;
}

std::vector<uint64_t> HashesOf(uint64_t count) {
  std::vector<uint64_t> hashes;
  for (uint64_t i = 0; i < count; ++i) hashes.push_back(Xxph3_64(KeyOf(i)));
  return hashes;
}

TEST_CASE(
    "HashIndex: every key is found, in at most 5 bytes, and one absent key of 1,000 at most") {
  for (const uint64_t count :
       {1ull, 2ull, 14ull, 15ull, 16ull, 17ull, 1000ull, 100'000ull, 1'000'000ull, 1'200'000ull}) {
    CAPTURE(count);
    const std::vector<uint64_t> hashes = HashesOf(count);
    const std::string bytes = Build(hashes);
    REQUIRE(!bytes.empty());
    const bool small = count <= 1u << 20;
    if (count >= 1000) CHECK(bytes.size() <= (small ? 5 : 6.1) * static_cast<double>(count));
    auto decoded = DecodeHashIndex(bytes);
    REQUIRE_MESSAGE(decoded.ok(), decoded.status().ToString());
    CHECK(decoded->slot_size == (small ? 4 : 5));
    CHECK(EncodeHashIndex(*decoded) == bytes);
    const HashLines lines(*std::move(decoded));
    uint64_t others = 0;
    for (uint32_t i = 0; i < count; ++i) {
      REQUIRE(lines.LeadsTo(hashes[i], i));
      others += lines.Find(hashes[i]) != i;
    }
    CHECK(others * 1000 <= count);
    uint64_t wrong = 0;
    constexpr uint64_t kAbsent = 300'000;
    for (uint64_t i = 0; i < kAbsent; ++i) {
      wrong += lines.Find(Xxph3_64(KeyOf(count + i))).has_value();
    }
    CHECK(wrong * 1000 <= kAbsent);
  }
}

TEST_CASE("HashIndex: several entries of a key count, and the newest is found") {
  std::mt19937_64 random(5);
  HashIndexBuilder builder;
  std::vector<std::pair<uint32_t, uint32_t>> newest;  // Entry, and how many are behind it.
  uint32_t entries = 0;
  for (uint64_t i = 0; i < 5000; ++i) {
    const uint32_t more = random() % 3 == 0 ? random() % 9 : 0;
    newest.emplace_back(entries, more);
    builder.AddKey(Xxph3_64(KeyOf(i)));
    for (uint32_t v = 0; v < more; ++v) builder.AddVersion();
    entries += 1 + more;
    if (i % 10 != 9) continue;
    builder.EndBlock();
    builder.AddHandle({100 * i, 50});
  }
  auto decoded = DecodeHashIndex(builder.Finish().bytes);
  REQUIRE_MESSAGE(decoded.ok(), decoded.status().ToString());
  const PointIndex index(*std::move(decoded));
  CHECK(index.keys() == newest.size());
  CHECK(index.entries() == entries);
  for (uint64_t i = 0; i < newest.size(); ++i) {
    const auto place = index.FindEntry(KeyOf(i), newest[i].first);
    REQUIRE(place.has_value());
    REQUIRE(index.first_entry(place->block) + place->slot == newest[i].first);
    REQUIRE(place->more == newest[i].second);
  }
}

TEST_CASE("HashIndex: keys with the same hash are all there; too many, and there is none") {
  std::vector<uint64_t> hashes = HashesOf(20'000);
  std::fill(hashes.begin() + 100, hashes.begin() + 1'100, hashes[50]);
  auto decoded = DecodeHashIndex(Build(hashes, /*are_random=*/false));
  REQUIRE_MESSAGE(decoded.ok(), decoded.status().ToString());
  const HashLines lines(*std::move(decoded));
  for (uint32_t i = 0; i < hashes.size(); ++i) REQUIRE(lines.LeadsTo(hashes[i], i));
  CHECK(Build(std::vector<uint64_t>(20'000, 77), false).empty());
  // The largest hashes have the last line as their home: others follow.
  CHECK(!Build(std::vector<uint64_t>(1'000, ~uint64_t{0}), false).empty());
}

TEST_CASE("HashIndex: whatever its bytes, a search ends, and at an entry") {
  const std::string whole = Build(HashesOf(400));
  std::mt19937_64 random(9);
  uint64_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string changed = whole;
    for (uint64_t flips = 1 + random() % 3; flips > 0; --flips) {
      const size_t at = random() % changed.size();
      changed[at] = static_cast<char>(static_cast<uint8_t>(changed[at]) ^ 1 << random() % 8);
    }
    auto decoded = DecodeHashIndex(changed);
    if (!decoded.ok()) continue;
    ++accepted;
    const PointIndex index(*std::move(decoded));
    for (uint64_t i = 0; i < 20; ++i) {
      const auto place = index.Find(KeyOf(random() % 800));
      if (!place) continue;
      REQUIRE(place->block < index.blocks());
      REQUIRE(place->slot < index.entries_of(place->block));
    }
  }
  CHECK(accepted > 1000);
}

}  // namespace
}  // namespace varve
