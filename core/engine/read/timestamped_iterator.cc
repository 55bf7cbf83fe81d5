// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/timestamped_iterator.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_range.h"
#include "core/base/keys/timestamps.h"
#include "core/base/text/text.h"
#include "core/engine/read/operand_list.h"
#include "core/engine/read/value_resolver.h"
#include "core/iterator/range_tombstones.h"

namespace varve {
namespace {

// Stepping over one version costs a fraction of a seek; beyond this many, a seek is cheaper.
constexpr int kStepsMax = 8;

struct KeyOrder {
  const Comparator* comparator;
  int operator()(std::string_view a, std::string_view b) const {
    return comparator->CompareWithoutTimestamps(a, b);
  }
};

Status CheckHistory(const ReadView& view, std::string_view timestamp) {
  const std::string& low = view.full_history_ts_low;
  if (low.empty() || view.comparator->CompareTimestamps(timestamp, low) >= 0) return Status::Ok();
  return Status::InvalidArgument(
      "ReadOptions::timestamp is older than full_history_ts_low: compactions forget what was then");
}

// Of the stored keys that a group has, at most one is shown: the newest that is visible. A group is
// all versions of a key, or, if all versions are to be shown, those of one timestamp.
class TimestampedIterator final : public DbIterator {
 public:
  TimestampedIterator(ViewOrigin origin, std::shared_ptr<const ReadView> view, Sequence at,
                      const ReadOptions& options)
      : order_{view->comparator},
        size_(view->timestamp_size),
        origin_(std::move(origin)),
        table_options_(TableOptionsOf(*view, options)),
        newest_(*options.timestamp),
        oldest_(OwnedBound(options.iter_start_timestamp)),
        bounds_(OwnedBound(options.lower_bound), OwnedBound(options.upper_bound)),
        prefix_(options.prefix.has_value()) {
    CHECK_OP(size_, >, 0);
    CHECK_OP(newest_.size(), ==, size_, "CheckReadTimestamp() refuses others");
    CHECK(!oldest_ || oldest_->size() == size_, "CheckReadTimestamp() refuses others");
    if (prefix_) {
      refused_ = Status::InvalidArgument("an iterator over keys with timestamps takes no prefix");
    }
    if (bounds_.lower()) first_ = BeforeTimestamps(*bounds_.lower(), size_);
    if (bounds_.upper()) end_ = BeforeTimestamps(*bounds_.upper(), size_);
    OpenSources(std::move(view), at);
  }

  void SeekToFirst() override {
    if (bounds_.lower()) return Seek(*bounds_.lower());
    if (!StartSeek()) return;
    merged_->SeekToFirst();
    FindForward();
  }

  void Seek(std::string_view target) override {
    if (!StartSeek()) return;
    if (bounds_.IsBefore(order_, target)) target = *bounds_.lower();
    if (bounds_.IsBehind(order_, target)) return;
    current_.assign(target).append(newest_);
    merged_->Seek(LookupKey(current_, at_));
    FindForward();
  }

  void SeekToLast() override {
    if (!StartSeek()) return;
    if (end_) {
      merged_->SeekForPrev(LookupKey(*end_, kMaxSequence));
    } else {
      merged_->SeekToLast();
    }
    FindBackward();
  }

  void SeekForPrev(std::string_view target) override {
    if (!StartSeek() || bounds_.IsBefore(order_, target)) return;
    if (bounds_.IsBehind(order_, target)) return SeekToLast();
    current_ = BehindTimestamps(target, size_);
    merged_->SeekForPrev({current_, 0, ValueType::kDeletion});
    FindBackward();
  }

  void Next() override {
    DCHECK(valid_);
    PassGroup();
    FindForward();
  }

  void Prev() override {
    DCHECK(valid_);
    SeekBeforeGroup();
    FindBackward();
  }

  // Shows the key itself, if it exists.
  void SeekKey(std::string_view key) {
    if (!StartSeek()) return;
    current_.assign(key).append(newest_);
    ShowNewestOfGroup();
    CheckRangeDeletions();
  }

