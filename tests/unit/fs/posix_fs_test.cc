// SPDX-License-Identifier: Apache-2.0
#include "core/fs/posix_fs.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "tests/scratch_directory.h"
#include "tests/unit/fs/locking_child.h"

namespace varve {
namespace {

// What `work` returns in a child of ours, which it may leave with any descriptors closed; 128 + the
// signal if one ended it: SIGALRM after 5 s, so that what blocks fails instead.
int InChild(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(5);
    int code = 0;
    // A ring of io_uring that this thread has is the parent's, too.
    std::thread([&] { code = work(); }).join();
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST_CASE("PosixFileSystem: a write that the system refuses is an error") {
  const ScratchDirectory scratch;
  CHECK_EQ(InChild([&] {
             ::signal(SIGXFSZ, SIG_IGN);
             const rlimit none{};
             if (::setrlimit(RLIMIT_FSIZE, &none) != 0) return 1;
             const auto fs = NewPosixFileSystem();
             auto file = fs->Create(scratch / "file", false);
             if (!file.ok()) return 2;
             return (*file)->Append("x").code() == Code::kIoError ? 0 : 3;
           }),
           0);
}

TEST_CASE("PosixFileSystem: a FIFO or device is refused by name, not waited for") {
  const ScratchDirectory scratch;
  const std::string fifo = scratch / "fifo", regular = scratch / "regular";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const auto fs = NewPosixFileSystem();
  REQUIRE(fs->Create(regular, false).ok());
  // The first to fail is the exit code. A FIFO without a writer blocks whoever reads it, one
  // without a reader whoever writes.
  CHECK_EQ(InChild([&] {
             const auto refused = [](const Status& status, const char* kind) {
               return status.code() == Code::kIoError &&
                      status.message().find(kind) != std::string_view::npos;
             };
             if (!refused(fs->OpenForRead(fifo, false).status(), "is a FIFO")) return 1;
             if (!refused(fs->OpenForRead(fifo, true).status(), "is a FIFO")) return 2;
             if (!refused(fs->Create(fifo, false).status(), "is a FIFO")) return 3;
             if (!refused(fs->Create(fifo, true).status(), "is a FIFO")) return 4;
             if (!refused(fs->Lock(fifo).status(), "is a FIFO")) return 5;
             if (!refused(fs->OpenForRead("/dev/zero", false).status(), "is a device")) return 6;
             if (!refused(fs->Create("/dev/full", false).status(), "is a device")) return 7;
             if (!refused(fs->OpenForRead(scratch / ".", false).status(), "a directory")) return 8;
             if (fs->IsLocked(fifo)) return 9;
             return fs->OpenForRead(regular, false).ok() ? 0 : 10;
           }),
           0);
}

TEST_CASE("PosixFileSystem: a list does not leave out what could not be looked at") {
  const ScratchDirectory scratch;
  const std::string directory = scratch / "names_only";
  const auto fs = NewPosixFileSystem();
  REQUIRE(::mkdir(directory.c_str(), 0700) == 0);
  REQUIRE(fs->Create(directory + "/file", false).ok());
  REQUIRE(::symlink("nowhere", (directory + "/dangling").c_str()) == 0);
  REQUIRE(::symlink("loop", (directory + "/loop").c_str()) == 0);
  CHECK_EQ(fs->List(directory)->size(), 3u);  // Whoever opens the links is told.
  REQUIRE(::chmod((scratch / ".").c_str(), 0755) == 0);
  REQUIRE(::chmod(directory.c_str(), 0444) == 0);  // Names can be read, files not be reached.
  CHECK_EQ(InChild([&] {
             constexpr uid_t kNobody = 65534;  // No permission is missing for root.
             if (::geteuid() == 0 && ::setuid(kNobody) != 0) return 1;
             const auto list = fs->List(directory);
             if (list.ok()) return 2;
             return list.status().code() == Code::kIoError ? 0 : 3;
           }),
           0);
  CHECK_EQ(::chmod(directory.c_str(), 0700), 0);
}

TEST_CASE("PosixFileSystem: opening does not block, and leaves no descriptor non-blocking") {
  const ScratchDirectory scratch;
  const auto fs = NewPosixFileSystem();
  REQUIRE(fs->Create(scratch / "file", false).ok());
  for (const bool direct : {false, true}) {
    auto file = fs->OpenForRead(scratch / "file", direct);
    REQUIRE(file.ok());
    CHECK_EQ(::fcntl((*file)->descriptor(), F_GETFL) & O_NONBLOCK, 0);
  }
}

TEST_CASE("PosixFileSystem: no file is ever standard input, output or error") {
  const ScratchDirectory scratch;
  // Bit n of the exit code: descriptor n is open.
  CHECK_EQ(InChild([&] {
             for (int fd = 0; fd <= 2; ++fd) ::close(fd);
             const auto fs = NewPosixFileSystem();
             auto lock = fs->Lock(scratch / "LOCK");
             auto log = fs->Create(scratch / "log", false);
             auto direct = fs->Create(scratch / "direct", true);
             if (!lock.ok() || !log.ok() || !direct.ok() || !(*log)->Append("0123").ok()) return 8;
             auto reader = fs->OpenForRead(scratch / "log", false);
             if (!reader.ok() || !fs->List(scratch / ".").ok()) return 16;
             if (!fs->SyncDirectory(scratch / ".").ok()) return 32;
             char bytes[2];
             ReadRequest two[] = {{.offset = 0, .size = 1, .buffer = &bytes[0]},
                                  {.offset = 1, .size = 1, .buffer = &bytes[1]}};
             (*reader)->ReadMany(two);  // Makes a ring, where there is io_uring.
             if (!two[1].status.ok() || bytes[1] != '1') return 64;
             int open = 0;
             for (int fd = 0; fd <= 2; ++fd) open |= ::fcntl(fd, F_GETFD) >= 0 ? 1 << fd : 0;
             return open;
           }),
           0);
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
  LockingChild child([&] {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    return fd >= 0 && ::fcntl(fd, F_SETLK, &whole) == 0;
  });
  const auto fs = NewPosixFileSystem();
  CHECK(fs->IsLocked(path));
  child.End();
  CHECK_FALSE(fs->IsLocked(path));
}

// As RocksDB in the same program: it locks the file by fcntl(2), and close(2) drops that.
TEST_CASE("PosixFileSystem: a lock that another library of this process has is seen, and kept") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "LOCK";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0644);
  REQUIRE(fd >= 0);
  const auto fs = NewPosixFileSystem();
  CHECK_FALSE(fs->IsLocked(path));
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  REQUIRE(::fcntl(fd, F_SETLK, &whole) == 0);
  CHECK(fs->IsLocked(path));
  CHECK_FALSE(OtherProcessLocks(path));
  const Status refused = fs->Lock(path).status();
  CHECK(refused.code() == Code::kBusy);
  CHECK(refused.message().find("another library") != std::string::npos);
  CHECK_FALSE(OtherProcessLocks(path));
  ::close(fd);
  CHECK(fs->Lock(path).ok());
}

}  // namespace
}  // namespace varve
