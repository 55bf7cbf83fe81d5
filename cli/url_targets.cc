// SPDX-License-Identifier: Apache-2.0
#include "cli/url_targets.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <variant>

#include "core/base/try.h"
#include "varve/url.h"

namespace varve::cli {
namespace {

// Where the words of a parameter are.
std::vector<std::string*> PlacesOf(const Parameter& parameter) {
  std::vector<std::string*> places;
  if (const auto* one = std::get_if<std::string*>(&parameter.destination)) {
    places.push_back(*one);
  } else if (const auto* some = std::get_if<std::optional<std::string>*>(&parameter.destination)) {
    if (**some) places.push_back(&***some);
  } else if (const auto* many = std::get_if<std::vector<std::string>*>(&parameter.destination)) {
    for (std::string& word : **many) places.push_back(&word);
  }
  return places;
}

bool NamesFiles(const Parameter& parameter) {
  return parameter.positional && parameter.names == Names::kFile && !parameter.may_be_server;
}

Result<HttpOptions> OptionsOf(const UrlFlags& flags) {
  ASSIGN_OR_RETURN(HttpOptions options, HttpOptions::FromEnvironment());
  if (flags.cache) {
    if (flags.cache->empty()) return Status::InvalidArgument("--http-cache: no directory is named");
    options.cache_directory = *flags.cache;
  }
  return options;
}

struct MountedUrl {
  std::string word;  // As it was named: with user and query.
  HttpOptions options;
};

// The mounted URLs, as they are shown.
std::map<std::string, MountedUrl>& Mounted() {
  static auto* const kMounted = new std::map<std::string, MountedUrl>;
  return *kMounted;
}

}  // namespace

void DeclareUrls(Parameters& parameters, UrlFlags* flags) {
  if (!std::any_of(parameters.list().begin(), parameters.list().end(), NamesFiles)) return;
  parameters.Option("http-cache", &flags->cache,
                    "directory for what is read from URLs, for later runs");
  parameters.Option("http-stats", &flags->stats, "say what reading from URLs took");
}

Status MountTargets(const Parameters& parameters, const UrlFlags& flags) {
  bool any = false;
  for (const Parameter& parameter : parameters.list()) {
    if (!NamesFiles(parameter)) continue;
    for (std::string* const word : PlacesOf(parameter)) {
      if (!IsUrl(*word)) continue;
      any = true;
      // The shell's verbs get the path by which its URL is read: it is mounted already.
      if (Mounted().contains(*word)) continue;
      ASSIGN_OR_RETURN(const HttpOptions options, OptionsOf(flags));
      const std::string named = *word;
      ASSIGN_OR_RETURN(*word, MountUrl(named, options));
      const auto [mounted, is_new] = Mounted().insert({*word, {named, options}});
      // The path that stands for both would read the second one only.
      if (!is_new && mounted->second.word != named) {
        return Status::InvalidArgument(*word +
                                       ": URLs that differ only in user or query are not "
                                       "read by one command");
      }
    }
  }
  if (any || (!flags.cache && !flags.stats)) return Status::Ok();
  return Status::InvalidArgument(std::string(flags.cache ? "--http-cache" : "--http-stats") +
                                 " is about URLs, and there is none");
}

Status AllowUrls(const std::vector<std::string>& targets, Needs* needs) {
  for (const std::string& target : targets) {
    const auto mounted = Mounted().find(target);
    if (mounted == Mounted().end()) continue;
    ASSIGN_OR_RETURN(const uint16_t port, UrlPort(target));
    constexpr uint16_t kNameServers = 53;  // For answers that are too long for UDP.
    needs->ports.insert(needs->ports.end(), {port, kNameServers});
    // What the C library and libcurl's TLS read, some of it when the first request is made.
    needs->read.insert(needs->read.end(),
                       {"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf",
                        "/etc/gai.conf", "/etc/services", "/etc/ssl", "/etc/ld.so.cache", "/lib",
                        "/lib64", "/usr/lib", "/usr/share/ca-certificates", "/dev/urandom"});
    const HttpOptions& options = mounted->second.options;
    const char* const home = std::getenv("HOME");
    if (!options.ca_file.empty()) needs->read.push_back(options.ca_file);
    if (!options.netrc_file.empty()) {
      needs->read.push_back(options.netrc_file);
    } else if (home != nullptr) {
      needs->read.push_back(std::string(home) + "/.netrc");
    }
    if (options.cache_directory.empty()) continue;
    needs->write.push_back(options.cache_directory);
  }
  return Status::Ok();
}

void NoteUrlStats(Console& console, const UrlFlags& flags) {
  if (!flags.stats) return;
  const HttpStats stats = UrlStats();
  const auto number = [](uint64_t count) { return std::to_string(count); };
  console.Error(
      "http: " + number(stats.requests) + " requests, " + number(stats.bytes) + " bytes, " +
      number(stats.retries) + " retries; blocks found in memory: " + number(stats.memory_hits) +
      ", in the cache: " + number(stats.cache_hits) +
      (stats.cache_damaged == 0 ? "" : ", damaged there: " + number(stats.cache_damaged)));
}

}  // namespace varve::cli
