// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "cli/arguments/suggestion.h"
#include "cli/command_output.h"
#include "cli/output/lines.h"
#include "cli/output/plain_text.h"
#include "cli/url_targets.h"
#include "core/base/text/text.h"
#include "webview/api/routing/problem.h"

namespace varve::cli {
namespace {

std::string_view Group(std::string_view name) { return name.substr(0, name.find(' ')); }

std::string Usage(const Command& command, const std::vector<Parameter>& parameters) {
  std::string usage = "varve " + std::string(command.name);
  for (const Parameter& parameter : parameters) {
    if (!parameter.positional) continue;
    const std::string word = "<" + parameter.name + ">" + (parameter.repeats() ? "..." : "");
    usage += parameter.required ? " " + word : " [" + word + "]";
  }
  return usage + " [flags]";
}

// "F,format" -> "-F, --format <value>".
std::string FlagColumn(const Parameter& parameter) {
  const std::string short_name = parameter.short_name();
  return (short_name.empty() ? "    " : short_name + ", ") + parameter.long_name() +
         (parameter.is_switch() ? "" : " <value>");
}

// Each line two columns to the right.
std::string Indented(std::string_view lines) {
  std::string text;
  for (const std::string_view line : SplitLines(lines)) text += "  " + std::string(line) + "\n";
  return text;
}

// What the commands of a group are called behind its name; none if there is no such group.
std::vector<std::string> CommandsOfGroup(std::string_view group) {
  std::vector<std::string> names;
  for (const Command& command : CommandTable()) {
    if (command.name == Group(command.name) || Group(command.name) != group) continue;
    names.emplace_back(command.name.substr(group.size() + 1));
  }
  return names;
}

constexpr ExitCodeMeaning kExitCodes[] = {
    {kDone, "yes"},
    {kNegative, "no"},
    {kUsage, "usage"},
    {kEnvironment, "I/O"},
    {kCorrupt, "corruption"},
    {kBusyTarget, "busy"},
    {kUnsupported, "not supported"},
    {kPartial, "partial"},
    {kRefused, "refused"},
    {kBug, "a bug in varve"},
};

}  // namespace

const std::string_view kTagline =
    "a key-value store in RocksDB's on-disk format, and an inspector for such databases";

const std::string_view kOverviewExamples =
    "varve load ./db records.tsv          # make a database\n"
    "varve get ./db key                   # one value\n"
    "varve scan ./db --prefix user: -F jsonl\n"
    "varve db verify ./db                 # every checksum and invariant\n"
    "varve help db verify                 # what a command takes";

std::span<const ExitCodeMeaning> ExitCodeMeanings() { return kExitCodes; }

DeclaredParameters::DeclaredParameters(const Command& command) : invocation_(command.make()) {
  invocation_->Declare(parameters_);
  DeclareOutput(parameters_, &output_, FormatsOf(command),
                invocation_->OwnOutput() == nullptr ? kOutputHelp : "what to make; must not exist");
  static auto* const kNowhere = new UrlFlags;
  DeclareUrls(parameters_, kNowhere);
}

void DeclareOutput(Parameters& parameters, OutputOptions* output,
                   std::optional<std::vector<std::string>> formats, std::string_view output_help) {
  if (!formats) {
    formats = {"table", "text", "json", "jsonl", "csv",  "tsv",
               "raw",   "nul",  "dump", "arrow", "trace"};
  }
  if (!formats->empty()) {
    parameters.Option("F,format", &output->format, "how to print", *std::move(formats));
    parameters.Option("json", &output->json, "the same as -F json");
  }
  parameters.Option("o,output", &output->output_file, std::string(output_help));
  parameters.Option("color", &output->color, "colours", {"auto", "always", "never"});
  parameters.Option("q,quiet", &output->quiet, "no progress, no summary");
}

std::string OverviewText() {
  std::string text = "varve - " + std::string(kTagline) + "\n\n" + Indented(kOverviewExamples) +
                     "\ncommands (varve COMMAND --help says more):\n";
  size_t width = 0;
  for (const Command& command : CommandTable()) width = std::max(width, command.name.size());
  for (const Command& command : CommandTable()) {
    text += "  " + std::string(command.name) + std::string(width + 2 - command.name.size(), ' ') +
            std::string(command.summary) + "\n";
  }
  text += "\nexit codes:";
  for (const auto& [code, meaning] : kExitCodes) {
    if (code == kPartial) text += "\n           ";  // The end of a line of 80 columns.
    text += " " + std::to_string(code) + " " + std::string(meaning) + (code == kBug ? "\n" : ",");
  }
  return text;
}

std::string CommandHelpText(const Command& command) {
  const DeclaredParameters declared(command);
  std::string text = "varve " + std::string(command.name) + " - " + std::string(command.summary) +
                     "\n\n" + Indented(command.examples) +
                     "\nusage: " + Usage(command, declared.list()) + "\n";
  size_t width = 0;
  for (const Parameter& parameter : declared.list()) {
    width = std::max(
        width, parameter.positional ? parameter.name.size() + 2 : FlagColumn(parameter).size());
  }
  for (const bool positional : {true, false}) {
    for (const Parameter& parameter : declared.list()) {
      if (parameter.positional != positional) continue;
      const std::string column = positional ? "<" + parameter.name + ">" : FlagColumn(parameter);
      text += "  " + column + std::string(width + 2 - column.size(), ' ') + parameter.help;
      if (!parameter.choices.empty()) {
        text += ":";
        for (const std::string& choice : parameter.choices) text += " " + choice;
      }
      text += "\n";
    }
  }
  return text + "\nexit codes: " + std::string(command.exit_codes) + "\n";
}

bool IsGroup(std::string_view word) { return !CommandsOfGroup(word).empty(); }

std::string GroupHelpText(std::string_view group) {
  std::string text = "varve " + std::string(group) + " - one of:\n\n";
  size_t width = 0;
  for (const std::string& name : CommandsOfGroup(group)) width = std::max(width, name.size());
  for (const Command& command : CommandTable()) {
    if (command.name == Group(command.name) || Group(command.name) != group) continue;
    text += "  varve " + std::string(command.name) +
            std::string(group.size() + 1 + width + 2 - command.name.size(), ' ') +
            std::string(command.summary) + "\n";
  }
  return text + "\nvarve " + std::string(group) + " COMMAND --help says more\n";
}

namespace {

std::string UnknownCommandMessage(const std::vector<std::string>& words) {
  if (const std::vector<std::string> there = CommandsOfGroup(words[0]); !there.empty()) {
    std::string names;
    for (const std::string& name : there) names += (names.empty() ? "" : ", ") + name;
    if (words.size() == 1) return "'" + words[0] + "' needs one of: " + names;
    return "'" + words[0] + "' has no command '" + words[1] + "'" + DidYouMean(words[1], there) +
           " (it has: " + names + ")";
  }
  // "info" alone is a part of several.
  std::string parts;
  std::vector<std::string> names;
  for (const Command& command : CommandTable()) {
    names.emplace_back(Group(command.name));
    if (command.name.ends_with(" " + words[0])) {
      parts += (parts.empty() ? "" : ", ") + std::string("'") + std::string(command.name) + "'";
    }
  }
  return "there is no command '" + words[0] + "'" +
         (parts.empty() ? DidYouMean(words[0], names) : "; did you mean " + parts + "?") +
         " (varve --help lists them)";
}

}  // namespace

Status UnknownCommand(const std::vector<std::string>& words) {
  return Status::InvalidArgument(EscapeForDisplay(UnknownCommandMessage(words)));
}

void ReportFailure(std::string_view verb, const Status& status, bool as_json,
                   const std::string& advice) {
  if (as_json) {
    api::Problem problem(status);
    std::cerr << PlainJson(api::Dump(advice.empty()
                                         ? problem.ToJson()
                                         : std::move(problem).With("hint", advice).ToJson()))
              << "\n";
    return;
  }
  std::cerr << PlainText(std::string(verb) + ": " + std::string(status.message()) +
                         (advice.empty() ? "" : "; ") + advice)
            << "\n";
}

void ReportRefusal(std::string_view verb, std::string_view code, const std::string& why,
                   bool as_json) {
  if (as_json) {
    std::cerr << PlainJson(api::Dump(api::Problem(code, why).ToJson())) << "\n";
    return;
  }
  std::cerr << PlainText(std::string(verb) + ": refused: " + why) << "\n";
}

ExitCode Refuse(const Console& console, std::string_view verb, std::string_view code,
                const std::string& why) {
  ReportRefusal(verb, code, why, console.problems_as_json());
  return kRefused;
}

}  // namespace varve::cli
