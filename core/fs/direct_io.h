// SPDX-License-Identifier: Apache-2.0
// Reads of any offset and size from a file of any alignment. Under direct I/O (alignment() > 1)
// whole blocks around the bytes asked for are read into a buffer of the thread and copied out:
//
//   blocks   |--------|--------|--------|
//   asked          |-----------|
//
// Otherwise these are the file's own Read() and ReadMany().
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "varve/file_system.h"

namespace varve {

// As RandomAccessFile::Read, without its alignment. Thread-safe.
Result<std::string_view> ReadAnywhere(const RandomAccessFile& file, uint64_t offset, size_t size,
                                      char* buffer);
// As RandomAccessFile::ReadMany, without its alignment. Thread-safe.
void ReadManyAnywhere(const RandomAccessFile& file, std::span<ReadRequest> requests);

}  // namespace varve
