// SPDX-License-Identifier: Apache-2.0
#include "core/python/compaction_queue.h"

#include <chrono>
#include <utility>

#include "varve/environment.h"
#include "varve/file_system.h"

namespace varve::python {
namespace {

// Job files are small, and of this process.
constexpr uint64_t kJobMax = uint64_t{64} << 20;

// The engine reads it afterwards, and removes it with the folder: it need not be durable.
Status WriteResult(const std::string& folder, const std::string& bytes) {
  Result<std::unique_ptr<WritableFile>> created =
      NativeEnvironment().file_system->Create(folder + "/RESULT", /*direct=*/false);
  if (!created.ok()) return created.status();
  if (Status appended = (*created)->Append(bytes); !appended.ok()) return appended;
  return (*created)->Close();
}

}  // namespace

std::shared_ptr<CompactionOffer> CompactionQueue::Next() {
  std::unique_lock lock(mu_);
  offered_.wait(lock, [&] { return closed_ || !offers_.empty(); });
  if (closed_) return nullptr;
  std::shared_ptr<CompactionOffer> next = std::move(offers_.front());
  offers_.pop_front();
  return next;
}

void CompactionQueue::End(CompactionOffer& offer, Result<std::string> result) {
  const std::lock_guard lock(mu_);
  offer.ended_ = std::move(result);
  ended_.notify_all();
}

void CompactionQueue::Close() {
  const std::lock_guard lock(mu_);
  closed_ = true;
  offered_.notify_all();
}

Status CompactionQueue::Schedule(const CompactionServiceJob& job) noexcept {
  Result<std::string> bytes = ReadFileToString(*NativeEnvironment().file_system, job.path, kJobMax);
  if (!bytes.ok()) return bytes.status();
  auto offer = std::make_shared<CompactionOffer>(job, *std::move(bytes));
  const std::lock_guard lock(mu_);
  jobs_[job.id] = offer;
  offers_.push_back(std::move(offer));
  offered_.notify_one();
  return Status::Ok();
}

Result<bool> CompactionQueue::Wait(const CompactionServiceJob& job, uint64_t micros) noexcept {
  Result<std::string> result = std::string();
  {
    std::unique_lock lock(mu_);
    const CompactionOffer& offer = *jobs_.at(job.id);
    if (!ended_.wait_for(lock, std::chrono::microseconds(micros),
                         [&] { return offer.ended_.has_value(); })) {
      return false;
    }
    result = *offer.ended_;
  }
  if (!result.ok()) return result.status();
  if (result->empty()) return true;
  if (Status written = WriteResult(job.folder, *result); !written.ok()) return written;
  return true;
}

void CompactionQueue::Cancel(const CompactionServiceJob& job) noexcept {
  const std::lock_guard lock(mu_);
  const auto found = jobs_.find(job.id);
  if (found == jobs_.end()) return;
  found->second->cancelled_.store(true, std::memory_order_relaxed);
  std::erase(offers_, found->second);
  jobs_.erase(found);
}

}  // namespace varve::python
