// SPDX-License-Identifier: Apache-2.0
#include "cli/run_command.h"

#include <memory>
#include <utility>

#include "cli/help.h"
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
  if (std::string* own = invocation->OwnOutput(); own != nullptr) {
    *own = std::exchange(output.output_file, {});
  }
  Result<std::unique_ptr<Console>> console = Console::Create(output);
  if (!console.ok()) {
    ReportFailure(verb, console.status(), output.json);
    return kEnvironment;
  }
  const Result<ExitCode> code = invocation->Run(**console);
  if (Status written = (*console)->out().Finish(); !written.ok()) {
    ReportFailure(verb, written, output.json);
    return kEnvironment;
  }
  if (!code.ok()) {
    ReportFailure(verb, code.status(), output.json);
    return ExitCodeOf(code.status());
  }
  return *code;
}

}  // namespace

int RunWords(std::vector<std::string> words) {
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

}  // namespace varve::cli
