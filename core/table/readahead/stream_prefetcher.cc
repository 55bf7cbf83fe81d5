// SPDX-License-Identifier: Apache-2.0
#include "core/table/readahead/stream_prefetcher.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/fs/aligned_buffer.h"
#include "core/fs/direct_io.h"

namespace varve {
namespace {

// Padding between blocks does not make a scan random.
constexpr uint64_t kGapMax = 4096;
// A smaller background read is not worth its system call.
constexpr uint64_t kWindowMin = 16 << 10;

}  // namespace

bool StreamPrefetcher::HaveStream() {
  if (stream_ != nullptr) return true;
  if (instead_ != nullptr) return false;
  stream_ = file_.NewReadStream();
  if (stream_ == nullptr) instead_ = std::make_unique<WindowPrefetcher>(file_, limit_, policy_);
  return stream_ != nullptr;
}

bool StreamPrefetcher::FitsBuffer(uint64_t offset, uint64_t size) const {
  const size_t unit = file_.alignment();
  return AlignUp(offset + size, unit) - AlignDown(offset, unit) <= stream_->capacity();
}

// The first block of a table continues where the run's last table ended.
void StreamPrefetcher::NoteJump(uint64_t offset) {
  if (started_ && (offset < last_end_ || offset - last_end_ > kGapMax)) run_->consumed = 0;
  started_ = true;
}

void StreamPrefetcher::Announce(uint64_t offset, uint64_t size) {
  if (parts_[0].Holds(offset) || parts_[1].Holds(offset)) return;
  if (HaveStream() && FitsBuffer(offset, size)) StartBuffer(current_, offset, offset + size);
}

void StreamPrefetcher::Pass(uint64_t offset, uint64_t size) {
  NoteJump(offset);
  last_end_ = offset + size;
  run_->consumed += size;
  if (instead_ != nullptr) instead_->Pass(offset, size);
}

// Reads whole units around [begin, end), as far as they fit into a buffer.
void StreamPrefetcher::StartBuffer(int buffer, uint64_t begin, uint64_t end) {
  const size_t unit = file_.alignment();
  Part& part = parts_[buffer];
  // Its running read must finish first; its result and errors are dropped.
  if (part.begin != part.end) stream_->Wait(buffer).status().Ignore("superseded");
  part.begin = AlignDown(begin, unit);
  part.end = std::min(AlignUp(end, unit), part.begin + AlignDown(stream_->capacity(), unit));
  CHECK_OP(part.begin, <, part.end);
  stream_->Start(buffer, part.begin, static_cast<size_t>(part.end - part.begin));
}

Result<std::string_view> StreamPrefetcher::Read(uint64_t offset, uint64_t size) {
  if (!HaveStream()) return instead_->Read(offset, size);
  NoteJump(offset);
  last_end_ = offset + size;
  const bool going_on = run_->consumed > 0;
  run_->consumed += size;
  if (!parts_[0].Holds(offset) && !parts_[1].Holds(offset)) {
    if (!FitsBuffer(offset, size)) return ReadAlone(offset, size);
    uint64_t end = offset + size;
    if (policy_.fixed_window > 0) {
      end = std::max(end, offset + policy_.fixed_window);
    } else if (going_on) {
      end += run_->consumed - size;
    }
    end = std::max(offset + size, guide_->Trim({offset, std::min(end, limit_)}).end);
    current_ = 1 - current_;
    StartBuffer(current_, offset, end);
  }
  Result<std::string_view> bytes = Take(offset, size);
  if (bytes.ok() && (going_on || policy_.fixed_window > 0)) StartNext(offset + size);
  return bytes;
}

// Returns bytes from the buffer that holds `offset`.
Result<std::string_view> StreamPrefetcher::Take(uint64_t offset, uint64_t size) {
  current_ = parts_[0].Holds(offset) ? 0 : 1;
  const Part& part = parts_[current_];
  CHECK(part.Holds(offset));
  if (offset + size > part.end) return TakeAcross(offset, size);
  ASSIGN_OR_RETURN(const std::string_view got, stream_->Wait(current_));
  const uint64_t skip = offset - part.begin;
  if (skip >= got.size()) return std::string_view();
  return got.substr(skip, size);
}

// For a block that begins in one buffer and ends in the other, or beyond.
Result<std::string_view> StreamPrefetcher::TakeAcross(uint64_t offset, uint64_t size) {
  const Part& first = parts_[current_];
  const Part& second = parts_[1 - current_];
  CHECK(first.Holds(offset));
  const uint64_t head = first.end - offset;
  if (second.begin != first.end && FitsBuffer(first.end, offset + size - first.end)) {
    const uint64_t window = std::max(offset + size, first.end + run_->consumed);
    const uint64_t end = guide_->Trim({first.end, std::min(window, limit_)}).end;
    next_from_ = first.end;
    StartBuffer(1 - current_, first.end, std::max(offset + size, end));
  }
  if (second.begin != first.end || offset + size > second.end || head > stream_->headroom()) {
    return ReadAlone(offset, size);
  }
  ASSIGN_OR_RETURN(const std::string_view before, stream_->Wait(current_));
  ASSIGN_OR_RETURN(const std::string_view after, stream_->Wait(1 - current_));
  if (before.size() != first.end - first.begin) return ReadAlone(offset, size);  // End of the file.
  char* const block = stream_->data(1 - current_) - head;
  std::memcpy(block, before.data() + (offset - first.begin), head);
  current_ = 1 - current_;
  return std::string_view(block, std::min<uint64_t>(size, head + after.size()));
}

Result<std::string_view> StreamPrefetcher::ReadAlone(uint64_t offset, uint64_t size) {
  alone_.resize(size);
  return ReadAnywhere(file_, offset, size, alone_.data());
}

// Starts reading what follows the current buffer, once half of that is consumed.
void StreamPrefetcher::StartNext(uint64_t offset) {
  const Part& part = parts_[current_];
  if (offset > part.end || next_from_ == part.end) return;
  const uint64_t unread = part.end - offset;
  uint64_t window = policy_.fixed_window;
  if (window == 0) {
    if (unread > (part.end - part.begin) / 2 || run_->consumed < unread + kWindowMin) return;
    window = run_->consumed - unread;
  }
  window = std::min<uint64_t>(window, stream_->capacity());
  next_from_ = part.end;
  const ReadaheadGuide::Range wanted =
      guide_->Trim({part.end, std::min(part.end + window, limit_)});
  if (wanted.begin < wanted.end) StartBuffer(1 - current_, wanted.begin, wanted.end);
}

}  // namespace varve
