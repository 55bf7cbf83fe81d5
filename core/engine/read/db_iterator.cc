// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/db_iterator.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/bytes/short_copy.h"
#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/text/text.h"
#include "core/engine/read/checking_db_iterator.h"
#include "core/engine/read/iterator_bounds.h"
#include "core/engine/read/iterator_sources.h"
#include "core/engine/read/operand_list.h"
#include "core/engine/read/timestamped_iterator.h"
#include "core/engine/read/value_resolver.h"
#include "core/iterator/range_tombstones.h"
#include "varve/snapshot.h"

namespace varve {
namespace {

// Stepping over one version costs a fraction of a seek; beyond this many, a seek is cheaper.
constexpr int kStepsMax = 8;

// A position before all versions of a user key in internal order.
InternalKey BeforeVersions(std::string_view user_key) {
  return {user_key, kMaxSequence, ValueType::kMaxForSeek};
}
InternalKey BehindVersions(std::string_view user_key) {
  return {user_key, 0, ValueType::kDeletion};
}

template <typename Order>
class OrderedDbIterator final : public DbIterator {
 public:
  OrderedDbIterator(Order order, ViewOrigin origin, std::shared_ptr<const ReadView> view,
                    Sequence at, const ReadOptions& options)
      : order_(order), origin_(std::move(origin)), table_options_(TableOptionsOf(*view, options)) {
    Result<IteratorBounds> bounds = IteratorBounds::Create(*view->comparator, options);
    if (bounds.ok()) {
      bounds_ = *std::move(bounds);
    } else {
      refused_ = bounds.status();
    }
    OpenSources(std::move(view), at);
  }

  void SeekToFirst() override {
    if (bounds_.lower().has_value()) return Seek(*bounds_.lower());
    if (!StartSeek()) return;
    merged_->SeekToFirst();
    FindForward(/*hide_saved_key=*/false);
  }

  void Seek(std::string_view target) override {
    if (!StartSeek()) return;
    bool hide = false;
    if (bounds_.IsBefore(order_, target)) {
      target = *bounds_.lower();
      hide = bounds_.lower_open();
    }
    if (bounds_.IsBehind(order_, target)) return;
    saved_key_.assign(target);
    merged_->Seek(LookupKey(saved_key_, at_));
    FindForward(hide);
  }

  void SeekToLast() override {
    if (!StartSeek()) return;
    if (bounds_.upper().has_value()) {
      SeekToUpperBound();
    } else {
      merged_->SeekToLast();
    }
    FindBackward();
  }

  void SeekForPrev(std::string_view target) override {
    if (!StartSeek() || bounds_.IsBefore(order_, target)) return;
    if (bounds_.IsBehind(order_, target)) {
      SeekToUpperBound();
    } else {
      saved_key_.assign(target);
      merged_->SeekForPrev(BehindVersions(saved_key_));
    }
    FindBackward();
  }

  void Next() override {
    DCHECK(valid_);
    if (place_ == Place::kOnEntry) {
      AssignShort(&saved_key_, key_);
      merged_->Next();
      if (merged_->Valid() && merged_->starts_user_key()) [[likely]] {
        return FindForward(/*hide_saved_key=*/false);
      }
    } else if (place_ == Place::kBeforeKey) {
      merged_->Seek(BehindVersions(saved_key_));
    }
    FindForward(/*hide_saved_key=*/true);
  }

  void Prev() override {
    DCHECK(valid_);
    if (place_ != Place::kBeforeKey) {
      if (place_ == Place::kOnEntry) saved_key_.assign(key_);
      merged_->SeekForPrev(BeforeVersions(saved_key_));
    }
    FindBackward();
  }

  Status Refresh() override {
    End();
    status_ = Status::Ok();
    if (origin_.views == nullptr) {
      OpenSources(origin_.fixed, origin_.at);
      return refused_;
    }
    const ReadViewHolder::Pin pin = origin_.views->Acquire();
    OpenSources(pin.Share(), origin_.visible->load(std::memory_order_acquire));
    return refused_;
  }

  size_t ReadRun(RecordRun* run) override {
    DCHECK(valid_);
    if (place_ != Place::kOnEntry || !tombstones_->empty()) return 0;
    RunLimits limits{.at = at_, .before = {}};
    if (bounds_.upper().has_value()) limits.before = *bounds_.upper();
    if (limits.before && order_(key_, *limits.before) >= 0) return 0;
    const size_t appended = merged_->ReadRun(limits, run);
    if (appended > 0) Show(Place::kOnEntry, merged_->key().user_key, merged_->value());
    return appended;
  }

