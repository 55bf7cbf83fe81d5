// SPDX-License-Identifier: Apache-2.0
// The names of a file system: directories, hard links, renames, locks. A ContentsStore stores the
// contents: bytes on the heap (memory_fs.h) or in numbered slots (slot_fs.h).
//
//   path -> Normal -> files_: name -> FileContents (shared by names and open files)
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "varve/file_system.h"

namespace varve {

// The bytes of one file. Thread-safe. Lives as long as a name or an open file refers to it.
class FileContents {
 public:
  virtual ~FileContents() = default;
  virtual Status Append(std::string_view bytes) = 0;
  virtual Status Resize(uint64_t size) = 0;  // Truncates, or extends with zeros.
  virtual uint64_t size() const = 0;
  // Shorter than asked only at the end.
  virtual Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const = 0;
  virtual Status Sync() = 0;
};

// Normal paths: "a/b/c", the root is "".
struct FileNames {
  std::map<std::string, std::shared_ptr<FileContents>> files;
  std::set<std::string> directories = {""};
};

// Whether these names form a tree: each is normal and in one of the directories, and no name is
// both a file and a directory.
bool IsTree(const FileNames& names);

class ContentsStore {
 public:
  virtual ~ContentsStore() = default;
  virtual Result<std::shared_ptr<FileContents>> New() = 0;  // Empty.
  // Called with all names after each change; makes them durable.
  virtual Status NamesChanged(const FileNames& names) = 0;
};

// Thread-safe. Open files keep their contents when removed or replaced by a rename, as in POSIX;
// the file system must outlive its locks.
std::unique_ptr<FileSystem> NewFileTree(std::unique_ptr<ContentsStore> store, FileNames names);

}  // namespace varve
