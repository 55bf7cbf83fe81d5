// SPDX-License-Identifier: Apache-2.0
#include "cli/output/api_output.h"

#include "cli/output/json_rows.h"
#include "cli/output/plain_text.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/engine/engine_records.h"
#include "webview/api/json/recovery_json.h"
#include "webview/api/routing/route_table.h"
#include "webview/api/routing/uri.h"

namespace varve::cli {
namespace {

constexpr uint64_t kJobStepMicros = 200'000;

Options NativeOptions() {
  Options options;
  options.env = NativeEnvironment();
  return options;
}

ExitCode PrintProblem(Console& console, const api::Json& problem) {
  console.Error(console.problems_as_json() ? PlainJson(api::Dump(problem))
                                           : "varve: " + problem.value("detail", ""));
  return static_cast<ExitCode>(problem.value("exit_code", int{kEnvironment}));
}

ExitCode Refuse(Console& console, const api::Response& response) {
  return PrintProblem(console, api::ParseJson(response.body));
}

// Rows cannot say that they are incomplete, so standard error does.
void NotePartial(Console& console, const api::Json& document) {
  if (!document.is_object() || !document.contains("recovery")) return;
  console.NotePartial(api::RecoveryOf(document["recovery"]));
}

// Of a response whose body was read to its end.
ExitCode ExitOf(const api::Response& response) {
  const int ended = response.stream == nullptr ? 0 : response.stream->exit_code();
  return static_cast<ExitCode>(ended != 0 ? ended : response.exit_code);
}

// The schema of a list, which only its document, not its lines, begins with.
std::string ListSchema(api::Service& service, const api::Request& request) {
  constexpr std::string_view kBegin = "{\"schema\":\"";
  api::Response page = api::Handle(service, request);
  std::string start = page.body;
  if (page.stream != nullptr) page.stream->Next(&start);
  if (!start.starts_with(kBegin)) return "";
  return start.substr(kBegin.size(), start.find('"', kBegin.size()) - kBegin.size());
}

void WriteRows(Console& console, Format format, const api::Json& row_schema,
               const api::Json& list) {
  const RowShape shape(row_schema);
  RowWriter rows(console.out(), format, shape.names());
  for (const api::Json& row : list) rows.Add(shape.Cells(row));
  rows.Finish();
}

}  // namespace

void PrintDocument(Console& console, const api::Json& document) {
  const Format format = console.format(Format::kJson);
  if (IsJson(format)) return console.out().WriteJson(api::Dump(document) + "\n");
  WriteDocumentAsRows(console.out(), format, document);
}

void PrintEndOfLines(Console& console, uint64_t count, bool complete) {
  api::Json end = api::EndOfStreamJson(count, complete && !console.partial());
  if (console.partial()) end["recovery"] = api::RecoveryFields().ToJson(console.recovery());
  console.out().WriteJson(api::Dump(end) + "\n");
}

void PrintList(Console& console, const api::Json& document, std::string_view rows,
               const api::Json& row_schema) {
  const Format format = console.format(Format::kJson);
  if (format == Format::kJson) return console.out().WriteJson(api::Dump(document) + "\n");
  const api::Json& list = document[std::string(rows)];
  if (format != Format::kJsonl) return WriteRows(console, format, row_schema, list);
  for (const api::Json& row : list) console.out().WriteJson(api::Dump(row) + "\n");
  PrintEndOfLines(console, list.size(), /*complete=*/true);
}

api::Json HeadOfFiles(std::string_view schema) {
  return {{"schema", std::string(schema)}, {"as_of", {{"live", false}}}};
}

ApiSession::ApiSession() : ApiSession(NativeOptions()) {}

ApiSession::ApiSession(const Options& options)
    : service_({.file_system = options.env.file_system,
                .clock = options.env.clock,
                .records = api::EngineRecords(options)}) {}

Status ApiSession::Open(const ApiTarget& target) {
  return service_.Open(target.path, target.kind).status();
}

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
  const Format format = console.format(Format::kJson);
  if (format == Format::kCsv || format == Format::kTsv) return PrintRows(console, request, format);
  if (format == Format::kJsonl) {
    request.headers.emplace_back("Accept", std::string(api::kJsonLinesType));
  }
  api::Response response = api::Handle(service_, request);
  if (response.status >= 400) return Refuse(console, response);
  console.out().WriteJson(response.body);
  std::string piece;
  while (response.stream != nullptr &&
         response.stream->Next(&piece) == api::BodyStream::Event::kPiece) {
    console.out().WriteJson(piece);
  }
  return ExitOf(response);
}

