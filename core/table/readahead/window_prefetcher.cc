// SPDX-License-Identifier: Apache-2.0
#include "core/table/readahead/window_prefetcher.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/fs/read_ahead.h"

namespace varve {
namespace {

// Padding between blocks does not make a scan random.
constexpr uint64_t kGapMax = 4096;
// Large enough to make the system calls cheap, small beside the processor's cache.
constexpr uint64_t kPieceBytes = 64 << 10;

uint64_t RoundDown(uint64_t n, uint64_t unit) { return n - n % unit; }
uint64_t RoundUp(uint64_t n, uint64_t unit) { return RoundDown(n + unit - 1, unit); }

}  // namespace

Result<std::string_view> WindowPrefetcher::Read(uint64_t offset, uint64_t size) {
  if (offset < start_ || offset + size > start_ + filled_) {
    RETURN_IF_ERROR(Fill(offset, std::max(size, ChooseWindow(offset))));
  }
  last_end_ = offset + size;
  const uint64_t have = start_ + filled_;
  if (offset >= have) return std::string_view();
  return std::string_view(buffer_ + (offset - start_), std::min(size, have - offset));
}

bool WindowPrefetcher::IsJump(uint64_t offset) const {
  return offset < last_end_ || offset - last_end_ > kGapMax;
}

// Cached blocks keep a scan sequential, but do not make it so.
void WindowPrefetcher::Pass(uint64_t offset, uint64_t size) {
  if (IsJump(offset)) sequential_reads_ = window_ = 0;
  last_end_ = offset + size;
}

// 0: no more than requested.
uint64_t WindowPrefetcher::ChooseWindow(uint64_t offset) {
  if (policy_.fixed_window > 0) return ChooseFixed(offset);
  if (IsJump(offset)) {
    sequential_reads_ = window_ = 0;
    return 0;
  }
  if (++sequential_reads_ <= policy_.sequential_reads_before) return 0;
  // A window of 0 or above the maximum, if configured so, must not persist (RocksDB PR 9234).
  window_ = std::min(window_ == 0 ? policy_.initial_window : window_ * 2, policy_.max_window);
  return window_;
}

uint64_t WindowPrefetcher::ChooseFixed(uint64_t offset) {
  const uint64_t window = policy_.fixed_window;
  if (offset > asked_ || IsJump(offset)) asked_ = offset;
  if (offset + window / 2 >= asked_ && asked_ < limit_) {
    const uint64_t end = std::min(offset + window, limit_);
    if (!AskForReadAhead(file_, asked_, end - asked_)) return window;
    asked_ = end;
  }
  return std::min(window, kPieceBytes);
}

// Fills the buffer with [offset, offset + size), up to the end of the file.
Status WindowPrefetcher::Fill(uint64_t offset, uint64_t size) {
  const uint64_t unit = file_.alignment();
  const uint64_t from = RoundDown(offset, unit);
  const uint64_t to = RoundUp(std::min(offset + size, std::max(limit_, offset)), unit);
  uint64_t kept = 0;
  if (from >= start_ && from < start_ + filled_) {
    // Reading can only continue after whole units.
    kept = RoundDown(start_ + filled_ - from, unit);
  }
  MakeRoom(to - from, from - start_, kept);
  start_ = from;
  filled_ = kept;
  if (from + kept >= to) return Status::Ok();
  char* const into = buffer_ + kept;
  ASSIGN_OR_RETURN(const std::string_view got,
                   file_.Read(from + kept, static_cast<size_t>(to - from - kept), into));
  if (!got.empty() && got.data() != into) std::memcpy(into, got.data(), got.size());
  filled_ += got.size();
  CHECK_OP(filled_, <=, capacity_);
  return Status::Ok();
}

// Makes room for `size` bytes, keeping `kept` old bytes, from `kept_from` on, at the front.
void WindowPrefetcher::MakeRoom(uint64_t size, uint64_t kept_from, uint64_t kept) {
  if (size <= capacity_) {
    if (kept > 0) std::memmove(buffer_, buffer_ + kept_from, kept);
    return;
  }
  CHECK_OP(kept, <=, size);
  const uint64_t unit = file_.alignment();
  auto memory = std::make_unique_for_overwrite<char[]>(size + unit);
  void* aligned = memory.get();
  size_t space = size + unit;
  char* const buffer = static_cast<char*>(std::align(unit, size, aligned, space));
  CHECK(buffer != nullptr);
  if (kept > 0) std::memcpy(buffer, buffer_ + kept_from, kept);
  memory_ = std::move(memory);
  buffer_ = buffer;
  capacity_ = size;
}

}  // namespace varve
