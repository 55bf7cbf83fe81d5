// SPDX-License-Identifier: Apache-2.0
// `--json` and `-F jsonl` of the inspection verbs: what the API answers about the same target, byte
// for byte; `-F csv` and `-F tsv`: the same as rows (json_rows.h). Tables for a terminal are made
// from the structs of core/inspect instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "varve/options.h"
#include "webview/api/routing/router.h"

namespace varve::cli {

inline bool IsJson(Format format) { return format == Format::kJson || format == Format::kJsonl; }
// A form of the API's answer, for programs.
inline bool IsData(Format format) {
  return IsJson(format) || format == Format::kCsv || format == Format::kTsv;
}

// Verbs that answer with one document of their own, such as what they have changed: is it wanted?
inline bool WantsDocument(const Console& console) { return IsData(console.format(Format::kText)); }
// As -F says.
void PrintDocument(Console& console, const api::Json& document);
// The last of a list's lines. What the console knows to be partial is never complete.
void PrintEndOfLines(Console& console, uint64_t count, bool complete);
// A list of rows that are there already: `document` without rows, which become its member `member`.
void PrintList(Console& console, api::Json document, const std::string& member,
               const std::vector<api::Json>& rows);

// Targets and whatever is asked about them, in this process.
class ApiSession {
 public:
  // Records are read with `options`.
  explicit ApiSession(const Options& options);
  ApiSession();
  // "t1", "t2", … in the order of the calls.
  Status Open(const std::string& path);

  // GET of what is behind /api/v1/targets/t1, e.g. "/files/{file}/entries", where "{file}" stands
  // for the number of a target that is a table. Prints the body on standard output, or the problem
  // on standard error.
  ExitCode Print(Console& console, std::string_view resource);
  ExitCode Print(Console& console, api::Request request);

  ExitCode Post(Console& console, std::string_view resource, const api::Json& body);

  // Starts a job (`body` as POST …/jobs takes it), works on it until it ends and prints its result.
  ExitCode PrintJob(Console& console, const api::Json& body, Progress* progress);

 private:
  std::string Expand(std::string_view resource) const;
  ExitCode PrintRows(Console& console, const api::Request& request, Format format);

  api::Service service_;
};

// "/cfs/users" + verb, for any name.
std::string FamilyResource(const std::string& family, std::string_view verb);

// For most verbs: one target, one GET.
Result<ExitCode> PrintResource(Console& console, const std::string& path,
                               std::string_view resource);
// Of records, which are read with `options`.
Result<ExitCode> PrintResource(Console& console, const std::string& path, std::string_view resource,
                               const Options& options);

// A query from pairs that are there: ApiQuery().Key("from", range.from).Number("limit", limit).
class ApiQuery {
 public:
  ApiQuery& Key(std::string_view name, const std::optional<std::string>& bytes);
  ApiQuery& Text(std::string_view name, const std::optional<std::string>& text);
  ApiQuery& Number(std::string_view name, const std::optional<uint64_t>& number);
  ApiQuery& Flag(std::string_view name, bool set);
  const std::string& str() const { return text_; }  // "?from=hex:61&limit=3", or empty.

 private:
  void Add(std::string_view name, std::string_view value);
  std::string text_;
};

}  // namespace varve::cli
