// SPDX-License-Identifier: Apache-2.0
// varve help.
#include "cli/help/help.h"

#include "cli/command_output.h"
#include "cli/commands/commands.h"
#include "cli/help/man_page.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/run_command.h"
#include "core/base/text/text.h"

namespace varve::cli {

struct HelpOfCommands {
  std::vector<const Command*> commands;
};

namespace {

const api::Fields<Parameter>& ParameterFields() {
  static const auto fields =
      api::Fields<Parameter>()
          .Text(
              "name",
              [](const Parameter& parameter) {
                return parameter.positional ? parameter.name : parameter.long_name();
              },
              "of an argument, or of a flag with its dashes")
          .Flag("positional", &Parameter::positional, "an argument, not a flag")
          .Flag("required", &Parameter::required, "the command needs it")
          .Text("help", &Parameter::help, "what it says")
          .Texts("choices", &Parameter::choices, "possible values; empty: any");
  return fields;
}

const api::Fields<Command>& CommandFields() {
  static const auto fields =
      api::Fields<Command>()
          .Text("name", &Command::name, "one or two words")
          .Text("summary", &Command::summary, "what it does, in a line")
          .Text("examples", &Command::examples, "lines as they are typed")
          .Text("exit_codes", &Command::exit_codes, "its own, in words")
          .Texts(
              "schemas", [](const Command& command) { return SchemasOf(command); },
              "of what --json prints: the normal one first")
          .Texts(
              "formats", [](const Command& command) { return FormatsOf(command); }, "that -F takes")
          .List(
              "parameters",
              [](const Command& command) { return DeclaredParameters(command).list(); },
              ParameterFields(), "arguments and flags");
  return fields;
}

const api::Fields<HelpOfCommands>& HelpFields() {
  static const auto fields =
      api::Fields<HelpOfCommands>()
          .List("commands", &HelpOfCommands::commands, CommandFields(), "those asked for")
          .Other(
              "schemas", api::MapOf(api::Anything()),
              [](const HelpOfCommands&) { return AllSchemas(); },
              "of the documents of all commands, by name");
  return fields;
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
    HelpOfCommands help;
    for (const Command& command : CommandTable()) {
      const bool in_group = words_.empty() || command.name.starts_with(words_[0] + " ");
      if (wanted == nullptr ? in_group : &command == wanted) help.commands.push_back(&command);
    }
    PrintReport(console, kHelpDocument, help);
  }

  std::vector<std::string> words_;
  bool man_ = false;
};

}  // namespace

const CommandDocument<HelpOfCommands> kHelpDocument = {"varve.help/1", HelpFields, "commands"};

const Command kHelp = {"help", "list the commands, or describe one",
                       "varve help db verify\n"
                       "varve help --json                    # every command, flag and schema\n"
                       "varve help --man sst info | man -l -",
                       "0 printed", [] { return MakeInvocation<HelpCommand>(); }};

}  // namespace varve::cli
