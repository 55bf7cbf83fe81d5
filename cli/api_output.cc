// SPDX-License-Identifier: Apache-2.0
#include "cli/api_output.h"

#include <iostream>

#include "core/base/text.h"
#include "core/base/try.h"
#include "webview/api/engine_records.h"
#include "webview/api/uri.h"

namespace varve::cli {
namespace {

constexpr uint64_t kJobStepMicros = 200'000;

}  // namespace

ApiSession::ApiSession()
    : service_({.file_system = NativeEnvironment().file_system,
                .clock = NativeEnvironment().clock,
                .records = api::EngineRecords(NativeEnvironment())}) {}

Status ApiSession::Open(const std::string& path) { return service_.Open(path).status(); }

std::string ApiSession::Expand(std::string_view resource) const {
  constexpr std::string_view kFile = "{file}";
  std::string expanded = "/api/v1/targets/t1" + std::string(resource);
  const size_t at = expanded.find(kFile);
  if (at == std::string::npos) return expanded;
  return expanded.replace(at, kFile.size(),
                          std::to_string(service_.targets().front()->file_number()));
}

ExitCode ApiSession::Print(Console& console, std::string_view resource) {
  return Print(console, api::Request{.target = Expand(resource)});
}

ExitCode ApiSession::Print(Console& console, api::Request request) {
  request.in_process = true;
  if (console.format(Format::kJson) == Format::kJsonl) {
    request.headers.emplace_back("Accept", std::string(api::kJsonLinesType));
  }
  api::Response response = api::Handle(service_, request);
  if (response.status >= 400) {
    std::cerr << response.body;
    return static_cast<ExitCode>(response.exit_code);
  }
  console.out().Write(response.body);
  std::string piece;
  while (response.stream != nullptr &&
         response.stream->Next(&piece) == api::BodyStream::Event::kPiece) {
    console.out().Write(piece);
  }
  return static_cast<ExitCode>(response.exit_code);
}

ExitCode ApiSession::Post(Console& console, std::string_view resource, const api::Json& body) {
  return Print(console, {.method = "POST",
                         .target = Expand(resource),
                         .headers = {{"Content-Type", std::string(api::kJsonType)}},
                         .body = api::Dump(body)});
}

ExitCode ApiSession::PrintJob(Console& console, const api::Json& body, Progress* progress) {
  const api::Response started =
      api::Handle(service_, {.method = "POST",
                             .target = Expand("/jobs"),
                             .headers = {{"Content-Type", std::string(api::kJsonType)}},
                             .body = api::Dump(body)});
  if (started.status >= 400) {
    std::cerr << started.body;
    return static_cast<ExitCode>(started.exit_code);
  }
  const auto job = service_.jobs().Of(*service_.targets().front()).front();
  while (service_.jobs().Step(kJobStepMicros)) progress->Look(job->progress().done);
  return Print(console, "/jobs/" + job->id() + "/result");
}

std::string FamilyResource(const std::string& family, std::string_view verb) {
  return "/cfs/" + api::PercentEncode(family) + std::string(verb);
}

Result<ExitCode> PrintResource(Console& console, const std::string& path,
                               std::string_view resource) {
  ApiSession session;
  RETURN_IF_ERROR(session.Open(path));
  return session.Print(console, resource);
}

void ApiQuery::Add(std::string_view name, std::string_view value) {
  text_ += text_.empty() ? '?' : '&';
  text_ += std::string(name) + "=" + api::PercentEncode(value);
}

ApiQuery& ApiQuery::Key(std::string_view name, const std::optional<std::string>& bytes) {
  if (bytes) Add(name, "hex:" + HexBytes(*bytes));
  return *this;
}

ApiQuery& ApiQuery::Text(std::string_view name, const std::optional<std::string>& text) {
  if (text) Add(name, *text);
  return *this;
}

ApiQuery& ApiQuery::Number(std::string_view name, const std::optional<uint64_t>& number) {
  if (number) Add(name, std::to_string(*number));
  return *this;
}

ApiQuery& ApiQuery::Flag(std::string_view name, bool set) {
  if (set) Add(name, "true");
  return *this;
}

}  // namespace varve::cli
