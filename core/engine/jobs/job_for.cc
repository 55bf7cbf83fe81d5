// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/job_for.h"

#include <string>

#include "core/compaction/table_path.h"

namespace varve {

JobContext JobFor(const EngineContext& context, const Family& family) {
  JobContext job;
  job.env = context.options.env;
  job.directory = context.directory;
  job.options = family.options();
  // What a read-only opening writes is in no path: only this engine sees it.
  job.table_directory =
      context.read_only ? context.directory : DirectoryOfPath(job.options, 0, context.directory);
  job.origin.family_id = family.id();
  job.origin.family_name = family.name();
  if (family.options().merge_operator != nullptr) {
    job.origin.merge_operator = std::string(family.options().merge_operator->name());
  }
  job.origin.db_id = context.db_id;
  job.origin.db_session_id = context.db_session_id;
  job.snapshots = context.snapshots->Live();
  // Reads that are not checked against it yet have pinned an older view.
  job.full_history_ts_low = family.views().Current()->full_history_ts_low;
  job.blobs = context.blobs.get();
  if (context.read_only) job.options.blobs.enabled = false;  // For the same reason.
  job.direct_io = context.options.use_direct_io_for_flush_and_compaction;
  job.paranoid_checks = context.options.paranoid_checks;
  job.readahead_size = context.options.compaction_readahead_size;
  return job;
}

}  // namespace varve
