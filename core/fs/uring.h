// SPDX-License-Identifier: Apache-2.0
// Many reads in one system call, by io_uring. Each thread has a ring of its own, made when it first
// needs one. Where the kernel has no io_uring or forbids it, the caller reads one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "varve/file_system.h"

namespace varve {

struct DescriptorRead {
  int fd = -1;
  uint64_t offset = 0;
  size_t size = 0;
  char* buffer = nullptr;
};

// Starts all `requests` on the descriptor `fd` and waits for them. done[i] is how many bytes of
// request i arrived; less than its size at the end of the file, and also when the read failed or
// was cut short: the caller continues from there and meets the end or the error itself.
void UringRead(int fd, std::span<const ReadRequest> requests, std::span<size_t> done);
// The same for requests of different files.
void UringRead(std::span<const DescriptorRead> requests, std::span<size_t> done);

}  // namespace varve
