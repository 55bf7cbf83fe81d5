// SPDX-License-Identifier: Apache-2.0
// MountUrl() and what it is about: varve/url.h. Here, because the files of a database on a web
// server are found by its MANIFEST.
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "core/base/text/quantity.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/fs/url_router.h"
#include "varve/environment.h"
#include "varve/url.h"
#if VARVE_HAVE_CURL
#include "core/fs/http/disk_cache.h"
#include "core/fs/http/http_client.h"
#include "core/fs/http/http_fs.h"
#include "core/version/url_folder.h"
#endif

namespace varve {
namespace {

std::string Setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Result<HttpOptions> HttpOptions::FromEnvironment() {
  HttpOptions options;
  options.cache_directory = Setting("VARVE_HTTP_CACHE");
  options.authorization = Setting("VARVE_HTTP_AUTHORIZATION");
  options.netrc_file = Setting("NETRC");
  options.ca_file = Setting("CURL_CA_BUNDLE");
  if (options.ca_file.empty()) options.ca_file = Setting("SSL_CERT_FILE");
  if (options.authorization.find_first_of("\r\n") != std::string::npos) {
    return Status::InvalidArgument("VARVE_HTTP_AUTHORIZATION: has more than one line");
  }
  if (const std::string size = Setting("VARVE_HTTP_CACHE_SIZE"); !size.empty()) {
    const std::optional<uint64_t> bytes = ParseByteSize(size);
    if (!bytes) return Status::InvalidArgument("VARVE_HTTP_CACHE_SIZE: not a size: " + size);
    options.cache_bytes = *bytes;
  }
  if (const std::string timeout = Setting("VARVE_HTTP_TIMEOUT"); !timeout.empty()) {
    const std::optional<uint64_t> seconds = ParseDecimal(timeout);
    if (!seconds || *seconds == 0 || *seconds > 86'400) {
      return Status::InvalidArgument("VARVE_HTTP_TIMEOUT: not 1 to 86400 seconds: " + timeout);
    }
    options.deadline_millis = *seconds * 1'000;
  }
  return options;
}

#if VARVE_HAVE_CURL
namespace {

// How each path was mounted last.
struct Mounts {
  Mutex mu;
  std::map<std::string, std::pair<UrlRoot, HttpOptions>> last GUARDED_BY(mu);
};

}  // namespace

Result<std::string> MountUrl(std::string_view url, const HttpOptions& options) {
  ASSIGN_OR_RETURN(UrlRoot root, ParseUrl(url));
  if (options.attempts == 0 || options.deadline_millis == 0) {
    return Status::InvalidArgument(root.shown + ": no attempts, or no time, to read it");
  }
  if (!options.cache_directory.empty()) {
    if (IsUrl(options.cache_directory)) {
      return Status::InvalidArgument("the cache for what is read from URLs is a directory here");
    }
    RETURN_IF_ERROR(DiskCache::Prepare(options.cache_directory));
  }
  Environment env = NativeEnvironment();
  env.file_system = &NativeRouter().local();
  const std::string shown = root.shown;
  static auto* const kMounts = new Mounts;
  MutexLock lock(kMounts->mu);
  // The same again, as programs that open a database many times do: the memory is shared.
  const auto last = kMounts->last.find(shown);
  if (last != kMounts->last.end() && last->second == std::pair(root, options)) return shown;
  ASSIGN_OR_RETURN(auto files, NewHttpFileSystem(root, options, env, ListUrlFolder));
  NativeRouter().Mount(shown, std::move(files));
  kMounts->last.insert_or_assign(shown, std::pair(std::move(root), options));
  return shown;
}

HttpStats UrlStats() {
  const HttpCounters& counters = TheHttpCounters();
  const auto read = [](const std::atomic<uint64_t>& counter) {
    return counter.load(std::memory_order_relaxed);
  };
  return {.requests = read(counters.requests),
          .bytes = read(counters.bytes),
          .retries = read(counters.retries),
          .memory_hits = read(counters.memory_hits),
          .cache_hits = read(counters.cache_hits),
          .cache_damaged = read(counters.cache_damaged)};
}
#else
Result<std::string> MountUrl(std::string_view, const HttpOptions&) {
  return Status::NotSupported(
      "this build does not read URLs: it was made without libcurl (VARVE_WITH_CURL)");
}

HttpStats UrlStats() { return {}; }
#endif

}  // namespace varve
