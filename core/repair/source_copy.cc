// SPDX-License-Identifier: Apache-2.0
#include "core/repair/source_copy.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/limits.h"

namespace varve {
namespace {

constexpr uint64_t kCopyChunk = 1 << 20;

}  // namespace

Status CopyFromSource(const RepairJob& job, const std::string& name) {
  if (job.dry_run) return Status::Ok();
  ASSIGN_OR_RETURN(const auto from, job.fs().OpenForRead(job.In(name), /*direct=*/false));
  ASSIGN_OR_RETURN(const uint64_t size, from->Size());
  ASSIGN_OR_RETURN(const auto to, job.fs().Create(job.Out(name), /*direct=*/false));
  std::string buffer(std::min(size, kCopyChunk), '\0');
  for (uint64_t at = 0; at < size; at += kCopyChunk) {
    const uint64_t wanted = std::min(kCopyChunk, size - at);
    ASSIGN_OR_RETURN(const std::string_view bytes, from->Read(at, wanted, buffer.data()));
    if (bytes.size() != wanted) {
      return Status::IoError(job.In(name) + ": the file became shorter while it was copied");
    }
    RETURN_IF_ERROR(to->Append(bytes));
  }
  CHECK_OP(to->size(), ==, size);
  RETURN_IF_ERROR(to->Sync());
  return to->Close();
}

Status CopyTheRest(const RepairJob& job, const SourceFiles& files,
                   const std::vector<std::string>& blobs, const std::vector<std::string>& logs) {
  for (const std::string& name : blobs) RETURN_IF_ERROR(CopyFromSource(job, name));
  for (const std::string& name : logs) RETURN_IF_ERROR(CopyFromSource(job, name));
  if (!files.options_file.empty()) RETURN_IF_ERROR(CopyFromSource(job, files.options_file));
  const std::string identity(kIdentityFileName);
  const bool readable = ReadFileToString(job.fs(), job.In(identity), kIdentityFileSizeMax).ok();
  return readable ? CopyFromSource(job, identity) : Status::Ok();
}

}  // namespace varve
