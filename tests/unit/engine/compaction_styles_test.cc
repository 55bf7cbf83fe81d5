// SPDX-License-Identifier: Apache-2.0
// What compaction does, or does not, by style.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/engine/inline_db.h"
#include "varve/db.h"

namespace varve {
namespace {

class Fixture : public InlineDb {
 public:
  Fixture() {
    options.family.write_buffer_size = 64 << 10;
    options.family.table.compression = CompressionType::kNone;  // Sizes are counted.
  }
  // `count` tables on level 0, each with all of `keys` keys.
  void WriteTables(int count, int keys) {
    for (int table = 0; table < count; ++table) {
      for (int i = 0; i < keys; ++i) {
        REQUIRE(db->Put({}, "k" + std::to_string(i), std::to_string(table) + std::string(500, 'v'))
                    .ok());
      }
      REQUIRE(db->Flush().ok());
    }
    REQUIRE(db->WaitForBackgroundWork().ok());
  }
  uint64_t Files(int level) { return db->Levels()[level].files; }
  uint64_t Bytes() {
    uint64_t bytes = 0;
    for (const LevelInfo& level : db->Levels()) bytes += level.bytes;
    return bytes;
  }
};

TEST_CASE("Leveled compaction empties level 0 once it has enough files") {
  Fixture t;
  t.options.family.level0_file_num_compaction_trigger = 3;
  t.Open();
  t.WriteTables(2, 50);
  CHECK(t.Files(0) == 2);
  t.WriteTables(1, 50);
  CHECK(t.Files(0) == 0);
  CHECK(t.db->Stats().compactions >= 1);
}

// Nobody has read the tables: what they have is known from their writing.
TEST_CASE("Deletions weigh as the values that they hide: a table of them is compacted at once") {
  Fixture t;
  t.options.family.write_buffer_size = 1 << 20;
  t.options.family.max_bytes_for_level_base = 100 << 10;
  t.options.family.level0_file_num_compaction_trigger = 4;
  t.Open();
  t.WriteTables(1, 150);  // 75 KiB, which are not enough.
  REQUIRE_EQ(t.Files(0), 1);
  for (int i = 0; i < 150; ++i) REQUIRE(t.db->Delete({}, "k" + std::to_string(i)).ok());
  REQUIRE(t.db->Flush().ok());
  REQUIRE(t.db->WaitForBackgroundWork().ok());
  CHECK_EQ(t.db->Stats().compactions, 1);
  CHECK_EQ(t.Bytes(), 0);
}

TEST_CASE("Compaction switched off leaves level 0 alone, until it is asked for by hand") {
  Fixture t;
  t.options.family.level0_file_num_compaction_trigger = 2;
  SUBCASE("disable_auto_compactions") { t.options.family.disable_auto_compactions = true; }
  SUBCASE("no style") { t.options.family.compaction_style = CompactionStyle::kNone; }
  t.Open();
  t.WriteTables(6, 20);
  CHECK(t.Files(0) == 6);
  CHECK(t.db->Stats().compactions == 0);
  REQUIRE(t.db->CompactRange({}, {}, {}).ok());
  CHECK(t.Files(0) == 0);
}

TEST_CASE("FIFO drops the oldest tables beyond its size, and keeps the newest data") {
  Fixture t;
  t.options.family.compaction_style = CompactionStyle::kFifo;
  t.options.family.fifo_max_table_files_size = 200 << 10;
  t.Open();
  t.WriteTables(20, 50);
  CHECK(t.Bytes() <= t.options.family.fifo_max_table_files_size);
  CHECK(t.Files(0) > 1);
  const auto value = t.db->Get({}, "k7");
  REQUIRE(value.ok());
  REQUIRE(value->has_value());
  CHECK((**value).view().starts_with("19"));
}

TEST_CASE("Universal compaction keeps fewer sorted runs than the trigger") {
  Fixture t;
  t.options.family.compaction_style = CompactionStyle::kUniversal;
  t.options.family.level0_file_num_compaction_trigger = 3;
  t.Open();
  t.WriteTables(2, 50);
  CHECK(t.Files(0) == 2);
  t.WriteTables(1, 50);
  CHECK(t.Files(0) == 0);
  CHECK(t.Files(6) == 1);
  for (int i = 0; i < 40; ++i) {
    t.WriteTables(1, 1 + i * 7 % 50);
    uint64_t runs = t.Files(0);
    for (int level = 1; level < 7; ++level) runs += t.Files(level) > 0 ? 1 : 0;
    CHECK(runs <= 3);
  }
  for (int i = 0; i < 50; ++i) CHECK((*t.db->Get({}, "k" + std::to_string(i))).has_value());
}

TEST_CASE("Universal compaction of an only level leaves one table, without what was deleted") {
  Fixture t;
  t.options.family.compaction_style = CompactionStyle::kUniversal;
  t.options.family.num_levels = 1;
  t.options.family.disable_auto_compactions = true;
  t.Open();
  t.WriteTables(3, 100);
  WriteBatch batch;
  batch.DeleteRange("k", "k5");
  REQUIRE(t.db->Write({}, std::move(batch)).ok());
  for (int i = 50; i < 100; ++i) REQUIRE(t.db->Delete({}, "k" + std::to_string(i)).ok());
  REQUIRE(t.db->CompactRange({}, {}, {}).ok());
  CHECK(t.Files(0) == 1);
  CHECK(t.Bytes() < 10 * 600 + 2000);  // k5 to k9.
  CHECK_FALSE((*t.db->Get({}, "k44")).has_value());
  CHECK((*t.db->Get({}, "k7")).has_value());
}

TEST_CASE("With universal compaction, a range compacted by hand is the whole family") {
  Fixture t;
  t.options.family.compaction_style = CompactionStyle::kUniversal;
  t.options.family.disable_auto_compactions = true;
  t.Open();
  t.WriteTables(3, 100);
  REQUIRE(t.db->CompactRange({}, "x", "y").ok());
  CHECK(t.Files(0) == 3);
  REQUIRE(t.db->CompactRange({}, "k5", "k6").ok());
  CHECK(t.Files(0) == 0);
  CHECK(t.Files(6) == 1);
  const uint64_t compactions = t.db->Stats().compactions;
  REQUIRE(t.db->CompactRange({}, {}, {}).ok());
  CHECK(t.db->Stats().compactions == compactions);
  REQUIRE(t.db->CompactRange({.force_bottommost = true}, {}, {}).ok());
  CHECK(t.db->Stats().compactions == compactions + 1);
}

TEST_CASE("Universal compaction keeps what a snapshot sees, and range deletions over older runs") {
  Fixture t;
  t.options.family.compaction_style = CompactionStyle::kUniversal;
  t.options.family.level0_file_num_compaction_trigger = 3;
  t.Open();
  t.WriteTables(3, 50);  // All in the last level.
  const Snapshot snapshot = t.db->GetSnapshot();
  WriteBatch batch;
  batch.DeleteRange("k1", "k3");
  REQUIRE(t.db->Write({}, std::move(batch)).ok());
  REQUIRE(t.db->Flush().ok());
  for (int i = 0; i < 3; ++i) {
    REQUIRE(t.db->Put({}, "a" + std::to_string(i), "v").ok());
    REQUIRE(t.db->Flush().ok());
  }
  REQUIRE(t.db->WaitForBackgroundWork().ok());
  CHECK_FALSE((*t.db->Get({}, "k2")).has_value());
  const auto seen = t.db->Get({.snapshot = &snapshot}, "k2");
  REQUIRE(seen.ok());
  CHECK(seen->has_value());
  CHECK((*t.db->Get({}, "k4")).has_value());
}

// No style needs a form of the tree that another does not give.
TEST_CASE("A database changes its compaction style when it is opened") {
  Fixture t;
  t.options.family.level0_file_num_compaction_trigger = 3;
  t.options.family.max_bytes_for_level_base = 64 << 10;
  t.options.family.target_file_size_base = 32 << 10;
  t.options.source = OptionSource::kCaller;
  t.options.create_if_missing = true;
  constexpr CompactionStyle kStyles[] = {CompactionStyle::kLevel, CompactionStyle::kUniversal,
                                         CompactionStyle::kNone,  CompactionStyle::kUniversal,
                                         CompactionStyle::kLevel, CompactionStyle::kUniversal};
  for (const CompactionStyle style : kStyles) {
    t.db.reset();
    t.options.family.compaction_style = style;
    t.Open();
    t.WriteTables(7, 200);
    for (int i = 0; i < 200; ++i) {
      const auto value = t.db->Get({}, "k" + std::to_string(i));
      REQUIRE(value.ok());
      REQUIRE(value->has_value());
      CHECK((**value).view().starts_with("6"));
    }
  }
}

TEST_CASE("A sorted load is moved down, not rewritten") {
  Fixture t;
  t.options.family.level0_file_num_compaction_trigger = 1;
  t.Open();
  for (int table = 0; table < 8; ++table) {
    for (int i = 0; i < 50; ++i) {
      REQUIRE(
          t.db->Put({}, "k" + std::to_string(1000 + table * 50 + i), std::string(500, 'v')).ok());
    }
    REQUIRE(t.db->Flush().ok());
    REQUIRE(t.db->WaitForBackgroundWork().ok());
  }
  CHECK(t.Files(0) == 0);
  CHECK(t.db->Stats().trivial_moves == 8);
  CHECK(t.db->Stats().compaction_bytes_written == 0);
}

TEST_CASE("A range compacted by hand loses its tombstones, the rest stays where it is") {
  Fixture t;
  t.options.family.disable_auto_compactions = true;
  t.Open();
  t.WriteTables(3, 100);
  REQUIRE(t.db->CompactRange({.force_bottommost = true}, {}, {}).ok());
  const uint64_t full = t.Bytes();
  WriteBatch batch;
  batch.DeleteRange("k", "k6");
  REQUIRE(t.db->Write({}, std::move(batch)).ok());
  REQUIRE(t.db->CompactRange({.force_bottommost = true}, "k", "k6").ok());
  CHECK(t.Bytes() < full * 2 / 3);
  CHECK_FALSE((*t.db->Get({}, "k5")).has_value());
  CHECK((*t.db->Get({}, "k7")).has_value());
}

// So that whoever waits for a compaction of a hundred gigabytes sees that it goes on.
TEST_CASE("What a compaction reads is counted while it reads, and not twice") {
  for (const int parts : {1, 4}) {
    CAPTURE(parts);
    WatchedFs watched;
    Fixture t;
    t.options.env.file_system = &watched;
    t.options.family.disable_auto_compactions = true;
    t.options.family.write_buffer_size = 16 << 20;
    t.options.family.target_file_size_base = 1 << 20;
    t.options.max_subcompactions = parts;
    t.Open();
    t.WriteTables(2, 20000);
    const uint64_t whole = t.Bytes();
    std::vector<uint64_t> read;  // As each table is begun.
    watched.set_judge([&](const std::string& event) {
      if (event.starts_with("create ") && event.ends_with(".sst")) {
        read.push_back(t.db->Stats().compaction_bytes_read);
      }
      return Status::Ok();
    });
    REQUIRE(t.db->CompactRange({}, {}, {}).ok());
    REQUIRE(read.size() >= 8);
    CHECK(read[1] > 0);
    CHECK(read[read.size() / 2] > read[1]);
    CHECK(read.back() > whole / 2);
    CHECK(std::is_sorted(read.begin(), read.end()));
    CHECK(t.db->Stats().compaction_bytes_read == whole);
    t.db.reset();
    watched.set_judge(nullptr);
  }
}

}  // namespace
}  // namespace varve
