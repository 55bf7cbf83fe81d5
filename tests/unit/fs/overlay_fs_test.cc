// SPDX-License-Identifier: Apache-2.0
#include "core/fs/overlay_fs.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "core/fs/memory_fs.h"
#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"

namespace varve {
namespace {

std::string Read(FileSystem& fs, const std::string& path) {
  const Result<std::string> bytes = ReadFileToString(fs, path, 1 << 20);
  return bytes.ok() ? *bytes : bytes.status().ToString();
}

void Write(FileSystem& fs, const std::string& path, std::string_view bytes) {
  auto file = fs.Create(path, false);
  REQUIRE_MESSAGE(file.ok(), file.status().ToString());
  CHECK((*file)->Append(bytes).ok());
  CHECK((*file)->Sync().ok());
  CHECK((*file)->Close().ok());
}

struct Overlay {
  Overlay() { Write(*base, old_path, "old"); }
  // What is in the directory below, by name.
  std::string OnDisk() const {
    std::string names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
      names += entry.path().filename().string() + " ";
    }
    return names;
  }

  ScratchDirectory scratch;
  std::unique_ptr<FileSystem> base = NewPosixFileSystem();
  std::string old_path = scratch / "old", new_path = scratch / "new";
  std::unique_ptr<FileSystem> fs = NewOverlayFileSystem(*base);
};

TEST_CASE("OverlayFileSystem: what is below can be read, and not be changed") {
  const Overlay overlay;
  FileSystem& fs = *overlay.fs;
  const std::string& path = overlay.old_path;
  CHECK_EQ(Read(fs, path), "old");
  CHECK_EQ(*fs.FileSize(path), 3u);
  CHECK(fs.Exists(path));
  CHECK_EQ(fs.List(overlay.scratch.path())->size(), 1u);
  const Status refused[] = {fs.Create(path, false).status(),
                            fs.Remove(path),
                            fs.Rename(path, overlay.new_path),
                            fs.Link(path, overlay.new_path),
                            fs.Truncate(path, 0),
                            fs.Lock(path).status(),
                            fs.CreateDirectory(overlay.new_path),
                            fs.RemoveDirectory(path)};
  for (const Status& status : refused) CHECK_EQ(status.code(), Code::kInvalidArgument);
  CHECK_EQ(Read(*overlay.base, path), "old");
  CHECK_EQ(overlay.OnDisk(), "old ");
}

TEST_CASE("OverlayFileSystem: a new file is found by its name here, and is nowhere below") {
  const Overlay overlay;
  Write(*overlay.fs, overlay.new_path, "new");
  CHECK_EQ(Read(*overlay.fs, overlay.new_path), "new");
  CHECK_EQ((*overlay.fs->OpenForRead(overlay.new_path, true))->path(), overlay.new_path);
  CHECK_EQ(*overlay.fs->FileSize(overlay.new_path), 3u);
  CHECK(overlay.fs->Exists(overlay.new_path));
  CHECK_FALSE(overlay.base->Exists(overlay.new_path));
  CHECK_EQ(overlay.OnDisk(), "old ");
  CHECK_EQ(overlay.fs->List(overlay.scratch.path())->size(), 1u);  // New files are not listed.
  CHECK(overlay.fs->SyncDirectory(overlay.scratch.path()).ok());
  CHECK(overlay.fs->SyncFile(overlay.new_path).ok());
}

TEST_CASE("OverlayFileSystem: readers see what the writer has appended so far") {
  const Overlay overlay;
  auto writer = *overlay.fs->Create(overlay.new_path, false);
  const auto reader = *overlay.fs->OpenForRead(overlay.new_path, false);
  CHECK_EQ(*reader->Size(), 0u);
  CHECK(writer->Append("01234567").ok());
  char buffers[2][4];
  ReadRequest requests[] = {{.offset = 0, .size = 4, .buffer = buffers[0]},
                            {.offset = 6, .size = 4, .buffer = buffers[1]}};
  reader->ReadMany(requests);
  CHECK_EQ(requests[0].result, "0123");
  CHECK_EQ(requests[1].result, "67");
}

TEST_CASE("OverlayFileSystem: a new file may be renamed, replaced and removed") {
  const Overlay overlay;
  FileSystem& fs = *overlay.fs;
  Write(fs, overlay.new_path, "first");
  Write(fs, overlay.new_path, "second");
  CHECK_EQ(Read(fs, overlay.new_path), "second");
  const std::string moved = overlay.scratch / "moved";
  CHECK(fs.Rename(overlay.new_path, moved).ok());
  CHECK_EQ(Read(fs, moved), "second");
  CHECK_FALSE(fs.Exists(overlay.new_path));
  CHECK_EQ(fs.Rename(moved, overlay.old_path).code(), Code::kInvalidArgument);  // That is below.
  CHECK_EQ(Read(fs, overlay.old_path), "old");
  CHECK(fs.Remove(moved).ok());
  CHECK_FALSE(fs.Exists(moved));
  CHECK_FALSE(fs.Remove(moved).ok());
}

TEST_CASE("OverlayFileSystem: a file that is open outlives its removal and the overlay") {
  Overlay overlay;
  Write(*overlay.fs, overlay.new_path, "kept");
  const auto removed = *overlay.fs->OpenForRead(overlay.new_path, false);
  CHECK(overlay.fs->Remove(overlay.new_path).ok());
  Write(*overlay.fs, overlay.new_path, "another");
  const auto left = *overlay.fs->OpenForRead(overlay.new_path, false);
  overlay.fs = nullptr;
  char buffer[16];
  CHECK_EQ(*removed->Read(0, 16, buffer), "kept");
  CHECK_EQ(*left->Read(0, 16, buffer), "another");
}

TEST_CASE("OverlayFileSystem: a file below that is locked is seen to be") {
  const Overlay overlay;
  const auto lock = overlay.base->Lock(overlay.scratch / "LOCK");
  REQUIRE(lock.ok());
  CHECK(overlay.fs->IsLocked(overlay.scratch / "LOCK"));
  CHECK_FALSE(overlay.fs->IsLocked(overlay.old_path));
}

TEST_CASE("OverlayFileSystem: where there are no temporary files there are no new ones") {
  const auto base = NewMemoryFileSystem();
  CHECK_EQ(NewOverlayFileSystem(*base)->Create("f", false).status().code(), Code::kNotSupported);
  CHECK_EQ(NewOverlayFileSystem(*base)->CreateScratch().status().code(), Code::kNotSupported);
}

}  // namespace
}  // namespace varve