 private:
  // Position of merged_ while valid_.
  enum class Place {
    kOnEntry,    // On the shown entry; key_ and value_ point into it.
    kBehind,     // Behind the shown version of saved_key_, possibly on an older one.
    kBeforeKey,  // On the entry before all versions of saved_key_, or exhausted.
  };

  void OpenSources(std::shared_ptr<const ReadView> view, Sequence at) {
    merged_.reset();
    view_ = std::move(view);
    at_ = at;
    tombstones_.emplace(*view_->comparator, at_);
    merged_ = MergeSources(*view_, table_options_, bounds_.Superset(), &*tombstones_);
  }

  bool StartSeek() {
    DCHECK(merged_ != nullptr);
    valid_ = false;
    status_ = refused_;
    return refused_.ok();
  }

  void SeekToUpperBound() {
    DCHECK(bounds_.upper().has_value());
    const std::string& upper = *bounds_.upper();
    merged_->SeekForPrev(bounds_.upper_closed() ? BehindVersions(upper) : BeforeVersions(upper));
  }

  void Show(Place place, std::string_view key, std::string_view value) {
    place_ = place;
    key_ = key;
    value_ = value;
    valid_ = true;
  }
  void End() { valid_ = false; }
  void Fail(Status status) {
    status_ = std::move(status);
    valid_ = false;
  }
  void EndAtExhaustion() {
    if (!merged_->status().ok()) return Fail(merged_->status());
    End();
  }

  // ------------------------------------------------------------------------------- forward

  // Shows the first user key at or behind merged_ that exists at at_. Skips versions of saved_key_
  // if `hide_saved_key`.
  void FindForward(bool hide_saved_key) {
    int steps = 0;
    while (merged_->Valid()) {
      const InternalKey& entry = merged_->key();
      if (hide_saved_key && order_(entry.user_key, saved_key_) == 0) {
        if (++steps > kStepsMax) {
          merged_->Seek(BehindVersions(saved_key_));
          steps = 0;
        } else {
          merged_->Next();
        }
        continue;
      }
      if (bounds_.IsBehind(order_, entry.user_key)) return End();
      if (entry.sequence > at_) {
        PassNewerVersions(entry.user_key);
        continue;
      }
      if (entry.type == ValueType::kValue && !tombstones_->Covers(entry)) [[likely]] {
        return Show(Place::kOnEntry, entry.user_key, merged_->value());
      }
      if (ShowSpecial(entry)) return;
      hide_saved_key = true;
      steps = 0;
    }
    EndAtExhaustion();
  }

  // merged_ is on a version that is too new for at_. Steps to one that is not, or to another key;
  // skips a long run of them with a seek.
  void PassNewerVersions(std::string_view user_key) {
    DCHECK_OP(merged_->key().sequence, >, at_);
    newer_key_.assign(user_key);
    for (int steps = 0; steps < kStepsMax; ++steps) {
      merged_->Next();
      if (!merged_->Valid() || merged_->key().sequence <= at_ ||
          order_(merged_->key().user_key, newer_key_) != 0) {
        return;
      }
    }
    merged_->Seek(LookupKey(newer_key_, at_));
  }

  // For the newest visible version of a key that is not a plain put, or might be covered by a range
  // tombstone. False if the key does not exist: saved_key_ is then the key to skip, and merged_ is
  // on or behind `entry`.
  bool ShowSpecial(const InternalKey& entry) {
    DCHECK_OP(entry.sequence, <=, at_);
    if (IsPointDeletion(entry.type) || tombstones_->Covers(entry)) {
      saved_key_.assign(entry.user_key);
      merged_->Next();
      return false;
    }
    if (entry.type == ValueType::kMerge) {
      ShowMerged();
      return true;
    }
    Result<std::string_view> value = UserValue(entry, merged_->value());
    if (value.ok()) {
      Show(Place::kOnEntry, entry.user_key, *value);
    } else {
      Fail(value.status());
    }
    return true;
  }

