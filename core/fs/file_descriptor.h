// SPDX-License-Identifier: Apache-2.0
// Owns an open file descriptor, and handles interrupted calls and short transfers. One thread,
// except for const methods.
//
// Two guarantees, whatever kind of files have the names of a database's files, and however the
// process was started:
//
//   - opening never waits for a FIFO or device: it does not block, and anything except a regular
//     file is an error that names its kind;
//   - a file is never standard input, output or error: a process started with these closed gets
//     0, 1 and 2 from open(2), and its output would end up in its WAL.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "varve/result.h"

namespace varve {

// Returns `fd`, or a duplicate of it (then `fd` is closed) other than standard input, output or
// error, with close-on-exec. Negative, with errno, if `fd` is negative or there is no descriptor
// left.
int AboveStandardDescriptors(int fd);

// While it lives, 0, 1 and 2 are in use, so that descriptors opened by a library are different.
class StandardDescriptorsTaken {
 public:
  StandardDescriptorsTaken();
  ~StandardDescriptorsTaken();
  StandardDescriptorsTaken(const StandardDescriptorsTaken&) = delete;
  StandardDescriptorsTaken& operator=(const StandardDescriptorsTaken&) = delete;

 private:
  bool ours_[3] = {};
};

class FileDescriptor {
 public:
  FileDescriptor() = default;
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  // Opens a regular file. `flags` as for open(2); O_CLOEXEC is added, new files get mode 0644.
  static Result<FileDescriptor> Open(const std::string& path, int flags);
  static Result<FileDescriptor> OpenDirectory(const std::string& path);

  // An unnamed file in `directory`, for reading and writing.
  static Result<FileDescriptor> OpenNameless(const std::string& directory);
  // Another descriptor of the same open file.
  Result<FileDescriptor> Duplicate(const std::string& path) const;

  int get() const { return fd_; }
  // Gives up ownership: the caller must close it.
  int Release() { return std::exchange(fd_, -1); }
  // Writes all of `bytes`. `path` is for messages, here and below.
  Status Write(const std::string& path, std::string_view bytes) const;
  // Shorter than `size` only at the end of the file. `alignment`: required if opened for direct
  // I/O.
  Result<std::string_view> ReadAt(const std::string& path, uint64_t offset, size_t size,
                                  char* buffer, size_t alignment) const;
  // Writes all of `bytes` at `offset`, without moving the position of Write().
  Status WriteAt(const std::string& path, uint64_t offset, std::string_view bytes) const;
  Status Sync(const std::string& path) const;
  Result<uint64_t> Size(const std::string& path) const;
  Status Close(const std::string& path);

 private:
  explicit FileDescriptor(int fd) : fd_(fd) { VARVE_CHECK(fd_ < 0 || fd_ > 2); }

  int fd_ = -1;
};

}  // namespace varve
