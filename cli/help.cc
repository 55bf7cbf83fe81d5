// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>

#include "cli/command_output.h"
#include "cli/plain_text.h"
#include "webview/api/problem.h"

namespace varve::cli {
namespace {

// Levenshtein distance, for "did you mean".
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substitute});
    }
  }
  return row.back();
}

std::string_view Group(std::string_view name) { return name.substr(0, name.find(' ')); }

std::string Usage(const Command& command, const Parameters& parameters) {
  std::string usage = "varve " + std::string(command.name);
  for (const Parameter& parameter : parameters.list()) {
    if (!parameter.positional) continue;
    const bool many = std::holds_alternative<std::vector<std::string>*>(parameter.destination);
    const std::string word = "<" + parameter.name + ">" + (many ? "..." : "");
    usage += parameter.required ? " " + word : " [" + word + "]";
  }
  return usage + " [flags]";
}

// "F,format" -> "-F, --format <value>".
std::string FlagColumn(const Parameter& parameter) {
  const size_t comma = parameter.name.find(',');
  std::string column = comma == std::string::npos ? "    --" + parameter.name
                                                  : "-" + parameter.name.substr(0, comma) + ", --" +
                                                        parameter.name.substr(comma + 1);
  if (!std::holds_alternative<bool*>(parameter.destination)) column += " <value>";
  return column;
}

std::string LongName(const Parameter& parameter) {
  const size_t comma = parameter.name.find(',');
  return "--" + (comma == std::string::npos ? parameter.name : parameter.name.substr(comma + 1));
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
      flags.push_back({{"name", parameter.positional ? parameter.name : LongName(parameter)},
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
          parameter.positional ? "<" + parameter.name + ">" : LongName(parameter);
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
    out << ".TP\n.B " << text(LongName(parameter)) << "\n" << text(parameter.help) << "\n";
  }
  out << ".SH EXIT STATUS\n0 yes, 1 no, 2 usage, 3 I/O, 4 corruption, 5 busy, 6 not supported,\n"
         "7 partial, 8 refused, 70 a bug in varve\n";
}

int ReportUnknownCommand(const std::vector<std::string>& words) {
  std::string group_commands;
  for (const Command& command : CommandTable()) {
    if (command.name != Group(command.name) && Group(command.name) == words[0]) {
      group_commands += " " + std::string(command.name.substr(Group(command.name).size() + 1));
    }
  }
  const bool as_json = std::find(words.begin(), words.end(), "--json") != words.end();
  if (!group_commands.empty()) {
    ReportFailure("varve " + words[0], Status::InvalidArgument("say what to do:" + group_commands),
                  as_json);
    return kUsage;
  }
  std::string_view nearest;
  size_t best = 4;  // Farther than that is not a typing error.
  for (const Command& command : CommandTable()) {
    const size_t distance = Distance(words[0], Group(command.name));
    if (distance < best) {
      best = distance;
      nearest = Group(command.name);
    }
  }
  std::string why = "there is no command '" + words[0] + "'";
  if (!nearest.empty()) why += "; did you mean '" + std::string(nearest) + "'?";
  ReportFailure("varve", Status::InvalidArgument(why + " (varve --help lists them)"), as_json);
  return kUsage;
}

void ReportFailure(std::string_view verb, const Status& status, bool as_json) {
  if (as_json) {
    std::cerr << PlainJson(api::Dump(api::Problem(status).ToJson())) << "\n";
    return;
  }
  std::cerr << PlainText(std::string(verb) + ": " + std::string(status.message())) << "\n";
}

void ReportRefusal(std::string_view verb, const std::string& why, bool as_json) {
  if (as_json) {
    std::cerr << PlainJson(api::Dump(api::Problem("read_only", why).ToJson())) << "\n";
    return;
  }
  std::cerr << PlainText(std::string(verb) + ": refused: " + why) << "\n";
}

std::string CompletionScript(std::string_view shell) {
  std::set<std::string> verbs;
  std::string second_words;  // bash/zsh: one case per first word.
  for (const Command& command : CommandTable()) verbs.insert(std::string(Group(command.name)));
  std::string first_words, cases, fish;
  for (const std::string& verb : verbs) {
    first_words += (first_words.empty() ? "" : " ") + verb;
    std::string subverbs;
    for (const Command& command : CommandTable()) {
      if (Group(command.name) != verb) continue;
      if (command.name.size() > verb.size()) {
        subverbs +=
            (subverbs.empty() ? "" : " ") + std::string(command.name.substr(verb.size() + 1));
      }
      const std::unique_ptr<Invocation> invocation = command.make();
      OutputOptions output;
      std::string flags;
      const Parameters parameters = ParametersOf(*invocation, &output);
      for (const Parameter& parameter : parameters.list()) {
        if (parameter.positional) continue;
        flags += (flags.empty() ? "" : " ") + LongName(parameter);
        fish += "complete -c varve -n '__fish_seen_subcommand_from " + verb + "' -l " +
                LongName(parameter).substr(2) + " -d '" + parameter.help + "'\n";
      }
      cases += "    '" + std::string(command.name) + "') flags='" + flags + "';;\n";
    }
    if (!subverbs.empty()) {
      second_words += "    " + verb + ") words='" + subverbs + "';;\n";
      fish += "complete -c varve -f -n '__fish_seen_subcommand_from " + verb + "' -a '" + subverbs +
              "'\n";
    }
  }
  if (shell == "fish") {
    return "complete -c varve -f -n __fish_use_subcommand -a '" + first_words + "'\n" + fish;
  }
  std::string script =
      "_varve() {\n"
      "  local words='' flags='' verb=\"${COMP_WORDS[1]}\" current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '" +
      first_words +
      "' -- \"$current\")); return\n"
      "  fi\n"
      "  case \"$verb\" in\n" +
      second_words +
      "  esac\n"
      "  if [ \"$COMP_CWORD\" = 2 ] && [ -n \"$words\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); return\n"
      "  fi\n"
      "  [ -n \"$words\" ] && verb=\"$verb ${COMP_WORDS[2]}\"\n"
      "  case \"$verb\" in\n" +
      cases +
      "  esac\n"
      "  case \"$current\" in\n"
      "    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"));;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$current\"));;\n"
      "  esac\n"
      "}\n";
  if (shell == "bash") return script + "complete -o filenames -F _varve varve\n";
  if (shell == "zsh") {
    return "autoload -U +X bashcompinit && bashcompinit\n" + script +
           "complete -o filenames -F _varve varve\n";
  }
  return "";
}

}  // namespace varve::cli
