// SPDX-License-Identifier: Apache-2.0
// The parts of a URL (RFC 3986), and where the objects of s3:// URLs are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve {

// Where the files below a URL are, and what each request carries.
struct UrlRoot {
  std::string shown;        // "https://host/db": without user, query and slashes at the end.
  std::string requested;    // What requests name instead of `shown`; differs for s3:// only.
  std::string query = {};   // Behind each requested path: "?X-Amz-Signature=...", or nothing.
  std::string user = {};    // "name:password", or nothing.
  std::string signer = {};  // CURLOPT_AWS_SIGV4: "aws:amz:eu-west-1:s3", or nothing.
  std::string token = {};   // AWS_SESSION_TOKEN.
  uint16_t port = 0;        // That requests go to.

  bool operator==(const UrlRoot&) const = default;
};

// See MountUrl() for the errors.
Result<UrlRoot> ParseUrl(std::string_view url);

// Whether `path` is `root` or below it, without "." and ".." after decoding.
bool IsAtOrBelow(std::string_view path, std::string_view root);

}  // namespace varve
