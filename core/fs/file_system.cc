// SPDX-License-Identifier: Apache-2.0
#include "varve/file_system.h"

#include "core/base/try.h"

namespace varve {

Result<std::string> ReadFileToString(FileSystem& fs, const std::string& path, uint64_t limit) {
  ASSIGN_OR_RETURN(const auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  if (size > limit) {
    return Status::Corruption(path + ": has " + std::to_string(size) + " bytes, at most " +
                              std::to_string(limit) + " are plausible");
  }
  std::string contents(static_cast<size_t>(size), '\0');
  ASSIGN_OR_RETURN(const std::string_view bytes, file->Read(0, contents.size(), contents.data()));
  // The file returned its own memory.
  if (bytes.data() != contents.data()) return std::string(bytes);
  contents.resize(bytes.size());
  return contents;
}

}  // namespace varve
