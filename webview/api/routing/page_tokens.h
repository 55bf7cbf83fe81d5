// SPDX-License-Identifier: Apache-2.0
// Page tokens: the position where a list continues, bound to its request.
//
//   token = base64url( form | hash, 8 bytes | edit, varint | position )
//
// The hash covers the binding and the rest of the token, so truncated or modified tokens are
// rejected.
//
// The binding is the caller, the path and the query without page_token, page_size and bytes, so
// using a token with another request is distinguished from a database that has changed. A position
// too long for a URL is stored here, and the token refers to it; the oldest are dropped, which
// gives "expired".
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "core/base/threads/mutex.h"
#include "webview/api/routing/answer.h"

namespace varve::api {

// Thread-safe.
class PageTokens {
 public:
  std::string Make(std::string_view binding, uint64_t edit, std::string_view position);

  struct Place {
    uint64_t edit = 0;
    std::string position;
  };
  // page_token_mismatch for invalid tokens and for tokens of another request; page_token_expired if
  // the position was dropped.
  Answer<Place> Open(std::string_view token, std::string_view binding);

 private:
  static constexpr size_t kInlineBytesMax = 512;
  static constexpr size_t kKeptMax = 256;
  static constexpr size_t kKeptBytesMax = 32 << 20;

  // The hash in a token is no secret, so a token that refers to it can be made up.
  struct Kept {
    uint64_t number;
    std::string binding, position;
    size_t bytes() const { return binding.size() + position.size(); }
  };

  Mutex mu_;
  std::deque<Kept> kept_ GUARDED_BY(mu_);
  size_t kept_bytes_ GUARDED_BY(mu_) = 0;
  uint64_t last_kept_ GUARDED_BY(mu_) = 0;
};

}  // namespace varve::api
