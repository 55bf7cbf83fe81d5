// SPDX-License-Identifier: Apache-2.0
// The two files between an engine and a worker that compacts for it
// (format/docs/remote-compaction.md): the job says which tables to merge, and how; the result says
// what became of them.
//
//   file   = magic 8 | version fixed32 | masked crc32c of the body fixed32 | body
//   body   = fields in a fixed order: varint64, or bytes with their length in front
//
// Both name their tables in a VersionEdit. Everything may come from a damaged or hostile file:
// decoding fails with the offset of what is wrong, and its memory is in proportion to the file.
//
// Written by: engine/jobs/remote_compaction.cc (job), compaction/remote_worker.cc (result).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash/crc32c.h"
#include "core/format/manifest/version_edit.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/status.h"
#include "varve/types.h"

namespace varve {

// In the directory of a database: a folder for each job that is out, named by its id.
inline constexpr std::string_view kRemoteFolderName = "remote-compactions";
// In the folder of a job. A worker puts its tables into a folder of its own there, which is named
// by its session.
inline constexpr std::string_view kRemoteJobName = "JOB";
inline constexpr std::string_view kRemoteResultName = "RESULT";

// Bytes of a job or result: some 100,000 tables. Larger files are not read.
inline constexpr uint64_t kRemoteFileMax = uint64_t{64} << 20;

struct RemoteJob {
  // Letters, digits and '-': the database, its opening, a number. Never used twice.
  std::string id;
  std::string directory;           // Of the database, as the engine sees it.
  std::vector<std::string> paths;  // The db_paths that may have inputs, if there are any.
  std::string db_id;
  ColumnFamilyId family = kDefaultColumnFamilyId;
  std::string family_name;
  std::string comparator;
  std::string merge_operator;     // Empty: none.
  std::string compaction_filter;  // Name of the factory; empty: none.
  int input_level = 0;
  int output_level = 0;
  bool bottommost = false;   // As in CompactionPlan.
  bool deepest = false;      // As in CompactionPlan.
  bool full = false;         // As in CompactionPlan.
  bool manual = false;       // CompactRange() asked for it.
  bool point_index = false;  // The next but one field counts.
  bool paranoid = true;      // Read outputs back.
  CompressionType compression = CompressionType::kNone;
  PointIndexKind point_index_kind = PointIndexKind::kNone;
  uint64_t target_file_size = 0;
  uint64_t readahead_size = 0;
  uint32_t subcompactions = 1;
  Sequence last_sequence = 0;
  std::vector<Sequence> snapshots;  // Ascending.
  std::string full_history_ts_low;
  // Options of the family that differ from their defaults, as in OPTIONS files.
  std::vector<std::pair<std::string, std::string>> options;
  // new_files: the inputs, at the levels from input_level to output_level; below, tables where
  // outputs may end.
  VersionEdit files;

  bool operator==(const RemoteJob&) const = default;
};

struct RemoteResult {
  std::string job_id;
  MaskedCrc job_crc;    // Of the body of the job that was done.
  std::string worker;   // For people: where it ran.
  std::string session;  // 20 digits or capital letters: the folder of the outputs.
  Code code = Code::kOk;
  std::string message;            // Of a failure.
  uint64_t entries_read = 0;      // As the properties of the inputs count them.
  uint64_t bytes_read = 0;        // Of inputs.
  uint64_t micros = 0;            // How long it took.
  std::vector<uint64_t> entries;  // Of each output, range deletions included.
  VersionEdit edit;               // The inputs deleted, the outputs new.

  bool operator==(const RemoteResult&) const = default;
};

std::string EncodeRemoteJob(const RemoteJob& job);
std::string EncodeRemoteResult(const RemoteResult& result);
// Corruption, or NotSupported for another version; `name` is that of the file, for messages.
Result<RemoteJob> DecodeRemoteJob(std::string_view name, std::string_view file);
Result<RemoteResult> DecodeRemoteResult(std::string_view name, std::string_view file);

// The checksum that the header of an encoded job has. Requires one that was decoded or encoded.
MaskedCrc CrcOfRemoteJob(std::string_view file);

// Whether it can be the name of a job: and so is a name of a file, and no path.
bool IsRemoteJobId(std::string_view id);

}  // namespace varve