  // The user's value of a version; valid while `stored` and blob_ are.
  Result<std::string_view> UserValue(const InternalKey& entry, std::string_view stored) {
    if (entry.type != ValueType::kBlobIndex) {
      Result<std::string_view> value = InlineValue(entry.type, stored);
      return value.ok() ? value : value.status().At("key " + EscapeForDisplay(entry.user_key));
    }
    Result<Value> blob = FetchBlob(*view_, entry.user_key, stored);
    if (!blob.ok()) return blob.status();
    blob_ = *std::move(blob);
    return blob_.view();
  }

  // merged_ is on the newest visible version of a key, a merge operand. Shows the operands folded
  // onto the newest older version that is not an operand.
  void ShowMerged() {
    DCHECK(merged_->key().type == ValueType::kMerge);
    saved_key_.assign(merged_->key().user_key);
    operands_.Clear();
    std::optional<std::string_view> base;
    while (true) {
      operands_.Add(merged_->value());
      merged_->Next();
      if (!merged_->Valid()) break;
      const InternalKey& entry = merged_->key();
      if (order_(entry.user_key, saved_key_) != 0 || IsPointDeletion(entry.type) ||
          tombstones_->Covers(entry)) {
        break;
      }
      if (entry.type == ValueType::kMerge) continue;
      Result<std::string_view> value = UserValue(entry, merged_->value());
      if (!value.ok()) return Fail(value.status());
      base = *value;
      break;
    }
    if (!merged_->status().ok()) return Fail(merged_->status());
    ShowFolded(Place::kBehind, base, operands_.Reversed());
  }

  void ShowFolded(Place place, std::optional<std::string_view> base,
                  std::span<const std::string_view> operands) {
    DCHECK(!operands.empty());
    Result<std::string> folded = FoldOperands(*view_, saved_key_, base, operands);
    if (!folded.ok()) return Fail(folded.status());
    folded_ = *std::move(folded);
    Show(place, saved_key_, folded_);
  }

  // ------------------------------------------------------------------------------ backward

  // What the versions of a key read so far amount to, oldest first.
  enum class Found { kNothing, kValue, kOperands, kValueAndOperands };

  // merged_ is on the oldest version of some key, or exhausted. Shows the first key from here
  // backwards that exists at at_.
  void FindBackward() {
    while (merged_->Valid()) {
      if (bounds_.IsBefore(order_, merged_->key().user_key)) return End();
      saved_key_.assign(merged_->key().user_key);
      Found found = Found::kNothing;
      const bool all_read = ReadVersionsBackward(&found);
      if (!all_read) {
        if (ShowNewestBySeek()) return;
        continue;
      }
      if (!merged_->Valid() && !merged_->status().ok()) break;
      if (found != Found::kNothing) return ShowFound(found);
    }
    EndAtExhaustion();
  }

  // Reads the versions of saved_key_ into saved_value_ and operands_, and leaves merged_ before
  // them. False if there are too many.
  bool ReadVersionsBackward(Found* found) {
    for (int steps = 0; steps < kStepsMax; ++steps) {
      const InternalKey& entry = merged_->key();
      if (entry.sequence <= at_) Take(entry, found);
      merged_->Prev();
      if (!merged_->Valid() || order_(merged_->key().user_key, saved_key_) != 0) return true;
    }
    return false;
  }

  void Take(const InternalKey& entry, Found* found) {
    DCHECK_OP(entry.sequence, <=, at_);
    if (IsPointDeletion(entry.type) || tombstones_->Covers(entry)) {
      *found = Found::kNothing;
      return;
    }
    // Some comparators treat different bytes as equal: show the newest key bytes, as when going
    // forward.
    if constexpr (std::is_same_v<Order, VirtualOrder>) saved_key_.assign(entry.user_key);
    if (entry.type == ValueType::kMerge) {
      if (*found == Found::kNothing || *found == Found::kValue) operands_.Clear();
      operands_.Add(merged_->value());
      *found = *found == Found::kNothing || *found == Found::kOperands ? Found::kOperands
                                                                       : Found::kValueAndOperands;
    } else {
      saved_value_.assign(merged_->value());
      saved_type_ = entry.type;
      *found = Found::kValue;
    }
  }

