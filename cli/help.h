// SPDX-License-Identifier: Apache-2.0
// Everything said about commands rather than by them: help and failures. All of it is made from the
// command table.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "varve/status.h"

namespace varve::cli {

// -F, --json, -o, --color, --quiet. `formats`: those that a command prints; without any it has no -F
// and no --json. Nullopt: all that there are, for the parser, which takes the flags of every command
// and leaves it to CheckFormat() to say what the one at hand prints. `output_help`: of -o.
inline constexpr std::string_view kOutputHelp = "write to this file";
void DeclareOutput(Parameters& parameters, OutputOptions* output,
                   std::optional<std::vector<std::string>> formats = std::nullopt,
                   std::string_view output_help = kOutputHelp);

// All that a command takes, to be read about: nothing is parsed into it.
class DeclaredParameters {
 public:
  explicit DeclaredParameters(const Command& command);
  const std::vector<Parameter>& list() const { return parameters_.list(); }

 private:
  OutputOptions output_;
  const std::unique_ptr<Invocation> invocation_;
  Parameters parameters_;
};

// What varve is, in half a line, and the examples that the overview begins with.
extern const std::string_view kTagline, kOverviewExamples;

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};
// Of all commands.
std::span<const ExitCodeMeaning> ExitCodeMeanings();

std::string OverviewText();
std::string CommandHelpText(const Command& command);
// Is it the first word of several commands ("sst")?
bool IsGroup(std::string_view word);
std::string GroupHelpText(std::string_view group);
// InvalidArgument for words that begin with no command: names the nearest one, or what there is of a
// group ("varve db").
Status UnknownCommand(const std::vector<std::string>& words);
// "varve get: no such directory ./x" on standard error, or the problem object of the JSON API;
// `advice`, if there is some, behind it.
void ReportFailure(std::string_view verb, const Status& status, bool as_json,
                   const std::string& advice = "");

// What must not be done, so: exit code 8.
// `code`: of the problem that a document says (webview/api/routing/problem.h).
void ReportRefusal(std::string_view verb, std::string_view code, const std::string& why,
                   bool as_json);

}  // namespace varve::cli
