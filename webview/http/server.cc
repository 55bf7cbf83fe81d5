// SPDX-License-Identifier: Apache-2.0
#include "webview/http/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/out_of_memory.h"
#include "core/base/threads/mutex.h"
#include "webview/http/request_head.h"

namespace varve::http {
namespace {

constexpr int kRequestsPerConnectionMax = 1000;

// A body as it comes: what is in `buffer` already, then what the peer sends.
class ArrivingBody : public api::BodySource {
 public:
  ArrivingBody(Transfer& transfer, uint64_t size, std::string* buffer)
      : transfer_(transfer), size_(size), left_(size), buffer_(*buffer) {}

  uint64_t size() const override { return size_; }
  bool complete() const { return left_ == 0; }
  bool abandoned() const override { return transfer_.PeerGone(); }

  Result<std::string_view> Next() override {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(left_, kPieceBytes));
    const uint64_t deadline = NowMicros() + kPieceTime;
    while (buffer_.size() < wanted) {
      const Transfer::Waiting waiting(transfer_);
      switch (transfer_.Read(deadline, &buffer_)) {
        case Transfer::Outcome::kMore:
          break;
        case Transfer::Outcome::kClosed:
          return Status::IoError("the client has left before the end of the body");
        case Transfer::Outcome::kTimeout:
          return Status::IoError("64 KiB of the body took more than 10 seconds to arrive");
      }
    }
    piece_ = buffer_.substr(0, wanted);
    buffer_.erase(0, wanted);
    left_ -= wanted;
    return std::string_view(piece_);
  }

 private:
  static constexpr size_t kPieceBytes = 64 << 10;

  Transfer& transfer_;
  const uint64_t size_;
  uint64_t left_;
  std::string& buffer_;  // May have bytes behind the body.
  std::string piece_;
};

}  // namespace

// One thread per possible connection. The threads of evicted connections are freed immediately.
class WorkerThreads {
 public:
  // Throws std::thread's exception if the system cannot create them, leaving none running.
  WorkerThreads() {
    try {
      while (threads_.size() < kConnectionsMax) threads_.emplace_back([this] { Work(); });
    } catch (const std::system_error&) {
      Shutdown();
      throw;
    }
  }
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;
  ~WorkerThreads() { Shutdown(); }

