// SPDX-License-Identifier: Apache-2.0
// Reads at any offset and size from a file of any alignment. Under direct I/O (alignment() > 1) the
// whole blocks around the requested bytes are read into a buffer of the thread and copied out:
//
//   blocks   |--------|--------|--------|
//   asked          |-----------|
//
// Otherwise ReadAnywhere() and ReadManyAnywhere() call the file's own Read() and ReadMany().
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
// Joins reads that are close together in one file and submits the rest together where the system
// supports it (io_uring), otherwise one after the other. An error concerns only its own request.
// Thread-safe.
void ReadManyFiles(std::span<FileRead> reads);

}  // namespace varve
