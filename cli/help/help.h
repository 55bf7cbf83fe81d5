// SPDX-License-Identifier: Apache-2.0
// Texts about commands: help and error messages. Made from the command table.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/output/console.h"
#include "cli/process/exit_code.h"
#include "varve/status.h"

namespace varve::cli {

// -F, --json, -o, --color, --quiet. `formats`: those that a command prints; if it prints none, it
// has no -F and no --json. Nullopt: those of any command. `output_help`: of -o.
inline constexpr std::string_view kOutputHelp = "write to this file";
void DeclareOutput(Parameters& parameters, OutputOptions* output,
                   std::optional<std::vector<std::string>> formats = std::nullopt,
                   std::string_view output_help = kOutputHelp);

// All parameters of a command, for display: nothing is parsed into them.
class DeclaredParameters {
 public:
  explicit DeclaredParameters(const Command& command);
  const std::vector<Parameter>& list() const { return parameters_.list(); }

 private:
  OutputOptions output_;
  const std::unique_ptr<Invocation> invocation_;
  Parameters parameters_;
};

// A short description of varve, and the examples at the beginning of the overview.
extern const std::string_view kTagline, kOverviewExamples;

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};
// The meanings of all exit codes.
std::span<const ExitCodeMeaning> ExitCodeMeanings();

std::string OverviewText();
std::string CommandHelpText(const Command& command);
// Whether it is the first word of several commands ("sst").
bool IsGroup(std::string_view word);
std::string GroupHelpText(std::string_view group);
// InvalidArgument for words that begin no command: suggests the nearest one, or the commands of a
// group ("varve db").
Status UnknownCommand(const std::vector<std::string>& words);
// Prints "varve get: no such directory ./x" on standard error, or the problem object of the JSON
// API, followed by `advice` if there is some.
void ReportFailure(std::string_view verb, const Status& status, bool as_json,
                   const std::string& advice = "");

// Reports a refusal: exit code 8. `code`: of the problem document (webview/api/routing/problem.h).
void ReportRefusal(std::string_view verb, std::string_view code, const std::string& why,
                   bool as_json);
// The same of a command at work, as its console prints problems. Returns that exit code.
ExitCode Refuse(const Console& console, std::string_view verb, std::string_view code,
                const std::string& why);

}  // namespace varve::cli
