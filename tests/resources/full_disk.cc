// SPDX-License-Identifier: Apache-2.0
// A disk that gets full, where none can be mounted: loaded before the C library (LD_PRELOAD), it
// lets a process write FULL_DISK_BYTES bytes to files below FULL_DISK_AT, and make names there
// while any are left; what is over fails with ENOSPC, after as much of it as fits. What is removed
// gives nothing back.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

// The library's definition of a function that is defined here.
#define LIBRARYS(name) reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

namespace {

constexpr long long kName = 256;  // What a name takes.

std::atomic<long long> g_left{[] {
  const char* bytes = getenv("FULL_DISK_BYTES");
  return bytes == nullptr ? LLONG_MAX : atoll(bytes);
}()};

bool IsBelow(const char* path) {
  const char* at = getenv("FULL_DISK_AT");
  return at != nullptr && path != nullptr && strncmp(path, at, strlen(at)) == 0;
}

bool IsBelow(int fd) {
  char link[64], target[PATH_MAX];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, target, sizeof(target) - 1);
  if (size <= 0) return false;
  target[size] = '\0';
  return IsBelow(target);
}

// How much of `wanted` fits; takes it.
size_t Take(size_t wanted) {
  long long left = g_left.load();
  long long fits = 0;
  do {
    fits = std::clamp<long long>(left, 0, static_cast<long long>(wanted));
  } while (!g_left.compare_exchange_weak(left, left - fits));
  return static_cast<size_t>(fits);
}

// Takes what a new name needs; false: there is no room.
bool TakeName(const char* path) {
  if (!IsBelow(path)) return true;
  if (g_left.load() >= kName) {
    Take(static_cast<size_t>(kName));
    return true;
  }
  errno = ENOSPC;
  return false;
}

// The first `fits` bytes are written by `write`, or none fits.
template <typename Write>
ssize_t WriteWhatFits(int fd, size_t size, Write write) {
  if (size == 0 || !IsBelow(fd)) return write(size);
  const size_t fits = Take(size);
  if (fits > 0) return write(fits);
  errno = ENOSPC;
  return -1;
}

bool Exists(const char* path) { return access(path, F_OK) == 0; }

mode_t ModeOf(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

bool MayOpen(const char* path, int flags) {
  return (flags & O_CREAT) == 0 || Exists(path) || TakeName(path);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = ModeOf(flags, more);
  va_end(more);
  return MayOpen(path, flags) ? LIBRARYS(open)(path, flags, mode) : -1;
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = ModeOf(flags, more);
  va_end(more);
  return MayOpen(path, flags) ? LIBRARYS(open64)(path, flags, mode) : -1;
}
ssize_t write(int fd, const void* bytes, size_t size) {
  return WriteWhatFits(fd, size, [&](size_t fits) { return LIBRARYS(write)(fd, bytes, fits); });
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  return WriteWhatFits(fd, size,
                       [&](size_t fits) { return LIBRARYS(pwrite)(fd, bytes, fits, offset); });
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
  return WriteWhatFits(fd, size,
                       [&](size_t fits) { return LIBRARYS(pwrite64)(fd, bytes, fits, offset); });
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  if (!IsBelow(fd)) return LIBRARYS(writev)(fd, parts, count);
  ssize_t written = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t now = write(fd, parts[i].iov_base, parts[i].iov_len);
    if (now < 0) return written > 0 ? written : -1;
    written += now;
    if (static_cast<size_t>(now) < parts[i].iov_len) break;
  }
  return written;
}
ssize_t copy_file_range(int in, off64_t* from, int out, off64_t* to, size_t size,
                        unsigned int flags) {
  return WriteWhatFits(out, size, [&](size_t fits) {
    return LIBRARYS(copy_file_range)(in, from, out, to, fits, flags);
  });
}
int mkdir(const char* path, mode_t mode) {
  return TakeName(path) ? LIBRARYS(mkdir)(path, mode) : -1;
}
int linkat(int from, const char* old, int to, const char* path, int flags) {
  return TakeName(path) ? LIBRARYS(linkat)(from, old, to, path, flags) : -1;
}

}  // extern "C"
