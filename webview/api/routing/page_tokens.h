// SPDX-License-Identifier: Apache-2.0
// Page tokens: where a list goes on, bound to what was asked.
//
//   token = base64url( form | hash, 8 bytes | edit, varint | position )
//
// The hash is over the binding and all that follows it here, so a token that was cut or changed is
// none.
//
// The binding is the path and the query without page_token, page_size and bytes, so a token used
// with another question is told from one whose database has moved on. A position too long for a URL
// is kept here and the token names it; the oldest are forgotten, which is what "expired" means.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/mutex.h"
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
  // page_token_mismatch for what is no token, or one of another question; page_token_expired for
  // one whose position has been forgotten.
  Answer<Place> Open(std::string_view token, std::string_view binding);

 private:
  static constexpr size_t kInlineBytesMax = 512;
  static constexpr size_t kKeptMax = 256;
  static constexpr size_t kKeptBytesMax = 32 << 20;

  Mutex mu_;
  std::deque<std::pair<uint64_t, std::string>> kept_ GUARDED_BY(mu_);
  size_t kept_bytes_ GUARDED_BY(mu_) = 0;
  uint64_t last_kept_ GUARDED_BY(mu_) = 0;
};

}  // namespace varve::api
