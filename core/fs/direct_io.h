// SPDX-License-Identifier: Apache-2.0
// Reads of any offset and size from a file of any alignment. Under direct I/O (alignment() > 1)
// whole blocks around the bytes asked for are read into a buffer of the thread and copied out:
//
//   blocks   |--------|--------|--------|
//   asked          |-----------|
//
// Otherwise ReadAnywhere() and ReadManyAnywhere() are the file's own Read() and ReadMany().
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

// One of several reads of different files. As ReadRequest, without alignment.
struct FileRead {
  const RandomAccessFile* file = nullptr;
  ReadRequest request;
};
// Reads that are near each other in one file are joined; all that remain go to the system in one
// submission where it takes them (io_uring), else one after the other. A failure is the failure of
// its own request only. Thread-safe.
void ReadManyFiles(std::span<FileRead> reads);

}  // namespace varve
