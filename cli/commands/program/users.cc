// SPDX-License-Identifier: Apache-2.0
// varve users add, varve users list, varve users remove: the file of `varve serve --users`.
#include "webview/http/users.h"

#include <termios.h>
#include <unistd.h>

#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/help/help.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/report_columns.h"
#include "core/base/try.h"
#include "varve/environment.h"
#include "webview/http/password.h"
#include "webview/http/token.h"

namespace varve::cli {

struct ListedUsers {
  std::vector<http::User> users;
};
struct AddedUser {
  std::string name, token;
};
struct RemovedUser {
  std::string name;
};

namespace {

using http::User;

std::vector<std::string> RightsOf(const User& user) {
  std::vector<std::string> texts;
  for (const api::Right& right : user.caller.rights.list()) texts.push_back(right.ToText());
  return texts;
}

const api::Fields<User>& UserFields() {
  static const auto fields =
      api::Fields<User>()
          .Text(
              "name", [](const User& user) -> std::string_view { return user.caller.name; },
              "of the user")
          .Texts("may", RightsOf, "read:… or write:… of *, TARGET or TARGET/FAMILY")
          .Flag(
              "password", [](const User& user) { return !user.password.empty(); }, "there is one")
          .Flag("token", [](const User& user) { return !user.token.empty(); }, "there is one");
  return fields;
}

const api::Fields<ListedUsers>& UserListFields() {
  static const auto fields = api::Fields<ListedUsers>().List("users", &ListedUsers::users,
                                                             UserFields(), "all that there are");
  return fields;
}

const api::Fields<AddedUser>& AddedUserFields() {
  static const auto fields =
      api::Fields<AddedUser>()
          .Text("name", &AddedUser::name, "of the new user")
          .Text(
              "token",
              [](const AddedUser& user) {
                return user.token.empty() ? std::nullopt : std::optional(user.token);
              },
              "of the user; it is kept nowhere");
  return fields;
}

const api::Fields<RemovedUser>& RemovedUserFields() {
  static const auto fields =
      api::Fields<RemovedUser>().Text("name", &RemovedUser::name, "of the user who is gone");
  return fields;
}

// The characters of a terminal are not shown while it lives.
class NoEcho {
 public:
  NoEcho() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    changed_ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;
  ~NoEcho() {
    if (changed_) tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }

 private:
  termios before_{};
  bool changed_ = false;
};

Result<std::string> ReadPassword(const std::string& question) {
  const bool terminal = isatty(STDIN_FILENO) == 1;
  std::string password;
  const NoEcho quiet;
  if (terminal) std::cerr << question << std::flush;
  const bool given = static_cast<bool>(std::getline(std::cin, password));
  if (terminal) std::cerr << "\n";
  if (given) return password;
  return Status::InvalidArgument("there is no password on standard input");
}

// A terminal is asked twice.
Result<std::string> AskPassword(const std::string& name) {
  ASSIGN_OR_RETURN(std::string password, ReadPassword("password of " + name + ": "));
  if (isatty(STDIN_FILENO) != 1) return password;
  ASSIGN_OR_RETURN(const std::string again, ReadPassword("again: "));
  if (again == password) return password;
  return Status::InvalidArgument("the two are different");
}

// The text of a file of users, all of which makes sense.
Result<std::string> ReadFile(const std::string& path, std::vector<User>* users) {
  ASSIGN_OR_RETURN(std::string text, http::ReadUsersText(path));
  Result<std::vector<User>> parsed = http::ParseUsers(text);
  if (!parsed.ok()) return parsed.status().At(path);
  *users = *std::move(parsed);
  if (!text.empty() && !text.ends_with('\n')) text += "\n";
  return text;
}

class UsersAdd : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &file_, "file of the users; made if there is none");
    parameters.Positional("name", &name_, "of the new user: letters, digits or -._@");
    parameters.Option("may", &may_,
                      "a right: read:… or write:… of *, TARGET or TARGET/FAMILY; may be repeated");
    parameters.Option("password", &password_, "ask for a password, or read it from standard input");
    parameters.Option("token", &token_, "make a token and print it");
  }

  Result<ExitCode> Run(Console& console) override {
    User user = {.caller = {.name = name_}};
    ASSIGN_OR_RETURN(user.caller.rights, ReadRights());
    if (!http::IsUserName(name_)) {
      return Status::InvalidArgument("a name is 1 to 64 letters, digits or -._@");
    }
    if (!password_ && !token_) {
      return Status::InvalidArgument("a user needs --password, --token or both");
    }
    if (password_) {  // Before the lock: it takes as long as somebody thinks.
      ASSIGN_OR_RETURN(const std::string password, AskPassword(name_));
      ASSIGN_OR_RETURN(user.password, http::HashPassword(password));
    }
    file_ = http::ResolveUsersPath(file_);
    ASSIGN_OR_RETURN(const FileDescriptor lock, http::LockUsers(file_));
    std::string text;
    std::vector<User> users;
    if (NativeEnvironment().file_system->Exists(file_)) {
      ASSIGN_OR_RETURN(text, ReadFile(file_, &users));
    }
    if (http::FindByName(users, name_) != nullptr) {
      return Refuse(console, "varve users add", "already_exists",
                    name_ + " is there already; remove that user first");
    }
    AddedUser added = {.name = name_, .token = {}};
    if (token_) {
      ASSIGN_OR_RETURN(added.token, http::MakeToken());
      user.token = http::HashToken(added.token);
    }
    text += http::LineOf(user);
    RETURN_IF_ERROR(http::ParseUsers(text).status());
    RETURN_IF_ERROR(http::WriteUsersText(file_, text));
    if (WantsDocument(console)) {
      PrintReport(console, kUsersAddDocument, added);
    } else if (token_) {
      console.out().Write(added.token + "\n");
    }
    console.Note("added " + name_ +
                 (token_ ? "; the token is kept nowhere: only its hash is in the file" : ""));
    return kDone;
  }

 private:
  Result<api::Rights> ReadRights() const {
    std::vector<api::Right> rights;
    for (const std::string& text : may_) {
      ASSIGN_OR_RETURN(api::Right right, api::Right::FromText(text));
      rights.push_back(std::move(right));
    }
    return api::Rights(std::move(rights));
  }

  std::string file_, name_;
  std::vector<std::string> may_;
  bool password_ = false, token_ = false;
};