  Status Refresh() override {
    End();
    status_ = Status::Ok();
    if (origin_.views == nullptr) {
      OpenSources(origin_.fixed, origin_.at);
    } else {
      const ReadViewHolder::Pin pin = origin_.views->Acquire();
      OpenSources(pin.Share(), origin_.visible->load(std::memory_order_acquire));
    }
    return refused_;
  }

  ShownVersion version() const override {
    DCHECK(valid_);
    return {.timestamp = TimestampOf(current_, size_),
            .kind = kind_,
            .sequence = oldest_ ? sequence_ : 0};
  }

 private:
  void OpenSources(std::shared_ptr<const ReadView> view, Sequence at) {
    merged_.reset();
    CHECK_OP(view->timestamp_size, ==, size_, "a family keeps its comparator");
    view_ = std::move(view);
    at_ = at;
    tombstones_.emplace(*view_->comparator, at_);
    KeyBounds bounds;
    if (first_) bounds.lower = *first_;
    if (end_) bounds.upper = *end_;
    merged_ = MergeSources(*view_, table_options_, bounds, &*tombstones_);
    if (!prefix_) refused_ = CheckHistory(*view_, newest_);
  }

  bool StartSeek() {
    End();
    status_ = refused_;
    return refused_.ok();
  }
  void End() { valid_ = false; }
  void Fail(Status status) {
    status_ = std::move(status);
    valid_ = false;
  }

  std::string_view KeyOf(std::string_view stored) const { return WithoutTimestamp(stored, size_); }
  bool IsTooNew(std::string_view stored) const {
    return view_->comparator->CompareTimestamps(TimestampOf(stored, size_), newest_) > 0;
  }
  bool IsTooOld(std::string_view stored) const {
    return oldest_ &&
           view_->comparator->CompareTimestamps(TimestampOf(stored, size_), *oldest_) < 0;
  }
  bool IsVisible(const InternalKey& entry) const {
    return entry.sequence <= at_ && !IsTooNew(entry.user_key) && !IsTooOld(entry.user_key);
  }
  bool InGroup(std::string_view stored) const {
    return oldest_ ? view_->comparator->Compare(stored, current_) == 0
                   : order_(KeyOf(stored), KeyOf(current_)) == 0;
  }

  // ------------------------------------------------------------------------------- forward

  // Shows the first group at or behind merged_ that has something to show.
  void FindForward() {
    End();
    int steps = 0;
    while (merged_->Valid()) {
      const InternalKey& entry = merged_->key();
      if (bounds_.IsBehind(order_, KeyOf(entry.user_key))) break;
      if (!IsVisible(entry)) {
        PassInvisible(entry, &steps);
        continue;
      }
      current_.assign(entry.user_key);
      if (ShowEntry(entry)) break;
      PassGroup();
      steps = 0;
    }
    if (!valid_ && status_.ok() && !merged_->Valid()) status_ = merged_->status();
    CheckRangeDeletions();
  }

  // Steps over an entry that is not visible, many of one key with a seek.
  void PassInvisible(const InternalKey& entry, int* steps) {
    DCHECK(!IsVisible(entry));
    if (++*steps <= kStepsMax) return merged_->Next();
    *steps = 0;
    if (IsTooNew(entry.user_key)) {
      passed_.assign(KeyOf(entry.user_key)).append(newest_);
      return merged_->Seek(LookupKey(passed_, at_));
    }
    if (IsTooOld(entry.user_key)) {
      passed_ = BehindTimestamps(KeyOf(entry.user_key), size_);
      return merged_->Seek({passed_, 0, ValueType::kDeletion});
    }
    passed_.assign(entry.user_key);
    merged_->Seek(LookupKey(passed_, at_));
  }

  // merged_ is on an entry of the group, or behind it. Moves behind all of it.
  void PassGroup() {
    for (int steps = 0; merged_->Valid() && InGroup(merged_->key().user_key); ++steps) {
      if (steps < kStepsMax) {
        merged_->Next();
        continue;
      }
      // A deletion with the oldest timestamp and sequence 0 may be just there: go on with Next().
      passed_ = oldest_ ? current_ : BehindTimestamps(KeyOf(current_), size_);
      merged_->Seek({passed_, 0, ValueType::kDeletion});
      steps = 0;
    }
  }

