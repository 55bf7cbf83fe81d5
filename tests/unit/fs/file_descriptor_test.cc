// SPDX-License-Identifier: Apache-2.0
// That FIFOs, devices and closed standard descriptors are harmless through a whole FileSystem is
// in posix_fs_test.cc.
#include "core/fs/file_descriptor.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <utility>

#include "tests/scratch_directory.h"

namespace varve {
namespace {

struct Scratch {
  FileDescriptor Open(int flags = O_RDWR | O_CREAT) const {
    Result<FileDescriptor> fd = FileDescriptor::Open(path, flags);
    REQUIRE_MESSAGE(fd.ok(), fd.status().ToString());
    return *std::move(fd);
  }
  std::string Read(const FileDescriptor& fd, uint64_t offset, size_t size,
                   size_t alignment = 1) const {
    std::string buffer(size, '\0');
    const auto got = fd.ReadAt(path, offset, size, buffer.data(), alignment);
    return got.ok() ? std::string(*got) : got.status().ToString();
  }

  ScratchDirectory directory;
  std::string path = directory / "file";
};

bool IsOpen(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST_CASE("FileDescriptor: none is an error in each call, and closing it is not") {
  FileDescriptor none;
  CHECK_EQ(none.get(), -1);
  CHECK_EQ(none.Write("f", "x").ToString(), "io_error: f: write: Bad file descriptor");
  CHECK_EQ(none.WriteAt("f", 7, "x").ToString(), "io_error: f@7: write: Bad file descriptor");
  char byte = 0;
  CHECK_EQ(none.ReadAt("f", 9, 1, &byte, 1).status().ToString(),
           "io_error: f@9: read: Bad file descriptor");
  CHECK_EQ(none.Sync("f").ToString(), "io_error: f: fdatasync: Bad file descriptor");
  CHECK_FALSE(none.Size("f").ok());
  CHECK_FALSE(none.Duplicate("f").ok());
  CHECK(none.Write("f", "").ok());
  CHECK(none.Close("f").ok());
}

TEST_CASE("FileDescriptor: opens a regular file, for this process and nobody's child") {
  const Scratch scratch;
  const FileDescriptor fd = scratch.Open();
  CHECK_GT(fd.get(), 2);
  CHECK((::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK_EQ(::fcntl(fd.get(), F_GETFL) & O_NONBLOCK, 0);
  struct stat info = {};
  REQUIRE(::fstat(fd.get(), &info) == 0);
  CHECK_EQ(info.st_mode & 0777 & ~0644u, 0u);
}

TEST_CASE("FileDescriptor: what cannot be opened is refused by path and kind") {
  const Scratch scratch;
  CHECK_EQ(FileDescriptor::Open(scratch.path, O_RDONLY).status().ToString(),
           "not_found: " + scratch.path + ": open: No such file or directory");
  const std::string directory = scratch.directory.path();
  CHECK_EQ(FileDescriptor::Open(directory, O_RDONLY).status().ToString(),
           "io_error: " + directory + ": is a directory, not a regular file");
  CHECK_EQ(FileDescriptor::Open(directory, O_WRONLY).status().ToString(),
           "io_error: " + directory + ": is a directory, not a regular file");
  CHECK_EQ(FileDescriptor::Open("/dev/null", O_RDONLY).status().ToString(),
           "io_error: /dev/null: is a device, not a regular file");
  scratch.Open();
  CHECK_EQ(FileDescriptor::Open(scratch.path, O_RDWR | O_CREAT | O_EXCL).status().code(),
           Code::kIoError);
  CHECK_EQ(FileDescriptor::Open(scratch.path + "/below", O_RDONLY).status().code(),
           Code::kNotFound);
}

TEST_CASE("FileDescriptor: a directory opens as one, a file does not") {
  const Scratch scratch;
  CHECK(FileDescriptor::OpenDirectory(scratch.directory.path()).ok());
  scratch.Open();
  CHECK_EQ(FileDescriptor::OpenDirectory(scratch.path).status().code(), Code::kNotFound);
  CHECK_EQ(FileDescriptor::OpenDirectory(scratch.path + "x").status().code(), Code::kNotFound);
}

TEST_CASE("FileDescriptor: writes go behind each other, or to their offset without moving that") {
  const Scratch scratch;
  const FileDescriptor fd = scratch.Open();
  CHECK(fd.Write(scratch.path, "abc").ok());
  CHECK(fd.WriteAt(scratch.path, 10, "xyz").ok());
  CHECK(fd.Write(scratch.path, "def").ok());
  CHECK(fd.WriteAt(scratch.path, 0, "A").ok());
  CHECK_EQ(*fd.Size(scratch.path), 13u);
  CHECK_EQ(scratch.Read(fd, 0, 100), std::string("Abcdef\0\0\0\0xyz", 13));
  CHECK(fd.Sync(scratch.path).ok());
}

TEST_CASE("FileDescriptor: a read is short only at the end") {
  const Scratch scratch;
  const FileDescriptor fd = scratch.Open();
  REQUIRE(fd.Write(scratch.path, "0123456789").ok());
  CHECK_EQ(scratch.Read(fd, 0, 10), "0123456789");
  CHECK_EQ(scratch.Read(fd, 3, 4), "3456");
  CHECK_EQ(scratch.Read(fd, 8, 4), "89");
  CHECK_EQ(scratch.Read(fd, 8, 512, 512), "89");  // The end, in the middle of a block.
  CHECK_EQ(scratch.Read(fd, 10, 1), "");
  CHECK_EQ(scratch.Read(fd, 1 << 30, 1), "");
  CHECK_EQ(scratch.Read(fd, 4, 0), "");
  CHECK(scratch.Read(fd, ~uint64_t{0}, 1).starts_with("io_error: " + scratch.path + "@1844"));
}

TEST_CASE("FileDescriptor: what the mode of opening forbids is an error") {
  const Scratch scratch;
  scratch.Open();
  CHECK_EQ(scratch.Open(O_RDONLY).Write(scratch.path, "x").code(), Code::kIoError);
  CHECK(scratch.Read(scratch.Open(O_WRONLY), 0, 1).starts_with("io_error: " + scratch.path + "@0"));
}

TEST_CASE("FileDescriptor: it is closed once, by its owner") {
  const Scratch scratch;
  int number = -1;
  {
    const FileDescriptor fd = scratch.Open();
    number = fd.get();
    CHECK(IsOpen(number));
  }
  CHECK_FALSE(IsOpen(number));

  FileDescriptor closed = scratch.Open();
  number = closed.get();
  CHECK(closed.Close(scratch.path).ok());
  CHECK_FALSE(IsOpen(number));
  CHECK_EQ(closed.get(), -1);
  CHECK(closed.Close(scratch.path).ok());

  FileDescriptor released = scratch.Open();
  number = released.Release();
  CHECK(released.Close(scratch.path).ok());
  CHECK(IsOpen(number));
  ::close(number);

  FileDescriptor from = scratch.Open();
  number = from.get();
  const FileDescriptor to(std::move(from));
  CHECK_EQ(to.get(), number);
  CHECK_EQ(from.get(), -1);  // NOLINT: what is left is what is tested
}

TEST_CASE("FileDescriptor: a duplicate is the same open file, and outlives the first") {
  const Scratch scratch;
  FileDescriptor fd = scratch.Open();
  REQUIRE(fd.Write(scratch.path, "abc").ok());
  const Result<FileDescriptor> other = fd.Duplicate(scratch.path);
  REQUIRE(other.ok());
  CHECK_NE(other->get(), fd.get());
  CHECK((::fcntl(other->get(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(fd.Close(scratch.path).ok());
  CHECK(other->Write(scratch.path, "def").ok());  // At the position that both had.
  CHECK_EQ(scratch.Read(*other, 0, 10), "abcdef");
}

TEST_CASE("FileDescriptor: a nameless file can be written and read, and is in no directory") {
  const Scratch scratch;
  const auto fd = FileDescriptor::OpenNameless(scratch.directory.path());
  REQUIRE(fd.ok());
  CHECK(fd->Write("nameless", "bytes").ok());
  CHECK_EQ(scratch.Read(*fd, 0, 10), "bytes");
  CHECK(std::filesystem::is_empty(scratch.directory.path()));
  struct stat info = {};
  REQUIRE(::fstat(fd->get(), &info) == 0);
  CHECK_EQ(info.st_mode & 0777, 0600u);
  CHECK_EQ(FileDescriptor::OpenNameless(scratch.path).status().code(), Code::kNotFound);
}

TEST_CASE("AboveStandardDescriptors: leaves a descriptor above 2, and an error, as they are") {
  const Scratch scratch;
  FileDescriptor fd = scratch.Open();
  CHECK_EQ(AboveStandardDescriptors(fd.get()), fd.get());
  CHECK(IsOpen(fd.get()));
  errno = ENFILE;
  CHECK_EQ(AboveStandardDescriptors(-1), -1);
  CHECK_EQ(errno, ENFILE);
}

// Standard input is closed for a moment, and is then what it was.
TEST_CASE("AboveStandardDescriptors: a file that got 0 moves, and 0 is free again") {
  const Scratch scratch;
  const int input = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
  ::close(0);
  const int low = ::open(scratch.path.c_str(), O_RDWR | O_CREAT, 0600);
  const int moved = AboveStandardDescriptors(low);
  const bool free = !IsOpen(0);
  const bool closed_on_exec = (::fcntl(moved, F_GETFD) & FD_CLOEXEC) != 0;
  bool taken = false;
  {
    const StandardDescriptorsTaken guard;
    taken = IsOpen(0) && IsOpen(1) && IsOpen(2);
  }
  const bool free_again = !IsOpen(0);
  if (input >= 0) {
    ::dup2(input, 0);
    ::close(input);
  }
  CHECK_EQ(low, 0);
  CHECK_GT(moved, 2);
  CHECK(free);
  CHECK(closed_on_exec);
  CHECK(taken);
  CHECK(free_again);
  ::close(moved);
}

TEST_CASE("StandardDescriptorsTaken: what was open stays so") {
  const bool before[] = {IsOpen(0), IsOpen(1), IsOpen(2)};
  {
    const StandardDescriptorsTaken guard;
  }
  for (int fd = 0; fd <= 2; ++fd) CHECK_EQ(IsOpen(fd), before[fd]);
}

}  // namespace
}  // namespace varve
