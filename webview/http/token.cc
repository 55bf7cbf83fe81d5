// SPDX-License-Identifier: Apache-2.0
#include "webview/http/token.h"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/base/text/text.h"

namespace varve::http {

Result<std::string> MakeToken() {
  std::array<char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return Status::IoError(std::string("no random bytes for a token: ") + std::strerror(errno));
  }
  return HexBytes({bytes.data(), bytes.size()});
}

bool TokensEqual(std::string_view expected, std::string_view given) {
  // The length is not secret (all tokens made here have the same); compare all bytes.
  if (expected.size() != given.size() || expected.empty()) return false;
  volatile unsigned char different = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    different = different | static_cast<unsigned char>(expected[i] ^ given[i]);
  }
  return different == 0;
}

}  // namespace varve::http
