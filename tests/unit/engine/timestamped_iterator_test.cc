// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/timestamped_iterator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/engine/inline_db.h"
#include "varve/comparator.h"
#include "varve/db.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

std::string At(uint64_t number) {
  std::string timestamp;
  for (int i = 0; i < 8; ++i) timestamp.push_back(static_cast<char>(number >> (8 * i)));
  return timestamp;
}
uint64_t NumberOf(std::string_view timestamp) {
  uint64_t number = 0;
  for (size_t i = timestamp.size(); i-- > 0;) number = number << 8 | uint8_t(timestamp[i]);
  return number;
}

struct Fixture : InlineDb {
  Fixture() {
    options.family.comparator = BytewiseComparatorWithU64Ts();
    options.family.merge_operator = MergeOperatorByName("stringappend");
    options.family.table.filter = FilterKind::kBloom;
    options.family.table.block_size = 200;
    options.family.target_file_size_base = 4 << 10;
    options.family.level0_file_num_compaction_trigger = 2;
    Open();
  }

  void Put(std::string_view key, uint64_t timestamp, std::string_view value) {
    WriteBatch batch;
    batch.PutAt(key, At(timestamp), value);
    REQUIRE(db->Write({}, std::move(batch)).ok());
  }
  void Delete(std::string_view key, uint64_t timestamp) {
    WriteBatch batch;
    batch.DeleteAt(key, At(timestamp));
    REQUIRE(db->Write({}, std::move(batch)).ok());
  }
  void Merge(std::string_view key, uint64_t timestamp, std::string_view operand) {
    WriteBatch batch;
    batch.MergeAt(key, At(timestamp), operand);
    REQUIRE(db->Write({}, std::move(batch)).ok());
  }

  // "VALUE@TIMESTAMP", or "absent".
  std::string Get(std::string_view key, uint64_t timestamp, const Snapshot* snapshot = nullptr) {
    const std::string at = At(timestamp);
    const auto read = db->GetWithTimestamp({.snapshot = snapshot, .timestamp = at}, key);
    if (!read.ok()) return read.status().ToString();
    if (!read->has_value()) return "absent";
    return (**read).value.ToString() + "@" + std::to_string(NumberOf((**read).timestamp));
  }
  std::string Scan(const ReadOptions& options, bool backward = false) {
    auto it = db->NewIterator(options);
    if (!it.ok()) return it.status().ToString();
    std::vector<std::string> shown;
    for (backward ? it->SeekToLast() : it->SeekToFirst(); it->Valid();
         backward ? it->Prev() : it->Next()) {
      const char* const kind = it->kind() == VersionKind::kValue ? "=" : "!";
      shown.push_back(std::string(it->key()) + "@" + std::to_string(NumberOf(it->timestamp())) +
                      kind + std::string(it->value()) + " ");
    }
    std::string out;
    if (backward) std::reverse(shown.begin(), shown.end());
    for (const std::string& one : shown) out += one;
    return it->status().ok() ? out : it->status().ToString();
  }
  Status Compact() { return db->CompactRange({.force_bottommost = true}, {}, {}); }
};

TEST_CASE("Timestamps: a read sees the newest version that is not newer than its timestamp") {
  Fixture f;
  f.Put("a", 5, "five");
  f.Put("a", 9, "nine");
  f.Put("b", 3, "three");
  f.Delete("b", 6);
  for (int pass = 0; pass < 3; ++pass) {
    CAPTURE(pass);
    CHECK_EQ(f.Get("a", 4), "absent");
    CHECK_EQ(f.Get("a", 5), "five@5");
    CHECK_EQ(f.Get("a", 8), "five@5");
    CHECK_EQ(f.Get("a", 100), "nine@9");
    CHECK_EQ(f.Get("b", 5), "three@3");
    CHECK_EQ(f.Get("b", 6), "absent");
    const std::string at = At(6), from = At(0);
    CHECK_EQ(f.Scan({.timestamp = at}), "a@5=five ");
    CHECK_EQ(f.Scan({.timestamp = at}, /*backward=*/true), "a@5=five ");
    CHECK_EQ(f.Scan({.timestamp = at, .iter_start_timestamp = from}), "a@5=five b@6! b@3=three ");
    if (pass == 0) REQUIRE(f.db->FlushAll().ok());
    if (pass == 1) REQUIRE(f.Compact().ok());
  }
}

TEST_CASE("Timestamps: what a family needs and what it does not take is an invalid argument") {
  Fixture f;
  const auto plain = f.db->CreateColumnFamily("plain", {});
  REQUIRE(plain.ok());
  const std::string at = At(7);
  CHECK(f.db->Get({}, "a").status().code() == Code::kInvalidArgument);
  CHECK(f.db->Get({.timestamp = "short"}, "a").status().code() == Code::kInvalidArgument);
  CHECK(f.db->Get({.timestamp = at}, "a", *plain).status().code() == Code::kInvalidArgument);
  CHECK(f.db->NewIterator({}).status().code() == Code::kInvalidArgument);
  CHECK(f.db->NewIterator({.timestamp = at}, *plain).status().code() == Code::kInvalidArgument);
  CHECK(f.db->Put({}, "key of 8 bytes and more", "1").code() == Code::kInvalidArgument);
  WriteBatch mixed;
  mixed.PutAt("a", at, "1");
  mixed.Put("key of 8 bytes and more", "2");
  CHECK(f.db->Write({}, mixed).code() == Code::kInvalidArgument);
  WriteBatch wrong;
  wrong.PutAt("a", at, "1", *plain);
  CHECK(f.db->Write({}, wrong).code() == Code::kInvalidArgument);
  WriteBatch range;
  range.DeleteRange("a" + at, "b" + at);
  CHECK(f.db->Write({}, WriteBatch(range.bytes())).code() == Code::kNotSupported);
  CHECK(f.db->NewestSequence("a").status().code() == Code::kNotSupported);
  WriteBatch both;
  both.PutAt("a", at, "1");
  both.Put("a", "2", *plain);
  CHECK(f.db->Write({}, WriteBatch(both.bytes())).ok());  // Encoded ones are taken as they are.
  CHECK_EQ(f.Get("a", 7), "1@7");
  WriteBatch behind(both.bytes()), around;
  behind.Put("key of 8 bytes and more", "3");
  CHECK(f.db->Write({}, behind).code() == Code::kInvalidArgument);
  around.PutAt("a", at, "1");
  around.Append(WriteBatch(both.bytes()));
  CHECK(f.db->Write({}, around).ok());
  around.Put("key of 8 bytes and more", "4");
  CHECK(f.db->Write({}, around).code() == Code::kInvalidArgument);
}

