// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/problem.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/base/text/quantity.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

constexpr std::array kKinds = {
    ProblemKind{"bad_request", "The request does not make sense", 400, 2, false},
    ProblemKind{"bad_key_literal", "A key literal does not make sense", 400, 2, false},
    ProblemKind{"page_token_mismatch", "The page token is for another request", 400, 2, false},
    ProblemKind{"unauthorized", "The token is missing or wrong", 401, 8, false},
    ProblemKind{"forbidden", "Not from here", 403, 8, false},
    ProblemKind{"right_missing", "One has no right to this", 403, 8, false},
    ProblemKind{"read_only", "Nothing may be changed here", 403, 8, false},
    ProblemKind{"confirm_required", "This must be confirmed", 403, 8, false},
    ProblemKind{"resource_not_found", "There is no such resource", 404, 3, false},
    ProblemKind{"target_not_found", "There is no such target", 404, 3, false},
    ProblemKind{"cf_not_found", "There is no such column family", 404, 2, false},
    ProblemKind{"file_not_found", "There is no such file", 404, 3, false},
    ProblemKind{"block_not_found", "There is no such block", 404, 2, false},
    ProblemKind{"edit_not_found", "There is no such edit", 404, 2, false},
    ProblemKind{"job_not_found", "There is no such job", 404, 3, false},
    ProblemKind{"upload_not_found", "There is no such upload", 404, 3, false},
    ProblemKind{"schema_not_found", "There is no such schema", 404, 3, false},
    ProblemKind{"analysis_not_run", "This has not been analysed yet", 404, 3, false},
    ProblemKind{"method_not_allowed", "Not with this method", 405, 2, false},
    ProblemKind{"conflict", "That conflicts with the state of things", 409, 5, true},
    ProblemKind{"already_exists", "There is one already", 409, 8, false},
    ProblemKind{"locked", "In use", 409, 5, true},
    ProblemKind{"job_running", "The job still runs", 409, 5, true},
    ProblemKind{"page_token_expired", "The list has changed since", 410, 5, false},
    ProblemKind{"file_vanished", "The file was removed meanwhile", 410, 5, true},
    ProblemKind{"precondition_failed", "It is not as it was expected", 412, 5, false},
    ProblemKind{"payload_too_large", "Too large", 413, 2, false},
    ProblemKind{"unsupported_media_type", "The body must be of another type", 415, 2, false},
    ProblemKind{"range_not_satisfiable", "There are no such bytes", 416, 2, false},
    ProblemKind{"corruption", "Stored bytes are damaged", 422, 4, false},
    ProblemKind{"block_checksum_mismatch", "Block checksum mismatch", 422, 4, false},
    ProblemKind{"digest_mismatch", "The bytes are not those that were announced", 422, 4, true},
    ProblemKind{"truncated", "The file ends too early", 422, 4, false},
    ProblemKind{"order_violation", "Keys out of order", 422, 4, false},
    ProblemKind{"manifest_mismatch", "The MANIFEST says otherwise", 422, 4, false},
    ProblemKind{"rate_limited", "Too much at once", 429, 5, true},
    ProblemKind{"internal", "A bug", 500, 70, false},
    ProblemKind{"io_error", "The system refused", 500, 3, true},
    ProblemKind{"unsupported_feature", "A feature that is not implemented", 501, 6, false},
    ProblemKind{"shutting_down", "Closing", 503, 5, true},
    ProblemKind{"insufficient_storage", "No space left", 507, 3, true},
};

const ProblemKind& KindNamed(std::string_view code) {
  const ProblemKind* internal = nullptr;
  for (const ProblemKind& kind : kKinds) {
    if (kind.code == code) return kind;
    if (kind.code == "internal") internal = &kind;
  }
  return *internal;
}

std::string_view CodeOfCorruption(std::string_view message) {
  const auto says = [&](std::string_view word) {
    return message.find(word) != std::string_view::npos;
  };
  if (says("not a table")) return "corruption";
  if (says("checksum")) return "block_checksum_mismatch";
  if (says("out of order") || says("not ascending")) return "order_violation";
  if (says("MANIFEST")) return "manifest_mismatch";
  if (says("ends ") || says("truncated") || says("too short")) return "truncated";
  return "corruption";
}

std::string_view CodeOfArgument(std::string_view message) {
  const bool unknown = message.find("there is no column family") != std::string_view::npos;
  return unknown ? "cf_not_found" : "bad_request";
}

std::string_view CodeOf(const Status& status) {
  switch (status.code()) {
    case Code::kCorruption:
      return CodeOfCorruption(status.message());
    case Code::kNotFound:
      return "target_not_found";
    case Code::kIoError:
      return "io_error";
    case Code::kNoSpace:
      return "insufficient_storage";
    case Code::kInvalidArgument:
      return CodeOfArgument(status.message());
    case Code::kNotSupported:
      return "unsupported_feature";
    case Code::kBusy:
      return "locked";
    case Code::kShutdown:
      return "shutting_down";
    case Code::kOk:
      break;
  }
  return "internal";
}

