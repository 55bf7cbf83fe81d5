// SPDX-License-Identifier: Apache-2.0
#include "core/fs/uring_stream.h"

#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/threads/mutex.h"
#include "core/fs/aligned_buffer.h"

namespace varve {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kHalf = kHugePage / 2;
constexpr size_t kHeadroom = size_t{64} << 10;
constexpr size_t kCapacity = kHalf - kHeadroom;
constexpr size_t kKeptMax = 16;  // Unused lanes kept for later streams.

// A ring and its buffers. One thread at a time.
class Lane {
 public:
  // Null if there is no io_uring.
  static std::unique_ptr<Lane> Make() {
    std::unique_ptr<Lane> lane(new Lane());
    {
      const StandardDescriptorsTaken taken;
      if (io_uring_queue_init(4, &lane->ring_, 0) != 0) return nullptr;
    }
    lane->usable_ = true;
    lane->memory_ = AlignedBuffer(kHugePage, kHugePage);
    const iovec whole{lane->memory_.data(), kHugePage};
    // If locked memory is scarce, reads work without registration.
    lane->registered_ = io_uring_register_buffers(&lane->ring_, &whole, 1) == 0;
    return lane;
  }
  ~Lane() {
    if (usable_) io_uring_queue_exit(&ring_);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  char* buffer(int which) const {
    DCHECK(which == 0 || which == 1);
    return memory_.data() + static_cast<size_t>(which) * kHalf + kHeadroom;
  }

  // False if the kernel rejected it: the caller reads itself.
  bool Submit(int which, int fd, uint64_t offset, size_t size) {
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
    CHECK(entry != nullptr, "at most two reads are under way");
    const auto length = static_cast<unsigned>(size);
    if (registered_) {
      io_uring_prep_read_fixed(entry, fd, buffer(which), length, offset, 0);
    } else {
      io_uring_prep_read(entry, fd, buffer(which), length, offset);
    }
    io_uring_sqe_set_data64(entry, static_cast<uint64_t>(which));
    int count;
    do {
      count = io_uring_submit(&ring_);
    } while (count == -EINTR);
    return count == 1;
  }

  // Waits for one completion; returns the buffer, and the bytes or the negative error.
  std::pair<int, int> TakeOne() {
    io_uring_cqe* entry = nullptr;
    int error;
    do {
      error = io_uring_wait_cqe(&ring_, &entry);
    } while (error == -EINTR);
    CHECK(error == 0, "the kernel owns the buffers: there is no way to continue");
    const std::pair<int, int> taken{static_cast<int>(io_uring_cqe_get_data64(entry)), entry->res};
    io_uring_cqe_seen(&ring_, entry);
    return taken;
  }

 private:
  Lane() = default;

  io_uring ring_ = {};
  bool usable_ = false;
  bool registered_ = false;
  AlignedBuffer memory_;
};

// Lanes not in use by a stream. Thread-safe.
class LanePool {
 public:
  std::unique_ptr<Lane> Take() {
    {
      MutexLock lock(mu_);
      if (!idle_.empty()) {
        std::unique_ptr<Lane> lane = std::move(idle_.back());
        idle_.pop_back();
        return lane;
      }
      if (unavailable_) return nullptr;
    }
    std::unique_ptr<Lane> lane = Lane::Make();
    if (lane == nullptr) {
      MutexLock lock(mu_);
      unavailable_ = true;
    }
    return lane;
  }
  void Return(std::unique_ptr<Lane> lane) {
    MutexLock lock(mu_);
    if (idle_.size() < kKeptMax) idle_.push_back(std::move(lane));
  }

 private:
  Mutex mu_;
  std::vector<std::unique_ptr<Lane>> idle_ GUARDED_BY(mu_);
  bool unavailable_ GUARDED_BY(mu_) = false;
};

// Never destroyed: a database may be closed by the destructor of a global.
LanePool& Lanes() {
  static LanePool& pool = *std::make_unique<LanePool>().release();
  return pool;
}

class UringStream final : public ReadStream {
 public:
  UringStream(const FileDescriptor& fd, const std::string& path, size_t alignment,
              std::unique_ptr<Lane> lane)
      : fd_(fd), path_(path), alignment_(alignment), lane_(std::move(lane)) {}
  ~UringStream() override {
    while (reads_[0].under_way || reads_[1].under_way) TakeOne();
    if (usable_) Lanes().Return(std::move(lane_));
  }

  size_t capacity() const override { return kCapacity; }
  size_t headroom() const override { return kHeadroom; }
  char* data(int buffer) override { return lane_->buffer(buffer); }

  void Start(int buffer, uint64_t offset, size_t size) override {
    Read& read = reads_[buffer];
    CHECK(!read.under_way, "the kernel is writing to its buffer");
    CHECK_OP(size, <=, kCapacity);
    DCHECK_OP(offset % alignment_, ==, 0);
    read = {.offset = offset, .size = size, .done = 0, .under_way = false};
    if (usable_) read.under_way = lane_->Submit(buffer, fd_.get(), offset, size);
    usable_ = usable_ && read.under_way;  // A rejected request must not be sent later.
  }

  Result<std::string_view> Wait(int buffer) override {
    DCHECK(buffer == 0 || buffer == 1);
    Read& read = reads_[buffer];
    while (read.under_way) TakeOne();
    char* const bytes = data(buffer);
    // Reads the missing part: up to the requested size, the end of the file or an error.
    if (read.done < read.size && read.done % alignment_ == 0) {
      const Result<std::string_view> rest = fd_.ReadAt(
          path_, read.offset + read.done, read.size - read.done, bytes + read.done, alignment_);
      if (!rest.ok()) return rest.status();
      read.done += rest->size();
      read.size = read.done;  // The rest was not requested.
    }
    return std::string_view(bytes, read.done);
  }

 private:
  struct Read {
    uint64_t offset = 0;
    size_t size = 0;
    size_t done = 0;
    bool under_way = false;
  };

  void TakeOne() {
    const auto [buffer, result] = lane_->TakeOne();
    CHECK(buffer == 0 || buffer == 1);
    CHECK(reads_[buffer].under_way);
    reads_[buffer].under_way = false;
    reads_[buffer].done = result > 0 ? static_cast<size_t>(result) : 0;
  }

  const FileDescriptor& fd_;
  const std::string& path_;
  const size_t alignment_;
  std::unique_ptr<Lane> lane_;
  bool usable_ = true;
  Read reads_[2];
};

}  // namespace

std::unique_ptr<ReadStream> NewUringStream(const FileDescriptor& fd, const std::string& path,
                                           size_t alignment) {
  std::unique_ptr<Lane> lane = Lanes().Take();
  if (lane == nullptr) return nullptr;
  return std::make_unique<UringStream>(fd, path, alignment, std::move(lane));
}

}  // namespace varve
