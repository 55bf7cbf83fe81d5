// SPDX-License-Identifier: Apache-2.0
// varve shell: the same verbs at a prompt, about one target.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

#include "cli/commands/commands.h"
#include "cli/help.h"
#include "cli/prompt.h"
#include "cli/run_command.h"
#include "cli/shell_words.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm_report.h"
#include "core/inspect/target.h"

namespace varve::cli {
namespace {

std::string_view FirstWord(std::string_view name) { return name.substr(0, name.find(' ')); }

std::vector<std::string> StartingWith(const std::set<std::string>& words,
                                      const std::string& prefix) {
  std::vector<std::string> found;
  for (const std::string& word : words) {
    if (word.starts_with(prefix)) found.push_back(word);
  }
  return found;
}

// What the verbs of a shell are about, and the names in it.
class ShellTarget {
 public:
  static Result<ShellTarget> Open(const std::string& path) {
    ShellTarget target;
    target.path_ = path;
    ASSIGN_OR_RETURN(target.kind_, IdentifyTarget(*NativeEnvironment().file_system, path));
    return target;
  }

  const std::string& path() const { return path_; }

  // `words` with the target where `command`, which took the first `used` of them, wants it.
  std::vector<std::string> Imply(const Command& command, size_t used,
                                 std::vector<std::string> words) const {
    const std::string first = FirstPositional(command);
    const auto at = words.begin() + static_cast<ptrdiff_t>(used);
    const bool is_table = kind_ == TargetKind::kTable;
    if (first == "target" || (first == "file" && is_table)) {
      words.insert(at, path_);
    } else if (first == "file" && !is_table) {
      for (auto word = at; word != words.end(); ++word) {
        if (word->starts_with('-')) continue;
        const std::string inside = path_ + "/" + *word;
        FileSystem& fs = *NativeEnvironment().file_system;
        if (!fs.Exists(*word) && fs.Exists(inside)) *word = inside;
        break;
      }
    }
    return words;
  }

  std::set<std::string> Families() const { return Names(/*tables=*/false); }
  std::set<std::string> Tables() const { return Names(/*tables=*/true); }

  static std::string FirstPositional(const Command& command) {
    const std::unique_ptr<Invocation> invocation = command.make();
    Parameters parameters;
    invocation->Declare(parameters);
    for (const Parameter& parameter : parameters.list()) {
      if (parameter.positional) return parameter.name;
    }
    return "";
  }

 private:
  // Looked up each time: another process may be writing.
  std::set<std::string> Names(bool tables) const {
    std::set<std::string> names;
    if (kind_ != TargetKind::kDatabase) return names;
    const auto report = ReportLsm(*NativeEnvironment().file_system, path_);
    if (!report.ok()) return names;
    for (const FamilyReport& family : report->families) {
      if (!tables) names.insert(family.name);
      for (const LevelReport& level : family.levels) {
        for (const FileReport& file : level.files) {
          if (tables) names.insert(file.name);
        }
      }
    }
    return names;
  }

  std::string path_;
  TargetKind kind_ = TargetKind::kUnknown;
};

// What Tab offers behind the words `before`.
std::vector<std::string> Complete(const ShellTarget& target, const std::string& before,
                                  const std::string& current) {
  const auto split = SplitWords(before);
  if (!split.ok()) return {};
  const std::vector<std::string>& words = *split;
  std::set<std::string> offers;
  size_t used = 0;
  const Command* command = FindCommand(words, &used);
  const bool group_only = words.size() == 1 && command == nullptr;
  if (words.empty()) {
    offers = {"help", "exit"};
    for (const Command& row : CommandTable()) offers.insert(std::string(FirstWord(row.name)));
    return StartingWith(offers, current);
  }
  if (group_only) {
    for (const Command& row : CommandTable()) {
      if (FirstWord(row.name) == words[0] && row.name.size() > words[0].size()) {
        offers.insert(std::string(row.name.substr(words[0].size() + 1)));
      }
    }
    return StartingWith(offers, current);
  }
  if (command == nullptr) return {};
  if (words.back() == "--cf") return StartingWith(target.Families(), current);
  const std::unique_ptr<Invocation> invocation = command->make();
  OutputOptions output;
  Parameters parameters;
  invocation->Declare(parameters);
  DeclareOutput(parameters, &output);
  for (const Parameter& parameter : parameters.list()) {
    if (parameter.positional) continue;
    const std::string name = "--" + parameter.name.substr(parameter.name.find(',') + 1);
    if (words.back() == name && !parameter.choices.empty()) {
      return StartingWith({parameter.choices.begin(), parameter.choices.end()}, current);
    }
    offers.insert(name);
  }
  if (current.starts_with('-')) return StartingWith(offers, current);
  if (ShellTarget::FirstPositional(*command) == "file") {
    return StartingWith(target.Tables(), current);
  }
  return {};
}

std::string HistoryFile() {
  const char* const home = std::getenv("HOME");
  return home == nullptr ? "" : std::string(home) + "/.varve_history";
}

class Shell : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &path_, "what all verbs are about");
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const ShellTarget target, ShellTarget::Open(path_));
    return isatty(STDIN_FILENO) == 1 ? Talk(console, target) : RunScript(console, target);
  }

 private:
  ExitCode Talk(Console& console, const ShellTarget& target) {
    Prompt prompt([&](const std::string& before,
                      const std::string& current) { return Complete(target, before, current); },
                  HistoryFile());
    console.Note("help lists the verbs, exit leaves; each is about " + target.path());
    while (const auto line = prompt.ReadLine("varve " + target.path() + "> ")) {
      bool leave = false;
      RunLine(console, target, *line, &leave);
      if (leave) break;
    }
    return kDone;
  }

  // A negative answer (1) is no error; what is stops the script.
  ExitCode RunScript(Console& console, const ShellTarget& target) {
    std::string line;
    int code = kDone;
    for (uint64_t number = 1; std::getline(std::cin, line); ++number) {
      bool leave = false;
      code = RunLine(console, target, line, &leave);
      if (code > kNegative) {
        console.Error("varve shell: stopped at line " + std::to_string(number) + ": " + line);
        break;
      }
      if (leave) break;
    }
    return static_cast<ExitCode>(code);
  }

  int RunLine(Console& console, const ShellTarget& target, const std::string& line, bool* leave) {
    auto words = SplitWords(line);
    if (!words.ok()) {
      ReportFailure("varve shell", words.status(), false);
      return kUsage;
    }
    if (words->empty()) return kDone;
    if (words->front() == "varve") words->erase(words->begin());  // As pasted from elsewhere.
    if (words->empty() || words->front() == "help") return Help(*words);
    if (words->front() == "exit" || words->front() == "quit") {
      *leave = true;
      return kDone;
    }
    if (words->front() == "shell") {
      console.Error("varve shell: this is one");
      return kUsage;
    }
    size_t used = 0;
    if (const Command* command = FindCommand(*words, &used)) {
      words = target.Imply(*command, used, *std::move(words));
    }
    return RunWords(*std::move(words));
  }

  static int Help(const std::vector<std::string>& words) {
    return RunWords(words.empty() ? std::vector<std::string>{"help"} : words);
  }

  std::string path_;
};

}  // namespace

const Command kShell = {"shell", "the same verbs at a prompt, about one target",
                        "varve shell ./db\n"
                        "printf 'get bash\\nlsm show\\n' | varve shell ./db",
                        "of the last verb; a script stops at the first error and returns its code",
                        [] { return MakeInvocation<Shell>(); }};

}  // namespace varve::cli
