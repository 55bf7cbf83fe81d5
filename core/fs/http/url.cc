// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/url.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/url.h"

namespace varve {
namespace {

constexpr size_t kUrlBytesMax = 8 << 10;

std::string FromEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// What decoding makes of "." in a path: "%2e" or "%2E".
std::string DotsDecoded(std::string_view segment) {
  std::string decoded;
  for (size_t i = 0; i < segment.size(); ++i) {
    const std::string_view three = segment.substr(i, 3);
    if (three == "%2e" || three == "%2E") {
      decoded += '.';
      i += 2;
    } else {
      decoded += segment[i];
    }
  }
  return decoded;
}

bool HasDotSegments(std::string_view path) {
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    const std::string decoded = DotsDecoded(segment);
    if (decoded == "." || decoded == "..") return true;
    path.remove_prefix(std::min(path.size(), segment.size() + 1));
  }
  return false;
}

// The URL of s3://bucket/key, and its signature's parameters.
Status FindObjectStore(std::string_view bucket, std::string_view key, UrlRoot* root) {
  std::string region = FromEnvironment("AWS_REGION");
  if (region.empty()) region = FromEnvironment("AWS_DEFAULT_REGION");
  if (region.empty()) region = "us-east-1";
  std::string endpoint = FromEnvironment("AWS_ENDPOINT_URL_S3");
  if (endpoint.empty()) endpoint = FromEnvironment("AWS_ENDPOINT_URL");
  while (endpoint.ends_with('/')) endpoint.pop_back();
  const std::string name(bucket);
  if (!endpoint.empty()) {
    if (!endpoint.starts_with("http://") && !endpoint.starts_with("https://")) {
      return Status::InvalidArgument("AWS_ENDPOINT_URL is not an http or https URL");
    }
    root->requested = endpoint + "/" + name;
  } else if (bucket.find('.') == std::string_view::npos) {
    root->requested = "https://" + name + ".s3." + region + ".amazonaws.com";
  } else {  // No certificate covers a bucket's name with dots.
    root->requested = "https://s3." + region + ".amazonaws.com/" + name;
  }
  root->requested += key;
  const std::string id = FromEnvironment("AWS_ACCESS_KEY_ID");
  if (id.empty()) return Status::Ok();  // A public bucket.
  root->user = id + ":" + FromEnvironment("AWS_SECRET_ACCESS_KEY");
  root->signer = "aws:amz:" + region + ":s3";
  root->token = FromEnvironment("AWS_SESSION_TOKEN");
  return Status::Ok();
}

// Of an http or https URL without a user.
Result<uint16_t> PortOf(std::string_view url) {
  const bool secure = url.starts_with("https://");
  std::string_view host = url.substr(secure ? 8 : 7);
  host = host.substr(0, host.find('/'));
  const size_t colon = host.rfind(':');
  const size_t bracket = host.rfind(']');  // Of an IPv6 address.
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) {
    return static_cast<uint16_t>(secure ? 443 : 80);
  }
  const std::optional<uint64_t> port = ParseDecimal(host.substr(colon + 1));
  if (!port || *port == 0 || *port > 65'535) {
    // Not shown: what looks like a port may be a password with a / or ? that is not encoded.
    return Status::InvalidArgument(
        "the port of a URL is not 1 to 65535; in a user or password, encode : / ? # and @");
  }
  return static_cast<uint16_t>(*port);
}

}  // namespace

bool IsUrl(std::string_view path) {
  return path.starts_with("http://") || path.starts_with("https://") || path.starts_with("s3://");
}

Result<UrlRoot> ParseUrl(std::string_view url) {
  const size_t scheme_end = url.find("://");
  if (!IsUrl(url)) return Status::InvalidArgument("not an http, https or s3 URL");
  const std::string scheme(url.substr(0, scheme_end + 3));
  std::string_view rest = url.substr(scheme.size());
  UrlRoot root;
  const size_t query = rest.find('?');
  if (query != std::string_view::npos) root.query = rest.substr(query);
  rest = rest.substr(0, query);
  const size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view host = rest.substr(0, slash);
  std::string_view path = rest.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (const size_t at = host.rfind('@'); at != std::string_view::npos) {
    root.user = host.substr(0, at);
    host.remove_prefix(at + 1);
  }
  root.shown = scheme + std::string(host) + std::string(path);
  const auto refuse = [&root](const char* why) {
    return Status::InvalidArgument(EscapeForDisplay(root.shown) + ": " + why);
  };
  if (host.empty()) return refuse("the URL names no host");
  if (url.size() > kUrlBytesMax) return refuse("the URL is longer than 8 KiB");
  for (const char c : url) {
    if (c <= ' ' || c == 0x7f || c == '\\') return refuse("the URL has characters to be encoded");
  }
  if (url.find('#') != std::string_view::npos) return refuse("a URL with a fragment (#)");
  if (HasDotSegments(path)) return refuse("a URL with . or .. in its path");
  root.requested = root.shown;
  if (scheme == "s3://") {
    if (!root.user.empty() || !root.query.empty()) return refuse("an s3 URL with user or query");
    RETURN_IF_ERROR(FindObjectStore(host, path, &root));
  }
  ASSIGN_OR_RETURN(root.port, PortOf(root.requested));
  return root;
}

Result<uint16_t> UrlPort(std::string_view url) {
  ASSIGN_OR_RETURN(const UrlRoot root, ParseUrl(url));
  return root.port;
}

bool IsAtOrBelow(std::string_view path, std::string_view root) {
  if (!path.starts_with(root)) return false;
  const std::string_view below = path.substr(root.size());
  return below.empty() || (below.front() == '/' && !HasDotSegments(below) &&
                           below.find_first_of("?#\\") == std::string_view::npos);
}

}  // namespace varve
