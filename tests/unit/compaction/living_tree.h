// SPDX-License-Identifier: Apache-2.0
// A tree whose files really hold something: for each of 26 keys at most one version a file.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/compaction/picker.h"
#include "tests/unit/version/version_fixture.h"

namespace varve {

class LivingTree {
 public:
  LivingTree(const ColumnFamilyOptions& options, uint64_t seed)
      : random_(seed),
        options_(options),
        version_(MakeVersion({}, *BytewiseComparator(), options.num_levels)) {}

  const Version& version() const { return *version_; }
  const ColumnFamilyOptions& options() const { return options_; }
  uint64_t Random(uint64_t below) { return random_() % below; }

  void Flush() {
    const FileNumber number = next_++;
    for (uint64_t i = 1 + random_() % 6; i > 0; i--) {
      contents_[number][static_cast<char>('a' + random_() % 26)] = number;
    }
    VersionEdit edit;
    edit.new_files.push_back({0, Describe(number)});
    Apply(edit);
  }

  void CompactUntilIdle() {
    for (int jobs = 0; const auto plan = PickCompaction(*version_, options_, {}); jobs++) {
      REQUIRE_LT(jobs, 200);
      Carry(*plan);
    }
  }

  // Carries the plan out, as one that was made of an earlier version, too.
  void Carry(const CompactionPlan& plan) {
    VersionEdit edit;
    std::map<char, Sequence> merged;
    for (const auto& [level, file] : InputsOf(plan)) {
      edit.deleted_files.push_back({level, file->number()});
      if (plan.trivial_move) edit.new_files.push_back({plan.output_level, file->description});
      for (const auto& [key, sequence] : contents_[file->number()]) {
        merged[key] = std::max(merged[key], sequence);
      }
    }
    // One output for about every five keys; a single one in level 0.
    const int keys_max = plan.output_level == 0 ? 26 : 5;
    while (!plan.trivial_move && !merged.empty()) {
      const FileNumber number = next_++;
      for (int keys = 0; keys < keys_max && !merged.empty(); keys++) {
        contents_[number].insert(merged.extract(merged.begin()));
      }
      edit.new_files.push_back({plan.output_level, Describe(number)});
    }
    Apply(edit);
    CheckAges();
  }

 private:
  FileDescription Describe(FileNumber number) {
    const std::map<char, Sequence>& keys = contents_[number];
    Sequence newest = 0, oldest = kMaxSequence;
    for (const auto& [key, sequence] : keys) {
      newest = std::max(newest, sequence);
      oldest = std::min(oldest, sequence);
    }
    FileDescription file = MakeFile(number, std::string(1, keys.begin()->first),
                                    std::string(1, keys.rbegin()->first), oldest, newest);
    file.size = 20 * keys.size();
    return file;
  }

  void Apply(const VersionEdit& edit) {
    VersionBuilder builder(BytewiseComparator(), version_.get(), options_.num_levels);
    const Status applied = builder.Apply(edit);
    REQUIRE_MESSAGE(applied.ok(), applied.ToString());
    Result<std::shared_ptr<const Version>> built = builder.Build(nullptr, kMaxSequence);
    REQUIRE_MESSAGE(built.ok(), built.status().ToString());
    version_ = *built;
  }

  // In the order in which a Get looks, each version of a key is older than the one before.
  void CheckAges() {
    std::map<char, Sequence> seen;
    for (int level = 0; level < version_->num_levels(); level++) {
      for (const FilePtr& file : version_->files(level)) {
        for (const auto& [key, sequence] : contents_[file->number()]) {
          if (seen.contains(key)) REQUIRE_LT(sequence, seen[key]);
          seen[key] = sequence;
        }
      }
    }
  }

  std::mt19937_64 random_;
  const ColumnFamilyOptions options_;
  std::shared_ptr<const Version> version_;
  std::map<FileNumber, std::map<char, Sequence>> contents_;
  FileNumber next_ = 1;
};

}  // namespace varve
