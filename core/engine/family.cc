// SPDX-License-Identifier: Apache-2.0
#include "core/engine/family.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/engine/prepared_set.h"

namespace varve {

Status CheckStoredKey(const Family& family, ValueType type, std::string_view key) {
  const size_t size = family.timestamp_size();
  if (size == 0) return Status::Ok();
  if (type == ValueType::kRangeDeletion) {
    return Status::NotSupported("a range deletion in column family '" +
                                EscapeForDisplay(family.name()) + "', whose keys have timestamps");
  }
  if (key.size() >= size) return Status::Ok();
  return Status::InvalidArgument("a key of " + std::to_string(key.size()) +
                                 " bytes in column family '" + EscapeForDisplay(family.name()) +
                                 "' has no room for its timestamp");
}

Family::Family(ColumnFamilyId id, std::string name, const ColumnFamilyOptions& options,
               std::string comparator_name, std::shared_ptr<BlobReader> blobs,
               const ReadaheadPolicy& readahead, const MemTableGrades& memtable_grades)
    : id_(id),
      name_(std::move(name)),
      comparator_name_(std::move(comparator_name)),
      timestamp_size_(options.comparator == nullptr ? 0 : options.comparator->timestamp_size()),
      blobs_(std::move(blobs)),
      readahead_(readahead),
      memtable_grades_(memtable_grades),
      views_(std::make_shared<const ReadView>()) {
  ChangeOptions(options);
}

void Family::ChangeOptions(const ColumnFamilyOptions& options) {
  CHECK(MayChangeOptions());
  jobs_.pending_bytes_of.reset();  // What compactions have to rewrite depends on the options.
  CHECK(all_options_.empty() || options.comparator == comparator(),
        "what its memtables and tables depend on stays");
  CHECK(all_options_.empty() || options.num_levels == this->options().num_levels);
  all_options_.push_back(std::make_unique<const ColumnFamilyOptions>(options));
  options_.store(all_options_.back().get(), std::memory_order_release);
}

uint64_t Family::OldestPreparedIn(size_t flushed) const {
  CHECK_OP(flushed, <=, immutables_.size());
  uint64_t oldest = memtable_prepared_in_;
  for (size_t i = flushed; i < immutables_.size(); ++i) {
    oldest = OlderWal(oldest, immutables_[i].prepared_in);
  }
  return oldest;
}

void Family::NotePreparedIn(uint64_t wal) {
  CHECK_OP(wal, >, 0);
  if (memtable_ == nullptr) return;  // Dropped: nothing is inserted.
  memtable_prepared_in_ = OlderWal(memtable_prepared_in_, wal);
}

bool Family::AllFlushed() const {
  return immutables_.empty() && (memtable_ == nullptr || memtable_->empty());
}

uint64_t Family::MemoryUsage() const {
  uint64_t bytes = memtable_ == nullptr ? 0 : memtable_->MemoryUsage();
  for (const ImmutableMemTable& sealed : immutables_) bytes += sealed.memtable->MemoryUsage();
  return bytes;
}

uint64_t Family::PinnedMemoryUsage() const {
  uint64_t bytes = 0;
  for (const std::weak_ptr<const MemTable>& retired : retired_) {
    if (const auto memtable = retired.lock()) bytes += memtable->MemoryUsage();
  }
  return bytes;
}

void Family::Retire(const std::shared_ptr<MemTable>& memtable) {
  std::erase_if(retired_, [](const auto& retired) { return retired.expired(); });
  if (memtable != nullptr) retired_.push_back(memtable);
}

void Family::SetMemTable(std::shared_ptr<MemTable> memtable) {
  memtable_ = std::move(memtable);
  memtable_to_fill_ = memtable_.get();
}

void Family::Begin(std::shared_ptr<MemTable> memtable, uint64_t first_wal) {
  CHECK(memtable_ == nullptr && immutables_.empty());
  CHECK(memtable != nullptr);
  SetMemTable(std::move(memtable));
  memtable_first_wal_ = first_wal;
}

std::shared_ptr<MemTable> Family::NewMemTable() {
  CHECK(comparator() != nullptr);
  return MemTable::Create(*comparator(), next_memtable_id_++, memtable_grades_);
}

void Family::Seal(uint64_t next_wal, FlushReason reason) {
  CHECK(memtable_ != nullptr);
  CHECK_OP(next_wal, >=, memtable_first_wal_);
  CHECK(immutables_.empty() || next_wal >= immutables_.back().next_wal,
        "immutable memtables are listed oldest first");
  CHECK(immutables_.empty() || memtable_->id() > immutables_.back().memtable->id());
  immutables_.push_back(
      {std::move(memtable_), next_wal, reason, std::exchange(memtable_prepared_in_, 0)});
  SetMemTable(NewMemTable());
  memtable_first_wal_ = next_wal;
}

void Family::Freeze() {
  CHECK(immutables_.empty(), "behind immutable memtables its next_wal would be out of order");
  if (memtable_ != nullptr) immutables_.push_back({.memtable = std::move(memtable_)});
  SetMemTable(nullptr);
}

FrozenContents Family::Frozen() const {
  CHECK(memtable_ == nullptr);
  return {immutables_, blobs_, full_history_ts_low_};
}

void Family::Replace(FrozenContents later) {
  CHECK(memtable_ == nullptr);
  for (const ImmutableMemTable& sealed : immutables_) Retire(sealed.memtable);
  immutables_ = std::move(later.immutables);
  blobs_ = std::move(later.blobs);
  SetFullHistoryTsLow(std::move(later.full_history_ts_low));
}

void Family::RemoveFlushed(size_t count) {
  CHECK_OP(count, <=, immutables_.size());
  for (size_t i = 0; i < count; ++i) Retire(immutables_[i].memtable);
  immutables_.erase(immutables_.begin(), immutables_.begin() + static_cast<ptrdiff_t>(count));
}

void Family::Drop(std::shared_ptr<const Version> nothing) {
  CHECK(!dropped());
  presence_.store(Presence::kDropped, std::memory_order_release);
  Retire(memtable_);
  for (const ImmutableMemTable& sealed : immutables_) Retire(sealed.memtable);
  SetMemTable(nullptr);
  memtable_prepared_in_ = 0;
  immutables_.clear();
  if (nothing != nullptr) Forget(std::move(nothing));
}

void Family::Forget(std::shared_ptr<const Version> nothing) {
  CHECK(dropped());
  if (!readable()) return;
  presence_.store(Presence::kGone, std::memory_order_release);
  Publish(std::move(nothing));
}

void Family::SetFullHistoryTsLow(std::string timestamp) {
  CHECK(timestamp.empty() || timestamp.size() == timestamp_size_);
  full_history_ts_low_ = std::move(timestamp);
}

void Family::Publish(std::shared_ptr<const Version> version) {
  CHECK(version != nullptr, "readers do not check whether there is a version");
  CHECK(!dropped() || (!readable() && version->TotalFiles() == 0));
  DCHECK(std::is_sorted(immutables_.begin(), immutables_.end(),
                        [](const ImmutableMemTable& a, const ImmutableMemTable& b) {
                          return a.memtable->id() < b.memtable->id();  // Oldest first.
                        }));
  auto view = std::make_shared<ReadView>();
  view->comparator = options().comparator;
  view->timestamp_size = timestamp_size_;
  view->full_history_ts_low = full_history_ts_low_;
  view->merge_operator = options().merge_operator;
  view->blobs = blobs_;
  view->readahead = readahead_;
  view->memtable = memtable_;
  view->immutables.reserve(immutables_.size());
  for (auto sealed = immutables_.rbegin(); sealed != immutables_.rend(); ++sealed) {
    view->immutables.push_back(sealed->memtable);
  }
  view->snapshots = snapshots_;
  view->version = std::move(version);
  views_.Publish(std::move(view));
}

}  // namespace varve
