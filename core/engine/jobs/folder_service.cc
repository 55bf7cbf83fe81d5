// SPDX-License-Identifier: Apache-2.0
// Jobs as files of a folder that workers watch: NewFolderCompactionService().
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/try.h"
#include "core/engine/jobs/poll.h"
#include "core/format/file_name.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"
#include "varve/compaction_service.h"
#include "varve/file_system.h"

namespace varve {
namespace {

class FolderService : public CompactionService {
 public:
  FolderService(const Environment& env, const std::string& folder)
      : env_(Complete(env)), poll_(*env_.clock), folder_(folder), name_("folder:" + folder) {}

  std::string_view name() const override { return name_; }

  Status Schedule(const CompactionServiceJob& job) override {
    ASSIGN_OR_RETURN(const std::string bytes, ReadFileToString(fs(), job.path, kRemoteFileMax));
    return ReplaceFileDurably(fs(), PathOf(job, ".tmp"), PathOf(job, ".job"), bytes);
  }

  // The folder may be on another machine, so nothing wakes this one.
  Result<bool> Wait(const CompactionServiceJob& job, uint64_t micros) override {
    const std::string result = JoinPath(job.folder, std::string(kRemoteResultName));
    return poll_.Until(micros, [&]() -> Result<bool> {
      if (fs().Exists(result)) return true;
      if (fs().Exists(PathOf(job, ".job"))) return false;
      return Status::NotFound(PathOf(job, ".job") + " was removed by somebody");
    });
  }

  void Cancel(const CompactionServiceJob& job) override {
    for (const std::string_view suffix : {".job", ".tmp", ".lock"}) {
      RemoveObsoleteFile(fs(), PathOf(job, suffix));
    }
  }

  void Sweep(std::string_view prefix) override {
    const Result<std::vector<DirectoryEntry>> entries = fs().List(folder_);
    if (!entries.ok()) return;  // Schedule() will say why.
    for (const DirectoryEntry& entry : *entries) {
      if (entry.is_directory || !entry.name.starts_with(prefix)) continue;
      RemoveObsoleteFile(fs(), JoinPath(folder_, entry.name));
    }
  }

 private:
  FileSystem& fs() const { return *env_.file_system; }
  std::string PathOf(const CompactionServiceJob& job, std::string_view suffix) const {
    return JoinPath(folder_, job.id + std::string(suffix));
  }

  const Environment env_;
  Poll poll_;
  const std::string folder_, name_;
};

}  // namespace

std::unique_ptr<CompactionService> NewFolderCompactionService(const Environment& env,
                                                              const std::string& folder) {
  return std::make_unique<FolderService>(env, folder);
}

}  // namespace varve
