// SPDX-License-Identifier: Apache-2.0
// CompactionQueue is a CompactionService whose worker is a function of Python:
//
//   engine   Schedule -> Wait* -> Cancel
//   Python   Next -> the function -> End      (varve/_compaction.py: a thread for each job)
//
// Threads of the engine never take the GIL, and never wait for Python longer than Wait() may: the
// database can be closed, and the interpreter can end, whatever the function is at.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "varve/compaction_service.h"

namespace varve::python {

// A compaction that is offered to Python. Thread-safe; needs no GIL.
class CompactionOffer {
 public:
  CompactionOffer(CompactionServiceJob job, std::string bytes)
      : job_(std::move(job)), bytes_(std::move(bytes)) {}

  const CompactionServiceJob& job() const { return job_; }
  const std::string& bytes() const { return bytes_; }  // Of the job file.
  // Whether nobody waits for it any more.
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  friend class CompactionQueue;

  const CompactionServiceJob job_;
  const std::string bytes_;
  std::atomic<bool> cancelled_{false};
  // Once it has ended; guarded by the queue: what was returned, or empty if the result is in the
  // folder of the job already.
  std::optional<Result<std::string>> ended_;
};

// Thread-safe; needs no GIL.
class CompactionQueue final : public CompactionService {
 public:
  explicit CompactionQueue(std::string name) : name_(std::move(name)) {}

  // For Python. The next job, for which it waits; null: there will be none.
  std::shared_ptr<CompactionOffer> Next();
  // The bytes of a result, nothing if it is in the folder of the job, or why there is none.
  void End(CompactionOffer& offer, Result<std::string> result);
  // No database uses it any more. Next() gives null from now on.
  void Close();

  // For the engine, through which nothing may be thrown: without memory, the process ends.
  std::string_view name() const noexcept override { return name_; }
  Status Schedule(const CompactionServiceJob& job) noexcept override;
  Result<bool> Wait(const CompactionServiceJob& job, uint64_t micros) noexcept override;
  void Cancel(const CompactionServiceJob& job) noexcept override;

 private:
  const std::string name_;
  std::mutex mu_;
  std::condition_variable offered_, ended_;
  bool closed_ = false;                                           // These are guarded by mu_.
  std::deque<std::shared_ptr<CompactionOffer>> offers_;           // Not taken by Python yet.
  std::map<std::string, std::shared_ptr<CompactionOffer>> jobs_;  // Not cancelled, by their ids.
};

}  // namespace varve::python
