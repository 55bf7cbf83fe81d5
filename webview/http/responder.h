// SPDX-License-Identifier: Apache-2.0
// Responder is what cpp-httplib does here: from a request that the door has let in to bytes on the
// wire. It never listens, accepts, reads a socket, sees a header or a body of a client, matches a
// pattern or opens a file; it writes answers (lengths, chunks, HEAD) from the AnswerSource and the
// asset table.
#pragma once

#include <memory>
#include <semaphore>
#include <string>
#include <string_view>

#include "webview/http/answer_source.h"
#include "webview/http/request_head.h"
#include "webview/http/transfer.h"

namespace varve::http {

inline constexpr int kWorkingMax = 8;   // Requests that are being worked on at once.
inline constexpr int kStreamsMax = 16;  // Answers that are long or never end.

// Thread-safe.
class Responder {
 public:
  // `listening` is the descriptor of an open socket: cpp-httplib ends its streams when it has none.
  Responder(AnswerSource source, int listening);
  ~Responder();

  // False: the connection is to be closed.
  bool Answer(Transfer& transfer, const RequestHead& head, std::string body);
  // Streams end soon.
  void Stop();

 private:
  class Engine;  // httplib::Server.
  std::unique_ptr<Engine> engine_;
};

// The whole answer to a request that is not let in; the connection closes after it. To HEAD, no
// body.
std::string RefusalBytes(const Refusal& refusal, bool head_only);

}  // namespace varve::http
