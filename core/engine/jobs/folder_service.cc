// SPDX-License-Identifier: Apache-2.0
// Jobs as files of a folder that workers watch: NewFolderCompactionService().
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"
#include "varve/compaction_service.h"
#include "varve/file_system.h"

namespace varve {
namespace {

constexpr uint64_t kFirstLookMicros = 2'000;
constexpr uint64_t kLookMicros = 25'000;

class FolderService : public CompactionService {
 public:
  FolderService(const Environment& env, const std::string& folder)
      : env_(Complete(env)), folder_(folder), name_("folder:" + folder) {}

  std::string_view name() const override { return name_; }

  Status Schedule(const CompactionServiceJob& job) override {
    ASSIGN_OR_RETURN(const std::string bytes, ReadFileToString(fs(), job.path, kRemoteFileMax));
    return ReplaceFileDurably(fs(), PathOf(job, ".tmp"), PathOf(job, ".job"), bytes);
  }

  // The folder may be on another machine, so nothing wakes this one.
  Result<bool> Wait(const CompactionServiceJob& job, uint64_t micros) override {
    const std::string result = JoinPath(job.folder, std::string(kRemoteResultName));
    uint64_t look = kFirstLookMicros;
    for (const uint64_t begin = env_.clock->NowMicros();;) {
      if (fs().Exists(result)) return true;
      if (!fs().Exists(PathOf(job, ".job"))) {
        return Status::NotFound(PathOf(job, ".job") + " was removed by somebody");
      }
      if (env_.clock->NowMicros() - begin >= micros) return false;
      MutexLock lock(mu_);
      never_.WaitFor(mu_, look);
      look = std::min(2 * look, kLookMicros);
    }
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
  const std::string folder_, name_;
  Mutex mu_;
  CondVar never_;  // Only to wait for a while.
};

}  // namespace

std::unique_ptr<CompactionService> NewFolderCompactionService(const Environment& env,
                                                              const std::string& folder) {
  return std::make_unique<FolderService>(env, folder);
}

}  // namespace varve
