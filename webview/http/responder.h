// SPDX-License-Identifier: Apache-2.0
// From a request that the door has let in to bytes on the wire: answers of the AnswerSource and of the
// asset table. Boost.Beast writes the heads and chunks.
#pragma once

#include <atomic>
#include <semaphore>
#include <string>
#include <utility>

#include "webview/http/answer_source.h"
#include "webview/http/request_head.h"
#include "webview/http/transfer.h"

namespace varve::http {

inline constexpr int kWorkingMax = 8;   // Requests that are being worked on at once.
inline constexpr int kStreamsMax = 16;  // Answers that are long or never end.

// Thread-safe.
class Responder {
 public:
  explicit Responder(AnswerSource source) : source_(std::move(source)) {}

  // False: the connection is to be closed.
  bool Answer(Transfer& transfer, const RequestHead& head, std::string body);
  // Streams end soon.
  void Stop() { stopping_ = true; }

 private:
  bool AnswerFromApi(Transfer& transfer, const RequestHead& head, std::string body);
  bool SendStream(Transfer& transfer, const RequestHead& head, const api::Response& answer);

  const AnswerSource source_;
  std::counting_semaphore<> working_{kWorkingMax}, streams_{kStreamsMax};
  std::atomic<bool> stopping_{false};
};

// The whole answer to a request that is not let in; the connection closes after it. To HEAD, no
// body.
std::string RefusalBytes(const Refusal& refusal, bool head_only);

}  // namespace varve::http
