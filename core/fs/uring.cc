// SPDX-License-Identifier: Apache-2.0
#include "core/fs/uring.h"

#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "core/base/check.h"
#include "core/base/threads/of_this_thread.h"
#include "core/fs/file_descriptor.h"

namespace varve {
namespace {

constexpr unsigned kDepth = 64;
constexpr size_t kReadMax = size_t{1} << 30;  // Of one request; the kernel's length is an unsigned.

// One thread.
class Ring {
 public:
  Ring() {
    const StandardDescriptorsTaken taken;
    usable_ = io_uring_queue_init(kDepth, &ring_, 0) == 0;
  }
  ~Ring() { Leave(); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  // At most kDepth requests. Returns only when the kernel has finished with all their buffers.
  void Read(std::span<const DescriptorRead> requests, std::span<size_t> done) {
    CHECK(requests.size() <= kDepth && requests.size() == done.size());
    if (!usable_) return;
    for (size_t i = 0; i < requests.size(); ++i) {
      io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
      CHECK(entry != nullptr, "the ring is empty between calls");
      io_uring_prep_read(entry, requests[i].fd, requests[i].buffer,
                         static_cast<unsigned>(std::min(requests[i].size, kReadMax)),
                         requests[i].offset);
      io_uring_sqe_set_data64(entry, i);
    }
    size_t submitted = 0;
    while (submitted < requests.size()) {
      const int count = io_uring_submit(&ring_);
      if (count == -EINTR) continue;
      if (count <= 0) break;
      submitted += static_cast<size_t>(count);
    }
    for (size_t completed = 0; completed < submitted;) completed += TakeOne(done) ? 1 : 0;
    // Requests that were not submitted must not be sent later.
    if (submitted < requests.size()) Leave();
  }

 private:
  bool TakeOne(std::span<size_t> done) {
    io_uring_cqe* entry = nullptr;
    const int error = io_uring_wait_cqe(&ring_, &entry);
    if (error == -EINTR) return false;
    CHECK(error == 0, "the kernel owns the buffers: there is no way to continue");
    CHECK_OP(io_uring_cqe_get_data64(entry), <, done.size());
    if (entry->res > 0) done[io_uring_cqe_get_data64(entry)] = static_cast<size_t>(entry->res);
    io_uring_cqe_seen(&ring_, entry);
    return true;
  }

  void Leave() {
    if (usable_) io_uring_queue_exit(&ring_);
    usable_ = false;
  }

  io_uring ring_;
  bool usable_ = false;
};

}  // namespace

void UringRead(std::span<const DescriptorRead> requests, std::span<size_t> done) {
  Ring& ring = OfThisThread<Ring>();
  std::fill(done.begin(), done.end(), 0);
  for (size_t begin = 0; begin < requests.size(); begin += kDepth) {
    const size_t count = std::min<size_t>(kDepth, requests.size() - begin);
    ring.Read(requests.subspan(begin, count), done.subspan(begin, count));
  }
}

void UringRead(int fd, std::span<const ReadRequest> requests, std::span<size_t> done) {
  std::vector<DescriptorRead> reads;
  reads.reserve(requests.size());
  for (const ReadRequest& request : requests) {
    reads.push_back({fd, request.offset, request.size, request.buffer});
  }
  UringRead(reads, done);
}

}  // namespace varve
