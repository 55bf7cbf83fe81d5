// SPDX-License-Identifier: Apache-2.0
// Version::MultiGet(): looks up many keys in the tables, with one of two algorithms.
//
// kGrouped goes from table to table, newest first, with all keys within each; cache misses overlap
// only within one table.
//
// kPipeline processes up to 64 keys at a time. The candidate tables of a key follow from the
// tables' ranges, so they are listed, and their filters checked, for all keys and all levels at
// once. Then, in rounds, each unanswered key is searched in the newest of its remaining tables
// (table/read/batch_search.h), so a deeper table is only used after all above it.
#include <algorithm>
#include <array>
#include <vector>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/prefetch.h"
#include "core/table/read/batch_search.h"
#include "core/version/version.h"

namespace varve {
namespace {

// How many of `sorted` are before `user_key`.
template <typename Order>
size_t LowerBound(Order order, std::span<Lookup*> sorted, std::string_view user_key) {
  return static_cast<size_t>(
      std::partition_point(sorted.begin(), sorted.end(),
                           [&](const Lookup* l) { return order(l->user_key, user_key) < 0; }) -
      sorted.begin());
}

// How many of `sorted` are before `user_key` or equal to it.
template <typename Order>
size_t UpperBound(Order order, std::span<Lookup*> sorted, std::string_view user_key) {
  return static_cast<size_t>(
      std::partition_point(sorted.begin(), sorted.end(),
                           [&](const Lookup* l) { return order(l->user_key, user_key) <= 0; }) -
      sorted.begin());
}

// How many of `sorted` are not behind the file. Its largest key may be between the versions of a
// user key, or before all of them: its tombstones may cover versions in other files.
template <typename Order>
size_t CountUpTo(Order order, std::span<Lookup*> sorted, const FileMetadata& file) {
  return static_cast<size_t>(
      std::partition_point(sorted.begin(), sorted.end(),
                           [&](const Lookup* l) {
                             const InternalKey target = LookupKey(l->user_key, l->snapshot);
                             return CompareInternalKeys(order, target, file.largest) <= 0;
                           }) -
      sorted.begin());
}

bool AllDone(std::span<Lookup* const> lookups) {
  return std::all_of(lookups.begin(), lookups.end(), [](const Lookup* l) { return l->done(); });
}

// The lookups of one window.
template <typename Order>
class Window {
 public:
  Window(Order order, const Version& version, const ReadOptions& options, MultiGetIo io,
         std::span<Lookup* const> lookups)
      : order_(order), version_(version), options_(options), io_(io), lookups_(lookups) {}

  void Run() {
    DCHECK_OP(lookups_.size(), <=, kBatchWindow);
    ListTables();
    AskFilters(probes_);
    std::vector<TableProbe> round;
    round.reserve(lookups_.size());
    do {
      round.clear();
      holds_.clear();
      for (size_t i = 0; i < lookups_.size(); ++i) {
        if (!lookups_[i]->done()) EnterNext(i, &round);
      }
      if (!round.empty()) SearchTables(options_, io_, round);
    } while (!round.empty());
  }

 private:
  // The tables whose ranges contain the key, newest first, as probes_[begin_[i], begin_[i + 1]).
  void ListTables() {
    const size_t count = lookups_.size();
    std::array<InternalKey, kBatchWindow> targets;
    for (size_t i = 0; i < count; ++i) {
      targets[i] = LookupKey(lookups_[i]->user_key, lookups_[i]->snapshot);
    }
    const auto levels = static_cast<size_t>(version_.num_levels());
    std::vector<uint32_t> found(levels * kBatchWindow);
    for (size_t level = 1; level < levels; ++level) {
      const FileIndex& index = *version_.index(static_cast<int>(level));
      if (index.files().empty()) continue;
      uint32_t* const first = &found[level * kBatchWindow];
      index.FirstNotBefore(std::span(targets).first(count), first);
      for (size_t i = 0; i < count; ++i) {
        if (first[i] < index.files().size()) PrefetchLine(index.files()[first[i]].get());
      }
    }
    probes_.reserve(2 * count);
    files_.reserve(2 * count);
    goes_on_.reserve(2 * count);
    for (size_t i = 0; i < count; ++i) {
      begin_[i] = next_[i] = static_cast<uint32_t>(probes_.size());
      const std::string_view key = lookups_[i]->user_key;
      version_.level_zero().Visit(order_, key, [&](const FileMetadata& file) {
        List(file, i);
        return false;
      });
      for (size_t level = 1; level < levels; ++level) {
        const std::vector<FilePtr>& files = version_.files(static_cast<int>(level));
        // Files of a level may be cut between two versions of one key.
        for (size_t f = found[level * kBatchWindow + i];
             f < files.size() && order_(files[f]->smallest.user_key, key) <= 0; ++f) {
          List(*files[f], i);
          goes_on_.back() = f > found[level * kBatchWindow + i];
        }
      }
    }
    begin_[count] = static_cast<uint32_t>(probes_.size());
    DCHECK_OP(files_.size(), ==, probes_.size());
  }

