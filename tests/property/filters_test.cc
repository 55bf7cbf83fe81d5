// SPDX-License-Identifier: Apache-2.0
// Random changes of a database whose compactions filter values. When a compaction looks at a value
// is not known, so the model has, for each key, all values that it may have:
//
//   put v      {v, F(v)}               F: what the filter makes of a value, or nothing
//   merge o    each with o appended, and what F makes of these
//   a snapshot keeps the set of its moment, of which F has made anything by the time it is read
//
// After full compactions nothing is left that F would change.
//
//   filters_test [--seed=N] [--first=N] [--seeds=N]
//
// A difference prints the line that replays it (tests/replay) and ends the run.
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "tests/mix/arguments.h"
#include "tests/mix/dice.h"
#include "tests/replay/replay.h"
#include "varve/compaction_filter.h"
#include "varve/db.h"

namespace varve {
namespace {

using mix::Dice;
using Possible = std::optional<std::string>;  // Nullopt: the key is absent.
using Values = std::set<Possible>;
using Contents = std::map<std::string, Values>;

constexpr uint64_t kKeys = 60;

// What becomes of a value: it goes, it changes, it grows beyond blocks and tables, or it becomes
// empty. What it makes, it keeps.
Possible Filtered(const std::string& value) {
  switch (value.empty() ? '\0' : value.front()) {
    case 'R':
      return std::nullopt;
    case 'C':
      return "c" + value.substr(1);
    case 'G':
      return "g" + value.substr(1) + std::string(9000, 'g');
    case 'E':
      return "";
    default:
      return value;
  }
}

class ByFirstLetter final : public CompactionFilter {
 public:
  Decision Filter(int /*level*/, std::string_view /*key*/, std::string_view value,
                  std::string* new_value) override {
    const Possible filtered = Filtered(std::string(value));
    if (!filtered) return Decision::kRemove;
    if (*filtered == value) return Decision::kKeep;
    *new_value = *filtered;
    return Decision::kChange;
  }
};

class Factory final : public CompactionFilterFactory {
 public:
  std::unique_ptr<CompactionFilter> Create(const Context&) const override {
    return std::make_unique<ByFirstLetter>();
  }
};

Values WithFiltered(Values values) {
  Values filtered;
  for (const Possible& value : values) {
    if (value) filtered.insert(Filtered(*value));
  }
  values.merge(filtered);
  return values;
}

std::string KeyOf(uint64_t n) { return "key" + std::to_string(100 + n); }

class Run {
 public:
  explicit Run(uint64_t seed) : dice_(seed), memory_(NewMemoryFileSystem()) {
    options_.env.file_system = memory_.get();
    options_.env.executor = &executor_;
    options_.create_if_missing = true;
    options_.max_subcompactions = 1 + static_cast<int>(dice_.Pick(3));
    ColumnFamilyOptions& family = options_.family;
    family.merge_operator = MergeOperatorByName("stringappend");
    family.compaction_filter_factory = &factory_;
    family.write_buffer_size = uint64_t{4096} << dice_.Pick(4);
    family.target_file_size_base = uint64_t{1024} << dice_.Pick(4);
    family.max_bytes_for_level_base = uint64_t{8192} << dice_.Pick(3);
    family.level0_file_num_compaction_trigger = 2 + static_cast<int>(dice_.Pick(3));
    family.table.block_size = 256;
  }

  // What went wrong; empty if nothing did.
  std::string Go() {
    Open();
    for (int step = 0; step < 1500 && wrong_.empty(); ++step) Step();
    for (const Past& past : snapshots_) Check(past.contents, &past.snapshot);
    Check(now_, nullptr);
    snapshots_.clear();
    if (wrong_.empty()) CheckAllFiltered();
    return wrong_;
  }

 private:
  struct Past {
    Snapshot snapshot;
    Contents contents;
  };

  void Fail(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }
  void Expect(const Status& status) {
    if (!status.ok()) Fail(status.ToString());
  }
  void Open() {
    db_.reset();
    auto opened = DB::Open(options_, "db");
    Expect(opened.status());
    if (opened.ok()) db_ = *std::move(opened);
  }

