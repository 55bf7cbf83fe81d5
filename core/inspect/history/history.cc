// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/history/history.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/inspect/history/log_jobs.h"

namespace varve {
namespace {

std::optional<double> AmplificationOf(const JobReport& job) {
  if (job.kind != EditKind::kCompaction) return std::nullopt;
  uint64_t from_above = 0;
  for (const JobFile& file : job.inputs) {
    if (file.level != job.output_level) from_above += file.size;
  }
  if (from_above == 0) return std::nullopt;
  return static_cast<double>(job.bytes_written) / static_cast<double>(from_above);
}

class HistoryBuilder {
 public:
  HistoryBuilder(FileSystem& fs, const std::string& target) : fs_(fs), target_(target) {}

  Result<HistoryReport> Run() {
    ASSIGN_OR_RETURN(ManifestTimeline timeline, ManifestTimeline::Open(fs_, target_));
    const ManifestPlace& place = timeline.place();
    report_.manifest = place.path.substr(place.path.rfind('/') + 1);
    while (true) {
      const Result<std::optional<EditReport>> edit = timeline.Next();
      if (!edit.ok()) {
        // The readable part is reported nevertheless.
        report_.warnings.push_back(std::string(edit.status().message()));
        break;
      }
      if (!*edit) break;
      report_.edits = (*edit)->number;
      if (IsJob((*edit)->kind)) AddJob(**edit);
    }
    report_.families = timeline.Families();
    Result<LogJobs> logs = ReadLogJobs(fs_, place.directory);
    if (logs.ok()) {
      JoinLogJobs(*std::move(logs), &report_);
    } else {
      report_.warnings.push_back(std::string(logs.status().message()));
    }
    for (JobReport& job : report_.jobs) job.write_amplification = AmplificationOf(job);
    AddTotals();
    return std::move(report_);
  }

 private:
  void AddJob(const EditReport& edit) {
    JobReport& job = report_.jobs.emplace_back();
    job.kind = edit.kind;
    job.edit = edit.number;
    job.family_id = edit.edit.family;
    job.family = edit.family;
    for (const auto& deleted : edit.edit.deleted_files) {
      const auto size = sizes_.find(deleted.number);
      job.inputs.push_back(
          {deleted.number, deleted.level, size == sizes_.end() ? 0 : size->second});
    }
    const bool rewrites = edit.kind == EditKind::kCompaction || edit.kind == EditKind::kFlush;
    std::set<FileNumber> moved;
    for (const FileReport& added : edit.added) {
      job.outputs.push_back({added.number, added.level, added.size});
      job.output_level = std::max(job.output_level, added.level);
      job.creation_time = std::max(job.creation_time, added.creation_time);
      sizes_[added.number] = added.size;
    }
    KeepLive(&job);
    if (!rewrites) return;
    for (const JobFile& input : job.inputs) moved.insert(input.number);
    for (const JobFile& output : job.outputs) {
      if (moved.erase(output.number) == 0) job.bytes_written += output.size;
    }
    for (const JobFile& input : job.inputs) {
      if (moved.contains(input.number)) job.bytes_read += input.size;
    }
  }

  // Dropping a family removes all its tables.
  void KeepLive(JobReport* job) {
    std::map<FileNumber, int>& live = live_[job->family_id];
    if (job->kind == EditKind::kDropFamily) {
      for (const auto& [number, level] : live)
        job->inputs.push_back({number, level, sizes_[number]});
      live.clear();
    }
    for (const JobFile& input : job->inputs) live.erase(input.number);
    for (const JobFile& output : job->outputs) live[output.number] = output.level;
  }

  void AddTotals() {
    std::map<ColumnFamilyId, FamilyWrites> by_family;
    for (const JobReport& job : report_.jobs) {
      FamilyWrites& totals = by_family[job.family_id];
      totals.family = job.family;
      uint64_t bytes = 0;
      for (const JobFile& output : job.outputs) bytes += output.size;
      switch (job.kind) {
        case EditKind::kFlush:
          totals.flushes++;
          totals.flushed_bytes += bytes;
          break;
        case EditKind::kIngestion:
          totals.ingestions++;
          totals.ingested_bytes += bytes;
          break;
        case EditKind::kCompaction:
          totals.compactions++;
          totals.compaction_read_bytes += job.bytes_read;
          totals.compaction_written_bytes += job.bytes_written;
          break;
        case EditKind::kTrivialMove:
          totals.moves++;
          break;
        case EditKind::kDeletion:
        case EditKind::kDropFamily:
          totals.deletions++;
          break;
        default:
          break;
      }
    }
    for (auto& [id, totals] : by_family) report_.totals.push_back(std::move(totals));
  }

