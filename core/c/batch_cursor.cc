// SPDX-License-Identifier: Apache-2.0
#include "core/c/batch_cursor.h"

#include <utility>

#include "core/c/iterator.h"

namespace varve::c {

BatchCursor::BatchCursor(std::unique_ptr<rocksdb_iterator_t> base, IndexedBatch& batch,
                         const FamilyReading& family, BatchBounds bounds)
    : base_(std::move(base)), batch_(batch), family_(family), bounds_(std::move(bounds)) {}

BatchCursor::~BatchCursor() = default;

void BatchCursor::SeekToFirst() {
  forward_ = true;
  base_->SeekToFirst();
  change_ = index().First(family_.id);
  Settle();
}

void BatchCursor::SeekToLast() {
  forward_ = false;
  base_->SeekToLast();
  change_ = index().Last(family_.id);
  Settle();
}

void BatchCursor::Seek(std::string_view target) {
  forward_ = true;
  base_->Seek(target);
  change_ = index().AtOrAfter(family_.id, target);
  Settle();
}

void BatchCursor::SeekForPrev(std::string_view target) {
  forward_ = false;
  base_->SeekForPrev(target);
  change_ = index().AtOrBefore(family_.id, target);
  Settle();
}

void BatchCursor::Next() {
  if (!Valid()) return;
  if (!forward_) {
    const std::string here(key());
    Seek(here);
    if (!Valid() || family_.comparator->Compare(key(), here) != 0) return;
  }
  if (place_ != Place::kBatch) MoveBase();
  if (place_ != Place::kBase) MoveChange();
  Settle();
}

void BatchCursor::Prev() {
  if (!Valid()) return;
  if (forward_) {
    const std::string here(key());
    SeekForPrev(here);
    if (!Valid() || family_.comparator->Compare(key(), here) != 0) return;
  }
  if (place_ != Place::kBatch) MoveBase();
  if (place_ != Place::kBase) MoveChange();
  Settle();
}

void BatchCursor::MoveBase() {
  if (forward_) {
    base_->Next();
  } else {
    base_->Prev();
  }
}

void BatchCursor::MoveChange() {
  change_ = forward_ ? index().After(family_.id, *change_) : index().Before(family_.id, *change_);
}

// RocksDB asks only where the base has ended, as it does at its bound.
bool BatchCursor::BehindBound() const {
  return bounds_.upper && family_.comparator->Compare(*change_, *bounds_.upper) >= 0;
}

void BatchCursor::KeepWithinBounds() {
  if (!bounds_.strict || !change_) return;
  const auto below = [&] {
    return bounds_.lower && family_.comparator->Compare(*change_, *bounds_.lower) < 0;
  };
  if (forward_) {
    if (below()) change_ = index().AtOrAfter(family_.id, *bounds_.lower);
    if (change_ && BehindBound()) change_.reset();
    return;
  }
  if (BehindBound()) change_ = index().AtOrBefore(family_.id, *bounds_.upper);
  if (change_ && BehindBound()) MoveChange();  // It is the bound.
  if (change_ && below()) change_.reset();
}

BatchCursor::Place BatchCursor::Nearest() const {
  if (!base_->Valid()) return change_ && !BehindBound() ? Place::kBatch : Place::kNone;
  if (!change_) return Place::kBase;
  const int order = family_.comparator->Compare(*change_, base_->key()) * (forward_ ? 1 : -1);
  if (order == 0) return Place::kBoth;
  return order < 0 ? Place::kBatch : Place::kBase;
}

bool BatchCursor::TakeChange() {
  const KeyIndex::Effect* const effect = index().Find(family_.id, *change_);
  if (effect == nullptr) {  // Rolled back meanwhile.
    if (place_ == Place::kBoth) place_ = Place::kBase;
    return place_ == Place::kBase;
  }
  if (effect->operands.empty()) {
    if (effect->base == KeyIndex::Effect::Base::kDeleted) return false;
    value_ = effect->value;
    return true;
  }
  std::optional<std::string_view> under;
  if (place_ == Place::kBoth) under = base_->value();
  Result<std::string> merged = Merged(family_, *change_, *effect, under);
  if (merged.ok()) {
    value_ = *std::move(merged);
  } else {
    status_ = merged.status();
  }
  return true;
}

void BatchCursor::Settle() {
  status_ = Status::Ok();
  while (true) {
    KeepWithinBounds();
    place_ = Nearest();
    if (!base_->status().ok()) place_ = Place::kNone;
    if (place_ == Place::kNone || place_ == Place::kBase || TakeChange()) return;
    if (place_ == Place::kBoth) MoveBase();
    MoveChange();
  }
}

std::string_view BatchCursor::key() const {
  return place_ == Place::kBase ? base_->key() : std::string_view(*change_);
}

std::string_view BatchCursor::value() const {
  return place_ == Place::kBase ? base_->value() : std::string_view(value_);
}

const Status& BatchCursor::status() const {
  return base_->status().ok() ? status_ : base_->status();
}

}  // namespace varve::c
