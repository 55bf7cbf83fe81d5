// SPDX-License-Identifier: Apache-2.0
#include "webview/api/jobs.h"

#include <algorithm>
#include <exception>
#include <new>

#include "core/base/out_of_memory.h"
#include "webview/api/json/json.h"
#include "webview/api/schema/fields.h"
#include "webview/api/target.h"

namespace varve::api {

std::string_view JobStateName(Job::State state) {
  switch (state) {
    case Job::State::kQueued:
      return "queued";
    case Job::State::kRunning:
      return "running";
    case Job::State::kDone:
      return "done";
    case Job::State::kFailed:
      return "failed";
    case Job::State::kCancelled:
      break;
  }
  return "cancelled";
}

uint64_t JobTask::ResultBytes() const {
  return Dump(ResultJson()).size() + Dump(Findings()).size();
}

namespace {

Result<bool> StepAndMeasure(JobTask& task, JobControl& control, uint64_t* result_bytes) {
  Result<bool> done = task.Step(control);
  if (done.ok() && *done) *result_bytes = task.ResultBytes();
  return done;
}

// On the thread of all jobs, what is thrown would end the server.
Result<bool> StepOf(JobTask& task, JobControl& control, uint64_t* result_bytes) {
#if defined(__cpp_exceptions)
  try {
    const OutOfMemoryThrows throws;
    return StepAndMeasure(task, control, result_bytes);
  } catch (const std::bad_alloc&) {
    return Status::IoError("no memory for the job");
  } catch (const std::exception& error) {
    return Status::IoError(error.what());
  }
#else
  return StepAndMeasure(task, control, result_bytes);
#endif
}

}  // namespace

Job::Job(uint64_t number, Origin origin, std::unique_ptr<JobTask> task,
         uint64_t started_unix_micros)
    : id_("j" + std::to_string(number)),
      origin_(std::move(origin)),
      started_unix_micros_(started_unix_micros),
      task_(std::move(task)) {}

Job::State Job::state() const {
  MutexLock lock(mu_);
  return state_;
}

JobProgress Job::progress() const {
  MutexLock lock(mu_);
  return progress_;
}

bool Job::ended() const {
  const State now = state();
  return now != State::kQueued && now != State::kRunning;
}

uint64_t Job::ended_micros() const {
  MutexLock lock(mu_);
  return ended_micros_;
}

void Job::Cancel() {
  cancelled_.store(true, std::memory_order_relaxed);
  // A running task sees it within its step; a queued one never starts.
  MutexLock lock(mu_);
  if (state_ == State::kQueued) state_ = State::kCancelled;
}

const JobTask* Job::finished_task() const {
  return state() == State::kDone ? task_.get() : nullptr;
}

uint64_t Job::result_bytes() const {
  MutexLock lock(mu_);
  return result_bytes_;
}

void Job::Step(Clock& clock, uint64_t budget_micros) {
  {
    MutexLock lock(mu_);
    if (state_ == State::kQueued) state_ = State::kRunning;
    if (state_ != State::kRunning) return;
  }
  JobControl control(cancelled_, clock, clock.NowMicros() + budget_micros);
  control.report = [this](const JobProgress& progress) {
    MutexLock lock(mu_);
    progress_ = progress;
  };
  uint64_t result_bytes = 0;
  const Result<bool> done = StepOf(*task_, control, &result_bytes);
  MutexLock lock(mu_);
  if (!done.ok()) {
    state_ = State::kFailed;
    problem_ = Problem(done.status());
  } else if (*done && (task_->lasting() || !control.cancelled())) {
    state_ = State::kDone;
    result_bytes_ = result_bytes;
  } else if (control.cancelled()) {
    state_ = State::kCancelled;
  }
  if (state_ != State::kRunning) ended_micros_ = clock.NowMicros();
}

namespace {

// The state of a job at one moment.
struct JobView {
  const std::string& id;
  const std::string& kind;
  const std::string& user;
  Job::State state;
  JobProgress progress;
  uint64_t started_unix_micros;
  std::string href;
  std::optional<Json> problem;
};

const Fields<JobProgress>& ProgressFields() {
  static const auto fields =
      Fields<JobProgress>("JobProgress")
          .Number("done", Unit::kNone, &JobProgress::done, "so far")
          .Number("total", Unit::kNone, &JobProgress::total, "0: unknown")
          .Text("unit", &JobProgress::unit, "what is counted: bytes, records");
  return fields;
}

const Fields<JobView>& JobViewFields() {
  static const auto fields =
      Fields<JobView>("Job")
          .Text(
              "id", [](const JobView& job) { return job.id; }, "by which paths name it")
          .Text(
              "kind", [](const JobView& job) { return job.kind; }, "verify, analysis, ...")
          .Text(
              "user",
              [](const JobView& job) {
                return job.user.empty() ? std::nullopt : std::optional(job.user);
              },
              "who started it, where users have names")
          .Choice(
              "state", {"queued", "running", "done", "failed", "cancelled"},
              [](const JobView& job) { return JobStateName(job.state); },
              "what has become of it so far")
          .Object("progress", &JobView::progress, ProgressFields(), "of its work")
          .Number("started_unix_us", Unit::kUnixMicroseconds, &JobView::started_unix_micros,
                  "when it was asked for")
          .Text("href", &JobView::href, "where it is shown")
          .Text(
              "result_href",
              [](const JobView& job) {
                return job.state == Job::State::kDone ? std::optional(job.href + "/result")
                                                      : std::nullopt;
              },
              "where its result is, once it is done")
          .Other("problem", ProblemRef(), &JobView::problem, "why it failed");
  return fields;
}

}  // namespace

Json Job::ToJson() const {
  MutexLock lock(mu_);
  return JobViewFields().ToJson({id_, origin_.kind, origin_.user, state_, progress_,
                                 started_unix_micros_,
                                 "/api/v1/targets/" + origin_.target->id() + "/jobs/" + id_,
                                 problem_ ? std::optional(problem_->ToJson()) : std::nullopt});
}

Json JobSchema() { return JobViewFields().Schema(); }

Answer<std::shared_ptr<Job>> Jobs::Start(Job::Origin origin, std::unique_ptr<JobTask> task) {
  std::shared_ptr<Job> job;
  std::function<void()> waker;
  {
    MutexLock lock(mu_);
    if (UsageLocked().unfinished >= kUnfinishedMax) {
      return Problem("rate_limited", "too many jobs are unfinished; wait for one, or cancel one");
    }
    const auto is_full = [&]() REQUIRES(mu_) {
      const JobsUsage usage = UsageLocked();
      return usage.kept >= kKeptMax || usage.result_bytes >= kResultBytesMax;
    };
    while (is_full()) {
      if (!ForgetOldest()) {
        return Problem("rate_limited", "too many results are kept; delete one");
      }
    }
    job = std::make_shared<Job>(++last_number_, std::move(origin), std::move(task),
                                clock_.UnixMicros());
    slots_.push_back({.job = job});
    waker = waker_;
  }
  if (waker != nullptr) waker();
  return job;
}

JobsUsage Jobs::Usage() const {
  MutexLock lock(mu_);
  return UsageLocked();
}

JobsUsage Jobs::UsageLocked() const {
  JobsUsage usage{.kept = slots_.size()};
  for (const Slot& slot : slots_) {
    usage.unfinished += slot.job->ended() ? 0 : 1;
    usage.result_bytes += slot.job->result_bytes();
  }
  return usage;
}

bool Jobs::ForgetOldest() {
  const uint64_t now = clock_.NowMicros();
  auto oldest = slots_.end();
  for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
    if (slot->stepping || !slot->job->ended()) continue;
    const uint64_t ended = slot->job->ended_micros();
    if (now - std::min(now, ended) < kForgottenMicros) continue;
    if (oldest == slots_.end() || ended < oldest->job->ended_micros()) oldest = slot;
  }
  if (oldest == slots_.end()) return false;
  slots_.erase(oldest);
  return true;
}

