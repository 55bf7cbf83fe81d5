// SPDX-License-Identifier: Apache-2.0
// A directory of its own for each test that is about real files; gone, with all in it, in the end.
#pragma once

#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace varve {

class ScratchDirectory {
 public:
  // On a disk, where there is one: what syncs and direct reads are about. In memory, where the
  // system has such files, is faster.
  enum Place : uint8_t { kDisk, kMemory };

  explicit ScratchDirectory(Place place = kDisk) : path_(Base(place) / "varve_XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  static std::filesystem::path Base(Place place) {
    const bool in_memory = place == kMemory && std::filesystem::exists("/dev/shm");
    return in_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
  }

  std::string path_;
};

}  // namespace varve
