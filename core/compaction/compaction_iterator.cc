// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/compaction_iterator.h"

#include <utility>

#include "core/base/bytes/short_copy.h"
#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/timestamps.h"
#include "core/version/blob_reader.h"

namespace varve {
namespace {

bool IsPut(ValueType type) {
  return type == ValueType::kValue || type == ValueType::kBlobIndex ||
         type == ValueType::kWideColumnEntity || type == ValueType::kValuePreferredSeqno;
}

int CompareUserKeys(const Comparator& comparator, std::string_view a, std::string_view b) {
  return WithKeyOrder(comparator, [&](auto order) { return order(a, b); });
}

}  // namespace

CompactionIterator::CompactionIterator(const CompactionScope& scope, const Visibility* visibility,
                                       std::unique_ptr<InternalIterator> input)
    : scope_(scope),
      timestamp_size_(scope.comparator->timestamp_size()),
      visibility_(visibility),
      resolver_(scope.merge_operator, timestamp_size_),
      input_(std::move(input)) {
  CHECK(scope_.comparator != nullptr);
  CHECK(visibility_ != nullptr);
}

void CompactionIterator::SeekToFirst() {
  status_ = Status::Ok();
  started_ = showing_input_ = false;
  held_.clear();
  shown_ = 0;
  if (scope_.begin) {
    input_->Seek(LookupKey(*scope_.begin, kMaxSequence));
  } else {
    input_->SeekToFirst();
  }
  Arrive();
  Produce();
}

void CompactionIterator::Next() {
  CHECK(valid_);
  if (showing_input_) {
    showing_input_ = false;
    StepInput();
  }
  Produce();
}

void CompactionIterator::StepInput() {
  input_->Next();
  Arrive();
}

void CompactionIterator::Arrive() {
  input_valid_ = false;
  if (!input_->Valid()) {
    if (status_.ok()) status_ = input_->status();
    return;
  }
  const InternalKey& key = input_->key();
  if (!IsDataBlockType(static_cast<uint8_t>(key.type))) {
    status_ = Status::Corruption(DebugString(key) + ": entries of type " +
                                 std::to_string(static_cast<int>(key.type)) +
                                 " do not belong in a table's data");
    return;
  }
  // starts_user_key() means that the input has already compared the key with the previous one.
  const bool known_to_follow = !started_ || input_->starts_user_key();
  const int c = known_to_follow ? -1 : CompareUserKeys(*scope_.comparator, user_key_, key.user_key);
  if (c > 0 || (c == 0 && key.packed() >= last_packed_)) {
    const InternalKey last{user_key_, last_packed_ >> 8,
                           static_cast<ValueType>(last_packed_ & 0xff)};
    status_ = Status::Corruption("inputs out of order: " + DebugString(key) + " comes after " +
                                 DebugString(last));
    return;
  }
  same_key_ = c == 0;
  last_packed_ = key.packed();
  if (!same_key_ && scope_.end &&
      CompareUserKeys(*scope_.comparator, key.user_key, *scope_.end) >= 0) {
    return;
  }
  ++counters_.input_entries;
  input_valid_ = true;
}

bool CompactionIterator::InputInStripe() const {
  return input_valid_ && same_key_ && visibility_->SameStripe(top_, input_->key().sequence);
}

bool CompactionIterator::InputCovered() const {
  if (scope_.tombstones == nullptr || scope_.tombstones->empty()) return false;
  const InternalKey& key = input_->key();
  const Sequence newest =
      scope_.tombstones->NewestCoveringAt(key, visibility_->EarliestSeeing(key.sequence));
  return newest > key.sequence;
}

HeldVersion CompactionIterator::CopyOfInput() const {
  return {input_->key().sequence, input_->key().type, std::string(input_->value())};
}

void CompactionIterator::Produce() {
  valid_ = false;
  while (status_.ok()) {
    if (shown_ < held_.size()) {
      const HeldVersion& version = held_[shown_++];
      return Show(version.sequence, version.type, version.value);
    }
    held_.clear();
    shown_ = 0;
    if (!input_valid_) return;
    if (started_ && InputInStripe()) {
      SettleStripe();  // The rest of it below a put that was shown.
    } else if (BeginStripe()) {
      return;
    }
  }
}

bool CompactionIterator::BeginStripe() {
  const InternalKey& key = input_->key();
  if (!started_ || !same_key_) StartUserKey(key.user_key);
  started_ = same_key_ = true;
  top_ = key.sequence;
  if (IsPut(key.type) && !InputCovered()) {
    rest_ = Rest::kUnderPut;
    showing_input_ = true;
    Show(key.sequence, key.type, input_->value());
    return true;
  }
  rest_ = Rest::kOpen;
  SettleStripe();
  return false;
}

void CompactionIterator::StartUserKey(std::string_view user_key) {
  const bool other_timestamp =
      timestamp_size_ != 0 && started_ &&
      CompareIgnoringTimestamps(*scope_.comparator, user_key_, user_key) == 0;
  if (!other_timestamp) user_key_shown_ = false;
  AssignShort(&user_key_, user_key);
}

void CompactionIterator::SettleStripe() {
  CHECK(input_valid_ && !showing_input_);
  operands_.clear();
  base_.reset();
  deletion_.reset();
  single_deletion_.reset();
  do {
    SettleVersion();
    StepInput();
  } while (InputInStripe());
  if (status_.ok()) FinishStripe();
}

void CompactionIterator::SettleVersion() {
  if (rest_ == Rest::kDeleted) {
    ++counters_.shadowed;
    return;
  }
  if (rest_ == Rest::kCovered || InputCovered()) {
    ++counters_.covered;
    if (rest_ == Rest::kOpen && !operands_.empty()) MergeOnto(std::nullopt);
    rest_ = Rest::kCovered;
    return;
  }
  const ValueType type = input_->key().type;
  if (IsPut(type)) return SettleValue(type);
  if (type == ValueType::kMerge) return SettleOperand();
  SettleDeletion(type);
}

void CompactionIterator::SettleDeletion(ValueType type) {
  const bool single =
      type == ValueType::kSingleDeletion && (timestamp_size_ == 0 || rest_ == Rest::kUnderPut);
  if (rest_ == Rest::kOpen && !operands_.empty()) {
    if (!MergeOnto(std::nullopt)) deletion_ = CopyOfInput();
    rest_ = Rest::kDeleted;
    return;
  }
  if (single_deletion_) {  // It never met its put; this deletion has the same effect.
    ++counters_.shadowed;
    single_deletion_.reset();
  }
  if (single) {
    single_deletion_ = CopyOfInput();
  } else if (rest_ == Rest::kUnderPut) {
    ++counters_.shadowed;
  } else {
    deletion_ = CopyOfInput();
    rest_ = Rest::kDeleted;
  }
}

void CompactionIterator::SettleValue(ValueType type) {
  if (single_deletion_) {
    single_deletion_.reset();
    ++counters_.single_delete_pairs;
    if (rest_ == Rest::kOpen) rest_ = Rest::kUnderPair;
    return;
  }
  if (rest_ != Rest::kOpen) {
    ++counters_.shadowed;
    return;
  }
  // There are operands above it: otherwise a put would have been shown.
  CHECK(!operands_.empty());
  if (!MergeOntoPut(type)) base_ = CopyOfInput();
  rest_ = Rest::kUnderPut;
}

// False: the operands stay above the input's entry, as they do above an entity.
bool CompactionIterator::MergeOntoPut(ValueType type) {
  if (type == ValueType::kValue) return MergeOnto(input_->value());
  if (type != ValueType::kBlobIndex || scope_.blobs == nullptr) return false;
  const Result<Value> value = scope_.blobs->Read(user_key_, input_->value());
  if (!value.ok()) {
    status_ = value.status();
    return false;
  }
  return MergeOnto(value->view());
}

void CompactionIterator::SettleOperand() {
  if (single_deletion_ && rest_ != Rest::kUnderPut) {
    // Operands should not be deleted with SingleDelete. Keeping the deletion is safe in any case.
    deletion_ = std::move(single_deletion_);
    single_deletion_.reset();
    rest_ = Rest::kDeleted;
  }
  if (rest_ == Rest::kOpen) {
    operands_.push_back(CopyOfInput());
  } else {
    ++counters_.shadowed;
  }
}

bool CompactionIterator::MergeOnto(std::optional<std::string_view> base) {
  const size_t count = operands_.size();
  if (!resolver_.MergeOnto(user_key_, base, &operands_)) return false;
  counters_.operands_merged += count;
  return true;
}

void CompactionIterator::FinishStripe() {
  const bool older_left = input_valid_ && same_key_;
  if (rest_ == Rest::kOpen && !operands_.empty()) {
    const bool no_base = visibility_->bottommost() && !older_left && timestamp_size_ == 0;
    if (!no_base || !MergeOnto(std::nullopt)) {
      const size_t count = operands_.size();
      if (resolver_.Combine(user_key_, &operands_)) counters_.operands_merged += count;
    }
  }
  CHECK_OP(shown_, ==, held_.size());
  held_ = std::move(operands_);
  operands_.clear();
  if (base_) held_.push_back(*std::move(base_));
  HoldDeletion(std::move(deletion_));
  HoldDeletion(std::move(single_deletion_));
}

bool CompactionIterator::MayDropDeletion() const {
  if (timestamp_size_ == 0) return visibility_->MayDropDeletion(input_valid_ && same_key_);
  const std::string& low = scope_.full_history_ts_low;
  if (low.empty()) return false;
  const std::string_view timestamp = TimestampOf(user_key_, timestamp_size_);
  if (scope_.comparator->CompareTimestamps(timestamp, low) >= 0) return false;
  return visibility_->MayDropDeletion(
      input_valid_ &&
      CompareIgnoringTimestamps(*scope_.comparator, input_->key().user_key, user_key_) == 0);
}

void CompactionIterator::HoldDeletion(std::optional<HeldVersion> deletion) {
  if (!deletion) return;
  if (MayDropDeletion()) {
    ++counters_.deletions_dropped;
  } else {
    held_.push_back(*std::move(deletion));
  }
}

void CompactionIterator::Show(Sequence sequence, ValueType type, std::string_view value) {
  DCHECK_OP(sequence, <=, top_, "the sequence is of the current stripe or an older one");
  if (timestamp_size_ != 0) {
    // As RocksDB has it in tables.
    if (type == ValueType::kDeletion) type = ValueType::kDeletionWithTimestamp;
  } else if (sequence != 0 && visibility_->MayZeroSequence(sequence, type)) {
    sequence = 0;
    ++counters_.sequences_zeroed;
  }
  ++counters_.output_entries;
  starts_user_key_ = !std::exchange(user_key_shown_, true);
  key_ = {user_key_, sequence, type};
  value_ = value;
  valid_ = true;
}

}  // namespace varve
