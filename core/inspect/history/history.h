// SPDX-License-Identifier: Apache-2.0
// The history of a database's tables: flushes, compactions, moves, ingestions, and the ancestors
// and successors of any table.
//
//   MANIFEST edits  --what was added and deleted-->  jobs          (inferred)
//   LOG's events    --job numbers, reasons, times-->  joined to them (told)
//
// A MANIFEST begins with the tables of its predecessor; earlier jobs are known only from old LOG
// files, and have no edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/inspect/lsm/manifest_timeline.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

struct JobFile {
  FileNumber number = 0;
  int level = 0;
  uint64_t size = 0;  // 0: unknown, for an input from before the MANIFEST that only a LOG names.
};

struct JobReport {
  EditKind kind = EditKind::kCompaction;  // Only kinds that change files.
  uint64_t edit = 0;                      // 0: only known from a LOG.
  ColumnFamilyId family_id = 0;
  std::string family;
  std::vector<JobFile> inputs, outputs;
  int output_level = 0;
  uint64_t bytes_read = 0, bytes_written = 0;  // Of tables. A move reads and writes nothing.
  // Of a compaction: bytes written per byte of input from above the output level.
  std::optional<double> write_amplification;
  uint64_t creation_time = 0;  // Unix seconds, of the newest output; 0 unknown.

  // Not confirmed by an event of a LOG; the following members are then empty.
  bool inferred = true;
  std::string log;  // "LOG"
  std::optional<uint64_t> job;
  std::string reason;                                // "ManualCompaction", "Write Buffer Full".
  uint64_t started_micros = 0, finished_micros = 0;  // Unix; 0 unknown.
};

struct FamilyWrites {
  std::string family;
  uint64_t flushes = 0, flushed_bytes = 0;
  uint64_t ingestions = 0, ingested_bytes = 0;
  uint64_t compactions = 0, compaction_read_bytes = 0, compaction_written_bytes = 0;
  uint64_t moves = 0, deletions = 0;

  // Bytes written by flushes and compactions per byte flushed or ingested.
  std::optional<double> write_amplification() const;
};

struct HistoryReport {
  std::string manifest;  // "MANIFEST-000005"
  uint64_t edits = 0;
  std::vector<std::string> families;  // All families in the MANIFEST, including dropped ones.
  std::vector<JobReport> jobs;        // Oldest first; jobs without an edit come first.
  std::vector<FamilyWrites> totals;
  std::vector<std::string> logs;  // Read, oldest first.
  uint64_t unreadable_events = 0;
  std::vector<std::string> warnings;

  // Whether the MANIFEST or a LOG names the family.
  bool Knows(const std::string& family) const;
};

Result<HistoryReport> ReportHistory(FileSystem& fs, const std::string& target);

// The life of one table. Jobs are indexes into HistoryReport::jobs.
struct LineageStep {
  FileNumber number = 0;
  uint64_t size = 0;
  int level = 0;                  // Last known.
  std::optional<size_t> made_by;  // Nullopt: before the recorded history.
  std::vector<size_t> moved_by;
  std::optional<size_t> consumed_by;  // Nullopt: live.
  int distance = 0;                   // Number of jobs between it and the requested table.
};

struct Lineage {
  LineageStep file;
  std::vector<LineageStep> ancestors;   // Nearest first; each once.
  std::vector<LineageStep> successors;  // Nearest first; each once.
  // Every ancestor was traced to a flush or an ingestion.
  bool complete = false;
};

// Finds the lineage of tables in one history.
class LineageIndex {
 public:
  explicit LineageIndex(const HistoryReport& history);  // `history` must outlive the index.

  // Nullopt if no job mentions the table.
  std::optional<Lineage> Of(FileNumber number) const;

 private:
  struct Life {
    uint64_t size = 0;
    int level = 0;
    std::optional<size_t> made_by;
    std::vector<size_t> moved_by;
    std::optional<size_t> consumed_by;
  };

  LineageStep StepOf(FileNumber number, int distance) const;
  template <typename NextJob, typename FilesOf>
  std::vector<LineageStep> Walk(FileNumber from, NextJob next_job, FilesOf files_of) const;

  const HistoryReport& history_;
  std::unordered_map<FileNumber, Life> lives_;
};

}  // namespace varve