// {"000012.sst", 4096} of "some/000012.sst@4096: the message".
std::optional<Problem::Location> LocationOf(std::string_view message) {
  const size_t colon = message.find(": ");
  const size_t at = message.substr(0, colon).rfind('@');
  if (colon == std::string_view::npos || at == std::string_view::npos) return std::nullopt;
  const std::optional<uint64_t> offset = ParseDecimal(message.substr(at + 1, colon - at - 1));
  if (!offset) return std::nullopt;
  std::string_view file = message.substr(0, at);
  if (const size_t slash = file.rfind('/'); slash != std::string_view::npos) {
    file.remove_prefix(slash + 1);
  }
  return Problem::Location{std::string(file), *offset};
}

Json CodeType() {
  Json codes = Text();
  for (const ProblemKind& kind : kKinds) codes["enum"].push_back(std::string(kind.code));
  return codes;
}

const Fields<Problem::Location>& LocationFields() {
  static const auto fields =
      Fields<Problem::Location>()
          .Text("file", &Problem::Location::file, "its name")
          .Number("offset", Unit::kOffset, &Problem::Location::offset, "in this file");
  return fields;
}

auto More(const char* member) {
  return [member](const Problem& problem) { return problem.more(member); };
}

const Fields<Problem>& ProblemFields() {
  static const auto fields =
      Fields<Problem>("Problem")
          .Text(
              "type",
              [](const Problem& problem) {
                return "/problems/" + std::string(problem.kind().code);
              },
              "the code, as a relative reference")
          .Text(
              "title", [](const Problem& problem) { return problem.kind().title; },
              "the same for all problems of the code")
          .Number("status", Unit::kNone, &Problem::http, "of the HTTP response")
          .Other(
              "code", CodeType(),
              [](const Problem& problem) { return Json(std::string(problem.kind().code)); },
              "the kind of problem, for programs")
          .Number(
              "exit_code", Unit::kNone, [](const Problem& problem) { return problem.kind().exit; },
              "of the command line")
          .Text("detail", &Problem::detail, "what is wrong in this case")
          .Other("pointer", Text(), More("pointer"),
                 "JSON pointer to what is wrong in the body of the request")
          .Object("location", &Problem::location, LocationFields(), "of the damage")
          .Other("hint", Text(), More("hint"), "what may help")
          .Other("allow", Text(), More("allow"), "allowed methods")
          .Other("sign_in", Text(), More("sign_in"), "where a name and a password are posted to")
          .Other("restart_href", Text(), More("restart_href"), "the first page of the list")
          .Other("start", Anything(), More("start"), "the request that computes the missing answer")
          .Other("right", Text(), More("right"),
                 "that is missing: read:TARGET/FAMILY, write:TARGET")
          .Other("feature", Text(), More("feature"), "that is missing")
          .Other("job", Anything(), More("job"), "that failed or was cancelled")
          .Flag(
              "retryable", [](const Problem& problem) { return problem.kind().retryable; },
              "the same request may succeed later");
  return fields;
}

}  // namespace

Problem::Problem(std::string_view code, std::string detail)
    : kind_(&KindNamed(code)), http_(kind_->http), detail_(std::move(detail)) {}

Problem::Problem(const Status& status) : Problem(CodeOf(status), std::string(status.message())) {
  if (status.code() == Code::kCorruption) location_ = LocationOf(detail_);
}

Problem Problem::OfReading(const Status& status) {
  if (status.code() != Code::kNotFound) return Problem(status);
  return Problem("file_vanished", std::string(status.message()));
}

std::optional<Problem> Problem::OfFailure(const Status& status) {
  return status.ok() ? std::nullopt : std::optional(OfReading(status));
}

Problem&& Problem::With(std::string_view member, Json value) && {
  const auto& known = ProblemFields().fields();
  CHECK(std::any_of(known.begin(), known.end(),
                    [&](const Field& field) { return field.name == member; }));
  more_[std::string(member)] = std::move(value);
  return std::move(*this);
}

Problem&& Problem::WithStatus(int http) && {
  http_ = http;
  return std::move(*this);
}

const Json* Problem::more(std::string_view member) const {
  const auto found = more_.find(std::string(member));
  return found == more_.end() ? nullptr : &*found;
}

Json Problem::ToJson() const { return ProblemFields().ToJson(*this); }

Response Problem::ToResponse() const {
  Response response{
      .status = http_,
      .headers = {{"Content-Type", std::string(kProblemType)}, {"Cache-Control", "no-store"}},
      .body = Dump(ToJson()) + "\n",
      .exit_code = kind_->exit};
  if (more_.contains("allow")) response.headers.emplace_back("Allow", more_["allow"]);
  return response;
}

std::optional<Json> ProblemJson(const Status& status) {
  return status.ok() ? std::nullopt : std::optional(Problem(status).ToJson());
}

Json ProblemSchema() { return ProblemFields().Schema(); }

}  // namespace varve::api
