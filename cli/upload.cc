// SPDX-License-Identifier: Apache-2.0
#include "cli/upload.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/hash/sha256.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/fs/http/http_call.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

constexpr std::string_view kTarget = "/api/v1/targets/t1";  // Of a server that may write: its only.
constexpr size_t kUploadPieceBytes = 256 << 10;
constexpr uint64_t kSilenceMillis = 30'000;
constexpr uint64_t kJobMillis = 60'000;
constexpr uint64_t kPatienceMillis = 60'000;  // With a server that has no room now.
constexpr useconds_t kLookMicros = 50'000;

std::string TextOf(const api::Json& json, const char* member) {
  const auto found = json.is_object() ? json.find(member) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// As the server's command would have failed: by the exit code of the problem.
Status StatusOf(const std::string& url, long code, const api::Json& problem) {
  const std::string detail = TextOf(problem, "detail");
  std::string message = url + ": the server answered " + std::to_string(code) +
                        (detail.empty() ? "" : ": " + EscapeForDisplay(detail));
  switch (problem.is_object() && problem.contains("exit_code") &&
                  problem["exit_code"].is_number_integer()
              ? problem["exit_code"].get<int>()
              : 3) {
    case 2:
      return Status::InvalidArgument(std::move(message));
    case 4:
      return Status::Corruption(std::move(message));
    case 5:
      return Status::Busy(std::move(message));
    case 6:
      return Status::NotSupported(std::move(message));
    default:
      return Status::IoError(std::move(message));
  }
}

// A table as it is read twice: for its digest, and to be sent.
class TableToSend {
 public:
  static Result<TableToSend> Open(const std::string& path) {
    ASSIGN_OR_RETURN(auto file,
                     NativeEnvironment().file_system->OpenForRead(path, /*direct=*/false));
    ASSIGN_OR_RETURN(const uint64_t size, file->Size());
    return TableToSend(std::move(file), size);
  }

  uint64_t size() const { return size_; }
  Result<std::string> Digest() {
    Sha256 digest;
    for (at_ = 0; at_ < size_;) {
      ASSIGN_OR_RETURN(const std::string_view piece, Next(kUploadPieceBytes));
      digest.Add(piece);
    }
    Rewind();
    return digest.HexDigest();
  }
  void Rewind() { at_ = 0; }
  uint64_t given() const { return at_; }  // Bytes since then.
  Result<std::string_view> Next(size_t max) {
    const uint64_t wanted = std::min<uint64_t>({max, kUploadPieceBytes, size_ - at_});
    ASSIGN_OR_RETURN(const std::string_view piece,
                     file_->Read(at_, static_cast<size_t>(wanted), buffer_.data()));
    if (piece.size() != wanted) {
      return Status::IoError(file_->path() + ": became shorter while it was read");
    }
    at_ += wanted;
    return piece;
  }

 private:
  TableToSend(std::unique_ptr<RandomAccessFile> file, uint64_t size)
      : file_(std::move(file)), size_(size), buffer_(kUploadPieceBytes, '\0') {}

  std::unique_ptr<RandomAccessFile> file_;
  uint64_t size_;
  uint64_t at_ = 0;
  std::string buffer_;
};

// An upload at a server, which is aborted unless it was added.
class ServerUpload {
 public:
  explicit ServerUpload(const ServerAddress& server) : server_(server) {}
  ServerUpload(const ServerUpload&) = delete;
  ServerUpload& operator=(const ServerUpload&) = delete;
  ~ServerUpload() {
    if (id_.empty()) return;
    // It expires if this does not arrive.
    static_cast<void>(Ask({.method = "DELETE", .url = Place("/uploads/" + id_)}));
  }

  Status Begin() {
    ASSIGN_OR_RETURN(const api::Json reply, Post("/uploads", api::Json::object()));
    id_ = reply.contains("upload") ? TextOf(reply["upload"], "id") : "";
    return id_.empty() ? Odd("no id of an upload") : Status::Ok();
  }

  // The name that the server has given to the table.
  Result<std::string> Send(const std::string& path, const std::function<void(uint64_t)>& sent) {
    ASSIGN_OR_RETURN(TableToSend table, TableToSend::Open(path));
    ASSIGN_OR_RETURN(const std::string digest, table.Digest());
    HttpCall call{.method = "POST",
                  .url = Place("/uploads/" + id_ + "/tables?sha256=" + digest),
                  .type = "application/octet-stream",
                  .size = table.size(),
                  .deadline_millis = 0,
                  .silence_millis = kSilenceMillis};
    uint64_t told = 0;  // A table that is sent again is progress only once.
    call.pieces = [&](size_t max) {
      Result<std::string_view> piece = table.Next(max);
      if (table.given() > told) sent(table.given() - std::exchange(told, table.given()));
      return piece;
    };
    call.restart = [&table] { table.Rewind(); };
    ASSIGN_OR_RETURN(const api::Json reply, Ask(std::move(call)));
    std::string name = reply.contains("table") ? TextOf(reply["table"], "name") : "";
    if (name.empty()) return Odd("no name of a table");
    return name;
  }

  // Adds all tables of `by_family`, the "tables" of the job.
  Status Add(api::Json by_family) {
    ASSIGN_OR_RETURN(
        const api::Json started,
        Post("/jobs", {{"kind", "ingest"}, {"upload", id_}, {"tables", std::move(by_family)}}));
    std::string job = started.contains("job") ? TextOf(started["job"], "id") : "";
    if (job.empty()) return Odd("no id of a job");
    job = "/jobs/" + job;
    ASSIGN_OR_RETURN(const api::Json ended, End(job));
    // A server keeps only so many that have ended.
    static_cast<void>(Ask({.method = "DELETE", .url = Place(job)}));
    RETURN_IF_ERROR(OutcomeOf(ended));
    id_.clear();
    return Status::Ok();
  }

 private:
  // The job once it has ended.
  Result<api::Json> End(const std::string& job) {
    for (;;) {
      Result<api::Json> reply = Ask({.url = Place(job), .deadline_millis = kJobMillis});
      if (!reply.ok()) {
        return reply.status().At(
            "whether the tables were added is not known, since the server does "
            "not say what has become of its job");
      }
      api::Json now = reply->contains("job") ? (*reply)["job"] : api::Json();
      const std::string state = TextOf(now, "state");
      if (state != "queued" && state != "running") return now;
      usleep(kLookMicros);
    }
  }
  // Of a job that has ended; a failed one has the problem instead of a result.
  Status OutcomeOf(const api::Json& job) const {
    const std::string state = TextOf(job, "state");
    if (state == "done") return Status::Ok();
    const api::Json problem =
        job.is_object() && job.contains("problem") ? job["problem"] : api::Json();
    if (!problem.is_object()) {
      return Status::IoError(server_.url + ": the job that adds the tables ended as \"" +
                             EscapeForDisplay(state) + "\"");
    }
    const auto status = problem.find("status");
    const bool known = status != problem.end() && status->is_number_integer();
    return StatusOf(server_.url, known ? status->get<long>() : 500, problem);
  }

  std::string Place(const std::string& resource) const {
    return server_.url + std::string(kTarget) + resource;
  }
  Status Odd(const std::string& what) const {
    return Status::IoError(server_.url + ": is no server of varve: its answer has " + what);
  }
  Result<api::Json> Post(const std::string& resource, const api::Json& body) const {
    return Ask({.method = "POST",
                .url = Place(resource),
                .type = "application/json",
                .body = api::Dump(body)});
  }
  Result<api::Json> Ask(HttpCall call) const {
    call.token = server_.token;
    // An upload that cannot be aborted now expires.
    if (call.method != "DELETE") call.patience_millis = kPatienceMillis;
    ASSIGN_OR_RETURN(const HttpCallAnswer answer, CallHttp(call));
    const api::Json json = api::ParseJson(answer.body, api::Members::kOnce);
    if (answer.code < 200 || answer.code > 299) return StatusOf(server_.url, answer.code, json);
    if (!json.is_object()) return Odd("no JSON");
    return json;
  }

  const ServerAddress& server_;
  std::string id_;
};

}  // namespace

