// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/compaction_iterator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "core/compaction/compaction_tombstones.h"
#include "core/iterator/lookup.h"
#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/iterator/vector_iterator.h"

namespace varve {
namespace {

using enum ValueType;

const Comparator& Order() { return *BytewiseComparator(); }

// Appends operands; refuses the operand "bad" and the base "bad".
class Append final : public MergeOperator {
 public:
  explicit Append(bool combines = true) : combines_(combines) {}
  std::string_view name() const override { return "test.Append"; }
  Result<std::string> Merge(std::string_view, std::optional<std::string_view> base,
                            std::span<const std::string_view> operands) const override {
    std::string merged(base.value_or(""));
    if (merged == "bad") return Status::Corruption("bad base");
    for (std::string_view operand : operands) merged.append("+").append(operand);
    return merged;
  }
  std::optional<std::string> Combine(std::string_view,
                                     std::span<const std::string_view> operands) const override {
    if (!combines_) return std::nullopt;
    std::string combined;
    for (std::string_view operand : operands) {
      if (!combined.empty()) combined += '+';
      combined += operand;
    }
    return combined;
  }

 private:
  bool combines_;
};

// One sorted run: what a memtable or a level holds.
struct Run {
  std::vector<TestEntry> entries;
  std::vector<RangeTombstone> tombstones;
};

struct Setting {
  std::vector<Sequence> snapshots = {};
  bool bottommost = false;
  const MergeOperator* merge_operator = nullptr;
};

Run Compact(Run input, const Setting& setting, CompactionCounters* counters = nullptr) {
  SortEntries(Order(), &input.entries);
  const Visibility visibility(setting.snapshots, setting.bottommost);
  TombstoneCollector collector(Order(), kMaxSequence);
  const auto list = std::make_shared<const FragmentedTombstones>(Order(), input.tombstones);
  collector.Add(0, list, std::nullopt, std::nullopt);
  CompactionTombstones tombstones(Order(), &visibility);
  tombstones.Add(*list, std::nullopt, std::nullopt);
  REQUIRE(tombstones.Finish().ok());

  CompactionScope scope;
  scope.comparator = &Order();
  scope.merge_operator = setting.merge_operator;
  scope.tombstones = &collector;
  CompactionIterator it(scope, &visibility,
                        std::make_unique<VectorIterator>(Order(), input.entries));
  Run output;
  for (it.SeekToFirst(); it.Valid(); it.Next()) {
    const TestEntry* const before = output.entries.empty() ? nullptr : &output.entries.back();
    if (before != nullptr) REQUIRE(EntryBefore(Order(), before->key(), it.key()));
    CHECK_EQ(it.starts_user_key(), before == nullptr || before->user_key != it.key().user_key);
    output.entries.push_back({std::string(it.key().user_key), it.key().sequence, it.key().type,
                              std::string(it.value())});
  }
  REQUIRE_MESSAGE(it.status().ok(), it.status().ToString());
  CHECK_EQ(it.counters().input_entries, input.entries.size());
  CHECK_EQ(it.counters().output_entries, output.entries.size());
  output.tombstones = tombstones.Within(std::nullopt, std::nullopt);
  if (counters != nullptr) *counters = it.counters();
  return output;
}

std::string Show(const Run& run) {
  std::string out;
  for (const TestEntry& e : run.entries) {
    out += e.user_key + "@" + std::to_string(e.sequence) + ":" +
           std::string(ValueTypeName(e.type)) + (e.value.empty() ? "" : "=" + e.value) + " ";
  }
  for (const RangeTombstone& t : run.tombstones) {
    out += "[" + t.begin + "," + t.end + ")@" + std::to_string(t.sequence) + " ";
  }
  return out;
}

std::string Compacted(std::vector<TestEntry> entries, const Setting& setting) {
  return Show(Compact({std::move(entries), {}}, setting));
}

TEST_CASE("CompactionIterator: only the newest version of each stripe stays") {
  CHECK_EQ(Compacted({{"k", 12, kValue, "e"},
                      {"k", 11, kValue, "d"},
                      {"k", 8, kValue, "c"},
                      {"k", 6, kValue, "b"},
                      {"k", 3, kValue, "a"}},
                     {.snapshots = {9, 5}}),
           "k@12:put=e k@8:put=c k@3:put=a ");
}

TEST_CASE(
    "CompactionIterator: sequences become zero at the bottom, where every snapshot sees them") {
  const std::vector<TestEntry> entries = {
      {"a", 7, kValue, "x"}, {"b", 3, kBlobIndex, "y"}, {"c", 3, kWideColumnEntity, "z"}};
  CHECK_EQ(Compacted(entries, {.snapshots = {5}, .bottommost = true}),
           "a@7:put=x b@0:blob_index=y c@0:wide_columns=z ");
  CHECK_EQ(Compacted(entries, {.snapshots = {5}}),
           "a@7:put=x b@3:blob_index=y c@3:wide_columns=z ");
}

TEST_CASE("CompactionIterator: a deletion goes at the bottom only if nothing older is left") {
  const std::vector<TestEntry> entries = {{"k", 9, kDeletion, ""}, {"k", 4, kValue, "a"}};
  CHECK_EQ(Compacted(entries, {}), "k@9:delete ");
  CHECK_EQ(Compacted(entries, {.bottommost = true}), "");
  CHECK_EQ(Compacted(entries, {.snapshots = {5}, .bottommost = true}), "k@9:delete k@0:put=a ");
  CHECK_EQ(Compacted({{"k", 9, kDeletion, ""}}, {.snapshots = {5}, .bottommost = true}), "");
}

TEST_CASE("CompactionIterator: a single deletion and its put go together, unless a snapshot sees") {
  const std::vector<TestEntry> entries = {{"k", 9, kSingleDeletion, ""}, {"k", 4, kValue, "a"}};
  CHECK_EQ(Compacted(entries, {}), "");
  CHECK_EQ(Compacted(entries, {.snapshots = {5}}), "k@9:single_delete k@4:put=a ");
  CHECK_EQ(Compacted({entries[0]}, {}), "k@9:single_delete ");
  CHECK_EQ(Compacted({entries[0]}, {.bottommost = true}), "");
}

TEST_CASE("CompactionIterator: a deletion below a single deletion's put still counts") {
  CHECK_EQ(Compacted(
               {{"k", 9, kSingleDeletion, ""}, {"k", 7, kValue, "b"}, {"k", 5, kDeletion, ""}}, {}),
           "k@5:delete ");
}

TEST_CASE("CompactionIterator: an unpaired single deletion stays below a newer put") {
  CHECK_EQ(Compacted({{"k", 12, kValue, "b"}, {"k", 9, kSingleDeletion, ""}}, {}),
           "k@12:put=b k@9:single_delete ");
  CHECK_EQ(Compacted({{"k", 12, kValue, "b"}, {"k", 9, kSingleDeletion, ""}}, {.bottommost = true}),
           "k@0:put=b ");
  CHECK_EQ(
      Compacted({{"k", 12, kValue, "b"}, {"k", 9, kSingleDeletion, ""}, {"k", 7, kValue, "a"}}, {}),
      "k@12:put=b ");
}

TEST_CASE("CompactionIterator: operands fold into a base, a deletion, or each other") {
  const Append append;
  const std::vector<TestEntry> operands = {{"k", 9, kMerge, "c"}, {"k", 8, kMerge, "b"}};
  auto with = [&](TestEntry base) {
    auto entries = operands;
    entries.push_back(std::move(base));
    return entries;
  };
  const Setting open{.merge_operator = &append};
  CHECK_EQ(Compacted(with({"k", 7, kValue, "a"}), open), "k@9:put=a+b+c ");
  CHECK_EQ(Compacted(with({"k", 7, kDeletion, ""}), open), "k@9:put=+b+c ");
  CHECK_EQ(Compacted(operands, open), "k@9:merge=b+c ");
  CHECK_EQ(Compacted(operands, {.bottommost = true, .merge_operator = &append}), "k@0:put=+b+c ");
  CHECK_EQ(Compacted(with({"k", 7, kBlobIndex, "blob"}), open),
           "k@9:merge=c k@8:merge=b k@7:blob_index=blob ");
}

TEST_CASE("CompactionIterator: a snapshot between operands keeps them apart") {
  const Append append;
  CHECK_EQ(Compacted({{"k", 9, kMerge, "d"},
                      {"k", 8, kMerge, "c"},
                      {"k", 7, kMerge, "b"},
                      {"k", 6, kValue, "a"}},
                     {.snapshots = {7}, .merge_operator = &append}),
           "k@9:merge=c+d k@7:put=a+b ");
}

TEST_CASE("CompactionIterator: nothing of a merge is lost without an operator, or if it refuses") {
  const std::vector<TestEntry> entries = {{"k", 9, kMerge, "c"},
                                          {"k", 8, kMerge, "b"},
                                          {"k", 7, kValue, "bad"},
                                          {"k", 6, kValue, "old"}};
  const std::string kept = "k@9:merge=c k@8:merge=b k@7:put=bad ";
  const Append append;
  CHECK_EQ(Compacted(entries, {}), kept);
  CHECK_EQ(Compacted(entries, {.merge_operator = &append}), kept);
}

TEST_CASE("CompactionIterator: a tombstone drops the older versions of its stripe") {
  const Run input{{{"k", 9, kValue, "c"}, {"k", 6, kValue, "b"}, {"k", 3, kValue, "a"}},
                  {{"a", "z", 8}}};
  CHECK_EQ(Show(Compact(input, {})), "k@9:put=c [a,z)@8 ");
  CompactionCounters counters;
  CHECK_EQ(Show(Compact({{{"k", 6, kValue, "b"}, {"k", 3, kValue, "a"}}, {{"a", "z", 8}}},
                        {.snapshots = {3}}, &counters)),
           "k@3:put=a [a,z)@8 ");
  CHECK_EQ(counters.covered, 1);
  CHECK_EQ(Show(Compact(input, {.bottommost = true})), "k@0:put=c ");
}

TEST_CASE("CompactionIterator: operands above a tombstone are merged onto nothing") {
  const Append append;
  CHECK_EQ(Show(Compact({{{"k", 9, kMerge, "c"}, {"k", 6, kValue, "b"}}, {{"a", "z", 8}}},
                        {.merge_operator = &append})),
           "k@9:put=+c [a,z)@8 ");
}

TEST_CASE("CompactionIterator: a part of a compaction stays within its user keys") {
  const Visibility visibility({}, false);
  CompactionScope scope;
  scope.comparator = &Order();
  scope.begin = "b";
  scope.end = "d";
  std::vector<TestEntry> entries;
  for (const char* key : {"a", "b", "c", "d"}) entries.push_back({key, 1, kValue, key});
  CompactionIterator it(scope, &visibility, std::make_unique<VectorIterator>(Order(), entries));
  std::string keys;
  for (it.SeekToFirst(); it.Valid(); it.Next()) keys += it.key().user_key;
  CHECK(it.status().ok());
  CHECK_EQ(keys, "bc");
}

TEST_CASE("CompactionIterator: a disordered or impossible input is corruption, not output") {
  const Visibility visibility({}, false);
  CompactionScope scope;
  scope.comparator = &Order();
  const auto status_of = [&](std::vector<TestEntry> entries) {
    CompactionIterator it(scope, &visibility, std::make_unique<VectorIterator>(Order(), entries));
    for (it.SeekToFirst(); it.Valid(); it.Next()) {
    }
    return it.status().code();
  };
  CHECK_EQ(status_of({{"b", 2, kValue, ""}, {"a", 1, kValue, ""}}), Code::kCorruption);
  CHECK_EQ(status_of({{"a", 1, kValue, ""}, {"a", 2, kValue, ""}}), Code::kCorruption);
  CHECK_EQ(status_of({{"a", 1, kValue, ""}, {"a", 1, kValue, ""}}), Code::kCorruption);
  CHECK_EQ(status_of({{"a", 1, kRangeDeletion, ""}}), Code::kCorruption);
}

TEST_CASE("CompactionIterator: an input's failure ends the output with that failure") {
  const Visibility visibility({}, false);
  CompactionScope scope;
  scope.comparator = &Order();
  std::vector<TestEntry> entries;
  for (char c = 'a'; c < 'k'; ++c) entries.push_back({std::string(1, c), 1, kDeletion, ""});
  for (size_t at = 0; at < entries.size(); ++at) {
    auto input = std::make_unique<VectorIterator>(Order(), entries);
    input->FailAt(at);
    CompactionIterator it(scope, &visibility, std::move(input));
    size_t seen = 0;
    for (it.SeekToFirst(); it.Valid(); it.Next()) ++seen;
    CHECK_EQ(it.status().code(), Code::kCorruption);
    CHECK_LE(seen, at);
  }
}

// --- A model: whatever is compacted, every snapshot reads what it read before.

std::string Read(const std::vector<Run>& runs, const std::string& key, Sequence snapshot) {
  Lookup lookup(key, snapshot);
  for (const Run& run : runs) {  // Newest first.
    for (const RangeTombstone& t : run.tombstones) {
      if (t.begin <= key && key < t.end && t.sequence <= snapshot) lookup.CoverBy(t.sequence);
    }
    for (const TestEntry& e : run.entries) {
      if (lookup.done()) break;
      if (e.user_key == key && e.sequence <= snapshot) {
        lookup.Feed(e.sequence, e.type, e.value, nullptr);
      }
    }
  }
  std::string operands;
  for (auto it = lookup.operands.rbegin(); it != lookup.operands.rend(); ++it) {
    operands += "+" + it->ToString();
  }
  switch (lookup.state) {
    case Lookup::State::kFound:
    case Lookup::State::kMergedOnto:
      return lookup.value.ToString() + operands;
    case Lookup::State::kMerging:
    case Lookup::State::kMergedOntoNothing:
      return operands;
    default:
      return "(absent)";
  }
}

constexpr int kKeys = 6;

// A history of a few keys in runs of ascending age. The last two keys are put and single-deleted
// in turns; the others take everything else.
std::vector<Run> RandomHistory(std::mt19937_64& random, size_t runs) {
  std::vector<Run> history(runs);
  std::vector<bool> put(kKeys, false);
  Sequence sequence = 0;
  for (size_t r = runs; r-- > 0;) {
    for (uint64_t i = 0, count = 1 + random() % 12; i < count; ++i) {
      ++sequence;
      const size_t k = random() % kKeys;
      const std::string key(1, static_cast<char>('a' + k));
      const std::string value = std::to_string(sequence);
      auto& entries = history[r].entries;
      if (random() % 8 == 0) {
        const std::string end(1, static_cast<char>(key[0] + 1 + random() % 3));
        history[r].tombstones.push_back({key, end, sequence});
        for (size_t j = k; j < kKeys && std::string(1, static_cast<char>('a' + j)) < end; ++j) {
          put[j] = false;
        }
      } else if (k >= kKeys - 2) {
        entries.push_back({key, sequence, put[k] ? kSingleDeletion : kValue, put[k] ? "" : value});
        put[k] = !put[k];
      } else {
        const ValueType type =
            (ValueType[]){kValue, kValue, kDeletion, kMerge, kMerge}[random() % 5];
        entries.push_back({key, sequence, type, type == kDeletion ? "" : value});
      }
    }
    SortEntries(Order(), &history[r].entries);
  }
  return history;
}

// Every read that is still possible.
std::vector<std::string> AllReads(const std::vector<Run>& runs, std::vector<Sequence> snapshots) {
  snapshots.push_back(kMaxSequence);
  std::vector<std::string> reads;
  for (Sequence snapshot : snapshots) {
    for (int k = 0; k < kKeys; ++k) {
      const std::string key(1, static_cast<char>('a' + k));
      reads.push_back(key + "@" + std::to_string(snapshot) + " = " + Read(runs, key, snapshot));
    }
  }
  return reads;
}

void CompactSomeRuns(std::mt19937_64& random, std::vector<Run>* runs,
                     const std::vector<Sequence>& snapshots, const MergeOperator* merge_operator) {
  const size_t first = random() % runs->size();
  const size_t last = first + random() % (runs->size() - first);
  Run input;
  for (size_t i = first; i <= last; ++i) {
    auto& run = (*runs)[i];
    input.entries.insert(input.entries.end(), run.entries.begin(), run.entries.end());
    input.tombstones.insert(input.tombstones.end(), run.tombstones.begin(), run.tombstones.end());
  }
  const bool bottommost = last + 1 == runs->size();
  Run output =
      Compact(std::move(input),
              {.snapshots = snapshots, .bottommost = bottommost, .merge_operator = merge_operator});
  runs->erase(runs->begin() + static_cast<ptrdiff_t>(first),
              runs->begin() + static_cast<ptrdiff_t>(last) + 1);
  runs->insert(runs->begin() + static_cast<ptrdiff_t>(first), std::move(output));
}

TEST_CASE("CompactionIterator: any series of compactions leaves every snapshot's reads alone") {
  const Append combining(true), stubborn(false);
  const MergeOperator* const operators[] = {&combining, &stubborn, nullptr};
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    std::vector<Run> runs = RandomHistory(random, 1 + random() % 5);
    std::vector<Sequence> snapshots;
    for (uint64_t i = random() % 4; i > 0; --i) snapshots.push_back(random() % 50);
    for (int step = 0; step < 5; ++step) {
      const auto before = AllReads(runs, snapshots);
      CompactSomeRuns(random, &runs, snapshots, operators[seed % 3]);
      REQUIRE_EQ(before, AllReads(runs, snapshots));
      if (!snapshots.empty() && random() % 2 == 0) snapshots.pop_back();
    }
  }
}

TEST_CASE("CompactionIterator: a full compaction without snapshots leaves live records only") {
  const Append append;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Run all;
    for (Run& run : RandomHistory(random, 3)) {
      all.entries.insert(all.entries.end(), run.entries.begin(), run.entries.end());
      all.tombstones.insert(all.tombstones.end(), run.tombstones.begin(), run.tombstones.end());
    }
    const Run output = Compact(all, {.bottommost = true, .merge_operator = &append});
    CHECK(output.tombstones.empty());
    std::set<std::string> keys;
    for (const TestEntry& e : output.entries) {
      CHECK(e.type == kValue);
      CHECK_EQ(e.sequence, 0);
      CHECK(keys.insert(e.user_key).second);
    }
  }
}

}  // namespace
}  // namespace varve
