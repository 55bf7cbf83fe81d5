// SPDX-License-Identifier: Apache-2.0
// The HTTP server: accepts connections and answers requests.
//
//   Listener --fd--> Connections (32, the longest waited for makes room)
//            --> a thread of the pool:
//                Transfer: the head, 5 s --> HeadParser --> CheckRequest --> the body, 5 s
//                --> Responder --> the answer --> the next request of the connection
//                The body of an upload is read by who answers it: 10 s for each 64 KiB.
//
// A request that HeadParser or CheckRequest refuses is answered here and the connection is closed;
// it does not reach the router.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "webview/http/answer_source.h"
#include "webview/http/connections.h"
#include "webview/http/guard.h"
#include "webview/http/listener.h"
#include "webview/http/responder.h"

namespace varve::http {

class WorkerThreads;

// Serves from Start() until it is destroyed. Thread-safe.
class Server {
 public:
  static std::unique_ptr<Server> Start(Listener listener, GuardRules rules, AnswerSource source);
  // Waits for running requests.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

 private:
  Server(Listener listener, GuardRules rules, AnswerSource source);
  void Take(int fd);
  void Serve(Connections::Entry* entry);
  // Serves one request of the connection, whose bytes so far are in `buffer`. False: close it.
  bool ServeRequest(Transfer& transfer, bool first, std::string* buffer);
  bool ServeUpload(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                   std::string* buffer);
  static bool ReadHead(Transfer& transfer, bool first, std::string* buffer, RequestHead* head);
  static bool Refuse(Transfer& transfer, const Refusal& refusal, const RequestHead& head);

  Listener listener_;
  const GuardRules rules_;
  Responder responder_;
  Connections connections_;
  std::unique_ptr<WorkerThreads> workers_;
  std::thread accepting_;
};

}  // namespace varve::http
