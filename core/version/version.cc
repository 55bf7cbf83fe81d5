// SPDX-License-Identifier: Apache-2.0
#include "core/version/version.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/timestamps.h"
#include "core/base/try.h"
#include "core/table/read/batch_search.h"
#include "core/version/level_iterator.h"
#include "core/version/table_weight.h"

namespace varve {
namespace {

// Replaces a table that could not be opened.
class FailedIterator final : public InternalIterator {
 public:
  explicit FailedIterator(Status why) : why_(std::move(why)) { Fail(why_); }
  void SeekToFirst() override { Fail(why_); }
  void SeekToLast() override { Fail(why_); }
  void Seek(const InternalKey&) override { Fail(why_); }
  void SeekForPrev(const InternalKey&) override { Fail(why_); }
  void Next() override { Fail(why_); }
  void Prev() override { Fail(why_); }

 private:
  const Status why_;
};

bool Meets(const Comparator& order, const FileMetadata& file, const KeyBounds& bounds) {
  return (!bounds.lower || order.Compare(file.largest.user_key, *bounds.lower) >= 0) &&
         (!bounds.upper || order.Compare(file.smallest.user_key, *bounds.upper) < 0);
}

std::vector<FilePtr> TakeLevelZero(std::vector<std::vector<FilePtr>>* levels) {
  CHECK(!levels->empty());
  return std::move(levels->front());
}

}  // namespace

Version::Version(const Comparator& comparator, TableCache* tables,
                 std::vector<std::vector<FilePtr>> levels, std::vector<BlobFileMetadata> blobs,
                 FileSearch search, const Version* previous)
    : comparator_(&comparator),
      tables_(tables),
      search_(search),
      level_zero_(comparator, TakeLevelZero(&levels), search),
      blobs_(std::move(blobs)) {
  sorted_.reserve(levels.size() - 1);
  std::shared_ptr<const FileIndex> none;  // Shared by all levels without files.
  for (size_t level = 1; level < levels.size(); level++) {
    const bool same = previous != nullptr && level <= previous->sorted_.size() &&
                      previous->search_ == search &&
                      previous->sorted_[level - 1]->files() == levels[level];
    if (same) {
      sorted_.push_back(previous->sorted_[level - 1]);
    } else if (levels[level].empty() && none != nullptr) {
      sorted_.push_back(none);
    } else {
      const bool empty = levels[level].empty();
      sorted_.push_back(
          std::make_shared<const FileIndex>(comparator, std::move(levels[level]), search));
      if (empty) none = sorted_.back();
    }
  }
}

uint64_t Version::LevelBytes(int level) const {
  uint64_t bytes = 0;
  for (const FilePtr& file : files(level)) bytes += file->size();
  return bytes;
}

uint64_t Version::TotalFiles() const {
  uint64_t total = 0;
  for (int level = 0; level < num_levels(); level++) total += files(level).size();
  return total;
}

std::optional<int> Version::LevelOf(FileNumber number) const {
  for (int level = 0; level < num_levels(); level++) {
    for (const FilePtr& file : files(level)) {
      if (file->number() == number) return level;
    }
  }
  return std::nullopt;
}

Result<Version::OpenTable> Version::OpenFast(const FileMetadata& file) const {
  // Pairs with the release store below, by the thread that opened the table first.
  if (const TableReader* pinned = file.pinned_reader.load(std::memory_order_acquire)) {
    return OpenTable{pinned, nullptr};
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const TableReader> reader, Open(file));
  const TableReader* raw = reader.get();
  if (!tables_->keeps_all_open()) return OpenTable{raw, std::move(reader)};
  [[maybe_unused]] const TableReader* before = file.pinned_reader.load(std::memory_order_relaxed);
  DCHECK(before == nullptr || before == raw, "the table cache has one reader of a table");
  file.pinned_reader.store(raw, std::memory_order_release);
  return OpenTable{raw, nullptr};
}

TableToOpen ToOpen(const FileMetadata& file, const Comparator* comparator) {
  return {.number = file.number(),
          .size = file.size(),
          .global_sequence = file.description.largest_sequence,
          .unique_id = file.description.unique_id,
          .comparator = comparator};
}

Result<std::shared_ptr<const TableReader>> Version::Open(const FileMetadata& file) const {
  CHECK(tables_ != nullptr);
  ASSIGN_OR_RETURN(std::shared_ptr<const TableReader> reader,
                   tables_->Find(ToOpen(file, comparator_)));
  if (file.counts().entries == 0) file.SetCounts(CountsOf(reader->properties()));
  return reader;
}

bool Version::ReadFrom(const FileMetadata& file, const ReadOptions& options, Lookup* lookup,
                       FilterVerdict filter) const {
  Result<OpenTable> table = OpenFast(file);
  if (!table.ok()) {
    lookup->Fail(table.status());
    return true;
  }
  return table->reader->Get(options, lookup, filter);
}

// Usually all files' ranges contain the key, and few files have it: several filters are checked
// together, so that their cache misses overlap.
template <typename Order>
bool Version::GetFromLevelZero(Order order, const ReadOptions& options, Lookup* lookup) const {
  constexpr size_t kTogether = 8;
  std::array<const FileMetadata*, kTogether> files;
  std::array<TableProbe, kTogether> probes;
  size_t count = 0;
  const auto read = [&] {
    if (count > 1) AskFilters(std::span(probes).first(count));
    bool done = false;
    for (size_t i = 0; i < count && !done; ++i) {
      done = ReadFrom(*files[i], options, lookup, probes[i].filter) || lookup->EndIfCovered();
    }
    count = 0;
    return done;
  };
  const auto note = [&](const FileMetadata& file) {
    // Acquire: pairs with the release in OpenFast().
    DCHECK_OP(count, <, kTogether);
    const TableReader* const open = file.pinned_reader.load(std::memory_order_acquire);
    files[count] = &file;
    probes[count++] = {.lookup = lookup, .table = open};
    return count == kTogether && read();
  };
  return level_zero_.Visit(order, lookup->user_key, note) || read();
}

void Version::Get(const ReadOptions& options, Lookup* lookup) const {
  DCHECK(!lookup->done());
  WithKeyOrder(*comparator_, [&](auto order) {
    if (GetFromLevelZero(order, options, lookup)) return;
    const InternalKey target = LookupKey(lookup->user_key, lookup->snapshot);
    for (const auto& level : sorted_) {
      const std::vector<FilePtr>& files = level->files();
      if (files.empty()) continue;
      // Compactions of other programs may have cut a level between two versions of one key:
      // continue as long as the next file begins with it.
      for (size_t i = level->FirstNotBefore(target);
           i < files.size() && order(files[i]->smallest.user_key, lookup->user_key) <= 0; i++) {
        if (ReadFrom(*files[i], options, lookup)) return;
      }
      if (lookup->EndIfCovered()) return;
    }
  });
}

void Version::AddIterators(const TableIteratorOptions& options, const KeyBounds& bounds,
                           TombstoneCollector* tombstones,
                           std::vector<std::unique_ptr<InternalIterator>>* out) const {
  TableIteratorOptions bounded = options;
  bounded.upper_bound = bounds.upper;
  for (const FilePtr& file : files(0)) {
    if (!Meets(*comparator_, *file, bounds)) continue;
    Result<std::unique_ptr<InternalIterator>> table =
        NewFileIterator(*this, *file, bounded, tombstones);
    out->push_back(table.ok() ? std::move(*table)
                              : std::make_unique<FailedIterator>(table.status()));
  }
  for (int level = 1; level < num_levels(); level++) {
    if (files(level).empty()) continue;
    out->push_back(NewLevelIterator(*this, index(level), options, bounds, tombstones));
  }
}

std::vector<FilePtr> Version::Overlapping(int level, std::optional<std::string_view> begin,
                                          std::optional<std::string_view> end) const {
  const std::vector<FilePtr>& files = this->files(level);
  auto first = files.begin();
  if (level > 0 && begin) {
    // Where keys have timestamps, one version of a key overlaps all of them.
    const std::string from = BeforeVersionsOf(*begin, comparator_->timestamp_size());
    first += static_cast<ptrdiff_t>(index(level)->FirstNotBefore(LookupKey(from, kMaxSequence)));
  }
  std::vector<FilePtr> overlapping;
  for (auto it = first; it != files.end(); ++it) {
    const FileMetadata& file = **it;
    if (end && CompareIgnoringTimestamps(*comparator_, file.smallest.user_key, *end) > 0) {
      if (level > 0) break;
      continue;
    }
    if (begin && CompareIgnoringTimestamps(*comparator_, file.largest.user_key, *begin) < 0)
      continue;
    overlapping.push_back(*it);
  }
  return overlapping;
}

}  // namespace varve
