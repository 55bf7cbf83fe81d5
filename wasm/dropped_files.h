// SPDX-License-Identifier: Apache-2.0
// Files that the page was handed, read in place: JavaScript keeps the File, this keeps its name,
// and a read is a synchronous slice. Nothing is copied in whole, so a file may be of any size.
#pragma once

#include <cstdint>
#include <string>

#include "varve/file_system.h"

namespace varve::wasm {

// Read-only; everything that writes is InvalidArgument. One thread.
class DroppedFiles : public FileSystem {
 public:
  // `id` is what JavaScript knows the file by. Directories come into being with their files.
  virtual void Add(const std::string& path, uint32_t id, uint64_t size) = 0;
  // The directory and what is below it, or the file.
  virtual void Forget(const std::string& path) = 0;
};

std::unique_ptr<DroppedFiles> NewDroppedFiles();

}  // namespace varve::wasm
