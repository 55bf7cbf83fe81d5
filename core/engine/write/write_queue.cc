// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/write_queue.h"

#include <thread>

#include "core/base/check.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace varve {
namespace {

// A group is one WAL record of at most this size; a small write also limits its group, so as not to
// wait for a much larger one.
constexpr uint64_t kGroupBytesMax = 1 << 20;
constexpr uint64_t kSmallWriteBytes = 128 << 10;

uint64_t SizeOf(const WriteQueue::Writer& writer) {
  const uint64_t bytes = writer.batch->bytes().size();
  return writer.record == nullptr ? bytes : bytes + writer.record->bytes().size();
}

// Spin for some microseconds (a few commits), then yield.
constexpr int kSpins = 300, kYields = 10;

void Relax() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// Spins and yields until `done()`. False on timeout.
template <typename Done>
bool AwaitBriefly(const Done& done) {
  for (int i = 0; i < kSpins + kYields; ++i) {
    if (done()) return true;
    i < kSpins ? Relax() : std::this_thread::yield();
  }
  return done();
}

}  // namespace

WriteQueue::Role WriteQueue::Join(Writer* writer) {
  DCHECK(writer->role.load(std::memory_order_relaxed) == Role::kWaiting, "a writer joins once");
  DCHECK(writer->older == nullptr && writer->newer == nullptr);
  Writer* older = newest_.load(std::memory_order_relaxed);
  do {
    writer->older = older;
  } while (!newest_.compare_exchange_weak(older, writer, std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
  return older == nullptr ? Role::kLeads : Await(writer);
}

WriteQueue::Role WriteQueue::Await(Writer* writer) {
  const auto woken = [writer] {
    return writer->role.load(std::memory_order_acquire) != Role::kWaiting;
  };
  // The commit in front of a synced write is probably synced as well, and takes long.
  if (writer->options.durability == Durability::kSync || !AwaitBriefly(woken)) {
    Role waiting = Role::kWaiting;
    writer->role.compare_exchange_strong(waiting, Role::kAsleep, std::memory_order_relaxed);
    writer->role.wait(Role::kAsleep, std::memory_order_relaxed);
  }
  return writer->role.load(std::memory_order_acquire);
}

void WriteQueue::Give(Writer* writer, Role role) {
  DCHECK(role != Role::kWaiting && role != Role::kAsleep);
  std::atomic<Role>* const place = &writer->role;
  // The writer may be destroyed once it sees the role: only its address is used.
  if (place->exchange(role, std::memory_order_acq_rel) == Role::kAsleep) place->notify_one();
}

WriteQueue::Writer* WriteQueue::Link(Writer* first) {
  Writer* const newest = newest_.load(std::memory_order_acquire);
  for (Writer* writer = newest; writer != first && writer->older->newer != writer;
       writer = writer->older) {
    writer->older->newer = writer;
  }
  return newest;
}

const std::vector<WriteQueue::Writer*>& WriteQueue::TakeGroup(Writer* first) {
  CHECK(first->batch != nullptr);
  group_.assign(1, first);
  uint64_t bytes = SizeOf(*first);
  const uint64_t limit = bytes <= kSmallWriteBytes ? bytes + kSmallWriteBytes : kGroupBytesMax;
  const bool logged = first->options.durability != Durability::kNone;
  const Writer* const newest = Link(first);
  for (Writer* last = first; last != newest;) {
    Writer* const writer = last->newer;
    if (writer->batch == nullptr) break;
    if ((writer->options.durability != Durability::kNone) != logged) break;
    bytes += SizeOf(*writer);
    if (bytes > limit) break;
    group_.push_back(writer);
    last = writer;
  }
  return group_;
}

const std::vector<WriteQueue::Writer*>& WriteQueue::TakeAlone(Writer* first) {
  CHECK(first->batch != nullptr);
  group_.assign(1, first);
  return group_;
}

void WriteQueue::AskForHelp() {
  CHECK_OP(group_.size(), >, 1);
  DCHECK(helpers_.load(std::memory_order_relaxed) == 0);
  helpers_.store(static_cast<uint32_t>(group_.size() - 1), std::memory_order_relaxed);
  for (size_t i = 1; i < group_.size(); ++i) Give(group_[i], Role::kHelps);
}

WriteQueue::Role WriteQueue::HelpDone(Writer* writer) {
  write_lead.GiveShared();
  // Before the leader can see it: the leader assigns the next role.
  writer->role.store(Role::kWaiting, std::memory_order_relaxed);
  const uint32_t before = helpers_.fetch_sub(1, std::memory_order_acq_rel);
  CHECK(before > 0);
  if (before == 1) helpers_.notify_one();
  return Await(writer);
}

void WriteQueue::AwaitHelp() {
  const auto helped = [this] { return helpers_.load(std::memory_order_acquire) == 0; };
  if (AwaitBriefly(helped)) return;
  while (const uint32_t left = helpers_.load(std::memory_order_acquire)) helpers_.wait(left);
}

WriteQueue::Writer* WriteQueue::Finish(Writer* first, const Writer& own, bool keep) {
  CHECK(group_.empty() || group_.front() == first);
  CHECK(first->older == nullptr);
  DCHECK_OP(helpers_.load(std::memory_order_relaxed), ==, 0);
  Writer* const last = group_.empty() ? first : group_.back();
  group_.clear();  // Once newest_ is null, another thread may lead.
  Writer* expected = last;
  Writer* next = nullptr;
  if (!newest_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) {
    Link(first);
    next = last->newer;
    DCHECK(next->older == last);
    next->older = nullptr;
  }
  write_lead.Give();
  for (Writer* writer = first; writer != nullptr;) {
    Writer* const behind = writer == last ? nullptr : writer->newer;
    if (writer != &own) Give(writer, Role::kDone);
    writer = behind;
  }
  if (next == nullptr) return nullptr;
  if (keep && next->batch != nullptr && next->options.durability == own.options.durability) {
    return next;
  }
  Give(next, Role::kLeads);
  return nullptr;
}

}  // namespace varve
