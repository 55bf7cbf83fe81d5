// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write_queue.h"

#include "core/base/check.h"

namespace varve {
namespace {

// A group is one WAL record. It may grow to this, but a small write is not made to wait for a much
// larger group than its own.
constexpr uint64_t kGroupBytesMax = 1 << 20;
constexpr uint64_t kSmallWriteBytes = 128 << 10;

}  // namespace

WriteQueue::Role WriteQueue::Join(Writer* writer) {
  MutexLock lock(mutex_);
  if (first_ == nullptr) {
    first_ = last_ = writer;
    writer->role = Role::kLeads;
    return Role::kLeads;
  }
  last_->next = writer;
  last_ = writer;
  return Await(writer);
}

WriteQueue::Role WriteQueue::Await(Writer* writer) {
  while (writer->role == Role::kWaiting) writer->wake.Wait(mutex_);
  return writer->role;
}

const std::vector<WriteQueue::Writer*>& WriteQueue::TakeGroup(Writer* leader) {
  CHECK(leader->batch != nullptr);
  group_.assign(1, leader);
  uint64_t bytes = leader->batch->bytes().size();
  const uint64_t limit = bytes <= kSmallWriteBytes ? bytes + kSmallWriteBytes : kGroupBytesMax;
  const bool logged = leader->options.durability != Durability::kNone;
  MutexLock lock(mutex_);
  for (Writer* writer = leader->next; writer != nullptr; writer = writer->next) {
    if (writer->batch == nullptr) break;
    if ((writer->options.durability != Durability::kNone) != logged) break;
    bytes += writer->batch->bytes().size();
    if (bytes > limit) break;
    group_.push_back(writer);
  }
  return group_;
}

void WriteQueue::AskForHelp() {
  MutexLock lock(mutex_);
  helpers_ = group_.size() - 1;
  for (size_t i = 1; i < group_.size(); ++i) {
    group_[i]->role = Role::kHelps;
    group_[i]->wake.NotifyOne();
  }
}

WriteQueue::Role WriteQueue::HelpDone(Writer* writer) {
  MutexLock lock(mutex_);
  CHECK(helpers_ > 0);
  writer->role = Role::kWaiting;
  if (--helpers_ == 0) helped_.NotifyOne();
  return Await(writer);
}

void WriteQueue::AwaitHelp() {
  MutexLock lock(mutex_);
  while (helpers_ > 0) helped_.Wait(mutex_);
}

void WriteQueue::Finish(Writer* leader) {
  if (group_.empty()) group_.push_back(leader);
  CHECK(group_.front() == leader);
  MutexLock lock(mutex_);
  first_ = group_.back()->next;
  if (first_ == nullptr) {
    last_ = nullptr;
  } else {
    first_->role = Role::kLeads;
    first_->wake.NotifyOne();
  }
  // A writer may be gone as soon as it is done and the mutex is free: notify before either.
  for (size_t i = 1; i < group_.size(); ++i) {
    group_[i]->role = Role::kDone;
    group_[i]->wake.NotifyOne();
  }
  group_.clear();
}

}  // namespace varve
