// SPDX-License-Identifier: Apache-2.0
// Jobs: work that takes too long for a request, done in steps, so that a browser can run it on its
// only thread, and a server on a separate thread.
//
//   queued --Step--> running --Step…--> done
//      \________________\______________ failed   (the task says why)
//       \________________\_____________ cancelled (DELETE; noticed between and within steps)
//
// Results are kept until the job is deleted or its target closed. Of as many as are kept, the one
// that has ended longest ago, an hour at least, gives way to a new one: clients die.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"
#include "varve/result.h"
#include "webview/api/routing/answer.h"
#include "webview/api/routing/reply.h"
#include "webview/api/routing/rights.h"

namespace varve::api {

class Target;

struct JobProgress {
  uint64_t done = 0, total = 0;  // total 0: unknown.
  std::string unit = "bytes";
};

// How a running task accesses its job.
class JobControl {
 public:
  JobControl(const std::atomic<bool>& cancelled, Clock& clock, uint64_t until_micros)
      : cancelled_(cancelled), clock_(clock), until_micros_(until_micros) {}

  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // Step() should return soon: its time is over, or the job was cancelled.
  bool ShouldPause() const { return cancelled() || clock_.NowMicros() >= until_micros_; }

  std::function<void(const JobProgress&)> report;  // Never null during a step.

 private:
  const std::atomic<bool>& cancelled_;
  Clock& clock_;
  const uint64_t until_micros_;
};

// One kind of work. One thread at a time calls Step(); the other functions are called, from any
// thread, after it has returned true.
class JobTask {
 public:
  virtual ~JobTask() = default;
  // Continues until control.ShouldPause() or until it is finished; true: finished.
  virtual Result<bool> Step(JobControl& control) = 0;

  virtual std::string_view schema() const = 0;  // Of the result: "varve.verify/1".
  virtual Json ResultJson() const = 0;          // Follows the head of …/result.
  virtual int exit_code() const { return 0; }
  virtual Json Findings() const { return Json::array(); }  // Rows of …/findings.
  // Whether what Step() did stays done, so that a job which was cancelled too late is done.
  virtual bool lasting() const { return false; }
  // What keeping the result takes, approximately.
  uint64_t ResultBytes() const;
};

class Job {
 public:
  enum class State : uint8_t { kQueued, kRunning, kDone, kFailed, kCancelled };

  // What is known of it from the start.
  struct Origin {
    std::string kind = {};
    std::string user = {};                // Caller::name of who started it.
    std::vector<Right> needs = {};        // Who has not all of them does not see it.
    std::shared_ptr<Target> target = {};  // It is listed there.
    Json as_of = {};                      // When it was started.
  };

  Job(uint64_t number, Origin origin, std::unique_ptr<JobTask> task, uint64_t started_unix_micros);

  const std::string& id() const { return id_; }
  const Origin& origin() const { return origin_; }

  State state() const;
  JobProgress progress() const;
  bool ended() const;
  // By the clock of Step(); 0 until then, and if it was cancelled before it began.
  uint64_t ended_micros() const;
  void Cancel();  // Idempotent; no effect on a job that has ended.
  Json ToJson() const;
  // Null until the job is done.
  const JobTask* finished_task() const;
  uint64_t result_bytes() const;  // JobTask::ResultBytes(); 0 until the job is done.

  // Works for about `budget_micros`. Jobs ensures that only one thread calls it at a time. A step
  // that runs out of memory fails this job alone.
  void Step(Clock& clock, uint64_t budget_micros);

 private:
  const std::string id_;
  const Origin origin_;
  const uint64_t started_unix_micros_;
  const std::unique_ptr<JobTask> task_;
  std::atomic<bool> cancelled_{false};

  mutable Mutex mu_;
  State state_ GUARDED_BY(mu_) = State::kQueued;
  JobProgress progress_ GUARDED_BY(mu_);
  std::optional<Problem> problem_ GUARDED_BY(mu_);
  uint64_t result_bytes_ GUARDED_BY(mu_) = 0;
  uint64_t ended_micros_ GUARDED_BY(mu_) = 0;
};
std::string_view JobStateName(Job::State state);
Json JobSchema();  // Of Job::ToJson().

// What the jobs of a service take at this moment.
struct JobsUsage {
  uint64_t unfinished = 0;    // Queued or running.
  uint64_t kept = 0;          // All that were not deleted.
  uint64_t result_bytes = 0;  // Of the results of those that are done.
};

// Thread-safe.
class Jobs {
 public:
  static constexpr size_t kUnfinishedMax = 8;
  static constexpr size_t kKeptMax = 64;
  static constexpr uint64_t kResultBytesMax = uint64_t{64} << 20;
  static constexpr uint64_t kForgottenMicros = uint64_t{3600} * 1000000;

  explicit Jobs(Clock& clock) : clock_(clock) {}

  // rate_limited when too many are unfinished, or stored.
  Answer<std::shared_ptr<Job>> Start(Job::Origin origin, std::unique_ptr<JobTask> task);
  JobsUsage Usage() const EXCLUDES(mu_);
  // The jobs of a target that somebody with these rights may see, oldest first.
  std::vector<std::shared_ptr<Job>> Of(const Target& target, const Rights& rights) const;
  Answer<std::shared_ptr<Job>> Find(const Target& target, const Rights& rights,
                                    std::string_view id) const;
  void Forget(const Job& job);
  void ForgetTarget(const Target& target);
  // Cancels all that have not ended, including those within a step.
  void CancelAll();

  // Works on the unfinished job that has waited longest for a step, of those that no other thread
  // works on; false: there is none. So a short one is not held up by a long one, unless that has
  // steps which do not end. A server calls this in a loop on separate threads, a browser between
  // frames.
  bool Step(uint64_t budget_micros);

  // The waker is called (on the thread that starts a job) when there is work; a server wakes its
  // thread.
  void SetWaker(std::function<void()> waker) EXCLUDES(mu_);

 private:
  JobsUsage UsageLocked() const REQUIRES(mu_);
  // False: all are needed, or may be.
  bool ForgetOldest() REQUIRES(mu_);

  Clock& clock_;
  mutable Mutex mu_;
  struct Slot {
    std::shared_ptr<Job> job;
    bool stepping = false;
    uint64_t last_turn = 0;  // Which step of all was its last one; 0: none was.
  };
  std::vector<Slot> slots_ GUARDED_BY(mu_);
  uint64_t last_number_ GUARDED_BY(mu_) = 0;
  uint64_t turns_ GUARDED_BY(mu_) = 0;
  std::function<void()> waker_ GUARDED_BY(mu_);
};

}  // namespace varve::api
