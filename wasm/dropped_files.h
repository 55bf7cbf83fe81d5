// SPDX-License-Identifier: Apache-2.0
// Files dropped on the page, read in place: JavaScript keeps the File, this class its name, and a
// read is a synchronous slice. Files are never copied as a whole, so they may be of any size.
#pragma once

#include <cstdint>
#include <string>

#include "core/fs/read_only_fs.h"

namespace varve::wasm {

// One thread.
class DroppedFiles : public ReadOnlyFileSystem {
 public:
  // `id` identifies the file in JavaScript. Directories are created implicitly.
  virtual void Add(const std::string& path, uint32_t id, uint64_t size) = 0;
  // Removes the directory with its contents, or the file.
  virtual void Forget(const std::string& path) = 0;

 protected:
  DroppedFiles() : ReadOnlyFileSystem("dropped files are only read") {}
};

std::unique_ptr<DroppedFiles> NewDroppedFiles();

}  // namespace varve::wasm
