// SPDX-License-Identifier: Apache-2.0
// The bytes of an HTTP request: head, access control and every resource of the API, on a small
// database and one of its tables. An answer is one of those that the API knows; JSON is JSON. The
// same bytes are taken for a file of users.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "core/fs/read_only_fs.h"
#include "tests/fuzz/small_database.h"
#include "tests/fuzz/targets.h"
#include "webview/api/engine/engine_records.h"
#include "webview/api/json/json.h"
#include "webview/api/routing/router.h"
#include "webview/http/guard.h"
#include "webview/http/request_head.h"
#include "webview/http/users.h"

namespace varve::fuzz {
namespace {

constexpr int kPiecesMax = 200, kStepsMax = 200;
const std::string kPath = "db", kToken = "token";

// Made once: requests only read it.
class Place {
 public:
  Place() {
    environment_.file_system = memory_.get();
    environment_.executor = &executor_;
    MakeSmallDatabase(environment_, kPath);
  }
  FileSystem& files() { return *read_only_; }
  Environment ReadOnly() {
    Environment environment = environment_;
    environment.file_system = read_only_.get();
    return environment;
  }
  std::string table() {
    const auto entries = read_only_->List(kPath);
    MustBeOk(entries.status(), kPath);
    std::string first;
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name.ends_with(".sst") && (first.empty() || entry.name < first)) first = entry.name;
    }
    return kPath + "/" + first;
  }

 private:
  std::unique_ptr<FileSystem> memory_ = NewMemoryFileSystem();
  std::unique_ptr<FileSystem> read_only_ = NewReadOnlyFileSystem(*memory_);
  InlineExecutor executor_;
  Environment environment_ = NativeEnvironment();
};

Place& ThePlace() {
  static Place& place = *std::make_unique<Place>().release();
  return place;
}

// nullopt: it is refused, or not whole.
std::optional<http::RequestHead> ParseHead(std::string* bytes) {
  http::HeadParser parser;
  http::RequestHead head;
  const auto refusal = parser.Take(bytes, &head);
  if (refusal) {
    Must(refusal->status >= 400 && refusal->status < 600, "a refusal has a status");
    return std::nullopt;
  }
  if (!parser.done()) return std::nullopt;
  Must(head.target.starts_with('/'), "a target begins with a slash");
  return head;
}

void Guard(const http::RequestHead& head) {
  http::Access access(kToken);
  const http::GuardRules rules = {http::AllowedHosts("", 8420), &access, /*write=*/false};
  api::Caller caller;
  const auto refusal = http::CheckRequest(rules, head, &caller);
  if (refusal) return;
  const std::string* const host = head.Find("host");
  Must(host != nullptr, "who does not name a host is refused");
  if (!http::IsProtected(head.path())) return;
  const std::string* const token = head.Find("authorization");
  Must(token != nullptr && token->ends_with(kToken), "who does not know the token is refused");
}

// What is read as a file of users is written as it was read.
void Users(std::string_view text) {
  const auto users = http::ParseUsers(text);
  if (!users.ok()) return;
  for (const http::User& user : *users) {
    const auto again = http::ParseUsers(http::LineOf(user));
    Must(again.ok() && again->size() == 1, "the line of a user is one");
    const http::User& same = again->front();
    Must(same.caller.name == user.caller.name && same.caller.rights == user.caller.rights &&
             same.token == user.token && same.password == user.password,
         "the line of a user says what it was made of");
  }
}

void Drain(api::Response* response) {
  std::string body = response->body;
  for (int pieces = 0; response->stream != nullptr && pieces < kPiecesMax; ++pieces) {
    std::string piece;
    if (response->stream->Next(&piece) != api::BodyStream::Event::kPiece) break;
    body += piece;
  }
  const std::string* const type = api::FindHeader(response->headers, "content-type");
  if (response->stream != nullptr || type == nullptr || body.empty()) return;
  if (*type != api::kJsonType && *type != api::kProblemType) return;
  const auto json = api::Json::parse(body, nullptr, /*allow_exceptions=*/false);
  Must(!json.is_discarded(), "what is called JSON is JSON");
  if (response->status >= 400) Must(json.contains("code"), "a problem has a code");
}

void Ask(const http::RequestHead& head, std::string body) {
  api::Service service({.file_system = &ThePlace().files(),
                        .clock = NativeEnvironment().clock,
                        .records = api::EngineRecords(ThePlace().ReadOnly()),
                        .write = true});
  for (const std::string& path : {kPath, ThePlace().table()}) {
    MustBeOk(service.Open(path).status(), path);
  }
  const api::Request request = {.method = head.method,
                                .target = head.target,
                                .headers = head.headers,
                                .body = std::move(body)};
  api::Response response = api::Handle(service, request);
  Must(response.status >= 200 && response.status < 600 && response.status != 500,
       "an answer has a status, and is no bug");
  Drain(&response);
  for (int steps = 0; steps < kStepsMax && service.jobs().Step(/*budget_micros=*/1000); ++steps) {
  }
}

void Run(std::string_view bytes) {
  Users(bytes);
  std::string rest(bytes);
  const auto head = ParseHead(&rest);
  if (!head) return;
  Guard(*head);
  rest.resize(std::min<size_t>(rest.size(), head->content_length));
  Ask(*head, rest);
}

}  // namespace

const Target request = {"request", Run};

}  // namespace varve::fuzz
