// SPDX-License-Identifier: Apache-2.0
// InternalIterator walks internal keys in order, in both directions. Blocks, tables, levels,
// memtables and merges of them all implement it, so the read path is a composition of one type.
//
//   created --Seek*--> positioned --Next/Prev--> positioned --> exhausted   (status ok)
//                          \____________________________-----> failed      (status not ok)
//
// Invariants
//   I1  Valid() implies status().ok().
//   I2  key() and value() are stable until the next non-const call.
//   I3  Next() moves to a strictly larger internal key, Prev() to a strictly smaller one.
//   I4  Once failed, stays failed until the next Seek*.
//   I5  starts_user_key() after Next() implies that the previous entry had another user key.
// iterator/checking_iterator.h asserts I1-I5 around every iterator in debug builds.
//
// The current entry is in the base class, so reading it costs no virtual call, and a parent that
// moves a child pays one call per step. Implementations end every move with exactly one of
// Expose(), Exhaust() or Fail().
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "varve/status.h"

namespace varve {

class RecordRun;
struct RunLimits;

class InternalIterator {
 public:
  InternalIterator() = default;
  InternalIterator(const InternalIterator&) = delete;
  InternalIterator& operator=(const InternalIterator&) = delete;
  virtual ~InternalIterator() = default;

  // Announces a Seek to `target`: lets the iterator prefetch what the Seek will wait for (reads or
  // cold memory), one step per call, so that the waits of several iterators overlap. Returns
  // whether another call may help. Does not change the result of the Seek. In between the iterator
  // need not be Valid().
  virtual bool Prepare(const InternalKey& target) {
    static_cast<void>(target);
    return false;
  }
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(const InternalKey& target) = 0;         // First entry >= target.
  virtual void SeekForPrev(const InternalKey& target) = 0;  // Last entry <= target.
  virtual void Next() = 0;                                  // Requires Valid().
  virtual void Prev() = 0;                                  // Requires Valid().

  // Moves forward over the entries behind the current one and appends them to `run`, as long as
  // they are within the limits, the run is not full and they are in memory that the run can pin or
  // copy without a read. Stays on the last one that it appended; on the current entry if there is
  // none. Returns how many. An iterator that has no faster way than steps appends none. Requires
  // Valid(), and a current entry within the limits.
  virtual size_t ReadRun(const RunLimits& limits, RecordRun* run) {
    static_cast<void>(limits), static_cast<void>(run);
    return 0;
  }

  bool Valid() const { return valid_; }
  const InternalKey& key() const {  // Requires Valid().
    DCHECK(valid_);
    return key_;
  }
  std::string_view value() const {  // Requires Valid().
    DCHECK(valid_);
    return value_;
  }
  const Status& status() const { return status_; }  // Check it when Valid() becomes false.
  // The entry has another user key than the previous one. Saves the parent a comparison that the
  // step made anyway. Requires Valid(). False: unknown.
  bool starts_user_key() const {
    DCHECK(valid_);
    return starts_user_key_;
  }

 protected:
  void Expose(const InternalKey& key, std::string_view value, bool starts_user_key = false) {
    key_ = key;
    value_ = value;
    valid_ = true;
    starts_user_key_ = starts_user_key;
  }
  // Shows a child's entry after the child's own step.
  void Expose(const InternalIterator& child) {
    DCHECK(child.valid_);
    Expose(child.key_, child.value_, child.starts_user_key_);
  }
  void Exhaust() { valid_ = false; }
  void Fail(Status status) {
    VARVE_CHECK(!status.ok());
    status_ = std::move(status);
    valid_ = false;
  }
  void ClearFailure() {
    if (!status_.ok()) status_ = Status::Ok();
  }

 private:
  InternalKey key_;
  std::string_view value_;
  Status status_;
  bool valid_ = false;
  bool starts_user_key_ = false;
};

}  // namespace varve
