// SPDX-License-Identifier: Apache-2.0
// The macros are defined for this file by cli/CMakeLists.txt.
#include "cli/build_features.h"

#ifdef VARVE_HAS_HTTP
#include "webview/http/assets.h"
#endif

#ifdef __clang__
#define VARVE_COMPILER "Clang " __clang_version__
#else
#define VARVE_COMPILER "GNU " __VERSION__
#endif

namespace varve::cli {
namespace {

#ifdef VARVE_HAS_HTTP
constexpr bool kHasHttp = true;
bool HasWebApp() { return http::HasWebApp(); }
#else
constexpr bool kHasHttp = false;
bool HasWebApp() { return false; }
#endif

#ifdef VARVE_HAS_BENCH
constexpr bool kHasBench = true;
#else
constexpr bool kHasBench = false;
#endif

}  // namespace

std::vector<BuildFeature> BuildFeatures() {
  return {{"codecs", "snappy, zlib, bzip2, lz4 and zstd", true},
          {"io_uring", "reads by io_uring, where the kernel has it", VARVE_HAS_URING},
          {"urls", "tables and databases at URLs, where libcurl is installed", VARVE_HAS_CURL},
          {"line_editing", "history and Tab in varve shell (libedit)", VARVE_HAS_LIBEDIT},
          {"bench", "varve bench", kHasBench},
          {"http", "varve serve, and varve bench run --serve", kHasHttp},
          {"web_app", "the web app in varve serve; else a plain page", HasWebApp()}};
}

std::string_view BuildDescription() {
  constexpr std::string_view kDescription =
      *VARVE_SANITIZERS ? VARVE_BUILD_TYPE ", " VARVE_COMPILER ", sanitizers " VARVE_SANITIZERS
                        : VARVE_BUILD_TYPE ", " VARVE_COMPILER;
  return kDescription;
}

}  // namespace varve::cli
