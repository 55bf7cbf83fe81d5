// SPDX-License-Identifier: Apache-2.0
// A ReadStream with io_uring under direct I/O: a ring and two buffers on one huge page, registered
// with the kernel so that it need not look up the pages for each read.
//
//   | headroom | buffer 0 ...................... | headroom | buffer 1 ...................... |
//
// Creating a ring and touching its pages costs more than many scans, so a few are kept for later
// streams.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/fs/file_descriptor.h"
#include "varve/file_system.h"

namespace varve {

// `fd` and `path` must outlive the stream. Null if the kernel has no io_uring or forbids it.
std::unique_ptr<ReadStream> NewUringStream(const FileDescriptor& fd, const std::string& path,
                                           size_t alignment);

}  // namespace varve
