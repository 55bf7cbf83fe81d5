// SPDX-License-Identifier: Apache-2.0
#include "webview/http/users.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/base/try.h"
#include "core/fs/http/token_file.h"
#include "webview/http/token.h"

namespace varve::http {
namespace {

constexpr size_t kUsersMax = 256;
constexpr size_t kNameBytesMax = 64;

bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  std::string_view("-._@").find(c) != std::string_view::npos;
         });
}

Result<User> ReadLine(const std::string& line) {
  std::istringstream words(line);
  User user;
  std::string rights, more;
  words >> user.caller.name >> rights >> user.token;
  if (!words || words >> more) {
    return Status::InvalidArgument("a line is a name, read or write, and a token");
  }
  if (!IsName(user.caller.name)) {
    return Status::InvalidArgument("a name is 1 to 64 letters, digits or -._@");
  }
  if (rights != "read" && rights != "write") {
    return Status::InvalidArgument("behind the name there is read or write");
  }
  user.caller.write = rights == "write";
  if (!IsToken(user.token)) return Status::InvalidArgument(std::string(kTokenRule));
  return user;
}

Status CheckNew(const std::vector<User>& users, const User& user) {
  for (const User& other : users) {
    if (other.caller.name == user.caller.name) {
      return Status::InvalidArgument(user.caller.name + " is there twice");
    }
    if (other.token == user.token) {
      return Status::InvalidArgument(user.caller.name + " has the token of " + other.caller.name);
    }
  }
  if (users.size() < kUsersMax) return Status::Ok();
  return Status::InvalidArgument("there are more than " + std::to_string(kUsersMax) + " users");
}

}  // namespace

std::vector<User> OneUser(std::string token) { return {{.caller = {}, .token = std::move(token)}}; }

Result<std::vector<User>> ReadUsers(const std::string& path) {
  RETURN_IF_ERROR(CheckIsPrivate(path));
  std::ifstream file(path);
  if (!file) return Status::IoError(path + ": cannot be read");
  std::vector<User> users;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    const std::string place = path + ": line " + std::to_string(number);
    Result<User> user = ReadLine(line);
    if (!user.ok()) return user.status().At(place);
    RETURN_IF_ERROR(CheckNew(users, *user).At(place));
    users.push_back(*std::move(user));
  }
  if (file.bad()) return Status::IoError(path + ": cannot be read");
  if (users.empty()) return Status::InvalidArgument(path + ": there is no user in it");
  return users;
}

const User* FindUser(const std::vector<User>& users, std::string_view token) {
  const User* found = nullptr;
  for (const User& user : users) {
    if (TokensEqual(user.token, token)) found = &user;
  }
  return found;
}

}  // namespace varve::http
