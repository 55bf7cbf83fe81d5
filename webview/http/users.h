// SPDX-License-Identifier: Apache-2.0
// The file of the users of a server: who may ask it, and for what.
//
//   # NAME RIGHT... token:SHA256 password:HASH
//   ada write:* password:$y$j9T$…
//   bob read:orders write:stock/default token:9f86d0…
//
// One user a line, words with spaces between, in any order behind the name; empty lines and those
// that begin with '#' do not count. `varve users` makes it (cli/commands/program/users.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/fs/file_descriptor.h"
#include "varve/result.h"
#include "webview/api/routing/request.h"

namespace varve::http {

struct User {
  api::Caller caller = {};
  std::string token = {};     // SHA-256 of the token, in hex; empty: has none.
  std::string password = {};  // HashPassword() of it; empty: has none.
};

// Of what a client shows.
std::string HashToken(std::string_view token);
// Whoever shows the token is the one who started the program.
std::vector<User> OneUser(std::string_view token);

// 1 to 64 letters, digits or -._@.
bool IsUserName(std::string_view text);

// The users in the text of a file. Neither names nor tokens are there twice, and each user has a
// token or a password. InvalidArgument with the line; no message has a secret in it.
Result<std::vector<User>> ParseUsers(std::string_view text);
// The line of a user, with its end.
std::string LineOf(const User& user);
// The text without the line of that user, all else as it is.
std::string WithoutUser(std::string_view text, std::string_view name);

// Where the file is that `path` names, which may be a symbolic link: what replaces it is put there.
std::string ResolveUsersPath(const std::string& path);
// While it lives, no other process changes the file at `path` by way of this function; it waits
// until none does. IoError.
Result<FileDescriptor> LockUsers(const std::string& path);
// The text of the file at `path`, which only its owner may read. InvalidArgument, IoError.
Result<std::string> ReadUsersText(const std::string& path);
// Replaces that file, or makes it, for its owner alone to read. IoError.
Status WriteUsersText(const std::string& path, const std::string& text);

// Null: nobody has that token. Looks at all of them, and takes the same time, right or wrong.
const User* FindByToken(const std::vector<User>& users, std::string_view token);
const User* FindByName(const std::vector<User>& users, std::string_view name);

}  // namespace varve::http
