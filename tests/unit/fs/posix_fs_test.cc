// SPDX-License-Identifier: Apache-2.0
#include "core/fs/posix_fs.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "core/fs/posix_error.h"
#include "tests/unit/fs/scratch_directory.h"

namespace varve {
namespace {

TEST_CASE("PosixError: the code says what the caller can do") {
  CHECK_EQ(PosixError("a", "open", ENOENT).code(), Code::kNotFound);
  CHECK_EQ(PosixError("a", "write", ENOSPC).code(), Code::kNoSpace);
  CHECK_EQ(PosixError("a", "write", EDQUOT).code(), Code::kNoSpace);
  CHECK_EQ(PosixError("a", "read", EIO).ToString(), "io_error: a: read: Input/output error");
}

TEST_CASE("PosixFileSystem: a full disk is no_space") {
  const auto fs = NewPosixFileSystem();
  auto file = fs->Create("/dev/full", false);
  REQUIRE(file.ok());
  CHECK_EQ((*file)->Append("x").code(), Code::kNoSpace);
}

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

TEST_CASE("PosixFileSystem: a lock holds off other processes, also after a refused second one") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  auto lock = fs->Lock(scratch / "LOCK");
  REQUIRE(lock.ok());
  CHECK_EQ(fs->Lock(scratch / "LOCK").status().code(), Code::kBusy);
  CHECK_EQ(NewPosixFileSystem()->Lock(scratch / "LOCK").status().code(), Code::kBusy);
  CHECK_FALSE(OtherProcessLocks(scratch / "LOCK"));
  CHECK(fs->IsLocked(scratch / "LOCK"));
  CHECK_FALSE(OtherProcessLocks(scratch / "LOCK"));  // Asking did not drop it.
  *lock = nullptr;
  CHECK(OtherProcessLocks(scratch / "LOCK"));
}

TEST_CASE("PosixFileSystem: a lock of another process is seen") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  int held[2], done[2];
  REQUIRE(::pipe(held) == 0);
  REQUIRE(::pipe(done) == 0);
  char byte = 0;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(done[1]);
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    const bool locked = fd >= 0 && ::fcntl(fd, F_SETLK, &whole) == 0;
    const bool told = ::write(held[1], locked ? "y" : "n", 1) == 1;
    ::_exit(told && ::read(done[0], &byte, 1) == 0 ? 0 : 1);  // Until the parent closes its end.
  }
  ::close(done[0]);
  REQUIRE(::read(held[0], &byte, 1) == 1);
  REQUIRE(byte == 'y');
  const auto fs = NewPosixFileSystem();
  CHECK(fs->IsLocked(path));
  ::close(done[1]);
  ::waitpid(child, nullptr, 0);
  CHECK_FALSE(fs->IsLocked(path));
  ::close(held[0]);
  ::close(held[1]);
}

}  // namespace
}  // namespace varve
