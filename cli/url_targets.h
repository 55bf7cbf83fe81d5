// SPDX-License-Identifier: Apache-2.0
// Targets that are URLs (varve/url.h): named on the command line, and by nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments/parameters.h"
#include "cli/output/console.h"
#include "cli/process/confinement.h"
#include "varve/status.h"

namespace varve::cli {

struct UrlFlags {
  std::optional<std::string> cache;
  bool stats = false;
};

// --http-cache, --http-stats: of a command whose words name files.
void DeclareUrls(Parameters& parameters, UrlFlags* flags);

// Mounts the positional words of `parameters` that are URLs and name files, and replaces each by
// the path that it is read by. InvalidArgument names a word that is not a URL that can be read, or
// a flag that is without effect because none is.
Status MountTargets(const Parameters& parameters, const UrlFlags& flags);

// Adds to `needs` what a confined process needs to read those of `targets` that are mounted URLs:
// their ports, names of hosts, certificates, ~/.netrc and the cache.
Status AllowUrls(const std::vector<std::string>& targets, Needs* needs);

// A line about requests, if --http-stats asks for it.
void NoteUrlStats(Console& console, const UrlFlags& flags);

}  // namespace varve::cli
