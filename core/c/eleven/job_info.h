// SPDX-License-Identifier: Apache-2.0
// What stands behind the handles that describe a compaction. Those within a job's live as long as
// it does.
#pragma once

#include <cstdint>
#include <vector>

#include "varve/compact_files.h"

struct rocksdb_compaction_file_info_t {
  const varve::CompactedTable* table;
};
struct rocksdb_blob_file_addition_info_t {
  const varve::CompactedBlobs* blobs;
};
struct rocksdb_blob_file_garbage_info_t {
  const varve::CompactedBlobs* blobs;
};
struct rocksdb_compaction_job_stats_t {
  const varve::CompactionJobInfo* info;
};

struct rocksdb_compactionjobinfo_t {
  void Set(varve::CompactionJobInfo done, uint64_t thread);

  varve::CompactionJobInfo info = {};  // Of no job, until Set().
  uint64_t thread_id = 0;
  rocksdb_compaction_job_stats_t stats = {&info};
  std::vector<rocksdb_compaction_file_info_t> inputs = {}, outputs = {};
  std::vector<rocksdb_blob_file_addition_info_t> additions = {};
  std::vector<rocksdb_blob_file_garbage_info_t> garbage = {};
};