class UsersList : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &file_, "file of the users");
  }

  Result<ExitCode> Run(Console& console) override {
    ListedUsers listed;
    RETURN_IF_ERROR(ReadFile(file_, &listed.users).status());
    if (IsData(console.format(Format::kTable))) {
      PrintReport(console, kUsersListDocument, listed);
      return kDone;
    }
    ReportColumns<User> table(TerminalOf(console), UserFields());
    table.Show("name")
        .Show("password")
        .Show("token")
        .Show("may", TextTable::Align::kLeft, [](const User& user) {
          std::string all;
          for (const std::string& right : RightsOf(user)) all += (all.empty() ? "" : " ") + right;
          return all;
        });
    console.out().Write(table.Of(listed.users).Render());
    return kDone;
  }

 private:
  std::string file_;
};

class UsersRemove : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &file_, "file of the users");
    parameters.Positional("name", &name_, "of the user");
  }

  Result<ExitCode> Run(Console& console) override {
    file_ = http::ResolveUsersPath(file_);
    ASSIGN_OR_RETURN(const FileDescriptor lock, http::LockUsers(file_));
    std::vector<User> users;
    ASSIGN_OR_RETURN(const std::string text, ReadFile(file_, &users));
    if (http::FindByName(users, name_) == nullptr) {
      return Status::InvalidArgument(file_ + ": there is no user of that name");
    }
    RETURN_IF_ERROR(http::WriteUsersText(file_, http::WithoutUser(text, name_)));
    if (WantsDocument(console)) PrintReport(console, kUsersRemoveDocument, {name_});
    console.Note("removed " + name_);
    return kDone;
  }

 private:
  std::string file_, name_;
};

}  // namespace

const CommandDocument<AddedUser> kUsersAddDocument = {"varve.users_add/1", AddedUserFields};
const CommandDocument<ListedUsers> kUsersListDocument = {"varve.users_list/1", UserListFields,
                                                         "users"};
const CommandDocument<RemovedUser> kUsersRemoveDocument = {"varve.users_remove/1",
                                                           RemovedUserFields};

const Command kUsersAdd = {
    "users add", "add a user of varve serve --users, with rights",
    "varve users add ./users ada --may 'write:*' --password\n"
    "varve users add ./users bob --may read:orders --may write:stock/default --token",
    "0 added, 8 there is one of that name", [] { return MakeInvocation<UsersAdd>(); }};

const Command kUsersList = {"users list", "the users of varve serve --users, and their rights",
                            "varve users list ./users\nvarve users list ./users --json", "0 listed",
                            [] { return MakeInvocation<UsersList>(); }};

const Command kUsersRemove = {
    "users remove", "remove a user of varve serve --users, who is refused at once",
    "varve users remove ./users bob", "0 removed", [] { return MakeInvocation<UsersRemove>(); }};

}  // namespace varve::cli
