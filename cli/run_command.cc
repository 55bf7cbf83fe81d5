// SPDX-License-Identifier: Apache-2.0
#include "cli/run_command.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <utility>
#include <variant>

#include "cli/command_output.h"
#include "cli/help.h"
#include "cli/output_file.h"
#include "cli/parser.h"

namespace varve::cli {

const Command* FindCommand(const std::vector<std::string>& words, size_t* used) {
  const Command* found = nullptr;
  std::string name;
  for (size_t n = 0; n < words.size() && n < 2; ++n) {
    name += (n == 0 ? "" : " ") + words[n];
    for (const Command& command : CommandTable()) {
      if (command.name == name) {
        found = &command;
        *used = n + 1;
      }
    }
  }
  return found;
}

namespace {

bool AsksForHelp(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "-h" || word == "--help") return true;
  }
  return false;
}

void CollectWords(const Parameter& parameter, std::vector<std::string>* words) {
  if (const auto* one = std::get_if<std::string*>(&parameter.destination)) {
    words->push_back(**one);
  } else if (const auto* many = std::get_if<std::vector<std::string>*>(&parameter.destination)) {
    words->insert(words->end(), (*many)->begin(), (*many)->end());
  }
}

// Which of the files that the command reads would be written to; empty if none. Keys and values are
// files only as @file.
std::string InputThatWouldChange(const Parameters& parameters, const std::string& output) {
  if (output.empty()) return "";
  for (const Parameter& parameter : parameters.list()) {
    std::vector<std::string> words;
    if (parameter.positional || parameter.name == "against") CollectWords(parameter, &words);
    const bool literal = parameter.name == "key" || parameter.name == "value";
    for (const std::string& word : words) {
      if (literal && !word.starts_with('@')) continue;
      const std::string path = literal ? word.substr(1) : word;
      if (IsSameOrWithin(output, path)) return path;
    }
  }
  return "";
}

int RunCommand(const Command& command, std::vector<std::string> words) {
  const std::unique_ptr<Invocation> invocation = command.make();
  OutputOptions output;
  Parameters parameters;
  invocation->Declare(parameters);
  DeclareOutput(parameters, &output);
  if (AsksForHelp(words)) {
    PrintCommandHelp(command, parameters);
    return kDone;
  }
  const std::string verb = "varve " + std::string(command.name);
  if (Status parsed = ParseWords(parameters, std::move(words)); !parsed.ok()) {
    ReportFailure(verb, parsed, output.json);
    return kUsage;
  }
  if (Status known = CheckFormat(command, output.json ? "json" : output.format); !known.ok()) {
    ReportFailure(verb, known, output.json);
    return kUsage;
  }
  if (const std::string input = InputThatWouldChange(parameters, output.output_file);
      !input.empty()) {
    ReportRefusal(verb, "-o " + output.output_file + " would change " + input, output.json);
    return kRefused;
  }
  if (std::string* own = invocation->OwnOutput(); own != nullptr) {
    *own = std::exchange(output.output_file, {});
  }
  Result<std::unique_ptr<Console>> console = Console::Create(output);
  if (!console.ok()) {
    ReportFailure(verb, console.status(), output.json);
    return kEnvironment;
  }
  const Result<ExitCode> code = invocation->Run(**console);
  const Status written = code.ok() ? (*console)->Finish() : (*console)->out().Finish();
  const bool partial = (*console)->partial();
  // What stood in the place of -o FILE stays if there is nothing whole to replace it.
  console->reset();
  if (!written.ok()) {
    ReportFailure(verb, written, output.json);
    return kEnvironment;
  }
  if (!code.ok()) {
    ReportFailure(verb, code.status(), output.json);
    return ExitCodeOf(code.status());
  }
  const bool answered = *code == kDone || *code == kNegative;
  return answered && partial ? kPartial : *code;
}

}  // namespace

namespace {

int Dispatch(std::vector<std::string> words) {
  if (words.empty()) {
    PrintOverview(/*as_usage_error=*/true);
    return kUsage;
  }
  if (words[0] == "-h" || words[0] == "--help" || (words[0] == "help" && words.size() == 1)) {
    PrintOverview(/*as_usage_error=*/false);
    return kDone;
  }
  if (words[0] == "help" && words[1] == "--json") {
    PrintCommandsAsJson();
    return kDone;
  }
  if (words[0] == "help" && words[1] == "--man") {
    PrintManPage();
    return kDone;
  }
  if (words[0] == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  if (words[0] == "--version") words[0] = "version";
  size_t used = 0;
  const Command* command = FindCommand(words, &used);
  if (command == nullptr) return ReportUnknownCommand(words);
  words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(used));
  return RunCommand(*command, std::move(words));
}

}  // namespace

int RunWords(std::vector<std::string> words) {
  const int code = Dispatch(std::move(words));
  // Help goes there directly.
  errno = 0;
  if (std::cout.flush()) return code;
  std::cout.clear();
  ReportFailure("varve",
                Status::IoError(std::string("writing the output: ") +
                                std::strerror(errno != 0 ? errno : EIO)),
                /*as_json=*/false);
  return kEnvironment;
}

}  // namespace varve::cli