std::vector<std::shared_ptr<Job>> Jobs::Of(const Target& target, const Rights& rights) const {
  MutexLock lock(mu_);
  std::vector<std::shared_ptr<Job>> jobs;
  for (const Slot& slot : slots_) {
    const Job::Origin& origin = slot.job->origin();
    if (origin.target.get() == &target && rights.Have(origin.needs)) jobs.push_back(slot.job);
  }
  return jobs;
}

Answer<std::shared_ptr<Job>> Jobs::Find(const Target& target, const Rights& rights,
                                        std::string_view id) const {
  for (const std::shared_ptr<Job>& job : Of(target, rights)) {
    if (job->id() == id) return job;
  }
  return Problem("job_not_found", "there is no job of that name");
}

void Jobs::Forget(const Job& job) {
  MutexLock lock(mu_);
  std::erase_if(slots_, [&](const Slot& slot) { return slot.job.get() == &job; });
}

void Jobs::ForgetTarget(const Target& target) {
  MutexLock lock(mu_);
  for (const Slot& slot : slots_) {
    if (slot.job->origin().target.get() == &target) slot.job->Cancel();
  }
  std::erase_if(slots_,
                [&](const Slot& slot) { return slot.job->origin().target.get() == &target; });
}

void Jobs::CancelAll() {
  MutexLock lock(mu_);
  for (const Slot& slot : slots_) slot.job->Cancel();
}

bool Jobs::Step(uint64_t budget_micros) {
  std::shared_ptr<Job> job;
  {
    MutexLock lock(mu_);
    Slot* next = nullptr;
    for (Slot& slot : slots_) {
      if (slot.stepping || slot.job->ended()) continue;
      if (next == nullptr || slot.last_turn < next->last_turn) next = &slot;
    }
    if (next == nullptr) return false;
    next->stepping = true;
    next->last_turn = ++turns_;
    job = next->job;
  }
  job->Step(clock_, budget_micros);
  MutexLock lock(mu_);
  for (Slot& slot : slots_) {
    if (slot.job == job) slot.stepping = false;
  }
  return true;
}

void Jobs::SetWaker(std::function<void()> waker) {
  MutexLock lock(mu_);
  waker_ = std::move(waker);
}

}  // namespace varve::api
