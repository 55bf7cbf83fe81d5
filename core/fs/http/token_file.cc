// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/token_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/base/try.h"

namespace varve {

bool IsToken(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~+/=").find(c) != std::string_view::npos;
  };
  return text.size() >= 32 && text.size() <= 256 && std::all_of(text.begin(), text.end(), plain);
}

Status CheckIsPrivate(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return Status::IoError(path + ": " + std::strerror(errno));
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) == 0) return Status::Ok();
  return Status::InvalidArgument(path + ": others may read this token; run chmod 600 on it");
}

Result<std::string> ReadTokenFile(const std::string& path) {
  RETURN_IF_ERROR(CheckIsPrivate(path));
  std::ifstream file(path);
  std::string token;
  if (!std::getline(file, token)) return Status::IoError(path + ": there is no token in it");
  if (token.ends_with('\r')) token.pop_back();
  if (IsToken(token)) return token;
  return Status::InvalidArgument(path + ": the first line is no token: " + std::string(kTokenRule));
}

}  // namespace varve
