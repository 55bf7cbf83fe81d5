// SPDX-License-Identifier: Apache-2.0
// RemoteCompactions gives compactions to a CompactionService, and takes back what its workers
// wrote:
//
//   folder and job written -> Schedule -> Wait -> result verified -> tables verified
//     -> moved into place under numbers of their own -> the caller installs them as its own
//
// A crash leaves a folder, which the next opening removes (FileGc::Sweep), and perhaps tables that
// no MANIFEST names. Nothing of a job of an earlier opening is ever taken: its id is another one.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/compaction/compaction_job.h"
#include "core/compaction/remote_check.h"
#include "core/engine/context.h"
#include "varve/compaction_service.h"

namespace varve {

struct RemoteOutcome {
  bool done = false;       // The service did it.
  Status failure = {};     // It was to, but did not.
  bool fall_back = false;  // The compaction is to be done here.
};

// Thread-safe.
class RemoteCompactions {
 public:
  // Lets the service forget jobs of earlier openings.
  explicit RemoteCompactions(EngineContext& context);

  // Whether there is a service, for a compaction like this.
  bool Takes(const CompactionPlan& plan) const;
  // As RunCompaction(). kShutdown if it was cancelled. A failure is counted, and told in *remote.
  Result<CompactionOutcome> Run(const JobContext& job, const Version& version,
                                const CompactionPlan& plan, RemoteOutcome* remote)
      EXCLUDES(engine_mutex);

 private:
  Result<RemoteJob> Describe(const JobContext& job, const Version& version,
                             const CompactionPlan& plan);
  Result<CompactionOutcome> Give(const JobContext& job, const Version& version,
                                 const CompactionPlan& plan);
  Status Await(const JobContext& job, const CompactionServiceJob& offer) const;
  Result<CompactionOutcome> Take(const RemoteCheck& check, const std::string& folder) const;
  Status MoveInto(const JobContext& job, const std::string& folder, const RemoteResult& result,
                  std::vector<FileDescription>* outputs) const;
  void CountRunning(bool begin) EXCLUDES(engine_mutex);

  EngineContext& context_;
  std::unique_ptr<CompactionService> built_in_;
  CompactionService* const service_;  // Null: none.
  std::string directory_;             // As workers are told.
  std::string prefix_;                // Of the ids of jobs of this database.
  std::atomic<uint64_t> jobs_{0};
};

}  // namespace varve
