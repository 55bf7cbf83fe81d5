// SPDX-License-Identifier: Apache-2.0
// Random inputs of a compaction from level 0 into level 1: two tables each, with puts, deletions
// and range deletions; the newer ones above.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/compaction/picker.h"
#include "tests/unit/compaction/job_fixture.h"
#include "tests/unit/version/table_fixture.h"

namespace varve {

class JobInputs {
 public:
  explicit JobInputs(uint64_t seed, size_t value_bytes = 20)
      : random_(seed), value_bytes_(value_bytes) {
    TableContents oldest;
    for (int i = 0; i < 80; ++i) Write(&oldest);
    AddTable(1, Part(oldest, "", kMiddle));
    AddTable(1, Part(oldest, kMiddle, "~"));
    for (int table = 0; table < 2; ++table) {
      TableContents contents;
      for (int i = 0; i < 40; ++i) Write(&contents);
      AddTable(0, contents);
    }
    version = tables.Build();
    plan.input_level = 0;
    plan.output_level = 1;
    plan.inputs = version->files(0);
    plan.output_overlap = version->files(1);
    plan.target_file_size = 600;
  }

  uint64_t bytes() const { return version->LevelBytes(0) + version->LevelBytes(1); }

  TableFixture tables;
  TableContents all;
  std::shared_ptr<const Version> version;
  CompactionPlan plan;

  static constexpr const char* kMiddle = "m";
  static constexpr Sequence kNewest = 160;

 private:
  std::string Key() { return std::string(1, static_cast<char>('a' + random_() % 26)); }

  void Write(TableContents* contents) {
    const Sequence sequence = ++sequence_;
    if (random_() % 10 == 0) {
      std::string begin = Key(), end = Key();
      if (end < begin) std::swap(begin, end);
      contents->tombstones.push_back({begin, end + "+", sequence});
    } else {
      const bool put = random_() % 4 != 0;
      contents->entries.push_back(
          {Key(), sequence, put ? ValueType::kValue : ValueType::kDeletion,
           put ? std::to_string(sequence) + std::string(value_bytes_, 'v') : ""});
    }
  }

  static TableContents Part(const TableContents& contents, const std::string& from,
                            const std::string& to) {
    TableContents part;
    for (const TestEntry& e : contents.entries) {
      if (from <= e.user_key && e.user_key < to) part.entries.push_back(e);
    }
    for (RangeTombstone t : contents.tombstones) {
      t.begin = std::max(t.begin, from);
      t.end = std::min(t.end, to);
      if (t.begin < t.end) part.tombstones.push_back(t);
    }
    return part;
  }

  void AddTable(int level, TableContents contents) {
    SortEntries(*BytewiseComparator(), &contents.entries);
    tables.Add(level, contents.entries, contents.tombstones);
    all.entries.insert(all.entries.end(), contents.entries.begin(), contents.entries.end());
    all.tombstones.insert(all.tombstones.end(), contents.tombstones.begin(),
                          contents.tombstones.end());
  }

  std::mt19937_64 random_;
  const size_t value_bytes_;
  Sequence sequence_ = 0;
};

}  // namespace varve
