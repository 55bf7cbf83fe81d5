// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "varve/environment.h"
#include "varve/file_system.h"
#include "varve/url.h"

namespace varve {
namespace {

struct Setting {
  Setting(const char* variable, const char* value) : name(variable) { ::setenv(name, value, 1); }
  ~Setting() { ::unsetenv(name); }
  const char* const name;
};

TEST_CASE("a URL is mounted by a path without its secrets; what is beside it is not") {
  const auto path = MountUrl("http://me:secret@127.0.0.1:1/db/?sig=secret", {.attempts = 1});
  REQUIRE_MESSAGE(path.ok(), path.status().ToString());
  CHECK(*path == "http://127.0.0.1:1/db");
  FileSystem& files = *NativeEnvironment().file_system;
  const uint64_t before = UrlStats().requests;
  // Nobody listens on port 1.
  CHECK(files.OpenForRead(*path + "/CURRENT", false).status().code() == Code::kIoError);
  CHECK(files.OpenForRead("http://127.0.0.1:1/other", false).status().code() ==
        Code::kInvalidArgument);
  CHECK(UrlStats().requests == before + 1);
  CHECK(MountUrl("http://h/a", {.attempts = 0}).status().code() == Code::kInvalidArgument);
  CHECK(MountUrl("a/b", {}).status().code() == Code::kInvalidArgument);
  CHECK(*UrlPort("https://h/a") == 443);
}

TEST_CASE("settings of the environment") {
  {
    const Setting timeout("VARVE_HTTP_TIMEOUT", "5"), size("VARVE_HTTP_CACHE_SIZE", "2M"),
        none("CURL_CA_BUNDLE", ""), ca("SSL_CERT_FILE", "/ca.pem");
    const auto options = HttpOptions::FromEnvironment();
    REQUIRE(options.ok());
    CHECK(options->deadline_millis == 5'000);
    CHECK(options->cache_bytes == 2 << 20);
    CHECK(options->ca_file == "/ca.pem");
  }
  for (const auto& [name, value] :
       {std::pair("VARVE_HTTP_TIMEOUT", "0"), std::pair("VARVE_HTTP_TIMEOUT", "soon"),
        std::pair("VARVE_HTTP_CACHE_SIZE", "big"),
        std::pair("VARVE_HTTP_AUTHORIZATION", "a\nX: b")}) {
    const Setting wrong(name, value);
    const Status status = HttpOptions::FromEnvironment().status();
    CHECK(status.code() == Code::kInvalidArgument);
    CHECK(status.message().find(name) != std::string::npos);
  }
}

}  // namespace
}  // namespace varve
