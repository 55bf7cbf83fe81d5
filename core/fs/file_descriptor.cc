// SPDX-License-Identifier: Apache-2.0
#include "core/fs/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "core/base/try.h"
#include "core/fs/posix_error.h"

namespace varve {
namespace {

constexpr mode_t kNewFileMode = 0644;
// Linux transfers at most 0x7ffff000 bytes a call; asking for less keeps the count aligned.
constexpr size_t kTransferMax = size_t{1} << 30;

template <typename Call>
auto RetryInterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

std::string_view KindOfFile(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a FIFO";
    case S_IFSOCK:
      return "a socket";
    case S_IFCHR:
    case S_IFBLK:
      return "a device";
    default:
      return "of an unknown kind";
  }
}

Status NotRegular(const std::string& path, mode_t mode) {
  return Status::IoError(path + ": is " + std::string(KindOfFile(mode)) + ", not a regular file");
}

int OpenAboveStandard(const std::string& path, int flags) {
  return AboveStandardDescriptors(
      RetryInterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, kNewFileMode); }));
}

// Handles a failed open(2). A FIFO without a reader and a socket cannot be opened; if another
// program (e.g. a file server) has a lease on a regular file, waits for it.
Result<int> OpenRefused(const std::string& path, int flags, int error) {
  struct stat info = {};
  const bool told = ::stat(path.c_str(), &info) == 0;
  if (told && !S_ISREG(info.st_mode) && error != EACCES && error != EPERM) {
    return NotRegular(path, info.st_mode);
  }
  if (!told || error != EWOULDBLOCK) return PosixError(path, "open", error);
  const int fd = OpenAboveStandard(path, flags);
  if (fd < 0) return PosixError(path, "open", errno);
  return fd;
}

}  // namespace

int AboveStandardDescriptors(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(fd);
  errno = error;
  return moved;
}

StandardDescriptorsTaken::StandardDescriptorsTaken() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    const int opened = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ours_[fd] = opened == fd;
    // Another thread has taken the number; or there is no descriptor left.
    if (opened >= 0 && opened != fd) ::close(opened);
  }
}

StandardDescriptorsTaken::~StandardDescriptorsTaken() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (ours_[fd]) ::close(fd);
  }
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Result<FileDescriptor> FileDescriptor::Open(const std::string& path, int flags) {
  FileDescriptor file(OpenAboveStandard(path, flags | O_NONBLOCK | O_NOCTTY));
  if (file.fd_ < 0) {
    ASSIGN_OR_RETURN(file.fd_, OpenRefused(path, flags, errno));
  }
  struct stat info = {};
  if (::fstat(file.fd_, &info) != 0) return PosixError(path, "fstat", errno);
  if (!S_ISREG(info.st_mode)) return NotRegular(path, info.st_mode);
  // Clears O_NONBLOCK for reads and writes, which io_uring would honour on some file systems.
  if (::fcntl(file.fd_, F_SETFL, flags) != 0) return PosixError(path, "fcntl(F_SETFL)", errno);
  return file;
}

Result<FileDescriptor> FileDescriptor::OpenDirectory(const std::string& path) {
  FileDescriptor directory(OpenAboveStandard(path, O_RDONLY | O_DIRECTORY));
  if (directory.fd_ < 0) return PosixError(path, "open", errno);
  return directory;
}

Result<FileDescriptor> FileDescriptor::OpenNameless(const std::string& directory) {
  int fd = RetryInterrupted(
      [&] { return ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR); });
  if (fd < 0) {  // Some file systems do not support this: use a temporary name.
    std::string name = directory + "/varve-XXXXXX";
    fd = RetryInterrupted([&] { return ::mkostemp(name.data(), O_CLOEXEC); });
    if (fd < 0) return PosixError(directory, "create a temporary file", errno);
    ::unlink(name.c_str());
  }
  return FileDescriptor(fd);
}

Result<FileDescriptor> FileDescriptor::Duplicate(const std::string& path) const {
  const int fd = ::fcntl(fd_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (fd < 0) return PosixError(path, "fcntl(F_DUPFD_CLOEXEC)", errno);
  return FileDescriptor(fd);
}

Status FileDescriptor::Write(const std::string& path, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = RetryInterrupted(
        [&] { return ::write(fd_, bytes.data(), std::min(bytes.size(), kTransferMax)); });
    if (written < 0) return PosixError(path, "write", errno);
    if (written == 0) return Status::IoError(path + ": write: the system wrote no bytes");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Status::Ok();
}

Status FileDescriptor::WriteAt(const std::string& path, uint64_t offset,
                               std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = RetryInterrupted([&] {
      return ::pwrite(fd_, bytes.data(), std::min(bytes.size(), kTransferMax),
                      static_cast<off_t>(offset));
    });
    if (written < 0) return PosixError(path + "@" + std::to_string(offset), "write", errno);
    if (written == 0) return Status::IoError(path + ": write: the system wrote no bytes");
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
  return Status::Ok();
}

Result<std::string_view> FileDescriptor::ReadAt(const std::string& path, uint64_t offset,
                                                size_t size, char* buffer, size_t alignment) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = RetryInterrupted([&] {
      return ::pread(fd_, buffer + done, std::min(size - done, kTransferMax),
                     static_cast<off_t>(offset + done));
    });
    if (got < 0) {
      return PosixError(path + "@" + std::to_string(offset + done), "read", errno);
    }
    if (got == 0) break;  // End of the file.
    done += static_cast<size_t>(got);
    // A partial block under direct I/O means the end of the file; reading could not continue there.
    if (done % alignment != 0) break;
  }
  return std::string_view(buffer, done);
}

Status FileDescriptor::Sync(const std::string& path) const {
  // fdatasync also writes the size; times need not be durable.
  if (RetryInterrupted([&] { return ::fdatasync(fd_); }) != 0) {
    return PosixError(path, "fdatasync", errno);
  }
  return Status::Ok();
}

Result<uint64_t> FileDescriptor::Size(const std::string& path) const {
  struct stat info = {};
  if (::fstat(fd_, &info) != 0) return PosixError(path, "fstat", errno);
  return static_cast<uint64_t>(info.st_size);
}

Status FileDescriptor::Close(const std::string& path) {
  const int fd = std::exchange(fd_, -1);
  if (fd < 0) return Status::Ok();
  // Linux frees the descriptor even when interrupted: never retried.
  if (::close(fd) != 0 && errno != EINTR) return PosixError(path, "close", errno);
  return Status::Ok();
}

}  // namespace varve
