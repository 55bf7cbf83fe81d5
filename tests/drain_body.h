// SPDX-License-Identifier: Apache-2.0
// The bodies of responses, for tests that do not stream.
#pragma once

#include <string>
#include <utility>

#include "webview/api/routing/response.h"

namespace varve::api {

// The whole body, streams included.
inline std::string DrainBody(Response* response) {
  std::string body = std::move(response->body);
  if (response->stream == nullptr) return body;
  std::string piece;
  while (response->stream->Next(&piece) == BodyStream::Event::kPiece) body += piece;
  return body;
}

}  // namespace varve::api
