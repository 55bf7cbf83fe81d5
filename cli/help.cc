// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <algorithm>
#include <iostream>

#include "cli/command_output.h"
#include "cli/plain_text.h"
#include "cli/suggestion.h"
#include "core/base/text.h"
#include "webview/api/problem.h"

namespace varve::cli {
namespace {

std::string_view Group(std::string_view name) { return name.substr(0, name.find(' ')); }

std::string Usage(const Command& command, const Parameters& parameters) {
  std::string usage = "varve " + std::string(command.name);
  for (const Parameter& parameter : parameters.list()) {
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

// What the commands of a group are called behind its name; none if there is no such group.
std::vector<std::string> CommandsOfGroup(std::string_view group) {
  std::vector<std::string> names;
  for (const Command& command : CommandTable()) {
    if (command.name == Group(command.name) || Group(command.name) != group) continue;
    names.emplace_back(command.name.substr(group.size() + 1));
  }
  return names;
}

Parameters ParametersOf(Invocation& invocation, OutputOptions* output) {
  Parameters parameters;
  invocation.Declare(parameters);
  DeclareOutput(parameters, output);
  return parameters;
}

}  // namespace

void DeclareOutput(Parameters& parameters, OutputOptions* output) {
  parameters.Option("F,format", &output->format, "how to print",
                    {"table", "text", "json", "jsonl", "csv", "tsv", "raw", "nul", "dump"});
  parameters.Option("json", &output->json, "the same as -F json");
  parameters.Option("o,output", &output->output_file, "write to this file");
  parameters.Option("color", &output->color, "colours", {"auto", "always", "never"});
  parameters.Option("q,quiet", &output->quiet, "no progress, no summary");
}

void PrintOverview(bool as_usage_error) {
  std::ostream& out = as_usage_error ? std::cerr : std::cout;
  out << "varve - a key-value store in RocksDB's on-disk format, and what is inside it\n\n"
         "  varve load ./db records.tsv            make a database\n"
         "  varve get ./db key                     one value\n"
         "  varve scan ./db --prefix user: -F jsonl\n"
         "  varve db verify ./db                   every checksum and invariant\n\n"
         "commands (varve COMMAND --help says more):\n";
  size_t width = 0;
  for (const Command& command : CommandTable()) width = std::max(width, command.name.size());
  for (const Command& command : CommandTable()) {
    out << "  " << command.name << std::string(width + 2 - command.name.size(), ' ')
        << command.summary << "\n";
  }
  out << "\nexit codes: 0 yes, 1 no, 2 usage, 3 I/O, 4 corruption, 5 busy, 6 not supported,\n"
         "            7 partial, 8 refused, 70 a bug in varve\n";
}

void PrintCommandHelp(const Command& command, const Parameters& parameters) {
  std::cout << "varve " << command.name << " - " << command.summary << "\n\n";
  std::string_view examples = command.examples;
  while (!examples.empty()) {
    const size_t end = examples.find('\n');
    std::cout << "  " << examples.substr(0, end) << "\n";
    examples = end == std::string_view::npos ? "" : examples.substr(end + 1);
  }
  std::cout << "\nusage: " << Usage(command, parameters) << "\n";
  size_t width = 0;
  for (const Parameter& parameter : parameters.list()) {
    width = std::max(
        width, parameter.positional ? parameter.name.size() + 2 : FlagColumn(parameter).size());
  }
  for (const bool positional : {true, false}) {
    for (const Parameter& parameter : parameters.list()) {
      if (parameter.positional != positional) continue;
      const std::string column = positional ? "<" + parameter.name + ">" : FlagColumn(parameter);
      std::cout << "  " << column << std::string(width + 2 - column.size(), ' ') << parameter.help;
      if (!parameter.choices.empty()) {
        std::cout << ":";
        for (const std::string& choice : parameter.choices) std::cout << " " << choice;
      }
      std::cout << "\n";
    }
  }
  std::cout << "\nexit codes: " << command.exit_codes << "\n";
}

void PrintCommandsAsJson() {
  api::Json commands = api::Json::array();
  for (const Command& command : CommandTable()) {
    const std::unique_ptr<Invocation> invocation = command.make();
    OutputOptions output;
    api::Json flags = api::Json::array();
    const Parameters parameters = ParametersOf(*invocation, &output);
    for (const Parameter& parameter : parameters.list()) {
      flags.push_back({{"name", parameter.positional ? parameter.name : parameter.long_name()},
                       {"positional", parameter.positional},
                       {"required", parameter.required},
                       {"help", parameter.help},
                       {"choices", parameter.choices}});
    }
    commands.push_back({{"name", std::string(command.name)},
                        {"summary", std::string(command.summary)},
                        {"examples", std::string(command.examples)},
                        {"exit_codes", std::string(command.exit_codes)},
                        {"schemas", WordsOf(SchemasOf(command))},
                        {"formats", WordsOf(FormatsOf(command))},
                        {"parameters", std::move(flags)}});
  }
  std::cout << api::Dump({{"schema", "varve.help/1"},
                          {"commands", std::move(commands)},
                          {"schemas", AllSchemas()}})
            << "\n";
}

void PrintManPage() {
  const auto text = [](std::string_view line) {
    std::string out;
    for (const char c : line) {
      if (c == '\\' || c == '-') out += '\\';
      out += c;
    }
    // A line that begins so would be an instruction.
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
  };
  std::ostream& out = std::cout;
  out << ".TH VARVE 1 \"\" \"varve " VARVE_VERSION "\" \"User Commands\"\n"
      << ".SH NAME\nvarve \\- a key-value store in RocksDB's on-disk format, and what is inside "
         "it\n"
      << ".SH SYNOPSIS\n.B varve\n.I command target\n[arguments] [flags]\n.SH COMMANDS\n";
  for (const Command& command : CommandTable()) {
    const std::unique_ptr<Invocation> invocation = command.make();
    OutputOptions output;
    const Parameters parameters = ParametersOf(*invocation, &output);
    out << ".SS " << text(Usage(command, parameters)) << "\n"
        << text(std::string(command.summary)) << ".\n";
    Parameters own;  // Without the flags of every command, which have a section of their own.
    invocation->Declare(own);
    for (const Parameter& parameter : own.list()) {
      const std::string name =
          parameter.positional ? "<" + parameter.name + ">" : parameter.long_name();
      out << ".TP\n.B " << text(name) << "\n" << text(parameter.help) << "\n";
    }
    out << ".PP\n.nf\n";
    std::string_view examples = command.examples;
    while (!examples.empty()) {
      const size_t end = examples.find('\n');
      out << ".RS\n" << text(std::string(examples.substr(0, end))) << "\n.RE\n";
      examples = end == std::string_view::npos ? "" : examples.substr(end + 1);
    }
    out << ".fi\n.PP\nExit codes: " << text(std::string(command.exit_codes)) << ".\n";
  }
  Parameters common;
  OutputOptions output;
  DeclareOutput(common, &output);
  out << ".SH FLAGS OF EVERY COMMAND\n";
  for (const Parameter& parameter : common.list()) {
    out << ".TP\n.B " << text(parameter.long_name()) << "\n" << text(parameter.help) << "\n";
  }
  out << ".SH EXIT STATUS\n0 yes, 1 no, 2 usage, 3 I/O, 4 corruption, 5 busy, 6 not supported,\n"
         "7 partial, 8 refused, 70 a bug in varve\n";
}

bool IsGroup(std::string_view word) { return !CommandsOfGroup(word).empty(); }

void PrintGroupHelp(std::string_view group) {
  std::cout << "varve " << group << " - one of:\n\n";
  size_t width = 0;
  for (const std::string& name : CommandsOfGroup(group)) width = std::max(width, name.size());
  for (const Command& command : CommandTable()) {
    if (command.name == Group(command.name) || Group(command.name) != group) continue;
    std::cout << "  varve " << command.name
              << std::string(group.size() + 1 + width + 2 - command.name.size(), ' ')
              << command.summary << "\n";
  }
  std::cout << "\nvarve " << group << " COMMAND --help says more\n";
}

std::string UnknownCommandMessage(const std::vector<std::string>& words) {
  if (const std::vector<std::string> there = CommandsOfGroup(words[0]); !there.empty()) {
    std::string names;
    for (const std::string& name : there) names += " " + name;
    if (words.size() == 1) return words[0] + ": say what to do:" + names;
    return words[0] + ": there is no '" + words[1] + "'" + DidYouMean(words[1], there) +
           " (there are:" + names + ")";
  }
  // "info" alone is a part of several.
  std::string parts;
  std::vector<std::string> names = {"help"};
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

int ReportUnknownCommand(const std::vector<std::string>& words, bool as_json) {
  ReportFailure("varve",
                Status::InvalidArgument(EscapeForDisplay(UnknownCommandMessage(words))), as_json);
  return kUsage;
}

void ReportFailure(std::string_view verb, const Status& status, bool as_json,
                   const std::string& advice) {
  if (as_json) {
    api::Problem problem(status);
    std::cerr << PlainJson(api::Dump(
                     advice.empty() ? problem.ToJson()
                                    : std::move(problem).With("hint", advice).ToJson()))
              << "\n";
    return;
  }
  std::cerr << PlainText(std::string(verb) + ": " + std::string(status.message()) +
                         (advice.empty() ? "" : "; ") + advice)
            << "\n";
}

void ReportRefusal(std::string_view verb, const std::string& why, bool as_json) {
  if (as_json) {
    std::cerr << PlainJson(api::Dump(api::Problem("read_only", why).ToJson())) << "\n";
    return;
  }
  std::cerr << PlainText(std::string(verb) + ": refused: " + why) << "\n";
}

}  // namespace varve::cli