Result<ServerAddress> ParseServer(const std::string& text) {
  constexpr std::string_view kToken = "#token=";
  ServerAddress server{.url = text.substr(0, text.find('#')), .token = {}};
  if (const size_t at = text.find(kToken); at != std::string::npos) {
    server.token = text.substr(at + kToken.size());
  } else if (text.find('#') != std::string::npos) {
    return Status::InvalidArgument(server.url + ": behind '#' only token=TOKEN is expected");
  }
  while (server.url.ends_with('/')) server.url.pop_back();
  const size_t host = server.url.find("://") + 3;
  if (!server.url.starts_with("http") || host >= server.url.size() ||
      server.url.find_first_of("/?@", host) != std::string::npos) {
    return Status::InvalidArgument(
        "the URL of a server is http://HOST:PORT, as varve serve prints it");
  }
  return server;
}

Status UploadAndAdd(const ServerAddress& server, const std::vector<FamilyUpload>& families,
                    const std::function<void(uint64_t)>& sent) {
  ServerUpload upload(server);
  RETURN_IF_ERROR(upload.Begin());
  api::Json tables = api::Json::array();
  for (const FamilyUpload& family : families) {
    api::Json names = api::Json::array();
    for (const std::string& path : family.paths) {
      ASSIGN_OR_RETURN(std::string name, upload.Send(path, sent));
      names.push_back(std::move(name));
    }
    tables.push_back({{"cf", EscapeForDisplay(family.family)}, {"files", std::move(names)}});
  }
  return upload.Add(std::move(tables));
}

}  // namespace varve::cli
