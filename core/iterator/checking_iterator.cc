// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/checking_iterator.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/iterator/entry_copy.h"
#include "core/iterator/record_run.h"

namespace varve {
namespace {

class CheckingIterator final : public InternalIterator {
 public:
  CheckingIterator(const Comparator& comparator, std::unique_ptr<InternalIterator> inner)
      : order_{&comparator}, inner_(std::move(inner)) {
    Show();  // It may have failed already.
  }

  void SeekToFirst() override {
    CheckStable();
    inner_->SeekToFirst();
    Show();
  }
  void SeekToLast() override {
    CheckStable();
    inner_->SeekToLast();
    Show();
  }
  bool Prepare(const InternalKey& target) override {
    CheckStable();
    const bool more = inner_->Prepare(target);
    Show();
    return more;
  }
  void Seek(const InternalKey& target) override {
    CheckStable();
    inner_->Seek(target);
    if (inner_->Valid()) CHECK(CompareInternalKeys(order_, inner_->key(), target) >= 0);
    Show();
  }
  void SeekForPrev(const InternalKey& target) override {
    CheckStable();
    inner_->SeekForPrev(target);
    if (inner_->Valid()) CHECK(CompareInternalKeys(order_, inner_->key(), target) <= 0);
    Show();
  }
  void Next() override {
    CHECK(Valid());
    CheckStable();
    inner_->Next();
    if (inner_->Valid()) {
      CHECK(CompareInternalKeys(order_, inner_->key(), key()) > 0);  // I3
      if (inner_->starts_user_key()) {                               // I5
        CHECK(order_(inner_->key().user_key, key().user_key) != 0);
      }
    }
    Show();
  }
  void Prev() override {
    CHECK(Valid());
    CheckStable();
    inner_->Prev();
    if (inner_->Valid()) {
      CHECK(CompareInternalKeys(order_, inner_->key(), key()) < 0);  // I3
    }
    Show();
  }
  size_t ReadRun(const RunLimits& limits, RecordRun* run) override {
    CHECK(Valid());
    CheckStable();
    const size_t before = run->size();
    const size_t appended = inner_->ReadRun(limits, run);
    CHECK(run->size() == before + appended);
    std::string_view last = key().user_key;
    for (const Record& record : run->records().subspan(before)) {
      CHECK(order_(last, record.key) < 0);
      CHECK(!limits.before || order_(record.key, *limits.before) < 0);
      last = record.key;
    }
    CHECK(inner_->Valid() && inner_->key().user_key == last);
    if (appended == 0) {
      CheckStable();
    } else {
      Show();
    }
    return appended;
  }

 private:
  // I2 and I4: the iterator must still return the entry shown last.
  void CheckStable() const {
    CHECK(inner_->Valid() == Valid());
    CHECK(inner_->status().code() == status().code());
    if (!Valid()) return;
    CHECK(inner_->key().user_key == key().user_key);
    CHECK(inner_->key().packed() == key().packed());
    CHECK(inner_->value() == value());
  }

  void Show() {
    ClearFailure();
    before_ = std::exchange(shown_, EntryCopy());
    before_.Release();
    if (inner_->Valid()) {
      CHECK(inner_->status().ok());  // I1
      InternalKey key = inner_->key();
      shown_ = EntryCopy(key.user_key, inner_->value());
      key.user_key = shown_.key();
      Expose(key, shown_.value(), inner_->starts_user_key());
    } else if (!inner_->status().ok()) {
      Fail(inner_->status());
    } else {
      Exhaust();
    }
  }

  const VirtualOrder order_;
  const std::unique_ptr<InternalIterator> inner_;
  EntryCopy shown_;   // What key() and value() return.
  EntryCopy before_;  // The previous entry, poisoned.
};

}  // namespace

std::unique_ptr<InternalIterator> NewCheckingIterator(const Comparator& comparator,
                                                      std::unique_ptr<InternalIterator> inner) {
  return std::make_unique<CheckingIterator>(comparator, std::move(inner));
}

}  // namespace varve