TEST_CASE("Timestamps: a batch that is appended to another one keeps its timestamps") {
  Fixture f;
  WriteBatch first, second;
  first.PutAt("a", At(1), "1");
  second.DeleteAt("b", At(1));
  first.Append(second);
  first.Append(first);
  CHECK(f.db->Write({}, first).ok());
  first.Clear();
  first.Put("c", "1");
  CHECK(f.db->Write({}, first).code() == Code::kInvalidArgument);
}

TEST_CASE("Timestamps: operands are folded onto the value of an older timestamp") {
  Fixture f;
  f.Put("a", 2, "base");
  f.Merge("a", 4, "x");
  f.Merge("a", 6, "y");
  f.Merge("b", 5, "z");
  for (int pass = 0; pass < 2; ++pass) {
    CHECK_EQ(f.Get("a", 3), "base@2");
    CHECK_EQ(f.Get("a", 5), "base,x@4");
    CHECK_EQ(f.Get("a", 7), "base,x,y@6");
    const std::string at = At(9);
    CHECK_EQ(f.Scan({.timestamp = at}), "a@6=base,x,y b@5=z ");
    CHECK_EQ(f.Scan({.timestamp = at}, /*backward=*/true), "a@6=base,x,y b@5=z ");
    REQUIRE(f.Compact().ok());
  }
}

TEST_CASE("Timestamps: below full_history_ts_low nothing is read, and old versions go") {
  Fixture f;
  f.Put("a", 2, "two");
  f.Put("a", 4, "four");
  f.Put("a", 8, "eight");
  f.Put("b", 3, "three");
  f.Delete("b", 5);
  REQUIRE(f.Compact().ok());
  const std::string from = At(0), at = At(9);
  const ReadOptions all{.timestamp = at, .iter_start_timestamp = from};
  CHECK_EQ(f.Scan(all), "a@8=eight a@4=four a@2=two b@5! b@3=three ");
  {
    const Snapshot snapshot = f.db->GetSnapshot();
    REQUIRE(f.db->IncreaseFullHistoryTsLow(At(6)).ok());
    CHECK_EQ(f.Get("a", 5).substr(0, 16), "invalid_argument");
    REQUIRE(f.Compact().ok());
    CHECK_EQ(f.Scan(all), "a@8=eight a@4=four ");
    CHECK_EQ(f.Get("a", 6), "four@4");
    CHECK_EQ(f.Get("b", 6), "absent");
  }
  CHECK(f.db->IncreaseFullHistoryTsLow(At(5)).code() == Code::kInvalidArgument);
  CHECK(f.db->IncreaseFullHistoryTsLow("short").code() == Code::kInvalidArgument);
  f.Open();
  const auto low = f.db->FullHistoryTsLow();
  REQUIRE(low.ok());
  CHECK_EQ(*low, At(6));
  CHECK_EQ(f.Get("a", 5).substr(0, 16), "invalid_argument");
}

TEST_CASE("Timestamps: random changes, flushes and compactions against a model") {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Fixture f;
    // By key, then by timestamp; nullopt: deleted.
    std::map<std::string, std::map<uint64_t, std::optional<std::string>>> model;
    uint64_t now = 1, low = 0;
    for (int step = 0; step < 600; ++step) {
      const std::string key = "k" + std::to_string(random() % 12);
      now += random() % 2;
      switch (random() % 20) {
        case 0:
          REQUIRE(f.db->FlushAll().ok());
          break;
        case 1:
          REQUIRE(f.Compact().ok());
          break;
        case 2:
          f.Open();
          break;
        case 3:
          if (random() % 4 == 0) {
            low = std::max(low, now / 2);
            REQUIRE(f.db->IncreaseFullHistoryTsLow(At(low)).ok());
          }
          break;
        case 4:
        case 5:
        case 6:
          f.Delete(key, now);
          model[key][now] = std::nullopt;
          break;
        default:
          f.Put(key, now, std::to_string(step));
          model[key][now] = std::to_string(step);
      }
      if (step % 7 != 0) continue;
      const uint64_t when = low + random() % (now + 2 - low);
      std::string expected;
      for (const auto& [name, versions] : model) {
        auto after = versions.upper_bound(when);
        const bool there = after != versions.begin() && (--after)->second.has_value();
        const std::string shown =
            there ? *after->second + "@" + std::to_string(after->first) : "absent";
        REQUIRE_EQ(f.Get(name, when), shown);
        if (there) {
          expected += name + "@" + std::to_string(after->first) + "=" + *after->second + " ";
        }
      }
      const std::string at = At(when);
      REQUIRE_EQ(f.Scan({.timestamp = at}), expected);
      REQUIRE_EQ(f.Scan({.timestamp = at}, /*backward=*/true), expected);
    }
  }
}

}  // namespace
}  // namespace varve
