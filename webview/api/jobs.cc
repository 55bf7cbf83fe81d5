// SPDX-License-Identifier: Apache-2.0
#include "webview/api/jobs.h"

#include <algorithm>

#include "webview/api/schema/schema.h"
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

Job::Job(uint64_t number, std::string kind, std::shared_ptr<Target> target, Json as_of,
         std::unique_ptr<JobTask> task, uint64_t started_unix_micros)
    : id_("j" + std::to_string(number)),
      kind_(std::move(kind)),
      target_(std::move(target)),
      as_of_(std::move(as_of)),
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

void Job::Cancel() {
  cancelled_.store(true, std::memory_order_relaxed);
  // A task in the middle of a step sees it there; one that waits never starts.
  MutexLock lock(mu_);
  if (state_ == State::kQueued) state_ = State::kCancelled;
}

const JobTask* Job::finished_task() const {
  return state() == State::kDone ? task_.get() : nullptr;
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
  const Result<bool> done = task_->Step(control);
  MutexLock lock(mu_);
  if (!done.ok()) {
    state_ = State::kFailed;
    problem_ = Problem(done.status());
  } else if (*done && !control.cancelled()) {
    state_ = State::kDone;
  } else if (control.cancelled()) {
    state_ = State::kCancelled;
  }
}

Json Job::ToJson() const {
  MutexLock lock(mu_);
  const std::string href = "/api/v1/targets/" + target_->id() + "/jobs/" + id_;
  Json json = {{"id", id_},
               {"kind", kind_},
               {"state", std::string(JobStateName(state_))},
               {"progress",
                {{"done", progress_.done}, {"total", progress_.total}, {"unit", progress_.unit}}},
               {"started_unix_us", started_unix_micros_},
               {"href", href}};
  if (state_ == State::kDone) json["result_href"] = href + "/result";
  if (problem_) json["problem"] = problem_->ToJson();
  return json;
}

Json JobSchemaMembers() {
  return Object("Job",
                {{"id", Text()},
                 {"kind", Text()},
                 {"state", OneOf({"queued", "running", "done", "failed", "cancelled"})},
                 {"progress", Object({{"done", Number()}, {"total", Number()}, {"unit", Text()}})},
                 {"started_unix_us", Number()},
                 {"href", Text()},
                 {"result_href", Text(), kOptional},
                 {"problem", ProblemRef(), kOptional}});
}

Answer<std::shared_ptr<Job>> Jobs::Start(std::string kind, std::shared_ptr<Target> target,
                                         Json as_of, std::unique_ptr<JobTask> task) {
  std::shared_ptr<Job> job;
  std::function<void()> waker;
  {
    MutexLock lock(mu_);
    const auto unfinished = std::count_if(slots_.begin(), slots_.end(),
                                          [](const Slot& slot) { return !slot.job->ended(); });
    if (static_cast<size_t>(unfinished) >= kUnfinishedMax) {
      return Problem("rate_limited", "too many jobs are unfinished; wait for one, or cancel one");
    }
    if (slots_.size() >= kKeptMax) {
      return Problem("rate_limited", "too many results are kept; delete one");
    }
    job = std::make_shared<Job>(++last_number_, std::move(kind), std::move(target),
                                std::move(as_of), std::move(task), clock_.UnixMicros());
    slots_.push_back({.job = job});
    waker = waker_;
  }
  if (waker != nullptr) waker();
  return job;
}

std::vector<std::shared_ptr<Job>> Jobs::Of(const Target& target) const {
  MutexLock lock(mu_);
  std::vector<std::shared_ptr<Job>> jobs;
  for (const Slot& slot : slots_) {
    if (slot.job->target() == &target) jobs.push_back(slot.job);
  }
  return jobs;
}

Answer<std::shared_ptr<Job>> Jobs::Find(const Target& target, std::string_view id) const {
  for (const std::shared_ptr<Job>& job : Of(target)) {
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
    if (slot.job->target() == &target) slot.job->Cancel();
  }
  std::erase_if(slots_, [&](const Slot& slot) { return slot.job->target() == &target; });
}

void Jobs::CancelAll() {
  MutexLock lock(mu_);
  for (const Slot& slot : slots_) slot.job->Cancel();
}

bool Jobs::Step(uint64_t budget_micros) {
  std::shared_ptr<Job> job;
  {
    MutexLock lock(mu_);
    for (Slot& slot : slots_) {
      if (slot.stepping || slot.job->ended()) continue;
      slot.stepping = true;
      job = slot.job;
      break;
    }
  }
  if (job == nullptr) return false;
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