// Streams lists row by row. A resource that is not a list gives its one document.
ExitCode ApiSession::PrintRows(Console& console, const api::Request& request, Format format) {
  api::Request lines = request;
  lines.headers.emplace_back("Accept", std::string(api::kJsonLinesType));
  api::Response response = api::Handle(service_, lines);
  if (response.status >= 400) return Refuse(console, response);
  if (response.stream == nullptr) {
    const api::Json document = api::ParseJson(response.body);
    NotePartial(console, document);
    const api::Json schema = api::SchemaNamed(document.value("schema", ""));
    const std::string member = schema.is_null() ? std::string() : RowsMember(schema);
    if (member.empty()) {
      WriteDocumentAsRows(console.out(), format, document);
    } else {
      WriteRows(console, format, schema["properties"][member]["items"],
                document.value(member, api::Json::array()));
    }
    return static_cast<ExitCode>(response.exit_code);
  }
  const api::Json schema = api::SchemaNamed(ListSchema(service_, request));
  const std::string member = RowsMember(schema);
  const RowShape shape(schema["properties"][member]["items"]);
  RowWriter rows(console.out(), format, shape.names());
  std::string pending, piece;
  while (response.stream->Next(&piece) == api::BodyStream::Event::kPiece) {
    pending += piece;
    size_t at = 0;
    for (size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', at)) {
      const api::Json row = api::ParseJson(std::string_view(pending).substr(at, end - at));
      at = end + 1;
      if (!row.contains("end")) {
        rows.Add(shape.Cells(row));
        continue;
      }
      NotePartial(console, row);
      if (row.contains("problem")) {
        console.Error(row["problem"].value("detail", "the list is not complete"));
      }
    }
    pending.erase(0, at);
  }
  rows.Finish();
  return ExitOf(response);
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
  if (started.status >= 400) return Refuse(console, started);
  const auto job = service_.jobs().Of(*service_.targets().front(), api::Rights::All()).front();
  while (service_.jobs().Step(kJobStepMicros)) {
    progress->LookShare(job->progress().done, job->progress().done, job->progress().total);
  }
  // Print the error itself: its result would only say that there is none.
  if (const api::Json ended = job->ToJson(); ended.contains("problem")) {
    return PrintProblem(console, ended["problem"]);
  }
  const std::string resource = "/jobs/" + job->id();
  const Format format = console.format(Format::kJson);
  const bool as_rows = format == Format::kCsv || format == Format::kTsv;
  if (!as_rows || body.value("kind", "") != "verify") return Print(console, resource + "/result");
  // The result has only the first findings.
  const api::Response result =
      api::Handle(service_, {.target = Expand(resource + "/result"), .in_process = true});
  const ExitCode printed = Print(console, resource + "/findings");
  return printed != kDone ? printed : static_cast<ExitCode>(result.exit_code);
}

std::string FamilyResource(const std::string& family, std::string_view verb) {
  return "/cfs/" + api::PercentEncode(EscapeForDisplay(family)) + std::string(verb);
}

Result<ExitCode> PrintResource(Console& console, const ApiTarget& target,
                               std::string_view resource) {
  return PrintResource(console, target, resource, NativeOptions());
}

Result<ExitCode> PrintResource(Console& console, const ApiTarget& target, std::string_view resource,
                               const Options& options) {
  ApiSession session(options);
  RETURN_IF_ERROR(session.Open(target));
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

ApiQuery& ApiQuery::Name(std::string_view name, const std::optional<std::string>& bytes) {
  if (bytes) Add(name, EscapeForDisplay(*bytes));
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
