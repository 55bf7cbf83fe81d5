// SPDX-License-Identifier: Apache-2.0
// Tables and databases that a web server or an object store has, read by range requests (libcurl):
//
//   Result<std::string> path = varve::MountUrl("https://store.example/backup/monday", {});
//   auto db = varve::DB::OpenReadOnly({}, *path);
//
// NativeEnvironment().file_system reads what is at or below a mounted URL, and changes nothing.
// All other URLs are refused, so no file of a database and no request to a server can name one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "varve/export.h"
#include "varve/result.h"

namespace varve {

// How the files below a URL are read. Plain data.
struct HttpOptions {
  // Directory for blocks that were read, for later runs; created if missing, usable by several
  // processes at once. Empty: none is kept.
  std::string cache_directory = {};
  // Bytes of `cache_directory` above which the blocks that were not used for longest are deleted.
  uint64_t cache_bytes = uint64_t{1} << 30;
  // Value of the Authorization header. Sent to the host of the URL, never to one that a redirect
  // names. Empty: the user and password of the URL, or those that ~/.netrc has for the host.
  std::string authorization = {};
  // File of the certificates (PEM) that are trusted. Empty: the system's.
  std::string ca_file = {};
  // File to use instead of ~/.netrc. Empty: ~/.netrc.
  std::string netrc_file = {};
  // Milliseconds within which a read ends, with its repetitions; 1 or more.
  uint64_t deadline_millis = 60'000;
  // How often a request is made that fails in a way that may pass; 1 or more.
  uint32_t attempts = 6;
  // Bytes of blocks kept in memory, for all files below the URL.
  uint64_t memory_bytes = uint64_t{32} << 20;

  bool operator==(const HttpOptions&) const = default;  // All members are equal.

  // From the environment: VARVE_HTTP_CACHE, VARVE_HTTP_CACHE_SIZE (bytes, or 512M),
  // VARVE_HTTP_AUTHORIZATION, VARVE_HTTP_TIMEOUT (seconds), CURL_CA_BUNDLE or SSL_CERT_FILE, and
  // NETRC. kInvalidArgument names a variable whose value cannot be read.
  VARVE_EXPORT static Result<HttpOptions> FromEnvironment();
};

// What reading from URLs took, in this process.
struct HttpStats {
  uint64_t requests = 0;       // Sent, with repetitions, without the requests of redirects.
  uint64_t bytes = 0;          // Of bodies received.
  uint64_t retries = 0;        // Requests made again.
  uint64_t memory_hits = 0;    // Blocks found in memory.
  uint64_t cache_hits = 0;     // Blocks found in HttpOptions::cache_directory.
  uint64_t cache_damaged = 0;  // Blocks found there that were damaged, and read again.
};

// Whether `path` is a URL: begins with http://, https:// or s3://. Thread-safe.
VARVE_EXPORT bool IsUrl(std::string_view path);

// Lets NativeEnvironment().file_system read what is at or below `url`, and returns the path by
// which it does so: the URL without user, password and query, which no message then shows. Both are
// sent with each request. `s3://bucket/key` is read from AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or
// Amazon, signed (AWS Signature Version 4) with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_SESSION_TOKEN if they are set, for AWS_REGION or AWS_DEFAULT_REGION.
//
// A second call with the same URL changes the options of what is opened after it. Sends no request.
// kInvalidArgument: not a URL, or with `..` or a fragment. kIoError: the directory for the cache
// cannot be made or written to. kNotSupported: built without libcurl, or libcurl is not installed.
// Thread-safe; lasts as long as the process.
VARVE_EXPORT Result<std::string> MountUrl(std::string_view url, const HttpOptions& options);

// The TCP port that the requests for `url`, or for the path that it is mounted as, go to, unless a
// proxy is configured or a redirect leads elsewhere: for programs that confine themselves.
// kInvalidArgument as for MountUrl(). Thread-safe.
VARVE_EXPORT Result<uint16_t> UrlPort(std::string_view url);

// What was read so far from all mounted URLs. Thread-safe.
VARVE_EXPORT HttpStats UrlStats();

}  // namespace varve
