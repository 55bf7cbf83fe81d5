// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/inspect/job_trace.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/options/option_limits.h"
#include "core/base/text/text.h"
#include "core/inspect/lsm/edit_kind.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

using api::Json;

struct JobSpan {
  const JobReport* job;
  uint64_t from;
  std::optional<uint64_t> to;  // Nullopt: an instant.
};

std::optional<JobSpan> SpanOf(const JobReport& job) {
  const uint64_t from = job.started_micros, to = job.finished_micros;
  if (from != 0 && to != 0) return JobSpan{&job, from, std::max(from, to)};
  const uint64_t at = to != 0 ? to : from != 0 ? from : job.creation_time * 1'000'000;
  if (at == 0) return std::nullopt;
  return JobSpan{&job, at, std::nullopt};
}

constexpr size_t kLanesOfRow = 1000;

// Jobs may overlap, those of one lane may not: each goes to the first lane that is free. Only the
// last lane takes more at once: what a damaged LOG says must not cost more than its size.
class Lanes {
 public:
  size_t LaneOf(const JobSpan& span) {
    const auto free =
        std::find_if(ends_.begin(), ends_.end(), [&](uint64_t end) { return end <= span.from; });
    const size_t lane = std::min(static_cast<size_t>(free - ends_.begin()), kLanesOfRow - 1);
    if (lane == ends_.size()) ends_.push_back(0);
    ends_[lane] = span.to.value_or(span.from);
    return lane;
  }

 private:
  std::vector<uint64_t> ends_;
};

constexpr EditKind kKinds[] = {EditKind::kFlush,     EditKind::kCompaction, EditKind::kTrivialMove,
                               EditKind::kIngestion, EditKind::kDeletion,   EditKind::kDropFamily};

bool HasLevel(const JobReport& job) {
  return job.kind == EditKind::kCompaction || job.kind == EditKind::kTrivialMove;
}

// "compaction → L1"
std::string RowName(const JobReport& job) {
  std::string name(EditKindName(job.kind));
  std::replace(name.begin(), name.end(), '_', ' ');
  return HasLevel(job) ? name + " → L" + std::to_string(job.output_level) : name;
}

uint64_t ThreadOf(const JobReport& job, size_t lane) {
  const auto kind = static_cast<uint64_t>(
      std::find(std::begin(kKinds), std::end(kKinds), job.kind) - std::begin(kKinds));
  const uint64_t level = HasLevel(job) ? static_cast<uint64_t>(job.output_level) : 0;
  return 1 + (kind * uint64_t{kNumLevelsMax} + level) * kLanesOfRow + lane;
}

Json FileNames(const std::vector<JobFile>& files) {
  Json names = Json::array();
  for (const JobFile& file : files) {
    names.push_back(std::to_string(file.number) + " (L" + std::to_string(file.level) + ")");
  }
  return names;
}

Json ArgumentsOf(const JobReport& job) {
  Json arguments = Json::object();
  if (job.job) arguments["job"] = *job.job;
  if (job.edit != 0) arguments["edit"] = std::to_string(job.edit);
  if (!job.reason.empty()) arguments["reason"] = job.reason;
  arguments["inputs"] = FileNames(job.inputs);
  arguments["outputs"] = FileNames(job.outputs);
  arguments["bytes_read"] = job.bytes_read;
  arguments["bytes_written"] = job.bytes_written;
  return arguments;
}

// What a MANIFEST says of the tables of a family, after each of its edits.
class Tables {
 public:
  void Apply(const JobReport& job) {
    for (const JobFile& file : job.inputs) Remove(file.number);
    for (const JobFile& file : job.outputs) {
      Remove(file.number);
      files_.insert({file.number, file});
      Count(file, 1);
    }
  }

  uint64_t level0_files() const { return level0_files_; }
  uint64_t bytes() const { return bytes_; }

 private:
  void Remove(FileNumber number) {
    const auto known = files_.find(number);
    if (known == files_.end()) return;
    Count(known->second, -1);
    files_.erase(known);
  }

  void Count(const JobFile& file, int sign) {
    const auto times = static_cast<uint64_t>(int64_t{sign});  // Modulo 2^64: nothing is lost.
    if (file.level == 0) level0_files_ += times;
    bytes_ += times * file.size;
  }

  std::unordered_map<FileNumber, JobFile> files_;
  uint64_t level0_files_ = 0, bytes_ = 0;
};

// A span as it was written: where an arrow can begin or end.
struct Slice {
  uint64_t process, thread, from, to;
};

class TraceWriter {
 public:
  explicit TraceWriter(Sink& out) : out_(out) { out_.Write("{\"traceEvents\":["); }

