// SPDX-License-Identifier: Apache-2.0
// Blocks of remote files in a directory, for later runs and for other processes.
//
//   DIR/ab/abcdef...-12     block 12 of one file: the hash of its URL, ETag and size is in the name
//
//   | "VRVBLK1\n" | XXH3 of what follows and of the file's identity (fixed64) | the block |
//
// A block is written to a name of its own and renamed: readers see all of it or nothing. One whose
// hash differs counts as absent, and is written again. When more than the limit is stored, the
// blocks that were not used for longest are deleted, whoever stored them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/threads/mutex.h"
#include "varve/file_system.h"

namespace varve {

// Thread-safe; any number of processes may use one directory. Failures of a
// prepared directory only cost requests.
class DiskCache {
 public:
  // `files` must outlive it; `salt` makes the names of unfinished files differ between processes.
  DiskCache(FileSystem& files, std::string directory, uint64_t limit, uint64_t salt)
      : files_(files), directory_(std::move(directory)), limit_(limit), salt_(salt) {}

  // Makes the directory if there is none. IoError: it cannot be made, or not be written to.
  static Status Prepare(const std::string& directory);

  struct Found {
    std::optional<std::string> block;
    bool damaged = false;  // There is one, but its bytes are wrong.
  };
  // `file` identifies the contents of one file: its URL, ETag and size.
  Found Get(std::string_view file, uint64_t block, uint64_t size);
  void Put(std::string_view file, uint64_t block, std::string_view bytes);

 private:
  std::string PathOf(std::string_view file, uint64_t block) const;
  Status Write(const std::string& path, std::string_view file, uint64_t block,
               std::string_view bytes);
  void DeleteOldest() EXCLUDES(mu_);

  FileSystem& files_;
  const std::string directory_;
  const uint64_t limit_;
  const uint64_t salt_;
  Mutex mu_;
  uint64_t written_ GUARDED_BY(mu_) = 0;  // Since the sizes were last added up.
  bool added_up_ GUARDED_BY(mu_) = false;
  uint64_t names_ GUARDED_BY(mu_) = 0;  // Given to unfinished files.
};

}  // namespace varve
