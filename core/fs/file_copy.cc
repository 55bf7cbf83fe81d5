// SPDX-License-Identifier: Apache-2.0
#include "core/fs/file_copy.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "core/base/try.h"

namespace varve {
namespace {

constexpr uint64_t kChunkSize = 1 << 20;

}  // namespace

Status CopyFile(FileSystem& fs, const std::string& from, const std::string& to, uint64_t size) {
  ASSIGN_OR_RETURN(const auto source, fs.OpenForRead(from, /*direct=*/false));
  ASSIGN_OR_RETURN(const auto target, fs.Create(to, /*direct=*/false));
  const auto buffer = std::make_unique<char[]>(std::min(size, kChunkSize));
  for (uint64_t offset = 0; offset < size;) {
    const auto wanted = static_cast<size_t>(std::min(size - offset, kChunkSize));
    ASSIGN_OR_RETURN(const std::string_view chunk, source->Read(offset, wanted, buffer.get()));
    if (chunk.size() != wanted) {
      return Status::Corruption(from + "@" + std::to_string(offset) + ": the file ends before " +
                                std::to_string(size) + " bytes");
    }
    RETURN_IF_ERROR(target->Append(chunk));
    offset += wanted;
  }
  RETURN_IF_ERROR(target->Sync());
  return target->Close();
}

Status LinkOrCopyFile(FileSystem& fs, const std::string& from, const std::string& to,
                      uint64_t size) {
  Status linked = fs.Link(from, to);
  // An existing `to` may be `from` itself; copying would truncate it.
  if (linked.ok() || fs.Exists(to)) return linked;
  return CopyFile(fs, from, to, size);  // Reports the error unless only linking failed.
}

}  // namespace varve
