// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/checking_db_iterator.h"

#include <utility>

#include "core/base/check.h"
#include "core/iterator/entry_copy.h"

namespace varve {

#ifdef VARVE_DEBUG_CHECKS
namespace {

class CheckingDbIterator final : public DbIterator {
 public:
  CheckingDbIterator(std::unique_ptr<DbIterator> inner,
                     std::shared_ptr<const std::atomic<bool>> gone)
      : inner_(std::move(inner)), gone_(std::move(gone)) {
    Show();
  }
  ~CheckingDbIterator() override { CHECK(!database_is_gone()); }

  void SeekToFirst() override { Move(&DbIterator::SeekToFirst); }
  void SeekToLast() override { Move(&DbIterator::SeekToLast); }
  void Seek(std::string_view target) override { Move(&DbIterator::Seek, target); }
  void SeekForPrev(std::string_view target) override { Move(&DbIterator::SeekForPrev, target); }
  void Next() override {
    CHECK(Valid());
    Move(&DbIterator::Next);
  }
  void Prev() override {
    CHECK(Valid());
    Move(&DbIterator::Prev);
  }
  Status Refresh() override {
    CHECK(!database_is_gone());
    Status refreshed = inner_->Refresh();
    Show();
    return refreshed;
  }
  ShownVersion version() const override {
    CHECK(Valid());
    return inner_->version();
  }

  size_t ReadRun(RecordRun* run) override {
    CHECK(Valid() && !database_is_gone());
    const size_t appended = inner_->ReadRun(run);
    if (appended > 0) Show();
    return appended;
  }

 private:
  bool database_is_gone() const { return gone_->load(std::memory_order_acquire); }

  template <typename Function, typename... Target>
  void Move(Function move, Target... target) {
    CHECK(!database_is_gone());
    ((*inner_).*move)(target...);
    Show();
  }

  void Show() {
    before_ = std::exchange(shown_, EntryCopy());
    before_.Release();
    valid_ = inner_->Valid();
    status_ = inner_->status();
    if (!valid_) return;
    CHECK(status_.ok());
    shown_ = EntryCopy(inner_->key(), inner_->value());
    key_ = shown_.key();
    value_ = shown_.value();
  }

  const std::unique_ptr<DbIterator> inner_;
  const std::shared_ptr<const std::atomic<bool>> gone_;
  EntryCopy shown_;   // What key() and value() return.
  EntryCopy before_;  // The previous entry, poisoned.
};

}  // namespace

std::unique_ptr<DbIterator> CheckedInDebug(std::unique_ptr<DbIterator> inner,
                                           const ReadViewHolder& views) {
  return std::make_unique<CheckingDbIterator>(std::move(inner), views.gone());
}
#else
std::unique_ptr<DbIterator> CheckedInDebug(std::unique_ptr<DbIterator> inner,
                                           const ReadViewHolder&) {
  return inner;
}
#endif

}  // namespace varve
