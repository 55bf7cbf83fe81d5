// SPDX-License-Identifier: Apache-2.0
// Flushes and compactions as RocksDB's EventLogger writes them (inspect/history reads it).
#include <algorithm>
#include <utility>

#include "core/base/codec/compression.h"
#include "core/base/text/printable.h"
#include "core/base/text/text.h"
#include "core/c/error.h"
#include "core/c/info_log.h"
#include "core/compaction/compaction_job.h"
#include "core/fs/complete_environment.h"

namespace varve::c {
namespace {

// Members of a JSON object, each with a comma in front.
class Members {
 public:
  Members& Add(std::string_view name, uint64_t number) {
    return AddRaw(name, std::to_string(number));
  }
  Members& Add(std::string_view name, std::string_view text) { return AddRaw(name, Quoted(text)); }
  template <typename List, typename TableNumberOf>
  Members& AddList(std::string_view name, const List& list, TableNumberOf number_of) {
    std::string text;
    for (const auto& item : list) {
      text.append(text.empty() ? "[" : ", ").append(std::to_string(number_of(item)));
    }
    return AddRaw(name, text.empty() ? "[]" : text + "]");
  }
  Members& AddRaw(std::string_view name, std::string_view value) {
    text_.append(", \"").append(name).append("\": ").append(value);
    return *this;
  }
  const std::string& text() const { return text_; }
  std::string AsObject() const { return "{" + text_.substr(2) + "}"; }

 private:
  static std::string Quoted(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string quoted = "\"";
    while (!text.empty()) {
      const Character character = FirstCharacter(text);
      const std::string_view bytes = text.substr(0, std::max<size_t>(character.size, 1));
      text.remove_prefix(bytes.size());
      const auto byte = static_cast<unsigned char>(bytes[0]);
      if (character.size == 0 || !IsPrintable(character.code_point)) {
        // A character that would not be seen, or a byte that is none: JSON has no bytes.
        for (const char c : bytes) {
          const auto value = static_cast<unsigned char>(c);
          quoted.append("\\u00").append({kDigits[value >> 4], kDigits[value & 15]});
        }
        continue;
      }
      if (byte == '"' || byte == '\\') quoted += '\\';
      quoted.append(bytes);
    }
    return quoted + '"';
  }

