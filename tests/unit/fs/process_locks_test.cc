// SPDX-License-Identifier: Apache-2.0
#include "core/fs/process_locks.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/scratch_directory.h"
#include "tests/unit/fs/locking_child.h"

namespace varve {
namespace {

struct LockedFile {
  explicit LockedFile(const std::string& path)
      : fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    struct stat info = {};
    REQUIRE(::fstat(fd, &info) == 0);
    inode = info.st_ino;
  }
  ~LockedFile() { ::close(fd); }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  bool Lock(short type, int command = F_SETLK) const {
    struct flock whole = {};
    whole.l_type = type;
    return ::fcntl(fd, command, &whole) == 0;
  }

  const int fd;
  ino_t inode = 0;
};

TEST_CASE(
    "ProcessHasPosixLock: a lock of ours, shared or not, on part or all, until it is dropped") {
  const ScratchDirectory scratch;
  const LockedFile file(scratch / "LOCK"), other(scratch / "other");
  CHECK_FALSE(ProcessHasPosixLock(file.inode));
  for (const short type : {short{F_RDLCK}, short{F_WRLCK}}) {
    REQUIRE(file.Lock(type));
    CHECK(ProcessHasPosixLock(file.inode));
    CHECK(ProcessHasPosixLock(file.inode));  // Asking did not drop it.
    CHECK_FALSE(ProcessHasPosixLock(other.inode));
    REQUIRE(file.Lock(F_UNLCK));
    CHECK_FALSE(ProcessHasPosixLock(file.inode));
  }
  struct flock byte = {};
  byte.l_type = F_WRLCK;
  byte.l_start = 100;
  byte.l_len = 1;
  REQUIRE(::fcntl(file.fd, F_SETLK, &byte) == 0);
  CHECK(ProcessHasPosixLock(file.inode));
  // Why this function exists: close(2) of any descriptor of the file drops it.
  ::close(::open((scratch / "LOCK").c_str(), O_RDONLY));
  CHECK_FALSE(ProcessHasPosixLock(file.inode));
}

TEST_CASE("ProcessHasPosixLock: many locks of ours, whichever is asked for") {
  const ScratchDirectory scratch;
  std::vector<std::unique_ptr<LockedFile>> files;
  for (int i = 0; i < 200; ++i) {  // More than one read of /proc/locks brings.
    files.push_back(std::make_unique<LockedFile>(scratch / std::to_string(i)));
    if (i % 3 != 0) REQUIRE(files.back()->Lock(F_WRLCK));
  }
  for (int i = 0; i < 200; ++i) {
    CHECK_EQ(ProcessHasPosixLock(files[static_cast<size_t>(i)]->inode), i % 3 != 0);
  }
}

TEST_CASE("ProcessHasPosixLock: locks of other processes and of other kinds are not ours") {
  const ScratchDirectory scratch;
  const LockedFile file(scratch / "LOCK");
  LockingChild child([&] { return file.Lock(F_WRLCK); });
  CHECK_FALSE(ProcessHasPosixLock(file.inode));
  child.End();
#ifdef F_OFD_SETLK
  if (file.Lock(F_WRLCK, F_OFD_SETLK)) CHECK_FALSE(ProcessHasPosixLock(file.inode));
#endif
}

}  // namespace
}  // namespace varve
