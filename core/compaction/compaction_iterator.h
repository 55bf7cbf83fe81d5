// SPDX-License-Identifier: Apache-2.0
// CompactionIterator turns the merged inputs of a flush or compaction into the entries of its
// outputs. It drops entries that no reader can see any more (compaction/visibility.h).
//
// The versions of a user key come newest first; those of one stripe are processed together:
//
//   put                      stays; the rest of the stripe goes, but for unpaired single deletions
//   deletion                 stays, unless it hides nothing; the rest of the stripe goes
//   single deletion, put     both go; a deletion below them still counts, a value does not
//   operands, then a base    one put, if the operator agrees; else they stay as they are
//   operands alone           one put if there surely is no base, else one operand if they combine
//   under a range tombstone of the same stripe: goes, and is a deletion to the operands above it
//
// Where keys have timestamps, versions of a key with different ones are different user keys, except
// that deletions and operands apply to the older ones too: a deletion is kept, unless nobody reads
// at its timestamp, and a single deletion is one, and operands do not become a put without their
// base.
//
// A single deletion under a newer put stays until it meets its own put: if it were dropped, the
// next single deletion would remove the newer put and make the older one visible again.
//
// The order of the input is verified: a table out of order becomes Corruption here, before a
// builder that requires order sees it. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/compaction/merge_resolver.h"
#include "core/compaction/visibility.h"
#include "core/format/internal_key.h"
#include "core/iterator/internal_iterator.h"
#include "core/iterator/range_tombstones.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"
#include "varve/status.h"

namespace varve {

class BlobReader;

struct CompactionCounters {
  uint64_t input_entries = 0;
  uint64_t output_entries = 0;
  uint64_t shadowed = 0;             // Hidden by a newer version of the same stripe.
  uint64_t covered = 0;              // By a range tombstone.
  uint64_t deletions_dropped = 0;    // They hid nothing any more.
  uint64_t single_delete_pairs = 0;  // Each is two entries.
  uint64_t operands_merged = 0;      // Folded into a put or another operand.
  uint64_t sequences_zeroed = 0;
};

struct CompactionScope {
  const Comparator* comparator = nullptr;
  const MergeOperator* merge_operator = nullptr;  // Null: operands stay.
  // Tombstones of all inputs, clipped to their tables. When the input reaches a key, those that
  // cover it must have been added. Null: none.
  const TombstoneCollector* tombstones = nullptr;
  // Reads the values below operands that are in blob files. Null: operands stay above those.
  const BlobReader* blobs = nullptr;
  // JobContext::full_history_ts_low.
  std::string full_history_ts_low = {};
  // Only user keys in [begin, end): one part of a compaction with subcompactions.
  std::optional<std::string> begin, end;
};

class CompactionIterator {
 public:
  // `visibility`, and what `scope` points to, must outlive the iterator.
  CompactionIterator(const CompactionScope& scope, const Visibility* visibility,
                     std::unique_ptr<InternalIterator> input);

  void SeekToFirst();
  void Next();  // Requires Valid().

  bool Valid() const { return valid_; }
  // Requires Valid(); valid until Next().
  const InternalKey& key() const {
    DCHECK(valid_);
    return key_;
  }
  std::string_view value() const {
    DCHECK(valid_);
    return value_;
  }
  // The entry shown before, if any, has a different user key, apart from timestamps. Requires
  // Valid().
  bool starts_user_key() const {
    DCHECK(valid_);
    return starts_user_key_;
  }
  const Status& status() const { return status_; }  // Check it when Valid() becomes false.
  const CompactionCounters& counters() const { return counters_; }

 private:
  // What the versions seen so far mean for older ones of their stripe.
  enum class Rest : uint8_t {
    kOpen,       // No effect, or operands without a base so far.
    kUnderPut,   // Hidden by a put. Single deletions are only dropped in pairs.
    kUnderPair,  // Values are hidden by a put that was dropped in a pair; deletions count.
    kDeleted,    // Hidden by a deletion.
    kCovered,    // Hidden by a range tombstone.
  };

  // Checks the entry that the input moved to: sets input_valid_, or fails.
  void Arrive();
  void StepInput();
  bool InputInStripe() const;
  bool InputCovered() const;
  HeldVersion CopyOfInput() const;

  void Produce();      // Finds the next entry to show, or the end.
  bool BeginStripe();  // True if the input's entry is shown unchanged.
  void SettleStripe();
  void SettleVersion();
  void SettleDeletion(ValueType type);
  void SettleValue(ValueType type);
  bool MergeOntoPut(ValueType type);
  void SettleOperand();
  void FinishStripe();
  bool MergeOnto(std::optional<std::string_view> base);
  void HoldDeletion(std::optional<HeldVersion> deletion);
  bool MayDropDeletion() const;
  void StartUserKey(std::string_view user_key);
  void Show(Sequence sequence, ValueType type, std::string_view value);

  const CompactionScope scope_;
  const size_t timestamp_size_;  // Of the keys; 0: they have none.
  const Visibility* const visibility_;
  const MergeResolver resolver_;
  const std::unique_ptr<InternalIterator> input_;

  // The input. All entries up to the current one of the current stripe have the key user_key_.
  bool input_valid_ = false;  // Within the scope; status_ is ok.
  bool started_ = false;      // user_key_ and last_packed_ are set.
  bool same_key_ = false;     // The current entry's user key is user_key_.
  std::string user_key_;
  uint64_t last_packed_ = 0;

  // The current stripe.
  Sequence top_ = 0;  // Its newest sequence in the input.
  Rest rest_ = Rest::kOpen;
  std::vector<HeldVersion> operands_;  // Newest first; or the one put made of them.
  std::optional<HeldVersion> base_;    // A value that stays below operands.
  std::optional<HeldVersion> deletion_;
  std::optional<HeldVersion> single_deletion_;  // Waits for its put.

  std::vector<HeldVersion> held_;  // Finished, to be shown in this order.
  size_t shown_ = 0;               // Entries of held_ shown so far.
  bool showing_input_ = false;

  InternalKey key_;
  std::string_view value_;
  bool valid_ = false;
  bool starts_user_key_ = false;
  bool user_key_shown_ = false;  // Some entry of user_key_ was shown.
  Status status_;
  CompactionCounters counters_;
};

}  // namespace varve
