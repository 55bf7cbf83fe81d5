// SPDX-License-Identifier: Apache-2.0
#include "core/repair/source_copy.h"

#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/fs/file_copy.h"

namespace varve {

Status CopyFromSource(const RepairJob& job, const std::string& name) {
  if (job.dry_run) return Status::Ok();
  ASSIGN_OR_RETURN(const uint64_t size, job.fs().FileSize(job.In(name)));
  return CopyFile(job.fs(), job.In(name), job.Out(name), size);
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
