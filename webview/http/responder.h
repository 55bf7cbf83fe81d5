// SPDX-License-Identifier: Apache-2.0
// Turns an accepted request into bytes on the wire, using the AnswerSource and the asset table.
// Boost.Beast writes the heads and chunks.
#pragma once

#include <atomic>
#include <semaphore>
#include <string>
#include <utility>

#include "webview/http/access.h"
#include "webview/http/answer_source.h"
#include "webview/http/request_head.h"
#include "webview/http/transfer.h"

namespace varve::http {

inline constexpr int kWorkingMax = 8;   // Requests processed at the same time.
inline constexpr int kStreamsMax = 16;  // Long or endless answers.
inline constexpr int kUploadsMax = 4;   // Bodies that are read in pieces.

// Thread-safe.
class Responder {
 public:
  Responder(AnswerSource source, Access& access) : source_(std::move(source)), access_(access) {}

  // False: the connection must be closed.
  bool Answer(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
              std::string body);
  // The same for a body that is read while it is answered (IsUpload()).
  bool AnswerUpload(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                    api::BodySource& body);
  // Ends streams soon.
  void Stop() { stopping_ = true; }

 private:
  bool AnswerFromApi(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                     std::string body);
  bool AnswerAboutSession(Transfer& transfer, const RequestHead& head, const std::string& body);
  bool SendStream(Transfer& transfer, const RequestHead& head, const api::Caller& caller,
                  const api::Response& answer);

  const AnswerSource source_;
  Access& access_;
  std::counting_semaphore<> working_{kWorkingMax}, streams_{kStreamsMax}, uploads_{kUploadsMax};
  std::atomic<bool> stopping_{false};
};

// The whole answer to a refused request; the connection is closed after it. Without body for HEAD.
std::string RefusalBytes(const Refusal& refusal, bool head_only);

}  // namespace varve::http