  void Step() {
    const uint64_t kind = dice_.Pick(100);
    if (kind < 80) {
      Write();
    } else if (kind < 84) {
      Expect(db_->Flush());
    } else if (kind < 88) {
      const std::string begin = KeyOf(dice_.Pick(kKeys));
      Expect(db_->CompactRange({.force_bottommost = dice_.OneIn(2)}, begin, std::nullopt));
    } else if (kind < 92) {
      if (snapshots_.size() == 3) snapshots_.erase(snapshots_.begin());
      snapshots_.push_back({db_->GetSnapshot(), now_});
    } else if (kind < 99) {
      Check(now_, nullptr);
      if (!snapshots_.empty()) {
        const Past& past = snapshots_[dice_.Pick(snapshots_.size())];
        Check(past.contents, &past.snapshot);
      }
    } else if (dice_.OneIn(4)) {
      snapshots_.clear();
      Open();
    }
  }

  std::string Value() {
    return dice_.Of<std::string>({"R", "C", "G", "E", "k", "k"}) + std::to_string(dice_.Pick(1000));
  }

  void Write() {
    WriteBatch batch;
    for (uint64_t i = 1 + dice_.Pick(4); i > 0; --i) {
      const std::string key = KeyOf(dice_.Pick(kKeys));
      const uint64_t kind = dice_.Pick(12);
      if (kind == 0) {
        batch.Delete(key);
        now_[key] = {std::nullopt};
      } else if (kind == 1) {
        const std::string end = KeyOf(dice_.Pick(kKeys));
        batch.DeleteRange(key, end);
        for (uint64_t n = 0; n < kKeys; ++n) {
          if (KeyOf(n) >= key && KeyOf(n) < end) now_[KeyOf(n)] = {std::nullopt};
        }
      } else if (kind < 5 && Of(now_, key).size() < 6) {
        const std::string operand = Value();
        batch.Merge(key, operand);
        Values merged;
        for (const Possible& base : Of(now_, key)) {
          merged.insert(base ? *base + "," + operand : operand);
        }
        now_[key] = WithFiltered(std::move(merged));
      } else {
        const std::string value = Value();
        batch.Put(key, value);
        now_[key] = WithFiltered({value});
      }
    }
    Expect(db_->Write({}, std::move(batch)));
  }

  static Values Of(const Contents& contents, const std::string& key) {
    const auto found = contents.find(key);
    return found == contents.end() ? Values{std::nullopt} : found->second;
  }
  void Judge(const Contents& contents, const std::string& key, const Possible& value) {
    if (Of(contents, key).contains(value)) return;
    Fail(key + " cannot be " + (value ? value->substr(0, 60) : "absent"));
  }
  void Check(const Contents& contents, const Snapshot* snapshot) {
    const ReadOptions options{.snapshot = snapshot};
    std::map<std::string, std::string> scanned;
    auto it = db_->NewIterator(options);
    Expect(it.status());
    for (it->SeekToFirst(); it->Valid(); it->Next()) scanned.emplace(it->key(), it->value());
    Expect(it->status());
    for (uint64_t n = 0; n < kKeys; ++n) {
      const std::string key = KeyOf(n);
      const auto at = scanned.find(key);
      Judge(contents, key, at == scanned.end() ? std::nullopt : Possible(at->second));
      const auto got = db_->Get(options, key);
      Expect(got.status());
      if (got.ok()) Judge(contents, key, *got ? Possible((*got)->ToString()) : std::nullopt);
    }
  }

  // What the first compaction makes of operands, the second one filters.
  void CheckAllFiltered() {
    for (int i = 0; i < 2; ++i) {
      Expect(db_->CompactRange({.force_bottommost = true}, std::nullopt, std::nullopt));
    }
    Check(now_, nullptr);
    auto it = db_->NewIterator({});
    Expect(it.status());
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      if (Filtered(std::string(it->value())) != it->value()) {
        Fail(std::string(it->key()) + " was not filtered");
      }
    }
  }

  Dice dice_;
  const Factory factory_;
  const std::unique_ptr<FileSystem> memory_;
  InlineExecutor executor_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<Past> snapshots_;  // Go before the database.
  Contents now_;
  std::string wrong_;
};

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  if (varve::mix::HasUnknownArgument(argc, argv, {"--seed=", "--first=", "--seeds="})) return 2;
  const varve::mix::Seeds seeds(argc, argv, 60);
  for (uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    varve::replay::At("filters --seed=" + std::to_string(seed));
    const std::string wrong = varve::Run(seed).Go();
    if (wrong.empty()) continue;
    std::fprintf(stderr, "%s\n", wrong.c_str());
    varve::replay::Print("filters --seed=" + std::to_string(seed));
    return 1;
  }
  std::printf("%llu seeds\n", static_cast<unsigned long long>(seeds.count));
  return 0;
}