  std::string text_;
};

std::string_view ReasonName(CompactionReason reason) {
  switch (reason) {
    case CompactionReason::kLevel0Files:
      return "LevelL0FilesNum";
    case CompactionReason::kLevelSize:
      return "LevelMaxLevelSize";
    case CompactionReason::kFifoSize:
      return "FIFOMaxSize";
    case CompactionReason::kManual:
      return "ManualCompaction";
    case CompactionReason::kMarked:
      return "FilesMarkedForCompaction";
    case CompactionReason::kBlobGarbage:
      return "ForcedBlobGC";
    case CompactionReason::kSizeAmplification:
      return "UniversalSizeAmplification";
    case CompactionReason::kSizeRatio:
      return "UniversalSizeRatio";
    case CompactionReason::kSortedRuns:
      return "UniversalSortedRunNum";
  }
  return "Unknown";
}

std::string_view ReasonName(FlushReason reason) {
  switch (reason) {
    case FlushReason::kMemTableFull:
      return "Write Buffer Full";
    case FlushReason::kWalsFull:
      return "WAL Full";
    case FlushReason::kManual:
      return "Manual Flush";
    case FlushReason::kManualCompaction:
      return "Manual Compaction";
    case FlushReason::kIngestion:
      return "External File Ingestion";
    case FlushReason::kCopy:
      return "Get Live Files";
    case FlushReason::kClosing:
      return "Shut down";
  }
  return "Other Reasons";
}

uint64_t TableNumberOf(const FilePtr& file) { return file->number(); }

std::string NameOfLevel(int level) { return "files_L" + std::to_string(level); }

Members LevelsAfter(const JobEnd& end) {
  Members members;
  members.AddList("lsm_state", end.files_in_levels, [](uint64_t files) { return files; });
  return members;
}

Members Finished(const CompactionPlan& plan, const JobEnd& end) {
  uint64_t bytes = 0;
  for (const FileDescription& table : end.outputs) bytes += table.size;
  Members members;
  if (end.remote) members.Add("compaction_service", uint64_t{1});
  members.Add("compaction_time_micros", end.micros)
      .Add("output_level", static_cast<uint64_t>(plan.output_level))
      .Add("num_output_files", end.outputs.size())
      .Add("total_output_size", bytes)
      .Add("output_compression", CompressionName(plan.compression));
  return members;
}

}  // namespace

void InfoLog::WriteEvent(uint64_t job, std::string_view event, std::string_view more) {
  std::string line = "EVENT_LOG_v1 {\"time_micros\": ";
  line += std::to_string(env_.clock->UnixMicros());
  line.append(", \"job\": ").append(std::to_string(job));
  line.append(", \"event\": \"").append(event).append("\"").append(more).append("}");
  Write(LogLevel::kInfo, line);
}

void InfoLog::OnFlushBegin(uint64_t job, const JobFamily& /*family*/,
                           std::span<const std::shared_ptr<MemTable>> memtables,
                           FlushReason reason) {
  uint64_t entries = 0, deletions = 0, bytes = 0;
  for (const std::shared_ptr<MemTable>& memtable : memtables) {
    entries += memtable->entries();
    deletions += memtable->deletions();
    bytes += memtable->MemoryUsage();
  }
  Members members;
  members.Add("num_memtables", memtables.size())
      .Add("num_entries", entries)
      .Add("num_deletes", deletions)
      .Add("memory_usage", bytes)
      .Add("flush_reason", ReasonName(reason));
  WriteEvent(job, "flush_started", members.text());
}

// A move is one event, when it is done.
void InfoLog::OnCompactionBegin(uint64_t job, const JobFamily& /*family*/,
                                const CompactionPlan& plan) {
  if (plan.trivial_move) return;
  Members members;
  members.Add("compaction_reason", ReasonName(plan.reason));
  members.AddList(NameOfLevel(plan.input_level), plan.inputs, TableNumberOf);
  for (const LevelInputs& level : plan.between) {
    members.AddList(NameOfLevel(level.level), level.files, TableNumberOf);
  }
  if (!plan.output_overlap.empty()) {
    members.AddList(NameOfLevel(plan.output_level), plan.output_overlap, TableNumberOf);
  }
  members.Add("input_data_size", InputBytes(plan));
  WriteEvent(job, "compaction_started", members.text());
}

void InfoLog::WriteTables(uint64_t job, const JobFamily& family,
                          std::span<const FileDescription> tables) {
  for (const FileDescription& table : tables) {
    Members properties;
    properties.Add("column_family_name", family.name)
        .Add("column_family_id", uint64_t{family.id})
        .Add("comparator", family.comparator);
    Members members;
    members.Add("cf_name", family.name)
        .Add("file_number", table.number)
        .Add("file_size", table.size)
        .Add("smallest_seqno", table.smallest_sequence)
        .Add("largest_seqno", table.largest_sequence)
        .AddRaw("table_properties", properties.AsObject());
    WriteEvent(job, "table_file_creation", members.text());
  }
}

void InfoLog::OnEnd(uint64_t job, const JobFamily& family, const JobEnd& end) {
  const CompactionPlan* const plan = end.compaction;
  if (!end.remote_failure.ok()) {
    Write(LogLevel::kWarn, "[" + EscapeForDisplay(family.name) + "] [JOB " + std::to_string(job) +
                               "] compaction service: " + ErrorText(end.remote_failure));
  }
  if (!end.status.ok()) {
    Write(LogLevel::kError, "[" + EscapeForDisplay(family.name) + "] [JOB " + std::to_string(job) +
                                "] " + (plan == nullptr ? "flush: " : "compaction: ") +
                                ErrorText(end.status));
    return;
  }
  WriteTables(job, family, end.outputs);
  if (plan == nullptr) {
    Members members = LevelsAfter(end);
    members.Add("immutable_memtables", end.sealed_memtables);
    WriteEvent(job, "flush_finished", members.text());
  } else if (plan->trivial_move) {
    Members members;
    members.Add("destination_level", static_cast<uint64_t>(plan->output_level))
        .Add("files", InputsOf(*plan).size())
        .Add("total_files_size", InputBytes(*plan));
    WriteEvent(job, "trivial_move", members.text());
  } else {
    WriteEvent(job, "compaction_finished", Finished(*plan, end).text() + LevelsAfter(end).text());
  }
}

// RocksDB names the job that looked for files to delete; here readers delete them, too, which are
// no job.
void InfoLog::OnTableDeleted(FileNumber number) {
  constexpr uint64_t kNoJob = 0;
  WriteEvent(kNoJob, "table_file_deletion", Members().Add("file_number", number).text());
}

}  // namespace varve::c