  void Write(const JobSpan& span) {
    const JobReport& job = *span.job;
    const std::string row = RowName(job);
    const size_t lane = lanes_[{job.family_id, row}].LaneOf(span);
    const uint64_t process = uint64_t{job.family_id} + 1;  // 0 is no process to some readers.
    const uint64_t thread = ThreadOf(job, lane);
    Name(process, 0, "process_name", "column family " + EscapeForDisplay(job.family));
    Name(process, thread, "thread_name",
         lane == 0 ? row : row + " (" + std::to_string(lane + 1) + ")");
    Json event = {{"name", row},
                  {"cat", std::string(EditKindName(job.kind))},
                  {"ph", span.to ? "X" : "i"},
                  {"pid", process},
                  {"tid", thread},
                  {"ts", span.from}};
    if (span.to) {
      event["dur"] = *span.to - span.from;
    } else {
      event["s"] = "t";  // As high as its lane.
    }
    event["args"] = ArgumentsOf(job);
    Add(event);
    if (span.to && *span.to > span.from) {
      slices_.insert({&job, {process, thread, span.from, *span.to}});
    }
  }

  // Of every table that one span made and another consumed. An arrow belongs to the slice around
  // its time: it begins within the last microsecond of one.
  void WriteFlows(const std::vector<const JobReport*>& jobs) {
    std::unordered_map<FileNumber, const JobReport*> made_by;
    for (const JobReport* job : jobs) {
      for (const JobFile& file : job->inputs) {
        const auto maker = made_by.find(file.number);
        if (maker != made_by.end()) WriteFlow(*maker->second, *job, file.number);
      }
      for (const JobFile& file : job->outputs) made_by[file.number] = job;
    }
  }

  // `jobs`: all of a family.
  void WriteCounters(const std::vector<const JobReport*>& jobs) {
    std::map<ColumnFamilyId, Tables> tables;
    for (const JobReport* job : jobs) {
      if (job->edit == 0) continue;  // What was there before is not known.
      Tables& of = tables[job->family_id];
      of.Apply(*job);
      const std::optional<JobSpan> span = SpanOf(*job);
      if (!span) continue;
      const uint64_t at = span->to.value_or(span->from);
      const uint64_t process = uint64_t{job->family_id} + 1;
      Name(process, 0, "process_name", "column family " + EscapeForDisplay(job->family));
      WriteCounter(process, at, "L0 files", "files", of.level0_files());
      WriteCounter(process, at, "table bytes", "bytes", of.bytes());
    }
  }

  void Finish() { out_.Write("\n],\"displayTimeUnit\":\"ms\"}\n"); }

 private:
  // Of a process or a thread, once.
  void Name(uint64_t process, uint64_t thread, std::string_view what, const std::string& name) {
    if (!named_.insert({process, thread}).second) return;
    Add({{"name", std::string(what)},
         {"ph", "M"},
         {"pid", process},
         {"tid", thread},
         {"args", {{"name", name}}}});
  }

  void WriteFlow(const JobReport& maker, const JobReport& consumer, FileNumber number) {
    const auto from = slices_.find(&maker), to = slices_.find(&consumer);
    if (from == slices_.end() || to == slices_.end()) return;
    const uint64_t begin = from->second.to - 1;
    if (to->second.from < begin) return;  // No clock says so of what happened.
    ++flows_;
    Json event = {{"name", "table " + std::to_string(number)},
                  {"cat", "table"},
                  {"ph", "s"},
                  {"id", flows_},
                  {"pid", from->second.process},
                  {"tid", from->second.thread},
                  {"ts", begin}};
    Add(event);
    event["ph"] = "f";
    event["bp"] = "e";
    event["pid"] = to->second.process;
    event["tid"] = to->second.thread;
    event["ts"] = to->second.from;
    Add(event);
  }

  void WriteCounter(uint64_t process, uint64_t at, std::string_view name, std::string_view unit,
                    uint64_t value) {
    Add({{"name", std::string(name)},
         {"ph", "C"},
         {"pid", process},
         {"tid", 0},
         {"ts", at},
         {"args", {{std::string(unit), value}}}});
  }

  void Add(const Json& event) {
    out_.Write((first_ ? "\n" : ",\n") + api::Dump(event));
    first_ = false;
  }

  Sink& out_;
  bool first_ = true;
  std::map<std::pair<ColumnFamilyId, std::string>, Lanes> lanes_;
  std::set<std::pair<uint64_t, uint64_t>> named_;
  std::unordered_map<const JobReport*, Slice> slices_;
  uint64_t flows_ = 0;
};

}  // namespace

uint64_t WriteJobTrace(Sink& out, const std::vector<const JobReport*>& jobs,
                       const std::vector<const JobReport*>& all_jobs) {
  std::vector<JobSpan> spans;
  uint64_t timeless = 0;
  for (const JobReport* job : jobs) {
    if (job->kind == EditKind::kSnapshot) continue;
    if (const std::optional<JobSpan> span = SpanOf(*job)) {
      spans.push_back(*span);
    } else {
      ++timeless;
    }
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const JobSpan& a, const JobSpan& b) { return a.from < b.from; });
  TraceWriter writer(out);
  for (const JobSpan& span : spans) writer.Write(span);
  writer.WriteFlows(all_jobs);
  writer.WriteCounters(all_jobs);
  writer.Finish();
  return timeless;
}

}  // namespace varve::cli
