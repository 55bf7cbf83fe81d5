// SPDX-License-Identifier: Apache-2.0
// Names and bytes over a device of slots, across mounts and crashes. What every file system
// promises is in file_system_contract_test.cc.
#include "core/fs/slot_fs.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tests/unit/fs/memory_slots.h"

namespace varve {
namespace {

Status Write(FileSystem& fs, const std::string& path, std::string_view bytes) {
  auto file = fs.Create(path, false);
  if (!file.ok()) return file.status();
  CHECK((*file)->Append(bytes).ok());
  CHECK((*file)->Sync().ok());
  return (*file)->Close();
}

std::string Contents(FileSystem& fs, const std::string& path) {
  const Result<std::string> contents = ReadFileToString(fs, path, 1 << 20);
  return contents.ok() ? *contents : contents.status().ToString();
}

std::map<std::string, std::string> All(FileSystem& fs) {
  std::map<std::string, std::string> all;
  const auto entries = fs.List("");
  REQUIRE(entries.ok());
  for (const DirectoryEntry& entry : *entries) all[entry.name] = Contents(fs, entry.name);
  return all;
}

TEST_CASE("Slots: names, links and directories are there after the next mount") {
  MemorySlots device(8);
  {
    auto mounted = MountSlots(device);
    REQUIRE(mounted.ok());
    FileSystem& fs = (*mounted)->files();
    CHECK(fs.CreateDirectory("db").ok());
    CHECK(Write(fs, "db/a", "one").ok());
    CHECK(fs.Link("db/a", "db/b").ok());
    CHECK(fs.SyncDirectory("db").ok());
  }
  auto mounted = MountSlots(device);
  REQUIRE(mounted.ok());
  FileSystem& fs = (*mounted)->files();
  CHECK_EQ(Contents(fs, "db/a"), "one");
  CHECK_EQ(Contents(fs, "db/b"), "one");
  CHECK_EQ((*mounted)->free_slots(), 5u);
  CHECK(fs.Remove("db/a").ok());
  CHECK(fs.SyncDirectory("db").ok());
  CHECK_EQ((*mounted)->free_slots(), 5u);  // The other name needs it still.
}

TEST_CASE("Slots: a crash leaves the names of the last sync with the bytes that they had") {
  // Files are written, replaced, renamed and removed; what was synced with its directory must be
  // found again, byte for byte, however the slots were used after it.
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    MemorySlots device(48);
    std::map<std::string, std::string> synced;
    {
      auto mounted = MountSlots(device);
      REQUIRE(mounted.ok());
      FileSystem& fs = (*mounted)->files();
      for (int step = 0; step < 40; ++step) {
        const std::string name(1, static_cast<char>('a' + random() % 4));
        const std::string other(1, static_cast<char>('a' + random() % 4));
        switch (random() % 4) {
          case 0:  // A new file takes the name: what is there must not be written over.
            CHECK(Write(fs, "new", std::to_string(random())).ok());
            CHECK(fs.Rename("new", name).ok());
            break;
          case 1:
            static_cast<void>(fs.Remove(name));
            break;
          case 2:
            static_cast<void>(fs.Rename(name, other));
            break;
          default:
            CHECK(fs.SyncDirectory("").ok());
            synced = All(fs);
        }
      }
    }
    device.now = device.flushed;
    auto mounted = MountSlots(device);
    REQUIRE(mounted.ok());
    CHECK(All((*mounted)->files()) == synced);
  }
}

TEST_CASE("Slots: of two catalogues the newest whole one counts, and none is corruption") {
  MemorySlots device(8);
  {
    auto mounted = MountSlots(device);
    FileSystem& fs = (*mounted)->files();
    CHECK(Write(fs, "a", "1").ok());
    CHECK(fs.SyncDirectory("").ok());
    CHECK(Write(fs, "b", "2").ok());
    CHECK(fs.SyncDirectory("").ok());
  }
  CHECK_EQ(All((*MountSlots(device))->files()).size(), 2u);
  device.now[0].back() ^= 1;  // The second: generation 2.
  CHECK_EQ(All((*MountSlots(device))->files()).size(), 1u);
  device.now[1].resize(5);
  const auto mounted = MountSlots(device);
  CHECK_EQ(mounted.status().code(), Code::kCorruption);
}

TEST_CASE("Slots: a catalogue that names a slot that is not there is corruption, by name") {
  MemorySlots device(8);
  {
    auto mounted = MountSlots(device);
    CHECK(Write((*mounted)->files(), "a", "1").ok());
    CHECK((*mounted)->files().SyncDirectory("").ok());
  }
  device.now.resize(3);  // The file was in the last.
  const auto mounted = MountSlots(device);
  CHECK_EQ(mounted.status().code(), Code::kCorruption);
  CHECK_NE(mounted.status().message().find("a is in slot 7"), std::string::npos);
}

TEST_CASE("Slots: without a free slot creating a file says so, and goes on when there are more") {
  MemorySlots device(3);
  auto mounted = MountSlots(device);
  FileSystem& fs = (*mounted)->files();
  CHECK(Write(fs, "a", "1").ok());
  CHECK_EQ(Write(fs, "b", "2").code(), Code::kNoSpace);
  CHECK_FALSE(fs.Exists("b"));
  device.now.resize(5);
  device.flushed.resize(5);
  CHECK_EQ((*mounted)->free_slots(), 2u);
  CHECK(Write(fs, "b", "2").ok());
  CHECK_EQ(Contents(fs, "a"), "1");
}

}  // namespace
}  // namespace varve
