// SPDX-License-Identifier: Apache-2.0
#include "core/fs/posix_lock.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>

#include "tests/scratch_directory.h"
#include "tests/unit/fs/locking_child.h"

namespace varve {
namespace {

// Whether another process can take the lock.
bool OtherProcessLocks(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    // A fresh table is what a fresh process has; the parent's is copied, so lock by hand.
    const std::string command =
        "python3 -c 'import fcntl,sys;f=open(sys.argv[1],\"r+\");"
        "fcntl.lockf(f,fcntl.LOCK_EX|fcntl.LOCK_NB)' " +
        path + " 2>/dev/null";
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_CASE("LockPosixFile: a lock holds off other processes, also after a refused second one") {
  const ScratchDirectory scratch;
  auto lock = LockPosixFile(scratch / "LOCK");
  REQUIRE(lock.ok());
  CHECK_EQ(LockPosixFile(scratch / "LOCK").status().code(), Code::kBusy);
  CHECK_FALSE(OtherProcessLocks(scratch / "LOCK"));
  CHECK(IsPosixFileLocked(scratch / "LOCK"));
  CHECK_FALSE(OtherProcessLocks(scratch / "LOCK"));  // Asking did not drop it.
  *lock = nullptr;
  CHECK(OtherProcessLocks(scratch / "LOCK"));
}

TEST_CASE("IsPosixFileLocked: a lock of another process is seen") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  LockingChild child([&] {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    return fd >= 0 && ::fcntl(fd, F_SETLK, &whole) == 0;
  });
  CHECK(IsPosixFileLocked(path));
  child.End();
  CHECK_FALSE(IsPosixFileLocked(path));
}

// Workers are often forked by a program that has a database open.
TEST_CASE("LockPosixFile: a forked process has no lock of its parent, and can take it later") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  auto lock = LockPosixFile(path);
  REQUIRE(lock.ok());
  int refused[2], closed[2];
  REQUIRE(::pipe(refused) == 0);
  REQUIRE(::pipe(closed) == 0);
  char byte = 0;
  const pid_t child = ::fork();
  if (child == 0) {
    const Status held_off = LockPosixFile(path).status();
    if (held_off.message().find("another process") == std::string::npos) ::_exit(1);
    if (::write(refused[1], "x", 1) != 1 || ::read(closed[0], &byte, 1) != 1) ::_exit(2);
    auto own = LockPosixFile(path);
    if (!own.ok()) ::_exit(3);
    *lock = nullptr;  // The copy of the parent's: it is not the lock that this process has.
    if (OtherProcessLocks(path)) ::_exit(4);
    if (LockPosixFile(path).status().code() != Code::kBusy) ::_exit(5);
    *own = nullptr;
    ::_exit(OtherProcessLocks(path) ? 0 : 6);
  }
  ::close(refused[1]);
  CHECK(::read(refused[0], &byte, 1) == 1);
  *lock = nullptr;
  CHECK(::write(closed[1], "x", 1) == 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  for (const int fd : {refused[0], closed[0], closed[1]}) ::close(fd);
}

// As RocksDB in the same program: it locks the file by fcntl(2), and close(2) drops that.
TEST_CASE("LockPosixFile: a lock that another library of this process has is seen, and kept") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
  REQUIRE(fd >= 0);
  CHECK_FALSE(IsPosixFileLocked(path));
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  REQUIRE(::fcntl(fd, F_SETLK, &whole) == 0);
  CHECK(IsPosixFileLocked(path));
  CHECK_FALSE(OtherProcessLocks(path));
  const Status refused = LockPosixFile(path).status();
  CHECK(refused.code() == Code::kBusy);
  CHECK(refused.message().find("another library") != std::string::npos);
  CHECK_FALSE(OtherProcessLocks(path));
  ::close(fd);
  CHECK(LockPosixFile(path).ok());
  CHECK(OtherProcessLocks(path));  // Nothing holds it any longer.
}

TEST_CASE("LockPosixFile: another library of this process is held off, and drops nothing") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  auto lock = LockPosixFile(path);
  REQUIRE(lock.ok());
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
  REQUIRE(fd >= 0);
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  CHECK_NE(::fcntl(fd, F_SETLK, &whole), 0);
  CHECK_EQ(errno, EAGAIN);
  ::close(fd);
  CHECK_FALSE(OtherProcessLocks(path));
  CHECK(IsPosixFileLocked(path));
  *lock = nullptr;
  CHECK(OtherProcessLocks(path));
}

// What it has from its parent must not keep the lock when the parent is gone.
TEST_CASE("LockPosixFile: a forked process that outlives its parent leaves the lock free") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  int ready[2], end[2];
  REQUIRE(::pipe(ready) == 0);
  REQUIRE(::pipe(end) == 0);
  char byte = 0;
  const pid_t parent = ::fork();
  if (parent == 0) {
    auto lock = LockPosixFile(path);
    if (!lock.ok()) ::_exit(1);
    if (::fork() == 0) {
      ::close(end[1]);
      const bool told = ::write(ready[1], "x", 1) == 1;
      ::_exit(told && ::read(end[0], &byte, 1) == 0 ? 0 : 1);
    }
    ::close(end[1]);
    while (true) ::pause();
  }
  CHECK_EQ(::read(ready[0], &byte, 1), 1);
  CHECK(IsPosixFileLocked(path));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  CHECK_FALSE(IsPosixFileLocked(path));
  CHECK(LockPosixFile(path).ok());
  for (const int fd : {ready[0], ready[1], end[0], end[1]}) ::close(fd);
}

size_t OpenDescriptors() {
  const auto entries = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(entries), end(entries)));
}

// Asking opens the file, and must not close it as long as somebody else here has the lock.
TEST_CASE("IsPosixFileLocked: asking for another library's lock again takes no more descriptors") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
  REQUIRE(fd >= 0);
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  REQUIRE(::fcntl(fd, F_SETLK, &whole) == 0);
  const size_t before = OpenDescriptors();
  for (int i = 0; i < 10; ++i) {
    CHECK(IsPosixFileLocked(path));
    CHECK_EQ(LockPosixFile(path).status().code(), Code::kBusy);
  }
  CHECK_LE(OpenDescriptors(), before + 1);
  CHECK_FALSE(OtherProcessLocks(path));
  ::close(fd);
  CHECK_FALSE(IsPosixFileLocked(path));
  CHECK_LT(OpenDescriptors(), before);
}

}  // namespace
}  // namespace varve
