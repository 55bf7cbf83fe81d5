// SPDX-License-Identifier: Apache-2.0
// RocksDB's LOG: its events, the jobs that they tell of, and the history that is made of both.
#include "core/inspect/history/event_log.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/fs/memory_fs.h"
#include "core/inspect/history/history.h"
#include "core/inspect/history/log_jobs.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

// A member's text is within the object's.
void Split(std::string_view json) {
  const auto inside = [&](std::string_view part) {
    return part.empty() ||
           (part.data() >= json.data() && part.data() + part.size() <= json.data() + json.size());
  };
  if (const auto members = SplitJsonObject(json)) {
    for (const auto& [name, value] : *members) {
      Must(inside(name) && inside(value), "a member is within its object");
      Must(FindMember(*members, name) != nullptr, "a member is found by its name");
    }
  }
  if (const auto values = SplitJsonArray(json)) {
    for (const std::string_view value : *values) Must(inside(value), "a value is in its array");
  }
}

void Run(std::string_view bytes) {
  Split(bytes);
  const auto fs = NewMemoryFileSystem();
  MustBeOk(fs->CreateDirectory("db"), "db");
  WriteFile(*fs, "db/LOG", bytes);
  auto events = EventLogReader::Open(*fs, "db");
  MustBeOk(events.status(), "LOG");
  LogEvent event;
  while (events->Next(&event)) {
    Must(bytes.substr(event.offset).starts_with(event.json), "an event is where it says");
    Must(SplitJsonObject(event.json).has_value(), "an event is an object");
  }
  MustBeOk(events->status(), "LOG");
  auto jobs = ReadLogJobs(*fs, "db");
  MustBeOk(jobs.status(), "LOG");
  HistoryReport history;
  JoinLogJobs(*std::move(jobs), &history);
  const LineageIndex index(history);
  for (const JobReport& job : history.jobs) {
    for (const JobFile& file : job.outputs) {
      Must(index.Of(file.number).has_value(), "what a job made has a life");
    }
  }
}

}  // namespace

const Target event_log = {"event_log", Run};

}  // namespace varve::fuzz
