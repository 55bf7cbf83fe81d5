// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded when the first URL is mounted: it and the 30 libraries that it needs would make
// every start of a program slower, and every program with an embedded database larger.
#pragma once

#include <curl/curl.h>

#include "varve/result.h"

namespace varve {

// The functions used of it, as <curl/curl.h> documents them.
struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_reset) easy_reset;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_easy_unescape) easy_unescape;
  decltype(&::curl_free) free;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_setopt) multi_setopt;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_perform) multi_perform;
  decltype(&::curl_multi_poll) multi_poll;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_multi_cleanup) multi_cleanup;
};

// Loads it at the first call; it stays loaded. kNotSupported if it is not installed or older than
// the headers of this build. Thread-safe.
Result<const CurlLibrary*> LoadCurl();

}  // namespace varve