  void ShowFound(Found found) {
    DCHECK(found != Found::kNothing);
    if (found == Found::kOperands) {
      return ShowFolded(Place::kBeforeKey, std::nullopt, operands_.InOrder());
    }
    std::string_view value = saved_value_;
    if (saved_type_ != ValueType::kValue) {
      Result<std::string_view> resolved = UserValue({saved_key_, at_, saved_type_}, saved_value_);
      if (!resolved.ok()) return Fail(resolved.status());
      value = *resolved;
    }
    if (found == Found::kValue) return Show(Place::kBeforeKey, saved_key_, value);
    ShowFolded(Place::kBeforeKey, value, operands_.InOrder());
  }

  // For a key with many versions: seeks to the newest visible one and shows it as when going
  // forward. False if the key does not exist; merged_ is then before it. True also on an error.
  bool ShowNewestBySeek() {
    merged_->Seek(LookupKey(saved_key_, at_));
    if (merged_->Valid() && order_(merged_->key().user_key, saved_key_) == 0) {
      const InternalKey& entry = merged_->key();
      if (entry.type == ValueType::kValue && !tombstones_->Covers(entry)) {
        Show(Place::kOnEntry, entry.user_key, merged_->value());
        return true;
      }
      if (ShowSpecial(entry)) return true;
    }
    if (!merged_->status().ok()) {
      Fail(merged_->status());
      return true;
    }
    merged_->SeekForPrev(BeforeVersions(saved_key_));
    return false;
  }

  [[no_unique_address]] const Order order_;
  const ViewOrigin origin_;
  const TableIteratorOptions table_options_;
  IteratorBounds bounds_;
  Status refused_;  // Not ok: the options are invalid; no record is ever shown.

  std::shared_ptr<const ReadView> view_;
  Sequence at_ = 0;
  std::optional<TombstoneCollector> tombstones_;
  std::unique_ptr<InternalIterator> merged_;  // Uses the two above.

  Place place_ = Place::kOnEntry;
  std::string saved_key_;    // The shown key unless kOnEntry; the key that FindForward() skips.
  std::string saved_value_;  // Backward: the stored bytes, of type saved_type_.
  ValueType saved_type_ = ValueType::kValue;
  std::string newer_key_;
  std::string folded_;
  OperandList operands_;
  Value blob_;
};

std::unique_ptr<DbIterator> Make(ViewOrigin origin, std::shared_ptr<const ReadView> view,
                                 Sequence at, const ReadOptions& options) {
  CHECK(view->comparator != nullptr, "FamilyToRead() refuses families whose order is unknown");
  const Comparator& comparator = *view->comparator;
  if (view->timestamp_size != 0) {
    return NewTimestampedIterator(std::move(origin), std::move(view), at, options);
  }
  return WithKeyOrder(comparator, [&](auto order) -> std::unique_ptr<DbIterator> {
    return std::make_unique<OrderedDbIterator<decltype(order)>>(order, std::move(origin),
                                                                std::move(view), at, options);
  });
}

}  // namespace

std::span<const Record> DbIterator::NextBatch(size_t records_max) {
  CHECK(valid_ && records_max > 0);
  constexpr size_t kBytesMax = 1 << 20;
  constexpr size_t kPauseMax = 64;
  run_.Begin(records_max, kBytesMax);
  // Where the records of several sources alternate there are no runs: then steps are tried for a
  // while before the next attempt.
  size_t pause = 0, steps = 0;
  while (valid_) {
    run_.AppendCopy(key_, value_);
    if (!run_.full() && steps-- == 0) {
      pause = ReadRun(&run_) > 0 ? 0 : std::min(2 * pause + 1, kPauseMax);
      steps = pause;
    }
    Next();
    if (run_.full()) break;
  }
  return run_.records();
}

std::unique_ptr<DbIterator> DbIterator::Create(const ReadViewHolder& views,
                                               const ReadViewHolder::Pin& view,
                                               const std::atomic<Sequence>& visible,
                                               const ReadOptions& options) {
  const Sequence at = options.snapshot != nullptr ? options.snapshot->sequence()
                                                  : visible.load(std::memory_order_acquire);
  ViewOrigin origin;
  origin.views = &views;
  origin.visible = &visible;
  return CheckedInDebug(Make(std::move(origin), view.Share(), at, options), views);
}

std::unique_ptr<DbIterator> DbIterator::Create(std::shared_ptr<const ReadView> view, Sequence at,
                                               const ReadOptions& options) {
  ViewOrigin origin;
  origin.fixed = view;
  origin.at = at;
  return Make(std::move(origin), std::move(view), at, options);
}

}  // namespace varve
