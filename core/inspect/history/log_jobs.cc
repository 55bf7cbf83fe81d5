// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/history/log_jobs.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/try.h"
#include "core/inspect/history/event_log.h"

namespace varve {
namespace {

uint64_t ToNumber(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

uint64_t NumberOf(const JsonMembers& members, std::string_view name) {
  const std::string_view* text = FindMember(members, name);
  return text == nullptr ? 0 : ToNumber(*text);
}

std::string TextOf(const JsonMembers& members, std::string_view name) {
  const std::string_view* text = FindMember(members, name);
  return text == nullptr ? "" : std::string(*text);
}

// Builds jobs from the events of consecutive processes; job numbers restart in each.
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
      Finish(event, static_cast<int>(NumberOf(*members, "output_level")));
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
      const int level = static_cast<int>(ToNumber(name.substr(kPrefix.size())));
      const auto numbers = SplitJsonArray(value);
      if (!numbers) continue;
      for (const std::string_view number : *numbers) {
        job->inputs.push_back({ToNumber(number), level, 0});
      }
    }
  }

  void TakeTable(const LogEvent& event, const JsonMembers& members) {
    const auto job = running_.find(*event.job);
    const uint64_t size = NumberOf(members, "file_size");
    if (job == running_.end() || size == 0) return;  // Recovery's tables have no flush_started.
    job->second.family = TextOf(members, "cf_name");
    if (const auto* text = FindMember(members, "table_properties")) {
      if (const auto properties = SplitJsonObject(*text)) {
        job->second.family_id =
            static_cast<ColumnFamilyId>(NumberOf(*properties, "column_family_id"));
      }
    }
    job->second.outputs.push_back({NumberOf(members, "file_number"), 0, size});
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
    LoggedMove& move = moves_.emplace_back();
    move.log = event.log;
    move.job = *event.job;
    move.time_micros = event.time_micros;
    move.output_level = static_cast<int>(NumberOf(members, "destination_level"));
    move.files = NumberOf(members, "files");
    move.bytes = NumberOf(members, "total_files_size");
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
