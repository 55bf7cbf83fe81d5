// SPDX-License-Identifier: Apache-2.0
// Many reads in one system call, with io_uring. Each thread creates its own ring on first use. If
// the kernel has no io_uring or forbids it, the caller reads one by one.
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

// Starts all `requests` on the descriptor `fd` and waits for them. done[i] is the number of bytes
// read for request i; less than its size at the end of the file, or if the read failed or was
// partial: the caller continues from there and gets the end or the error itself.
void UringRead(int fd, std::span<const ReadRequest> requests, std::span<size_t> done);
// The same for requests of different files.
void UringRead(std::span<const DescriptorRead> requests, std::span<size_t> done);

}  // namespace varve
