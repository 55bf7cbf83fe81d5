// SPDX-License-Identifier: Apache-2.0
// `--json` and `-F jsonl` of the inspection verbs: the API's answer about the target, byte for
// byte; `-F csv` and `-F tsv`: the same as rows (json_rows.h). Tables for a terminal are made from
// the structs of core/inspect instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/output/console.h"
#include "cli/output/progress.h"
#include "cli/process/exit_code.h"
#include "varve/options.h"
#include "webview/api/routing/router.h"

namespace varve::cli {

inline bool IsJson(Format format) { return format == Format::kJson || format == Format::kJsonl; }
// A format for programs, taken from the API's answer.
inline bool IsData(Format format) {
  return IsJson(format) || format == Format::kCsv || format == Format::kTsv;
}

// For verbs that answer with one document, such as the changes they made: whether it is wanted.
inline bool WantsDocument(const Console& console) { return IsData(console.format(Format::kText)); }
// In the format given with -F.
void PrintDocument(Console& console, const api::Json& document);
// The last line of a list. Never complete if the console knows that the data is partial.
void PrintEndOfLines(Console& console, uint64_t count, bool complete);
// A document whose member `rows` is a list of all there are, each described by `row_schema`.
void PrintList(Console& console, const api::Json& document, std::string_view rows,
               const api::Json& row_schema);
// The beginning of a document of the API that is made here, of files: "schema" and "as_of".
api::Json HeadOfFiles(std::string_view schema);

// The path of a target and, where the verb has already identified it, its kind: it is then not
// opened once more for that.
struct ApiTarget {
  ApiTarget(std::string its_path, std::optional<TargetKind> its_kind = std::nullopt)
      : path(std::move(its_path)), kind(its_kind) {}
  std::string path;
  std::optional<TargetKind> kind;
};

// Targets opened in this process, for requests about them.
class ApiSession {
 public:
  // Records are read with `options`.
  explicit ApiSession(const Options& options);
  ApiSession();
  // Names the targets "t1", "t2", … in the order of the calls.
  Status Open(const ApiTarget& target);

  // GET of a resource below /api/v1/targets/t1, e.g. "/files/{file}/entries", where "{file}" is
  // replaced by the number of a target that is a table. Prints the body on standard output, or the
  // problem on standard error.
  ExitCode Print(Console& console, std::string_view resource);
  ExitCode Print(Console& console, api::Request request);

  ExitCode Post(Console& console, std::string_view resource, const api::Json& body);

  // Starts a job (`body` as for POST …/jobs), runs it to its end and prints its result.
  ExitCode PrintJob(Console& console, const api::Json& body, Progress* progress);

 private:
  std::string Expand(std::string_view resource) const;
  ExitCode PrintRows(Console& console, const api::Request& request, Format format);

  api::Service service_;
};

// "/cfs/users" + verb, for any family name.
std::string FamilyResource(const std::string& family, std::string_view verb);

// For most verbs: one target, one GET.
Result<ExitCode> PrintResource(Console& console, const ApiTarget& target,
                               std::string_view resource);
// For records, which are read with `options`.
Result<ExitCode> PrintResource(Console& console, const ApiTarget& target, std::string_view resource,
                               const Options& options);

// Builds a query from optional values: ApiQuery().Key("from", range.from).Number("limit", limit).
class ApiQuery {
 public:
  ApiQuery& Key(std::string_view name, const std::optional<std::string>& bytes);
  ApiQuery& Text(std::string_view name, const std::optional<std::string>& text);
  ApiQuery& Name(std::string_view name, const std::optional<std::string>& bytes);
  ApiQuery& Number(std::string_view name, const std::optional<uint64_t>& number);
  ApiQuery& Flag(std::string_view name, bool set);
  const std::string& str() const { return text_; }  // "?from=hex:61&limit=3", or empty.

 private:
  void Add(std::string_view name, std::string_view value);
  std::string text_;
};

}  // namespace varve::cli
