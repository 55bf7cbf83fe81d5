// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/token_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

namespace varve {

Result<std::string> ReadTokenFile(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return Status::IoError(path + ": " + std::strerror(errno));
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Status::InvalidArgument(path + ": others may read this token; run chmod 600 on it");
  }
  std::ifstream file(path);
  std::string token;
  if (!std::getline(file, token)) return Status::IoError(path + ": there is no token in it");
  if (token.ends_with('\r')) token.pop_back();
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~+/=").find(c) != std::string_view::npos;
  };
  if (token.size() < 32 || token.size() > 256 || !std::all_of(token.begin(), token.end(), plain)) {
    return Status::InvalidArgument(
        path +
        ": a token is 32 to 256 letters, digits or -._~+/= on the first line, for example "
        "from: openssl rand -hex 16");
  }
  return token;
}

}  // namespace varve
