// SPDX-License-Identifier: Apache-2.0
#include "core/repair/new_manifest.h"

#include <algorithm>
#include <vector>

#include "core/base/check.h"
#include "core/repair/flushed_logs.h"
#include "core/version/manifest_writer.h"

namespace varve {
namespace {

std::vector<uint64_t> LogNumbers(const RepairReport& report) {
  std::vector<uint64_t> numbers;
  for (const std::string& name : report.logs) {
    const std::optional<FileName> log = ParseFileName(name);
    CHECK(log.has_value() && log->kind == FileKind::kWal);
    numbers.push_back(log->number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

NewestSequences FlushedSequences(const RescuedTables& rescued) {
  NewestSequences in_tables;
  for (const RescuedTable& table : rescued.tables) {
    // Ingestion assigns sequences beyond those of memtables.
    CHECK(table.survey.reader != nullptr);
    if (table.survey.reader->properties().external_version.has_value()) continue;
    Sequence& newest = in_tables[table.family];
    newest = std::max(newest, table.survey.description.largest_sequence);
  }
  return in_tables;
}

void PassFlushedLogs(const RepairJob& job, const RescuedTables& rescued, const RepairReport& report,
                     DatabaseState* state) {
  if (!report.complete()) {  // Flushed logs may have what was lost.
    state->counters.min_log_number_to_keep = 0;
    for (const FamilyState& family : state->families.all()) {
      state->families.Find(family.id)->log_number = 0;
    }
    return;
  }
  const std::vector<uint64_t> logs = LogNumbers(report);
  const auto behind = LogsBehindTables(job.fs(), job.source, logs, FlushedSequences(rescued));
  // What a family's tables have may also be prepared in there, and committed in a later log. The
  // MANIFEST may also have said that older logs are needed.
  if (!behind.empty()) state->counters.min_log_number_to_keep = logs.front();
  for (const auto& [id, log] : behind) {
    FamilyState* const family = state->families.Find(id);
    if (family != nullptr) family->log_number = std::max(family->log_number, log);
  }
}

}  // namespace

Status WriteNewManifest(const RepairJob& job, const RescuedTables& rescued,
                        const RepairReport& report, PlacedFamilies placed) {
  CHECK(!job.dry_run);
  DatabaseState& state = placed.state;
  if (!report.manifest_whole) PassFlushedLogs(job, rescued, report, &state);
  state.counters.prev_log_number = 0;
  const FileNumber number = placed.next_number;
  CHECK_OP(number, >, 0);
  state.counters.next_file_number = std::max(state.counters.next_file_number, number + 1);
  return ManifestWriter::Create(job.fs(), job.destination, number, state, {}).status();
}

}  // namespace varve
