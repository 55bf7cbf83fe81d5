// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/compaction_info.h"

#include "core/compaction/table_path.h"
#include "core/format/file_name.h"

namespace varve {
namespace {

// Tables and blob files of a family, as its caller is told of them.
class Naming {
 public:
  Naming(const ColumnFamilyOptions& options, const std::string& directory)
      : options_(options), directory_(directory) {}

  CompactedTable Table(int level, const FileDescription& file, const TableCounts& counts) const {
    return {.number = file.number,
            .level = level,
            .path = Path(file.path_id, TableFileName(file.number)),
            .size = file.size,
            .entries = counts.entries,
            .deletions = counts.deletions,
            .raw_key_bytes = counts.raw_key_bytes,
            .raw_value_bytes = counts.raw_value_bytes,
            .oldest_blob_file = file.oldest_blob_file};
  }
  // Blob files are all in the first path.
  template <typename Change>
  CompactedBlobs Blobs(const Change& change) const {
    return {.number = change.number,
            .path = Path(0, BlobFileName(change.number)),
            .count = change.blobs,
            .bytes = change.bytes};
  }

 private:
  std::string Path(uint32_t path_id, const std::string& name) const {
    return JoinPath(DirectoryOfPath(options_, path_id, directory_), name);
  }

  const ColumnFamilyOptions& options_;
  const std::string& directory_;
};

}  // namespace

CompactionJobInfo DescribeCompaction(uint64_t job, const Family& family, const JobEnd& end,
                                     std::span<const BlobFileAddition> blobs,
                                     std::span<const BlobFileGarbage> garbage,
                                     const std::string& directory) {
  const CompactionPlan& plan = *end.compaction;
  const Naming naming(family.options(), directory);
  CompactionJobInfo info;
  info.job = job;
  info.family = family.id();
  info.family_name = family.name();
  info.base_input_level = plan.input_level;
  info.output_level = plan.output_level;
  for (const auto& [level, file] : InputsOf(plan)) {
    info.inputs.push_back(naming.Table(level, file->description, file->counts()));
    if (plan.trivial_move) {
      info.outputs.push_back(naming.Table(plan.output_level, file->description, file->counts()));
    }
  }
  for (const FileDescription& file : end.outputs) {
    info.outputs.push_back(naming.Table(plan.output_level, file, file.counts));
  }
  for (const BlobFileAddition& added : blobs) info.blobs.push_back(naming.Blobs(added));
  for (const BlobFileGarbage& freed : garbage) info.garbage.push_back(naming.Blobs(freed));
  info.moved = plan.trivial_move;
  info.full = plan.full;
  info.remote = end.remote;
  info.compression = plan.compression;
  info.blob_compression = family.options().blobs.compression;
  info.level0_files = end.files_in_levels.empty() ? 0 : end.files_in_levels.front();
  info.micros = end.micros;
  return info;
}

}  // namespace varve
