// SPDX-License-Identifier: Apache-2.0
// The files that tests work on, written, read and copied whole. What fails ends the process and
// says why: it is not what is tested.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

inline void MustWork(const Status& status, const std::string& path) {
  if (status.ok()) return;
  std::fprintf(stderr, "a file of the test, %s: %s\n", path.c_str(), status.ToString().c_str());
  std::abort();
}

inline void WriteFile(FileSystem& fs, const std::string& path, std::string_view bytes) {
  const auto file = fs.Create(path, /*direct=*/false);
  MustWork(file.status(), path);
  MustWork((*file)->Append(bytes), path);
  MustWork((*file)->Close(), path);
}

inline std::string ReadFile(FileSystem& fs, const std::string& path) {
  Result<std::string> bytes = ReadFileToString(fs, path, uint64_t{1} << 30);
  MustWork(bytes.status(), path);
  return *std::move(bytes);
}

// The files of a directory, or the directories in it, sorted.
inline std::vector<std::string> NamesIn(FileSystem& fs, const std::string& directory,
                                        bool directories = false) {
  const auto entries = fs.List(directory);
  MustWork(entries.status(), directory);
  std::vector<std::string> names;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory == directories) names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The files of a directory into a new one.
inline void CopyFiles(FileSystem& from, const std::string& directory, FileSystem& to,
                      const std::string& copy) {
  MustWork(to.CreateDirectory(copy), copy);
  for (const std::string& name : NamesIn(from, directory)) {
    WriteFile(to, copy + "/" + name, ReadFile(from, directory + "/" + name));
  }
}

}  // namespace varve
