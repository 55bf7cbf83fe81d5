// SPDX-License-Identifier: Apache-2.0
// DbIterator turns the merged stream of internal keys into what a user sees: the newest version of
// each user key at the iterator's sequence number, unless that is a deletion.
//
//   memtables, level-0 tables, levels --MergingIterator--> a@9 a@4 b@7(del) b@2 c@8 ...
//                                       --DbIterator at 8--> a@4 c@8
//
// Going forward, the common case (next user key, visible, plain value, no range tombstones) copies
// the key once and the value not at all. Going backward, versions arrive oldest first, so key and
// value are copied once. Neither allocates per entry.
//
// Where DCHECK is on, Create() puts a CheckingDbIterator around it (checking_db_iterator.h).
//
// The iterator shares the ReadView, so flushes, compactions and deleted files do not affect it. One
// thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/check.h"
#include "core/engine/read/read_view.h"
#include "core/iterator/record_run.h"
#include "varve/iterator.h"
#include "varve/options.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

class DbIterator {
 public:
  // What iterators over keys with timestamps know of the version that they show.
  struct ShownVersion {
    std::string_view timestamp = {};
    VersionKind kind = VersionKind::kValue;
    Sequence sequence = 0;
  };

  // Reads the view, pinned in `views`, at options.snapshot, or at the current value of `visible`.
  // Refresh() reads `views` and `visible` again, so both must outlive the iterator.
  static std::unique_ptr<DbIterator> Create(const ReadViewHolder& views,
                                            const ReadViewHolder::Pin& view,
                                            const std::atomic<Sequence>& visible,
                                            const ReadOptions& options);
  // The same over a fixed view and sequence number; Refresh() returns to those.
  static std::unique_ptr<DbIterator> Create(std::shared_ptr<const ReadView> view, Sequence at,
                                            const ReadOptions& options);
  DbIterator(const DbIterator&) = delete;
  DbIterator& operator=(const DbIterator&) = delete;
  virtual ~DbIterator() = default;  // Implemented once per key order.

  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(std::string_view target) = 0;
  virtual void SeekForPrev(std::string_view target) = 0;
  virtual void Next() = 0;  // Requires Valid().
  virtual void Prev() = 0;  // Requires Valid().
  virtual Status Refresh() = 0;
  // See Iterator::NextBatch().
  std::span<const Record> NextBatch(size_t records_max);
  // Moves forward over records and appends them, up to some place where only Next() goes on; stays
  // on the last one that it appended. Returns how many. Requires Valid().
  virtual size_t ReadRun(RecordRun* run) {
    static_cast<void>(run);
    return 0;
  }
  virtual ShownVersion version() const { return {}; }  // Requires Valid().

  bool Valid() const { return valid_; }
  std::string_view key() const {  // Requires Valid().
    DCHECK(valid_);
    return key_;
  }
  std::string_view value() const {  // Requires Valid().
    DCHECK(valid_);
    return value_;
  }
  const Status& status() const { return status_; }

 protected:
  DbIterator() = default;

  std::string_view key_;
  std::string_view value_;
  Status status_;
  bool valid_ = false;

 private:
  RecordRun run_;
};

}  // namespace varve
