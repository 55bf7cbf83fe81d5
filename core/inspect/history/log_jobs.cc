// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/history/log_jobs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/options/option_limits.h"
#include "core/base/text/quantity.h"
#include "core/base/try.h"
#include "core/inspect/history/event_log.h"

namespace varve {
namespace {

std::optional<uint64_t> NumberOf(const JsonMembers& members, std::string_view name) {
  const std::string_view* text = FindMember(members, name);
  return text == nullptr ? std::nullopt : ParseDecimal(*text);
}

// Nullopt for what is no number, or no level.
std::optional<int> ToLevel(std::optional<uint64_t> number) {
  const bool fits = number && *number < uint64_t{kNumLevelsMax};
  return fits ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::string TextOf(const JsonMembers& members, std::string_view name) {
  const std::string_view* text = FindMember(members, name);
  return text == nullptr ? "" : std::string(*text);
}

// Builds jobs from the events of consecutive processes; job numbers restart in each. What an event
// names by something that is no number is left out.
class LogJobReader {
 public:
  void Take(const LogEvent& event) {
    const std::optional<JsonMembers> members = SplitJsonObject(event.json);
    if (!members || !event.job) return;
    if (event.type == "flush_started") {
      Start(event, EditKind::kFlush).reason = TextOf(*members, "flush_reason");
    } else if (event.type == "compaction_started") {
      JobReport& job = Start(event, EditKind::kCompaction);
      job.reason = TextOf(*members, "compaction_reason");
      TakeInputs(*members, &job);
    } else if (event.type == "table_file_creation") {
      TakeTable(event, *members);
    } else if (event.type == "flush_finished") {
      Finish(event, 0);
    } else if (event.type == "compaction_finished") {
      const std::optional<int> level = ToLevel(NumberOf(*members, "output_level"));
      if (level) Finish(event, *level);
    } else if (event.type == "trivial_move") {
      TakeMove(event, *members);
    }
  }

  std::vector<JobReport> TakeJobs() { return std::move(done_); }
  std::vector<LoggedMove> TakeMoves() { return std::move(moves_); }

 private:
  JobReport& Start(const LogEvent& event, EditKind kind) {
    JobReport& job = running_[*event.job];
    job = {};
    job.kind = kind;
    job.inferred = false;
    job.log = event.log;
    job.job = event.job;
    job.started_micros = event.time_micros;
    return job;
  }

  // "files_L0": [19, 17], "files_L1": [20]
  static void TakeInputs(const JsonMembers& members, JobReport* job) {
    constexpr std::string_view kPrefix = "files_L";
    for (const auto& [name, value] : members) {
      if (!name.starts_with(kPrefix)) continue;
      const std::optional<int> level = ToLevel(ParseDecimal(name.substr(kPrefix.size())));
      const auto files = SplitJsonArray(value);
      if (!level || !files) continue;
      for (const std::string_view file : *files) {
        if (const auto number = ParseDecimal(file)) job->inputs.push_back({*number, *level, 0});
      }
    }
  }

  void TakeTable(const LogEvent& event, const JsonMembers& members) {
    const auto job = running_.find(*event.job);
    if (job == running_.end()) return;  // Recovery's tables have no flush_started.
    const std::optional<FileNumber> number = NumberOf(members, "file_number");
    const uint64_t size = NumberOf(members, "file_size").value_or(0);
    if (!number || size == 0) return;
    job->second.family = TextOf(members, "cf_name");
    if (const auto* text = FindMember(members, "table_properties")) {
      if (const auto properties = SplitJsonObject(*text)) {
        const auto id = NumberOf(*properties, "column_family_id");
        if (id && *id <= std::numeric_limits<ColumnFamilyId>::max()) {
          job->second.family_id = static_cast<ColumnFamilyId>(*id);
        }
      }
    }
    job->second.outputs.push_back({*number, 0, size});
  }

  void Finish(const LogEvent& event, int output_level) {
    const auto running = running_.find(*event.job);
    if (running == running_.end()) return;
    JobReport job = std::move(running->second);
    running_.erase(running);
    job.finished_micros = event.time_micros;
    job.output_level = output_level;
    for (JobFile& output : job.outputs) {
      output.level = output_level;
      job.bytes_written += output.size;
    }
    done_.push_back(std::move(job));
  }

  void TakeMove(const LogEvent& event, const JsonMembers& members) {
    const std::optional<int> level = ToLevel(NumberOf(members, "destination_level"));
    const auto files = NumberOf(members, "files"), bytes = NumberOf(members, "total_files_size");
    if (!level || !files || !bytes) return;
    moves_.push_back({.log = event.log,
                      .job = *event.job,
                      .time_micros = event.time_micros,
                      .output_level = *level,
                      .files = *files,
                      .bytes = *bytes});
  }

  std::map<uint64_t, JobReport> running_;
  std::vector<JobReport> done_;
  std::vector<LoggedMove> moves_;
};

using FileSizeKey = std::pair<FileNumber, uint64_t>;

void TellFrom(const JobReport& told, JobReport* job) {
  job->inferred = false;
  job->log = told.log;
  job->job = told.job;
  job->reason = told.reason;
  job->started_micros = told.started_micros;
  job->finished_micros = told.finished_micros;
}

std::vector<FileNumber> SortedInputs(const JobReport& job) {
  std::vector<FileNumber> numbers;
  for (const JobFile& file : job.inputs) numbers.push_back(file.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Indexes of the log's jobs by their identifying files.
class LogJobIndex {
 public:
  explicit LogJobIndex(const std::vector<JobReport>& jobs) {
    for (size_t i = 0; i < jobs.size(); i++) {
      for (const JobFile& output : jobs[i].outputs) {
        by_output_[{output.number, output.size}] = i;
      }
      if (!jobs[i].inputs.empty()) by_inputs_[SortedInputs(jobs[i])] = i;
    }
  }

  std::optional<size_t> Find(const JobReport& job) const {
    for (const JobFile& output : job.outputs) {
      if (const auto it = by_output_.find({output.number, output.size}); it != by_output_.end()) {
        return it->second;
      }
    }
    if (job.inputs.empty()) return std::nullopt;
    const auto it = by_inputs_.find(SortedInputs(job));
    return it == by_inputs_.end() ? std::nullopt : std::optional(it->second);
  }

 private:
  std::map<FileSizeKey, size_t> by_output_;
  std::map<std::vector<FileNumber>, size_t> by_inputs_;
};

bool IsSameMove(const LoggedMove& told, const JobReport& job) {
  uint64_t bytes = 0;
  for (const JobFile& file : job.outputs) bytes += file.size;
  return told.output_level == job.output_level && told.files == job.outputs.size() &&
         told.bytes == bytes;
}

// MANIFEST and LOG end together, but may begin at different times: match from the end.
void JoinMoves(const std::vector<LoggedMove>& told, std::vector<JobReport>* jobs) {
  auto candidate = told.rbegin();
  for (auto job = jobs->rbegin(); job != jobs->rend(); ++job) {
    if (job->kind != EditKind::kTrivialMove) continue;
    const auto same = std::find_if(candidate, told.rend(),
                                   [&](const LoggedMove& move) { return IsSameMove(move, *job); });
    if (same == told.rend()) continue;
    job->inferred = false;
    job->log = same->log;
    job->job = same->job;
    job->finished_micros = same->time_micros;
    candidate = std::next(same);
  }
}

}  // namespace

Result<LogJobs> ReadLogJobs(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(EventLogReader events, EventLogReader::Open(fs, directory));
  LogJobReader reader;
  LogEvent event;
  while (events.Next(&event)) reader.Take(event);
  RETURN_IF_ERROR(events.status());
  LogJobs jobs;
  jobs.jobs = reader.TakeJobs();
  jobs.moves = reader.TakeMoves();
  jobs.logs = events.logs();
  jobs.unreadable = events.unreadable();
  return jobs;
}

void JoinLogJobs(LogJobs logs, HistoryReport* report) {
  report->logs = std::move(logs.logs);
  report->unreadable_events = logs.unreadable;
  const LogJobIndex index(logs.jobs);
  std::vector<bool> used(logs.jobs.size(), false);
  for (JobReport& job : report->jobs) {
    const std::optional<size_t> told =
        job.kind == EditKind::kSnapshot ? std::nullopt : index.Find(job);
    if (!told || used[*told]) continue;
    used[*told] = true;
    TellFrom(logs.jobs[*told], &job);
  }
  JoinMoves(logs.moves, &report->jobs);

  std::unordered_map<FileNumber, uint64_t> sizes;
  std::vector<JobReport> earlier;
  for (size_t i = 0; i < logs.jobs.size(); i++) {
    JobReport& job = logs.jobs[i];
    for (const JobFile& output : job.outputs) sizes[output.number] = output.size;
    if (used[i] || (job.inputs.empty() && job.outputs.empty())) continue;
    for (JobFile& input : job.inputs) {
      if (const auto size = sizes.find(input.number); size != sizes.end())
        input.size = size->second;
      job.bytes_read += input.size;
    }
    earlier.push_back(std::move(job));
  }
  report->jobs.insert(report->jobs.begin(), std::make_move_iterator(earlier.begin()),
                      std::make_move_iterator(earlier.end()));
}

}  // namespace varve
