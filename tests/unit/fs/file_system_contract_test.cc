// SPDX-License-Identifier: Apache-2.0
// What every FileSystem promises, run over each implementation.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "core/fs/memory_fs.h"
#include "core/fs/posix_fs.h"
#include "core/fs/slot_fs.h"
#include "tests/scratch_directory.h"
#include "tests/unit/fs/memory_slots.h"
#include "varve/file_system.h"

namespace varve {
namespace {

struct Posix {
  ScratchDirectory scratch;
  std::unique_ptr<FileSystem> fs = NewPosixFileSystem();
  std::string root = scratch.path();
};

struct Memory {
  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  std::string root = "/db";
  Memory() { CHECK(fs->CreateDirectory(root).ok()); }
};

struct Slots {
  MemorySlots device{16};
  std::unique_ptr<SlotFileSystem> mounted = *MountSlots(device);
  FileSystem* fs = &mounted->files();
  std::string root = "/db";
  Slots() { CHECK(fs->CreateDirectory(root).ok()); }
};

void Write(FileSystem& fs, const std::string& path, std::string_view bytes) {
  auto file = fs.Create(path, false);
  REQUIRE(file.ok());
  CHECK((*file)->Append(bytes).ok());
  CHECK((*file)->Sync().ok());
  CHECK((*file)->Close().ok());
}

std::string Contents(FileSystem& fs, const std::string& path) {
  const Result<std::string> contents = ReadFileToString(fs, path, 1 << 20);
  return contents.ok() ? *contents : contents.status().ToString();
}

std::map<std::string, std::string> Listing(FileSystem& fs, const std::string& directory) {
  auto entries = fs.List(directory);
  REQUIRE(entries.ok());
  std::map<std::string, std::string> listing;
  for (const DirectoryEntry& entry : *entries) {
    listing[entry.name] = entry.is_directory ? "directory" : std::to_string(entry.size);
  }
  return listing;
}

TEST_CASE_TEMPLATE("FileSystem: what is appended is read back, whole and in part", T, Posix, Memory,
                   Slots) {
  T t;
  const std::string path = t.root + "/a";
  auto file = t.fs->Create(path, false);
  REQUIRE(file.ok());
  CHECK((*file)->Append("hello ").ok());
  CHECK((*file)->Append("world").ok());
  CHECK_EQ((*file)->size(), 11u);
  CHECK_EQ(Contents(*t.fs, path), "hello world");  // Before Close: it is with the system.
  CHECK((*file)->Close().ok());

  auto reader = t.fs->OpenForRead(path, false);
  REQUIRE(reader.ok());
  char buffer[16];
  CHECK_EQ(*(*reader)->Read(6, 5, buffer), "world");
  CHECK_EQ(*(*reader)->Read(6, 16, buffer), "world");
  CHECK_EQ(*(*reader)->Read(11, 16, buffer), "");
  CHECK_EQ(*(*reader)->Read(1000, 16, buffer), "");
  CHECK_EQ(*(*reader)->Size(), 11u);
  CHECK_EQ((*reader)->path(), path);
  CHECK_EQ(*t.fs->FileSize(path), 11u);
}

TEST_CASE_TEMPLATE("FileSystem: Create empties an existing file", T, Posix, Memory, Slots) {
  T t;
  Write(*t.fs, t.root + "/a", "old contents");
  Write(*t.fs, t.root + "/a", "new");
  CHECK_EQ(Contents(*t.fs, t.root + "/a"), "new");
}

TEST_CASE_TEMPLATE("FileSystem: ReadMany fills in every request", T, Posix, Memory, Slots) {
  T t;
  Write(*t.fs, t.root + "/a", "0123456789");
  auto reader = t.fs->OpenForRead(t.root + "/a", false);
  REQUIRE(reader.ok());
  char buffers[3][8];
  ReadRequest requests[3];
  for (size_t i = 0; i < 3; ++i) requests[i] = {.offset = 4 * i, .size = 4, .buffer = buffers[i]};
  (*reader)->ReadMany(requests);
  CHECK_EQ(requests[0].result, "0123");
  CHECK_EQ(requests[1].result, "4567");
  CHECK_EQ(requests[2].result, "89");
  for (const ReadRequest& request : requests) CHECK(request.status.ok());
}

TEST_CASE_TEMPLATE("FileSystem: what is absent is not_found and named", T, Posix, Memory, Slots) {
  T t;
  const std::string gone = t.root + "/gone";
  const Status failures[] = {t.fs->OpenForRead(gone, false).status(),
                             t.fs->Create(gone + "/a", false).status(),
                             t.fs->FileSize(gone).status(),
                             t.fs->List(gone).status(),
                             t.fs->CreateDirectory(gone + "/a"),
                             t.fs->Remove(gone),
                             t.fs->RemoveDirectory(gone),
                             t.fs->Rename(gone, t.root + "/b"),
                             t.fs->Link(gone, t.root + "/b"),
                             t.fs->Truncate(gone, 1),
                             t.fs->SyncDirectory(gone)};
  for (const Status& failure : failures) {
    CHECK_EQ(failure.code(), Code::kNotFound);
    CHECK_NE(failure.message().find(gone), std::string::npos);
  }
  CHECK_FALSE(t.fs->Exists(gone));
}

TEST_CASE_TEMPLATE("FileSystem: a directory lists its own files and directories", T, Posix, Memory,
                   Slots) {
  T t;
  CHECK(t.fs->CreateDirectory(t.root + "/sub").ok());
  CHECK(t.fs->CreateDirectory(t.root + "/sub").ok());
  Write(*t.fs, t.root + "/a", "abc");
  Write(*t.fs, t.root + "/sub/b", "x");
  CHECK(Listing(*t.fs, t.root) ==
        std::map<std::string, std::string>{{"a", "3"}, {"sub", "directory"}});
  CHECK_FALSE(t.fs->RemoveDirectory(t.root + "/sub").ok());
  CHECK(t.fs->Remove(t.root + "/sub/b").ok());
  CHECK(t.fs->RemoveDirectory(t.root + "/sub").ok());
  CHECK_FALSE(t.fs->Exists(t.root + "/sub"));
}

TEST_CASE_TEMPLATE("FileSystem: renaming replaces the target", T, Posix, Memory, Slots) {
  T t;
  Write(*t.fs, t.root + "/a", "new");
  Write(*t.fs, t.root + "/b", "old");
  CHECK(t.fs->Rename(t.root + "/a", t.root + "/b").ok());
  CHECK_EQ(Contents(*t.fs, t.root + "/b"), "new");
  CHECK_FALSE(t.fs->Exists(t.root + "/a"));
}

TEST_CASE_TEMPLATE("FileSystem: a directory moves with what is in it", T, Posix, Memory, Slots) {
  T t;
  CHECK(t.fs->CreateDirectory(t.root + "/from").ok());
  Write(*t.fs, t.root + "/from/a", "1");
  CHECK(t.fs->Rename(t.root + "/from", t.root + "/to").ok());
  CHECK_EQ(Contents(*t.fs, t.root + "/to/a"), "1");
  CHECK_FALSE(t.fs->Exists(t.root + "/from"));
}

TEST_CASE_TEMPLATE("FileSystem: a hard link outlives the first name, and does not replace", T,
                   Posix, Memory, Slots) {
  T t;
  Write(*t.fs, t.root + "/a", "shared");
  CHECK(t.fs->Link(t.root + "/a", t.root + "/b").ok());
  CHECK_FALSE(t.fs->Link(t.root + "/a", t.root + "/b").ok());
  CHECK(t.fs->Remove(t.root + "/a").ok());
  CHECK_EQ(Contents(*t.fs, t.root + "/b"), "shared");
}

TEST_CASE_TEMPLATE("FileSystem: an open file survives its removal", T, Posix, Memory, Slots) {
  T t;
  Write(*t.fs, t.root + "/a", "still here");
  auto reader = t.fs->OpenForRead(t.root + "/a", false);
  REQUIRE(reader.ok());
  CHECK(t.fs->Remove(t.root + "/a").ok());
  char buffer[16];
  CHECK_EQ(*(*reader)->Read(0, 16, buffer), "still here");
}

TEST_CASE_TEMPLATE("FileSystem: Truncate cuts and extends", T, Posix, Memory, Slots) {
  T t;
  Write(*t.fs, t.root + "/a", "abcdef");
  CHECK(t.fs->Truncate(t.root + "/a", 3).ok());
  CHECK_EQ(Contents(*t.fs, t.root + "/a"), "abc");
  CHECK(t.fs->Truncate(t.root + "/a", 4).ok());
  CHECK_EQ(Contents(*t.fs, t.root + "/a"), std::string("abc\0", 4));
}

TEST_CASE_TEMPLATE("FileSystem: a lock is exclusive until it is dropped", T, Posix, Memory, Slots) {
  T t;
  auto lock = t.fs->Lock(t.root + "/LOCK");
  REQUIRE(lock.ok());
  CHECK(t.fs->Exists(t.root + "/LOCK"));
  CHECK_EQ(t.fs->Lock(t.root + "/LOCK").status().code(), Code::kBusy);
  CHECK_EQ(t.fs->Lock(t.root + "/./LOCK").status().code(), Code::kBusy);
  CHECK(t.fs->IsLocked(t.root + "/./LOCK"));
  *lock = nullptr;
  CHECK_FALSE(t.fs->IsLocked(t.root + "/LOCK"));
  CHECK_FALSE(t.fs->IsLocked(t.root + "/absent"));
  CHECK(t.fs->Lock(t.root + "/LOCK").ok());
}

TEST_CASE_TEMPLATE("ReadFileToString: refuses a file beyond its limit", T, Posix, Memory, Slots) {
  T t;
  Write(*t.fs, t.root + "/a", "12345");
  CHECK_EQ(*ReadFileToString(*t.fs, t.root + "/a", 5), "12345");
  CHECK_EQ(ReadFileToString(*t.fs, t.root + "/a", 4).status().code(), Code::kCorruption);
}

}  // namespace
}  // namespace varve