  // merged_ is on the newest visible entry of a group, of which current_ is a copy of the stored
  // key. True if there is something to show; also for an error.
  bool ShowEntry(const InternalKey& entry) {
    DCHECK(IsVisible(entry));
    DCHECK(InGroup(entry.user_key));
    sequence_ = entry.sequence;
    const bool deletion = IsPointDeletion(entry.type);
    if (deletion && !oldest_) return false;
    kind_ = !deletion                                  ? VersionKind::kValue
            : entry.type == ValueType::kSingleDeletion ? VersionKind::kSingleDeletion
                                                       : VersionKind::kDeletion;
    if (entry.type == ValueType::kMerge) {
      ShowMerged();
      return true;
    }
    if (deletion) {
      Show({});
      return true;
    }
    const Result<std::string_view> value = UserValue(entry, merged_->value());
    if (value.ok()) {
      Show(*value);
    } else {
      Fail(value.status());
    }
    return true;
  }

  void Show(std::string_view value) {
    DCHECK(bounds_.lower() == std::nullopt || !bounds_.IsBefore(order_, KeyOf(current_)));
    key_ = KeyOf(current_);
    value_ = value;
    valid_ = true;
  }

  // Shows the operands folded onto the newest older version that is not one.
  void ShowMerged() {
    if (oldest_) {
      return Fail(Status::NotSupported("showing each version of a key that has merge operands"));
    }
    operands_.Clear();
    std::optional<std::string_view> base;
    for (; merged_->Valid() && InGroup(merged_->key().user_key); merged_->Next()) {
      const InternalKey& entry = merged_->key();
      if (!IsVisible(entry)) continue;
      if (IsPointDeletion(entry.type)) break;
      if (entry.type == ValueType::kMerge) {
        operands_.Add(merged_->value());
        continue;
      }
      const Result<std::string_view> value = UserValue(entry, merged_->value());
      if (!value.ok()) return Fail(value.status());
      base = *value;
      break;
    }
    if (!merged_->Valid() && !merged_->status().ok()) return Fail(merged_->status());
    Result<std::string> folded = FoldOperands(*view_, KeyOf(current_), base, operands_.Reversed());
    if (!folded.ok()) return Fail(folded.status());
    folded_ = *std::move(folded);
    Show(folded_);
  }

  // The user's value of a version; valid while `stored` and blob_ are.
  Result<std::string_view> UserValue(const InternalKey& entry, std::string_view stored) {
    if (entry.type != ValueType::kBlobIndex) {
      Result<std::string_view> value = InlineValue(entry.type, stored);
      if (value.ok()) return value;
      return value.status().At("key " + EscapeForDisplay(KeyOf(entry.user_key)));
    }
    Result<Value> blob = FetchBlob(*view_, entry.user_key, stored);
    if (!blob.ok()) return blob.status();
    blob_ = *std::move(blob);
    return blob_.view();
  }

  // ------------------------------------------------------------------------------ backward

  // merged_ is on the oldest entry of a group, or exhausted. Shows the first group from here
  // backwards that has something to show.
  void FindBackward() {
    End();
    while (merged_->Valid()) {
      const InternalKey& entry = merged_->key();
      if (bounds_.IsBefore(order_, KeyOf(entry.user_key))) break;
      current_.assign(entry.user_key);
      if (ShowNewestOfGroup()) break;
      SeekBeforeGroup();
    }
    if (!valid_ && status_.ok() && !merged_->Valid()) status_ = merged_->status();
    CheckRangeDeletions();
  }

  void SeekBeforeGroup() {
    passed_ = oldest_ ? current_ : BeforeTimestamps(KeyOf(current_), size_);
    merged_->SeekForPrev(LookupKey(passed_, kMaxSequence));
  }

