// SPDX-License-Identifier: Apache-2.0
// Names and bytes over a device of slots, across mounts and crashes. What every file system
// promises is in file_system_contract_test.cc.
#include "core/fs/slot_fs.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/crc32c.h"
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

uint32_t NewestCatalogue(const MemorySlots& device) {
  const auto generation = [&](uint32_t slot) {
    return device.now[slot].size() < 16 ? 0 : LoadFixed64(device.now[slot].data() + 8);
  };
  return generation(0) > generation(1) ? 0 : 1;
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
  }
  auto mounted = MountSlots(device);
  REQUIRE(mounted.ok());
  FileSystem& fs = (*mounted)->files();
  CHECK_EQ(Contents(fs, "db/a"), "one");
  CHECK_EQ(Contents(fs, "db/b"), "one");
  CHECK_EQ((*mounted)->free_slots(), 5u);
  CHECK(fs.Remove("db/a").ok());
  CHECK_EQ((*mounted)->free_slots(), 5u);  // The other name needs it still.
}

TEST_CASE("Slots: a crash leaves the last names with the bytes that were synced") {
  // Files are written, replaced, renamed and removed, and slots used again; then what was not
  // flushed is lost, and in half of the runs the catalogue that was being written with it.
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    MemorySlots device(12);
    std::map<std::string, std::string> now, before;
    {
      auto mounted = MountSlots(device);
      REQUIRE(mounted.ok());
      FileSystem& fs = (*mounted)->files();
      for (int step = 0; step < 40; ++step) {
        const std::string name(1, static_cast<char>('a' + random() % 4));
        const std::string other(1, static_cast<char>('a' + random() % 4));
        before = All(fs);
        switch (random() % 3) {
          case 0:  // A new file takes the name: what is there must not be written over.
            CHECK(Write(fs, "new", std::to_string(random())).ok());
            before = All(fs);
            CHECK(fs.Rename("new", name).ok());
            break;
          case 1:
            static_cast<void>(fs.Remove(name));
            break;
          default:
            static_cast<void>(fs.Rename(name, other));
        }
        now = All(fs);
      }
    }
    device.now = device.flushed;
    const bool torn = seed % 2 == 1 && now != before;
    if (torn) device.now[NewestCatalogue(device)].resize(12);
    auto mounted = MountSlots(device);
    REQUIRE(mounted.ok());
    CHECK(All((*mounted)->files()) == (torn ? before : now));
  }
}

TEST_CASE("Slots: of two catalogues the newest whole one counts, and none is corruption") {
  MemorySlots device(8);
  {
    auto mounted = MountSlots(device);
    FileSystem& fs = (*mounted)->files();
    CHECK(Write(fs, "a", "1").ok());
    CHECK(Write(fs, "b", "2").ok());
  }
  CHECK_EQ(All((*MountSlots(device))->files()).size(), 2u);
  device.now[NewestCatalogue(device)].back() ^= 1;
  CHECK_EQ(All((*MountSlots(device))->files()).size(), 1u);
  device.now[0].resize(5);
  device.now[1].resize(5);
  const auto mounted = MountSlots(device);
  CHECK_EQ(mounted.status().code(), Code::kCorruption);
}

TEST_CASE("Slots: while the catalogue cannot be written, no slot that it names is used again") {
  MemorySlots device(8);
  {
    auto mounted = MountSlots(device);
    FileSystem& fs = (*mounted)->files();
    CHECK(Write(fs, "a", "kept").ok());
    device.full = true;
    CHECK_EQ(fs.Remove("a").code(), Code::kNoSpace);
    CHECK_EQ(Write(fs, "b", "lost").code(), Code::kNoSpace);
    CHECK_FALSE(fs.Exists("b"));
  }
  CHECK(All((*MountSlots(device))->files()) == std::map<std::string, std::string>{{"a", "kept"}});
}

TEST_CASE("Slots: a catalogue that names a slot that is not there is corruption, by name") {
  MemorySlots device(8);
  {
    auto mounted = MountSlots(device);
    CHECK(Write((*mounted)->files(), "a", "1").ok());
  }
  device.now.resize(3);  // The file was in the last.
  const auto mounted = MountSlots(device);
  CHECK_EQ(mounted.status().code(), Code::kCorruption);
  CHECK_NE(mounted.status().message().find("a is in slot 7"), std::string::npos);
}

// Slots with this body as the only catalogue, its checksum right.
MemorySlots WithCatalogue(std::string_view body) {
  MemorySlots device(8);
  AppendFixed32(&device.now[1], Mask(ComputeCrc32c(body)).value);
  AppendFixed32(&device.now[1], static_cast<uint32_t>(body.size()));
  device.now[1] += body;
  return device;
}

std::string CatalogueBody(uint64_t generation, const std::vector<std::string>& directories,
                          const std::vector<std::string>& files) {
  std::string body;
  AppendFixed64(&body, generation);
  AppendVarint64(&body, directories.size());
  for (const std::string& name : directories) AppendLengthPrefixed(&body, name);
  AppendVarint64(&body, files.size());
  for (const std::string& name : files) {
    AppendLengthPrefixed(&body, name);
    AppendVarint32(&body, 2);
  }
  return body;
}

TEST_CASE("Slots: a catalogue whose names do not form a tree is corruption") {
  const auto mounts = [](const std::vector<std::string>& directories,
                         const std::vector<std::string>& files) {
    MemorySlots device = WithCatalogue(CatalogueBody(1, directories, files));
    const Status status = MountSlots(device).status();
    CHECK((status.ok() || status.code() == Code::kCorruption));
    return status.ok();
  };
  CHECK(mounts({"", "db"}, {"a", "db/b"}));
  CHECK_FALSE(mounts({"", "."}, {}));  // Whoever walks the tree would not come to an end.
  CHECK_FALSE(mounts({"", "db/"}, {}));
  CHECK_FALSE(mounts({"", "a/b"}, {}));
  CHECK_FALSE(mounts({""}, {""}));
  CHECK_FALSE(mounts({""}, {"/a"}));
  CHECK_FALSE(mounts({""}, {"db/a"}));
  CHECK_FALSE(mounts({"", "db"}, {"db"}));
}

TEST_CASE("Slots: behind the last generation no catalogue would be the newest") {
  MemorySlots device = WithCatalogue(CatalogueBody(~uint64_t{0}, {""}, {}));
  CHECK_EQ(MountSlots(device).status().code(), Code::kCorruption);
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
