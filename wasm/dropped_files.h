// SPDX-License-Identifier: Apache-2.0
// Files that the page was handed, read in place: JavaScript keeps the File, this keeps its name,
// and a read is a synchronous slice. Nothing is copied in whole, so a file may be of any size.
#pragma once

#include <cstdint>
#include <string>

#include "core/fs/read_only_fs.h"

namespace varve::wasm {

// One thread.
class DroppedFiles : public ReadOnlyFileSystem {
 public:
  // `id` is what JavaScript knows the file by. Directories come into being with their files.
  virtual void Add(const std::string& path, uint32_t id, uint64_t size) = 0;
  // The directory and what is below it, or the file.
  virtual void Forget(const std::string& path) = 0;

 protected:
  DroppedFiles() : ReadOnlyFileSystem("dropped files are only read") {}
};

std::unique_ptr<DroppedFiles> NewDroppedFiles();

}  // namespace varve::wasm
