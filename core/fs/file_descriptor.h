// SPDX-License-Identifier: Apache-2.0
// Owns an open file descriptor, and the loops that POSIX leaves to its callers: interrupted calls
// and short transfers. One thread, except for const methods.
//
// Two things never happen to a database, whatever is found under the names of its files and however
// the process was started:
//
//   - a FIFO or device is never waited for: opening does not block, and whatever is no regular file
//     is an error that says what it is;
//   - a file is never standard input, output or error: a process that was started with these closed
//     gets 0, 1 and 2 from open(2), and what the program then prints would end up in its WAL.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "varve/result.h"

namespace varve {

// `fd`, or a duplicate of it (then `fd` is closed) that is not standard input, output or error, with
// close-on-exec. Negative, with errno, if `fd` is, or if there is no descriptor left.
int AboveStandardDescriptors(int fd);

// While it lives, 0, 1 and 2 are taken, so that descriptors which a library opens are others.
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

  // A regular file. `flags` as for open(2); O_CLOEXEC is added, new files get mode 0644.
  static Result<FileDescriptor> Open(const std::string& path, int flags);
  static Result<FileDescriptor> OpenDirectory(const std::string& path);

  // For reading and writing, of a file in `directory` that has no name there.
  static Result<FileDescriptor> OpenNameless(const std::string& directory);
  // Another one of the same open file.
  Result<FileDescriptor> Duplicate(const std::string& path) const;

  int get() const { return fd_; }
  // The caller closes it from now on.
  int Release() { return std::exchange(fd_, -1); }
  // All of `bytes`, or the error. `path` is for messages, here and below.
  Status Write(const std::string& path, std::string_view bytes) const;
  // Shorter than `size` only at the end of the file. `alignment`: of the descriptor's direct I/O.
  Result<std::string_view> ReadAt(const std::string& path, uint64_t offset, size_t size,
                                  char* buffer, size_t alignment) const;
  // Writes all of `bytes` at `offset`, without moving where Write() continues.
  Status WriteAt(const std::string& path, uint64_t offset, std::string_view bytes) const;
  Status Sync(const std::string& path) const;
  Result<uint64_t> Size(const std::string& path) const;
  Status Close(const std::string& path);

 private:
  explicit FileDescriptor(int fd) : fd_(fd) { VARVE_CHECK(fd_ < 0 || fd_ > 2); }

  int fd_ = -1;
};

}  // namespace varve
