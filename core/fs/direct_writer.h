// SPDX-License-Identifier: Apache-2.0
// A WritableFile under direct I/O: whole blocks bypass the page cache.
//
//   file     | written blocks ... | tail block, padded with zeros |
//   buffer                        | tail bytes | ...              |
//
// Sync() and Close() also write the tail block and truncate the padding; later appends continue in
// the same block. One thread.
#pragma once

#include <memory>
#include <string>

#include "core/fs/file_descriptor.h"
#include "varve/file_system.h"

namespace varve {

// `fd` is open for writing with O_DIRECT, on an empty file.
std::unique_ptr<WritableFile> NewDirectWriter(std::string path, FileDescriptor fd,
                                              size_t alignment);

}  // namespace varve
