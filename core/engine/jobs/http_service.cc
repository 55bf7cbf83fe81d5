// SPDX-License-Identifier: Apache-2.0
// A request for each job, whose answer is the result: NewHttpCompactionService(). Only these two
// small files are sent; the tables are in storage that both see.
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/text/text.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"
#include "varve/compaction_service.h"
#include "varve/file_system.h"

#ifndef __EMSCRIPTEN__
#include <pthread.h>

#include "core/fs/http/http_call.h"
#include "core/fs/http/token_file.h"
#endif

namespace varve {
namespace {

#ifdef __EMSCRIPTEN__

class HttpService : public CompactionService {
 public:
  HttpService(const Environment& /*env*/, const std::string& url, const std::string& /*token_file*/)
      : name_(url) {}
  std::string_view name() const override { return name_; }
  Status Schedule(const CompactionServiceJob& /*job*/) override {
    return Status::NotSupported("there are no sockets here");
  }
  Result<bool> Wait(const CompactionServiceJob& /*job*/, uint64_t /*micros*/) override {
    return Status::NotSupported("there are no sockets here");
  }
  void Cancel(const CompactionServiceJob& /*job*/) override {}

 private:
  const std::string name_;
};

#else

// What a worker answers that has no result, as far as it is text.
std::string Excerpt(const std::string& body) {
  constexpr size_t kShown = 200;
  constexpr std::string_view kDetail = "\"detail\":\"";
  std::string_view text = body;
  if (const size_t at = text.find(kDetail); at != std::string_view::npos) {
    text.remove_prefix(at + kDetail.size());
    text = text.substr(0, text.find('"'));
  }
  return text.empty() ? "" : ": " + EscapeForDisplay(text.substr(0, kShown));
}

// A request that is out. One thread sends it; others wait.
class JobCall {
 public:
  JobCall(std::string url, std::string token, std::string job)
      : call_({.method = "POST",
               .url = std::move(url),
               .token = std::move(token),
               .type = "application/octet-stream",
               .body = std::move(job),
               .answer_max = kRemoteFileMax,
               .deadline_millis = 0,
               .cancelled = &cancelled_}) {}
  JobCall(const JobCall&) = delete;
  JobCall& operator=(const JobCall&) = delete;
  ~JobCall() {
    cancelled_.store(true, std::memory_order_relaxed);
    if (thread_) pthread_join(*thread_, nullptr);
  }

  // Once. Not std::thread, whose constructor throws.
  Status Start() {
    pthread_t thread;
    if (const int error = pthread_create(&thread, nullptr, &Main, this); error != 0) {
      return Status::IoError(std::string("no thread that sends the job: ") + std::strerror(error));
    }
    thread_ = thread;
    return Status::Ok();
  }

  // Null after `micros`.
  const Result<HttpCallAnswer>* Await(uint64_t micros) EXCLUDES(mu_) {
    MutexLock lock(mu_);
    if (!answer_) ended_.WaitFor(mu_, micros);
    return answer_ ? &*answer_ : nullptr;
  }

 private:
  static void* Main(void* call) {
    static_cast<JobCall*>(call)->Send();
    return nullptr;
  }

  void Send() EXCLUDES(mu_) {
    Result<HttpCallAnswer> answer = CallHttp(call_);
    MutexLock lock(mu_);
    answer_ = std::move(answer);
    ended_.NotifyAll();
  }

  std::atomic<bool> cancelled_{false};
  const HttpCall call_;
  Mutex mu_;
  CondVar ended_;
  std::optional<Result<HttpCallAnswer> > answer_ GUARDED_BY(mu_);  // Set once.
  std::optional<pthread_t> thread_;
};

class HttpService : public CompactionService {
 public:
  HttpService(const Environment& env, const std::string& url, const std::string& token_file)
      : env_(Complete(env)), url_(url), token_file_(token_file) {}

  std::string_view name() const override { return url_; }

  Status Schedule(const CompactionServiceJob& job) override {
    std::string token;
    if (!token_file_.empty()) {
      ASSIGN_OR_RETURN(token, ReadTokenFile(token_file_));
    }
    ASSIGN_OR_RETURN(std::string bytes,
                     ReadFileToString(*env_.file_system, job.path, kRemoteFileMax));
    auto call =
        std::make_shared<JobCall>(url_ + "/api/v1/compactions", std::move(token), std::move(bytes));
    RETURN_IF_ERROR(call->Start());
    MutexLock lock(mu_);
    calls_[job.id] = std::move(call);
    return Status::Ok();
  }

  Result<bool> Wait(const CompactionServiceJob& job, uint64_t micros) override {
    std::shared_ptr<JobCall> call;
    {
      MutexLock lock(mu_);
      const auto found = calls_.find(job.id);
      if (found == calls_.end()) {
        return Status::InvalidArgument("job " + job.id + " was not sent");
      }
      call = found->second;
    }
    const Result<HttpCallAnswer>* const answer = call->Await(micros);
    if (answer == nullptr) return false;
    RETURN_IF_ERROR(answer->status());
    const HttpCallAnswer& answered = **answer;
    if (answered.code != 200) {
      return Status::IoError("the worker answered " + std::to_string(answered.code) +
                             Excerpt(answered.body));
    }
    // What it says is verified as every result is.
    const std::string path = JoinPath(job.folder, std::string(kRemoteResultName));
    RETURN_IF_ERROR(ReplaceFileDurably(*env_.file_system, path + ".tmp", path, answered.body));
    return true;
  }

  // The worker notices that nobody waits for its answer.
  void Cancel(const CompactionServiceJob& job) override {
    std::shared_ptr<JobCall> call;  // Ends after the lock: its thread is waited for.
    MutexLock lock(mu_);
    const auto found = calls_.find(job.id);
    if (found == calls_.end()) return;
    call = std::move(found->second);
    calls_.erase(found);
  }

 private:
  const Environment env_;
  const std::string url_, token_file_;
  Mutex mu_;
  std::map<std::string, std::shared_ptr<JobCall> > calls_ GUARDED_BY(mu_);
};

#endif

}  // namespace

std::unique_ptr<CompactionService> NewHttpCompactionService(const Environment& env,
                                                            const std::string& url,
                                                            const std::string& token_file) {
  return std::make_unique<HttpService>(env, url, token_file);
}

}  // namespace varve
