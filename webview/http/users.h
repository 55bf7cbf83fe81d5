// SPDX-License-Identifier: Apache-2.0
// Who may ask a server, and for what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"
#include "webview/api/routing/request.h"

namespace varve::http {

struct User {
  api::Caller caller;
  std::string token;
};

// Whoever shows the token is the one who started the program.
std::vector<User> OneUser(std::string token);

// The users in the file at `path`, which only its owner may read: one a line, the name, "read" or
// "write", and a token as ReadTokenFile() takes it, with spaces between; empty lines and those that
// begin with '#' do not count. Names are 1 to 64 letters, digits or -._@, and neither names nor
// tokens are there twice. InvalidArgument, IoError; no message has a token in it.
Result<std::vector<User>> ReadUsers(const std::string& path);

// Null: nobody has that token. Looks at all of them, and takes the same time for each of one
// length, right or wrong.
const User* FindUser(const std::vector<User>& users, std::string_view token);

}  // namespace varve::http
