// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/disk_cache.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/fs/posix_fs.h"
#include "tests/scratch_directory.h"

namespace varve {
namespace {

std::vector<std::filesystem::path> Files(const std::string& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

TEST_CASE("a block is found by file, number and size, in another process too") {
  const ScratchDirectory scratch;
  const auto files = NewPosixFileSystem();
  DiskCache one(*files, scratch / "cache", 1 << 20, 1), two(*files, scratch / "cache", 1 << 20, 2);
  REQUIRE(DiskCache::Prepare(scratch / "cache").ok());
  one.Put("a", 3, "block");
  CHECK(two.Get("a", 3, 5).block == "block");
  CHECK_FALSE(two.Get("a", 4, 5).block);
  CHECK_FALSE(two.Get("b", 3, 5).block);
  CHECK_FALSE(two.Get("a", 3, 6).block);
}

TEST_CASE("each damaged byte of a block is noticed") {
  const ScratchDirectory scratch;
  const auto files = NewPosixFileSystem();
  REQUIRE(DiskCache::Prepare(scratch / "cache").ok());
  DiskCache cache(*files, scratch / "cache", 1 << 20, 1);
  cache.Put("a", 0, "block");
  const auto stored = Files(scratch / "cache");
  REQUIRE(stored.size() == 1);
  const uintmax_t size = std::filesystem::file_size(stored[0]);
  for (uintmax_t at = 0; at < size; ++at) {
    cache.Put("a", 0, "block");
    {
      std::fstream file(stored[0], std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(at));
      const int byte = file.get();
      file.seekp(static_cast<std::streamoff>(at));
      file.put(static_cast<char>(byte ^ 1));
    }
    const DiskCache::Found found = cache.Get("a", 0, 5);
    CHECK_FALSE(found.block);
    CHECK(found.damaged);
  }
  // A block of one file in the place of another's.
  cache.Put("b", 0, "other");
  for (const auto& path : Files(scratch / "cache")) {
    if (path == stored[0]) continue;
    std::filesystem::copy_file(path, stored[0], std::filesystem::copy_options::overwrite_existing);
  }
  CHECK(cache.Get("a", 0, 5).damaged);
}

TEST_CASE("the blocks not used for longest are deleted, and old unfinished files") {
  const ScratchDirectory scratch;
  const auto files = NewPosixFileSystem();
  REQUIRE(DiskCache::Prepare(scratch / "cache").ok());
  DiskCache cache(*files, scratch / "cache", 10'000, 1);
  const std::string block(1'000, 'x');
  for (uint64_t i = 0; i < 8; ++i) cache.Put("a", i, block);
  const auto hours_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(2);
  for (const auto& path : Files(scratch / "cache")) {
    std::filesystem::last_write_time(path, hours_ago);
  }
  const std::string unfinished = Files(scratch / "cache").front().string() + ".1.new";
  const std::string other = scratch / "cache" + "/thesis.new";
  for (const std::string& path : {unfinished, other}) {
    std::ofstream(path) << "left";
    std::filesystem::last_write_time(path, hours_ago);
  }
  CHECK(cache.Get("a", 0, 1'000).block);  // Used: one of the newest now.
  for (uint64_t i = 20; i < 24; ++i) cache.Put("a", i, block);
  CHECK(cache.Get("a", 0, 1'000).block);
  CHECK(cache.Get("a", 23, 1'000).block);
  uintmax_t total = 0;
  for (const auto& path : Files(scratch / "cache")) total += std::filesystem::file_size(path);
  CHECK_FALSE(std::filesystem::exists(unfinished));
  CHECK(std::filesystem::exists(other));  // Of somebody else.
  CHECK(total <= 10'000);
}

TEST_CASE("a cache that cannot be written to is refused, and not used") {
  const auto files = NewPosixFileSystem();
  CHECK(DiskCache::Prepare("/proc/none/cache").code() == Code::kIoError);
  CHECK(DiskCache::Prepare("/proc/self/exe").code() == Code::kIoError);
  DiskCache cache(*files, "/proc/none/cache", 1 << 20, 1);
  cache.Put("a", 0, "block");
  CHECK_FALSE(cache.Get("a", 0, 5).block);
}

}  // namespace
}  // namespace varve
