// SPDX-License-Identifier: Apache-2.0
// varve help.
#include "cli/help/help.h"

#include "cli/command_output.h"
#include "cli/commands/commands.h"
#include "cli/help/man_page.h"
#include "cli/output/api_output.h"
#include "cli/run_command.h"
#include "core/base/text/text.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

api::Json RowOf(const Command& command) {
  api::Json parameters = api::Json::array();
  const DeclaredParameters declared(command);
  for (const Parameter& parameter : declared.list()) {
    parameters.push_back({{"name", parameter.positional ? parameter.name : parameter.long_name()},
                          {"positional", parameter.positional},
                          {"required", parameter.required},
                          {"help", parameter.help},
                          {"choices", parameter.choices}});
  }
  return {
      {"name", std::string(command.name)},         {"summary", std::string(command.summary)},
      {"examples", std::string(command.examples)}, {"exit_codes", std::string(command.exit_codes)},
      {"schemas", WordsOf(SchemasOf(command))},    {"formats", WordsOf(FormatsOf(command))},
      {"parameters", std::move(parameters)}};
}

class HelpCommand : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.OptionalPositional("command", &words_, "the command to describe (default: all)");
    parameters.Option("man", &man_, "print the page for man(1), in troff");
  }

  Result<ExitCode> Run(Console& console) override {
    if (words_.size() == 1 && words_[0] == "help" && !man_) words_.clear();
    const Command* command = nullptr;
    if (!words_.empty() && !IsOneGroup()) {
      size_t used = 0;
      command = FindCommand(words_, &used);
      if (command == nullptr) return UnknownCommand(words_);
      if (used != words_.size()) {
        return Status::InvalidArgument("unexpected argument '" + EscapeForDisplay(words_[used]) +
                                       "'");
      }
    }
    const bool data = WantsDocument(console);
    if (man_) {
      if (data) return Status::InvalidArgument("--man prints troff and has no other format");
      if (IsOneGroup()) return UnknownCommand(words_);
      console.out().WriteData(command == nullptr ? ManPage() : ManPage(*command));
    } else if (data) {
      PrintData(console, command);
    } else if (command != nullptr) {
      console.out().Write(CommandHelpText(*command));
    } else {
      console.out().Write(words_.empty() ? OverviewText() : GroupHelpText(words_[0]));
    }
    return kDone;
  }

 private:
  bool IsOneGroup() const { return words_.size() == 1 && IsGroup(words_[0]); }

  void PrintData(Console& console, const Command* wanted) const {
    std::vector<api::Json> rows;
    for (const Command& command : CommandTable()) {
      const bool in_group = words_.empty() || command.name.starts_with(words_[0] + " ");
      if (wanted == nullptr ? in_group : &command == wanted) rows.push_back(RowOf(command));
    }
    PrintList(console,
              {{"schema", "varve.help/1"}, {"commands", nullptr}, {"schemas", AllSchemas()}},
              "commands", rows);
  }

  std::vector<std::string> words_;
  bool man_ = false;
};

}  // namespace

const Command kHelp = {"help", "list the commands, or describe one",
                       "varve help db verify\n"
                       "varve help --json                    # every command, flag and schema\n"
                       "varve help --man sst info | man -l -",
                       "0 printed", [] { return MakeInvocation<HelpCommand>(); }};

}  // namespace varve::cli