  FileSystem& fs_;
  const std::string& target_;
  std::unordered_map<FileNumber, uint64_t> sizes_;
  std::map<ColumnFamilyId, std::map<FileNumber, int>> live_;
  HistoryReport report_;
};

}  // namespace

std::optional<double> FamilyWrites::write_amplification() const {
  const uint64_t in = flushed_bytes + ingested_bytes;
  if (in == 0) return std::nullopt;
  return static_cast<double>(in + compaction_written_bytes) / static_cast<double>(in);
}

bool HistoryReport::Knows(const std::string& family) const {
  return std::find(families.begin(), families.end(), family) != families.end() ||
         std::any_of(jobs.begin(), jobs.end(),
                     [&](const JobReport& job) { return job.family == family; });
}

Result<HistoryReport> ReportHistory(FileSystem& fs, const std::string& target) {
  return HistoryBuilder(fs, target).Run();
}

LineageIndex::LineageIndex(const HistoryReport& history) : history_(history) {
  for (size_t i = 0; i < history.jobs.size(); i++) {
    const JobReport& job = history.jobs[i];
    std::set<FileNumber> inputs;
    for (const JobFile& input : job.inputs) {
      inputs.insert(input.number);
      Life& life = lives_[input.number];
      if (life.size == 0) life.size = input.size;
      life.level = input.level;
      life.consumed_by = i;
    }
    for (const JobFile& output : job.outputs) {
      Life& life = lives_[output.number];
      life.size = output.size;
      life.level = output.level;
      life.consumed_by = std::nullopt;
      if (inputs.contains(output.number)) {
        life.moved_by.push_back(i);
      } else if (job.kind != EditKind::kSnapshot) {
        life.made_by = i;
      }
    }
  }
}

LineageStep LineageIndex::StepOf(FileNumber number, int distance) const {
  const auto found = lives_.find(number);
  CHECK(found != lives_.end());
  const Life& life = found->second;
  return {number, life.size, life.level, life.made_by, life.moved_by, life.consumed_by, distance};
}

// Breadth first, so that the nearest come first.
template <typename NextJob, typename FilesOf>
std::vector<LineageStep> LineageIndex::Walk(FileNumber from, NextJob next_job,
                                            FilesOf files_of) const {
  std::vector<LineageStep> steps = {StepOf(from, 0)};
  std::set<FileNumber> seen = {from};
  for (size_t i = 0; i < steps.size(); i++) {
    const std::optional<size_t> job = next_job(steps[i]);
    if (!job) continue;
    CHECK_OP(*job, <, history_.jobs.size());
    const int distance = steps[i].distance + 1;
    for (const JobFile& file : files_of(history_.jobs[*job])) {
      if (seen.insert(file.number).second) steps.push_back(StepOf(file.number, distance));
    }
  }
  steps.erase(steps.begin());
  return steps;
}

std::optional<Lineage> LineageIndex::Of(FileNumber number) const {
  if (!lives_.contains(number)) return std::nullopt;
  Lineage lineage;
  lineage.file = StepOf(number, 0);
  lineage.ancestors = Walk(
      number, [](const LineageStep& step) { return step.made_by; },
      [](const JobReport& job) -> const std::vector<JobFile>& { return job.inputs; });
  lineage.successors = Walk(
      number, [](const LineageStep& step) { return step.consumed_by; },
      [](const JobReport& job) -> const std::vector<JobFile>& { return job.outputs; });
  const auto known = [](const LineageStep& step) { return step.made_by.has_value(); };
  lineage.complete =
      known(lineage.file) && std::all_of(lineage.ancestors.begin(), lineage.ancestors.end(), known);
  return lineage;
}

}  // namespace varve
