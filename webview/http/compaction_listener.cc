// SPDX-License-Identifier: Apache-2.0
#include "webview/http/compaction_listener.h"

#include <atomic>
#include <utility>

#include "core/base/out_of_memory.h"
#include "core/base/try.h"
#include "core/fs/http/token_file.h"
#include "webview/api/routing/problem.h"
#include "webview/http/listener.h"
#include "webview/http/server.h"

namespace varve {
namespace {

constexpr uint64_t kJobBytesMax = uint64_t{64} << 20;
constexpr std::string_view kPlace = "/api/v1/compactions";

Result<std::string> ReadAll(api::BodySource& source) {
  if (source.size() > kJobBytesMax) {
    return Status::InvalidArgument("a job has at most 64 MiB, this one has " +
                                   std::to_string(source.size()) + " bytes");
  }
  std::string bytes;
  for (;;) {
    ASSIGN_OR_RETURN(const std::string_view piece, source.Next());
    if (piece.empty()) return bytes;
    bytes += piece;
  }
}

}  // namespace

class CompactionListener::State {
 public:
  explicit State(CompactionListenerOptions given) : options(std::move(given)) {}

  api::Response Answer(const api::Request& request) const {
    if (request.target != kPlace) {
      return api::Problem("resource_not_found", "a worker has only " + std::string(kPlace))
          .ToResponse();
    }
    if (request.source == nullptr) {
      return api::Problem("unsupported_media_type",
                          "a job is a POST of the type " + std::string(api::kBytesType))
          .ToResponse();
    }
    const Result<std::string> job = ReadAll(*request.source);
    if (!job.ok()) return api::Problem(job.status()).ToResponse();
    std::string result;
    const Result<CompactionWorkerReport> report = Run(*request.source, *job, &result);
    if (options.done) options.done(report);
    if (result.empty()) return api::Problem(report.status()).ToResponse();
    return {.headers = {{"Content-Type", std::string(api::kBytesType)}}, .body = std::move(result)};
  }

  const CompactionListenerOptions options;
  uint16_t port = 0;
  std::unique_ptr<http::Access> access;
  std::unique_ptr<http::Server> server;  // Ends first.

 private:
  Result<CompactionWorkerReport> Run(const api::BodySource& client, const std::string& job,
                                     std::string* result) const {
    const OutOfMemoryEnds ends;  // An exception would pass through the engine.
    // Looked at whenever there is progress: every tenth of a second.
    std::atomic<bool> give_up{false};
    CompactionWorkerOptions worker = options.worker;
    worker.cancelled = &give_up;
    worker.progress = [&](uint64_t read, uint64_t total) {
      const std::atomic<bool>* const all = options.worker.cancelled;
      if (client.abandoned() || (all != nullptr && all->load(std::memory_order_relaxed))) {
        give_up.store(true, std::memory_order_relaxed);
      }
      if (options.worker.progress) options.worker.progress(read, total);
    };
    return RunSentCompactionJob(worker, job, result);
  }
};

CompactionListener::CompactionListener(std::unique_ptr<State> state) : state_(std::move(state)) {}
CompactionListener::~CompactionListener() = default;

Result<std::unique_ptr<CompactionListener>> CompactionListener::Start(
    CompactionListenerOptions options) {
  auto state = std::make_unique<State>(std::move(options));
  const CompactionListenerOptions& given = state->options;
  ASSIGN_OR_RETURN(const std::string token, ReadTokenFile(given.token_file));
  ASSIGN_OR_RETURN(http::Listener listener, http::Listener::Open(given.address, given.port));
  state->port = listener.port();
  state->access = std::make_unique<http::Access>(token);
  http::GuardRules rules{.hosts = http::AllowedHosts(given.address, state->port),
                         .access = state->access.get(),
                         .write = true};
  http::AnswerSource source{
      .api = [of = state.get()](const api::Request& request) { return of->Answer(request); }};
  state->server = http::Server::Start(std::move(listener), std::move(rules), std::move(source));
  return std::unique_ptr<CompactionListener>(new CompactionListener(std::move(state)));
}

uint16_t CompactionListener::port() const { return state_->port; }

}  // namespace varve