  void Add(std::function<void()> task) {
    MutexLock lock(mu_);
    tasks_.push_back(std::move(task));
    woken_.NotifyOne();
  }
  // Completes what was added before.
  void Shutdown() {
    {
      MutexLock lock(mu_);
      stop_ = true;
      woken_.NotifyAll();
    }
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void Work() {
    for (;;) {
      std::function<void()> task;
      {
        MutexLock lock(mu_);
        while (tasks_.empty() && !stop_) woken_.Wait(mu_);
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  Mutex mu_;
  CondVar woken_;
  std::deque<std::function<void()>> tasks_ GUARDED_BY(mu_);
  bool stop_ GUARDED_BY(mu_) = false;
  std::vector<std::thread> threads_;
};

std::unique_ptr<Server> Server::Start(Listener listener, GuardRules rules, AnswerSource source) {
  auto server =
      std::unique_ptr<Server>(new Server(std::move(listener), std::move(rules), std::move(source)));
  server->accepting_ = std::thread(
      [server = server.get()] { server->listener_.Run([server](int fd) { server->Take(fd); }); });
  return server;
}

Server::Server(Listener listener, GuardRules rules, AnswerSource source)
    : listener_(std::move(listener)),
      rules_(std::move(rules)),
      responder_(std::move(source), *rules_.access),
      workers_(std::make_unique<WorkerThreads>()) {}

Server::~Server() {
  listener_.Interrupt();
  connections_.Close();
  if (accepting_.joinable()) accepting_.join();  // Not joinable if it could not be started.
  responder_.Stop();
  connections_.ShutDownAll();
  workers_->Shutdown();
}

void Server::Take(int fd) {
  Connections::Entry* entry = nullptr;
  // Without memory for a connection, it is closed, and the next one may find some.
  try {
    const OutOfMemoryThrows throws;
    entry = connections_.Admit(fd);
    if (entry != nullptr) {
      workers_->Add([this, entry] { Serve(entry); });
      return;
    }
    // All workers are busy. This thread must not wait for the peer: the answer fits into the
    // socket's buffer, or is lost.
    const std::string busy =
        RefusalBytes({503, "rate_limited", "too many connections at once; try again"}, false);
    [[maybe_unused]] const ssize_t sent =
        send(fd, busy.data(), busy.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  } catch (const std::bad_alloc&) {
    if (entry != nullptr) connections_.Remove(entry);
  }
  close(fd);
}

void Server::Serve(Connections::Entry* entry) {
  // Without memory for this request or its answer, this connection ends, and no other.
  try {
    const OutOfMemoryThrows throws;
    Transfer transfer(entry);
    std::string buffer;
    for (int n = 0; n < kRequestsPerConnectionMax; ++n) {
      if (!ServeRequest(transfer, n == 0, &buffer)) break;
    }
  } catch (const std::exception&) {
  }
  const int fd = entry->fd;
  // First, because a closed descriptor number may be reused immediately.
  connections_.Remove(entry);
  close(fd);
}

bool Server::Refuse(Transfer& transfer, const Refusal& refusal, const RequestHead& head) {
  transfer.Write(RefusalBytes(refusal, head.method == "HEAD"), NowMicros() + kWriteTime);
  transfer.LetPeerFinish();
  return false;
}

bool Server::ReadHead(Transfer& transfer, bool first, std::string* buffer, RequestHead* head) {
  const Transfer::Waiting waiting(transfer);
  HeadParser parser;
  bool asked = !buffer->empty();
  // A connection that has been served may be idle; a new one is expected to send a request.
  const bool may_rest = !first && !asked;
  uint64_t deadline = NowMicros() + (may_rest ? kIdleTime : kHeadTime);
  for (;;) {
    if (auto refusal = parser.Take(buffer, head)) return Refuse(transfer, *refusal, *head);
    if (parser.done()) return true;
    switch (transfer.Read(deadline, buffer)) {
      case Transfer::Outcome::kMore:
        if (may_rest && !asked) deadline = NowMicros() + kHeadTime;
        asked = true;
        break;
      case Transfer::Outcome::kClosed:
        return false;
      case Transfer::Outcome::kTimeout:
        if (!asked) return false;
        return Refuse(transfer,
                      {408, "bad_request", "the request took more than 5 seconds to arrive"},
                      *head);
    }
  }
}

bool Server::ServeUpload(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                         std::string* buffer) {
  ArrivingBody body(transfer, head.content_length, buffer);
  const bool goes_on = responder_.AnswerUpload(transfer, head, caller, body);
  if (body.complete()) return goes_on;
  // It was refused before all of it came: what follows is no request.
  transfer.LetPeerFinish();
  return false;
}

bool Server::ServeRequest(Transfer& transfer, bool first, std::string* buffer) {
  RequestHead head;
  if (!ReadHead(transfer, first, buffer, &head)) return false;
  api::Caller caller;
  if (auto refusal = CheckRequest(rules_, head, &caller)) return Refuse(transfer, *refusal, head);

  if (IsUpload(head)) return ServeUpload(transfer, head, caller, buffer);
  const uint64_t deadline = NowMicros() + kBodyTime;
  while (buffer->size() < head.content_length) {
    const Transfer::Waiting waiting(transfer);
    switch (transfer.Read(deadline, buffer)) {
      case Transfer::Outcome::kMore:
        break;
      case Transfer::Outcome::kClosed:
        return false;
      case Transfer::Outcome::kTimeout:
        return Refuse(transfer, {408, "bad_request", "the body took more than 5 seconds to arrive"},
                      head);
    }
  }
  std::string body = buffer->substr(0, head.content_length);
  buffer->erase(0, head.content_length);
  return responder_.Answer(transfer, head, caller, std::move(body));
}

}  // namespace varve::http