  // Shows the newest visible entry of the group of current_. False if there is none to show.
  bool ShowNewestOfGroup() {
    if (!oldest_) {
      current_.resize(KeyOf(current_).size());
      current_.append(newest_);
    }
    int steps = 0;
    for (merged_->Seek(LookupKey(current_, at_));
         merged_->Valid() && InGroup(merged_->key().user_key);) {
      const InternalKey& entry = merged_->key();
      if (!IsVisible(entry)) {
        PassInvisible(entry, &steps);
        continue;
      }
      current_.assign(entry.user_key);
      return ShowEntry(entry);
    }
    if (merged_->Valid() || merged_->status().ok()) return false;
    Fail(merged_->status());
    return true;
  }

  void CheckRangeDeletions() {
    if (tombstones_->empty()) return;
    Fail(Status::NotSupported("range deletions of keys with timestamps"));
  }

  const KeyOrder order_;
  const size_t size_;  // Of a timestamp.
  const ViewOrigin origin_;
  const TableIteratorOptions table_options_;
  const std::string newest_;                 // ReadOptions::timestamp.
  const std::optional<std::string> oldest_;  // ReadOptions::iter_start_timestamp.
  const KeyRange bounds_;                    // Of keys.
  std::optional<std::string> first_, end_;   // The same of stored keys.
  const bool prefix_;
  Status refused_;  // Not ok: the options are invalid; no record is ever shown.

  std::shared_ptr<const ReadView> view_;
  Sequence at_ = 0;
  std::optional<TombstoneCollector> tombstones_;
  std::unique_ptr<InternalIterator> merged_;  // Uses the two above. On or behind current_.

  std::string current_;  // The stored key that is shown; or one of its group.
  Sequence sequence_ = 0;
  VersionKind kind_ = VersionKind::kValue;
  std::string passed_;
  std::string folded_;
  OperandList operands_;
  Value blob_;
};

// Not inlined: gcc would join the branch here with that of the caller, and look at the size of a
// timestamp that is not there, which valgrind reports.
[[gnu::noinline]] Status CheckSize(std::string_view what, std::string_view timestamp, size_t size) {
  if (timestamp.size() == size) return Status::Ok();
  return Status::InvalidArgument(std::string(what) + " has " + std::to_string(timestamp.size()) +
                                 " bytes, and the timestamps of the keys have " +
                                 std::to_string(size));
}

}  // namespace

Status CheckReadTimestamp(const ReadView& view, const ReadOptions& options, bool wanted) {
  if (view.timestamp_size == 0) {
    if (!wanted && !options.timestamp && !options.iter_start_timestamp) return Status::Ok();
    return Status::InvalidArgument("timestamps of keys that have none");
  }
  if (!options.timestamp) {
    return Status::InvalidArgument(
        "keys with timestamps are read at one: ReadOptions::timestamp is not set");
  }
  Status sizes = CheckSize("ReadOptions::timestamp", *options.timestamp, view.timestamp_size);
  if (!sizes.ok()) return sizes;
  const Status history = CheckHistory(view, *options.timestamp);
  if (!history.ok()) return history;
  if (!options.iter_start_timestamp) return Status::Ok();
  return CheckSize("ReadOptions::iter_start_timestamp", *options.iter_start_timestamp,
                   view.timestamp_size);
}

std::unique_ptr<DbIterator> NewTimestampedIterator(ViewOrigin origin,
                                                   std::shared_ptr<const ReadView> view,
                                                   Sequence at, const ReadOptions& options) {
  return std::make_unique<TimestampedIterator>(std::move(origin), std::move(view), at, options);
}

Result<std::optional<TimestampedValue>> GetTimestamped(std::shared_ptr<const ReadView> view,
                                                       const ReadOptions& options,
                                                       std::string_view key, Sequence at) {
  ReadOptions one = options;
  one.lower_bound = key;
  one.upper_bound.reset();
  one.prefix.reset();
  one.iter_start_timestamp.reset();
  TimestampedIterator it({}, std::move(view), at, one);
  it.SeekKey(key);
  if (!it.status().ok()) return it.status();
  if (!it.Valid()) return std::optional<TimestampedValue>();
  return std::optional<TimestampedValue>(
      {Value(std::string(it.value())), std::string(it.version().timestamp)});
}

}  // namespace varve
