// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/curl_library.h"

#include <dlfcn.h>

#include <memory>
#include <string>

namespace varve {
namespace {

// Debian's builds with OpenSSL and with GnuTLS; the second has versioned symbols of its own.
constexpr const char* kNames[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

template <typename Function>
bool Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(::dlsym(library, name));
  return *function != nullptr;
}

bool FindAll(void* library, CurlLibrary* curl) {
  return Find(library, "curl_global_init", &curl->global_init) &&
         Find(library, "curl_easy_init", &curl->easy_init) &&
         Find(library, "curl_easy_reset", &curl->easy_reset) &&
         Find(library, "curl_easy_perform", &curl->easy_perform) &&
         Find(library, "curl_easy_setopt", &curl->easy_setopt) &&
         Find(library, "curl_easy_getinfo", &curl->easy_getinfo) &&
         Find(library, "curl_easy_strerror", &curl->easy_strerror) &&
         Find(library, "curl_easy_unescape", &curl->easy_unescape) &&
         Find(library, "curl_free", &curl->free) &&
         Find(library, "curl_slist_append", &curl->slist_append) &&
         Find(library, "curl_slist_free_all", &curl->slist_free_all) &&
         Find(library, "curl_multi_init", &curl->multi_init) &&
         Find(library, "curl_multi_setopt", &curl->multi_setopt) &&
         Find(library, "curl_multi_add_handle", &curl->multi_add_handle) &&
         Find(library, "curl_multi_remove_handle", &curl->multi_remove_handle) &&
         Find(library, "curl_multi_perform", &curl->multi_perform) &&
         Find(library, "curl_multi_poll", &curl->multi_poll) &&
         Find(library, "curl_multi_info_read", &curl->multi_info_read) &&
         Find(library, "curl_easy_cleanup", &curl->easy_cleanup) &&
         Find(library, "curl_multi_cleanup", &curl->multi_cleanup);
}

Result<const CurlLibrary*> Load() {
  for (const char* name : kNames) {
    void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    auto curl = std::make_unique<CurlLibrary>();
    if (FindAll(library, curl.get()) && curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
      return curl.release();  // Used until the process ends.
    }
    ::dlclose(library);
  }
  return Status::NotSupported("URLs are read with libcurl (libcurl.so.4), which is not installed");
}

}  // namespace

Result<const CurlLibrary*> LoadCurl() {
  static const auto* const kLoaded = new Result<const CurlLibrary*>(Load());
  return *kLoaded;
}

}  // namespace varve
