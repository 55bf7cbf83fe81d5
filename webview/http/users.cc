// SPDX-License-Identifier: Apache-2.0
#include "webview/http/users.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/hash/sha256.h"
#include "core/base/try.h"
#include "core/fs/durable.h"
#include "core/fs/file_descriptor.h"
#include "core/fs/http/token_file.h"
#include "varve/environment.h"
#include "webview/http/password.h"
#include "webview/http/token.h"

namespace varve::http {
namespace {

constexpr size_t kUsersMax = 256;
constexpr size_t kRightsMax = 64;
constexpr size_t kNameBytesMax = 64;
constexpr size_t kFileBytesMax = 1 << 20;
constexpr std::string_view kToken = "token:", kPassword = "password:";

// The name that a line is of; empty: it is of nobody.
std::string NameIn(const std::string& line) {
  std::string name;
  std::istringstream(line) >> name;
  return name.starts_with('#') ? "" : name;
}

Status TakeSecret(std::string_view word, std::string_view kind, bool fits, std::string* into) {
  if (!into->empty()) return Status::InvalidArgument(std::string(kind) + " is there twice");
  if (!fits) return Status::InvalidArgument("behind " + std::string(kind) + " there is no hash");
  *into = word.substr(kind.size());
  return Status::Ok();
}

Status TakeWord(std::string_view word, User* user, std::vector<api::Right>* rights) {
  if (word.starts_with(kToken)) {
    return TakeSecret(word, kToken, IsSha256(word.substr(kToken.size())), &user->token);
  }
  if (word.starts_with(kPassword)) {
    return TakeSecret(word, kPassword, IsPasswordHash(word.substr(kPassword.size())),
                      &user->password);
  }
  if (rights->size() == kRightsMax) {
    return Status::InvalidArgument("a user has at most " + std::to_string(kRightsMax) + " rights");
  }
  ASSIGN_OR_RETURN(api::Right right, api::Right::FromText(word));
  rights->push_back(std::move(right));
  return Status::Ok();
}

Result<User> ReadLine(const std::string& line) {
  std::istringstream words(line);
  User user;
  std::vector<api::Right> rights;
  std::string word;
  words >> user.caller.name;
  if (!IsUserName(user.caller.name)) {
    return Status::InvalidArgument("a name is 1 to 64 letters, digits or -._@");
  }
  while (words >> word) RETURN_IF_ERROR(TakeWord(word, &user, &rights));
  if (user.token.empty() && user.password.empty()) {
    return Status::InvalidArgument(user.caller.name + " has neither a token nor a password");
  }
  user.caller.rights = api::Rights(std::move(rights));
  return user;
}

Status CheckNew(const std::vector<User>& users, const User& user) {
  for (const User& other : users) {
    if (other.caller.name == user.caller.name) {
      return Status::InvalidArgument(user.caller.name + " is there twice");
    }
    if (!user.token.empty() && other.token == user.token) {
      return Status::InvalidArgument(user.caller.name + " has the token of " + other.caller.name);
    }
  }
  if (users.size() < kUsersMax) return Status::Ok();
  return Status::InvalidArgument("there are more than " + std::to_string(kUsersMax) + " users");
}

Status FailedAt(const std::string& path) {
  return Status::IoError(path + ": " + std::strerror(errno));
}

// An empty file, for its owner alone.
Status MakePrivate(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  return fd < 0 || close(fd) != 0 ? FailedAt(path) : Status::Ok();
}

}  // namespace

bool IsUserName(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  std::string_view("-._@").find(c) != std::string_view::npos;
         });
}

std::string HashToken(std::string_view token) { return Sha256Of(token); }

std::vector<User> OneUser(std::string_view token) {
  return {{.caller = {}, .token = HashToken(token)}};
}

Result<std::vector<User>> ParseUsers(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::vector<User> users;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (NameIn(line).empty()) continue;
    const std::string place = "line " + std::to_string(number);
    Result<User> user = ReadLine(line);
    if (!user.ok()) return user.status().At(place);
    RETURN_IF_ERROR(CheckNew(users, *user).At(place));
    users.push_back(*std::move(user));
  }
  return users;
}

std::string LineOf(const User& user) {
  std::string line = user.caller.name;
  for (const api::Right& right : user.caller.rights.list()) line += " " + right.ToText();
  if (!user.token.empty()) line += " " + std::string(kToken) + user.token;
  if (!user.password.empty()) line += " " + std::string(kPassword) + user.password;
  return line + "\n";
}

std::string WithoutUser(std::string_view text, std::string_view name) {
  std::istringstream lines{std::string(text)};
  std::string rest, line;
  while (std::getline(lines, line)) {
    if (NameIn(line) != name) rest += line + "\n";
  }
  return rest;
}

Result<std::string> ReadUsersText(const std::string& path) {
  RETURN_IF_ERROR(CheckIsPrivate(path));
  ASSIGN_OR_RETURN(const FileDescriptor file, FileDescriptor::Open(path, O_RDONLY));
  std::string text(kFileBytesMax + 1, 0);
  ASSIGN_OR_RETURN(const std::string_view read, file.ReadAt(path, 0, text.size(), text.data(), 1));
  text.resize(read.size());
  if (text.size() <= kFileBytesMax) return text;
  return Status::InvalidArgument(path + ": a file of users has at most 1 MiB");
}

std::string ResolveUsersPath(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, failed);
  return failed ? path : resolved.string();
}

Result<FileDescriptor> LockUsers(const std::string& path) {
  const std::string folder = DirectoryOf(path);
  ASSIGN_OR_RETURN(FileDescriptor lock, FileDescriptor::OpenDirectory(folder));
  while (flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return FailedAt(folder);
  }
  return lock;
}

Status WriteUsersText(const std::string& path, const std::string& text) {
  const std::string made = path + ".new";
  unlink(made.c_str());                // Of a writer that was killed.
  RETURN_IF_ERROR(MakePrivate(made));  // What is written into it leaves its mode.
  Status written = ReplaceFileDurably(*NativeEnvironment().file_system, made, path, text);
  if (!written.ok()) unlink(made.c_str());
  return written;
}

const User* FindByToken(const std::vector<User>& users, std::string_view token) {
  const std::string hash = HashToken(token);
  const User* found = nullptr;
  for (const User& user : users) {
    if (TokensEqual(user.token, hash)) found = &user;
  }
  return found;
}

const User* FindByName(const std::vector<User>& users, std::string_view name) {
  const auto found = std::find_if(users.begin(), users.end(),
                                  [&](const User& user) { return user.caller.name == name; });
  return found == users.end() ? nullptr : &*found;
}

}  // namespace varve::http
