// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/token_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace varve {
namespace {

TEST_CASE("TokenFile: it must be private and hold enough") {
  const std::string path =
      std::filesystem::temp_directory_path() / ("token-" + std::to_string(getpid()));
  const auto read = [&](const std::string& text, mode_t mode) {
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    const auto token = ReadTokenFile(path);
    std::filesystem::remove(path);
    return token.ok() ? *token : token.status().ToString();
  };
  const std::string good(32, 'x');
  CHECK(read(good + "\n", 0600) == good);
  CHECK(read(good + "\r\nmore\n", 0400) == good);
  CHECK(read(good, 0644).find("chmod 600") != std::string::npos);
  CHECK(read("short\n", 0600).find("32 to 256") != std::string::npos);
  CHECK(read(good + " x\n", 0600).find("32 to 256") != std::string::npos);
  CHECK(read("", 0600).find("no token in it") != std::string::npos);
  CHECK_FALSE(ReadTokenFile("/no/such/file").ok());
}

}  // namespace
}  // namespace varve