  void List(const FileMetadata& file, size_t i) {
    // Acquire: pairs with the release in Version::OpenFast(). A table that is not open yet is
    // opened when it is searched.
    const TableReader* const open = file.pinned_reader.load(std::memory_order_acquire);
    probes_.push_back({.lookup = lookups_[i], .table = open});
    files_.push_back(&file);
    goes_on_.push_back(false);
  }

  // Adds the lookup's next candidate table to the round, if there is one left.
  void EnterNext(size_t i, std::vector<TableProbe>* round) {
    while (next_[i] < begin_[i + 1]) {
      const size_t at = next_[i]++;
      DCHECK(probes_[at].lookup == lookups_[i]);
      if (!goes_on_[at] && lookups_[i]->EndIfCovered()) return;
      TableProbe& probe = probes_[at];
      if (probe.table == nullptr) {
        Result<Version::OpenTable> opened = version_.OpenFast(*files_[at]);
        if (!opened.ok()) return probe.lookup->Fail(opened.status());
        probe.table = opened->reader;
        holds_.push_back(std::move(opened->hold));
      }
      if (probe.filter == FilterVerdict::kNo && !probe.table->has_tombstones()) continue;
      round->push_back(probe);
      return;
    }
  }

  [[no_unique_address]] const Order order_;
  const Version& version_;
  const ReadOptions& options_;
  const MultiGetIo io_;
  const std::span<Lookup* const> lookups_;
  std::vector<TableProbe> probes_;
  std::vector<const FileMetadata*> files_;  // Of the probes.
  std::vector<bool> goes_on_;  // Likewise: continues the file before, whose level cuts the key.
  std::array<uint32_t, kBatchWindow + 1> begin_;
  std::array<uint32_t, kBatchWindow> next_;
  std::vector<std::shared_ptr<const TableReader>> holds_;  // Keep the tables open during a round.
};

}  // namespace

void Version::MultiGet(const ReadOptions& options, MultiGetGrade grade,
                       std::span<Lookup*> sorted) const {
  WithKeyOrder(*comparator_, [&](auto order) {
    DCHECK(AreSorted(order, sorted));
    if (grade.mode != MultiGetMode::kPipeline) return MultiGetByTable(order, options, sorted);
    for (size_t begin = 0; begin < sorted.size(); begin += kBatchWindow) {
      const size_t count = std::min(kBatchWindow, sorted.size() - begin);
      Window(order, *this, options, grade.io, sorted.subspan(begin, count)).Run();
    }
  });
}

template <typename Order>
void Version::MultiGetByTable(Order order, const ReadOptions& options,
                              std::span<Lookup*> sorted) const {
  for (const FilePtr& file : files(0)) {
    const size_t begin = LowerBound(order, sorted, file->smallest.user_key);
    const size_t end = CountUpTo(order, sorted, *file);
    if (begin < end) ReadFrom(*file, options, sorted.subspan(begin, end - begin));
    for (Lookup* lookup : sorted) lookup->EndIfCovered();
  }
  for (int level = 1; level < num_levels(); level++) {
    if (!files(level).empty()) MultiGetLevel(order, options, level, sorted);
    for (Lookup* lookup : sorted) lookup->EndIfCovered();
  }
}

template <typename Order>
void Version::MultiGetLevel(Order order, const ReadOptions& options, int level,
                            std::span<Lookup*> sorted) const {
  const std::vector<FilePtr>& files = this->files(level);
  size_t next_file = 0;  // Files before it are finished.
  while (!sorted.empty()) {
    if (sorted.front()->done()) {
      sorted = sorted.subspan(1);
      continue;
    }
    const InternalKey target = LookupKey(sorted.front()->user_key, sorted.front()->snapshot);
    const size_t found = index(level)->FirstNotBefore(target);
    next_file = std::max(next_file, found);
    if (next_file >= files.size()) return;
    const FileMetadata& file = *files[next_file++];
    sorted = sorted.subspan(LowerBound(order, sorted, file.smallest.user_key));
    const size_t count = CountUpTo(order, sorted, file);
    ReadFrom(file, options, sorted.subspan(0, count));
    // The file's last key may continue in the next file.
    sorted = sorted.subspan(LowerBound(order, sorted.subspan(0, count), file.largest.user_key));
    if (next_file < files.size() && !sorted.empty() &&
        order(files[next_file]->smallest.user_key, sorted.front()->user_key) > 0) {
      sorted = sorted.subspan(UpperBound(order, sorted, file.largest.user_key));
    }
  }
}

void Version::ReadFrom(const FileMetadata& file, const ReadOptions& options,
                       std::span<Lookup*> sorted) const {
  if (sorted.empty() || AllDone(sorted)) return;
  const Result<OpenTable> table = OpenFast(file);
  if (table.ok()) return SearchTable(options, *table->reader, sorted);
  for (Lookup* lookup : sorted) {
    if (!lookup->done()) lookup->Fail(table.status());
  }
}

}  // namespace varve
