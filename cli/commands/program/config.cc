// SPDX-License-Identifier: Apache-2.0
// varve config.
#include <span>

#include "cli/commands/commands.h"
#include "cli/defaults.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/report_columns.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::cli {

struct Configured {
  std::string file;
  std::span<const Default> settings;
};

namespace {

using Align = TextTable::Align;

std::string_view SourceName(Default::Source source) {
  switch (source) {
    case Default::Source::kFile:
      return "file";
    case Default::Source::kEnvironment:
      return "environment";
    case Default::Source::kBuiltIn:
      break;
  }
  return "built in";
}

const api::Fields<Default>& SettingFields() {
  static const auto fields =
      api::Fields<Default>()
          .Text("name", &Default::name, "of the setting")
          .Text(
              "value", [](const Default& value) { return EscapeForDisplay(value.value); },
              "empty: each command has its own")
          .Choice(
              "source", {"built in", "file", "environment"},
              [](const Default& value) { return SourceName(value.source); }, "what says so")
          .Text(
              "place", [](const Default& value) { return EscapeForDisplay(value.place); },
              "the variable, or the line of the file; empty: built in");
  return fields;
}

const api::Fields<Configured>& ConfigFields() {
  static const auto fields =
      api::Fields<Configured>()
          .Text("file", &Configured::file,
                "the configuration file, whether or not it is there; empty: HOME is not set")
          .List("settings", &Configured::settings, SettingFields(), "all that there are");
  return fields;
}

class Configuration : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::vector<Default> defaults, ReadDefaults());
    if (IsData(console.format(Format::kTable))) {
      PrintReport(console, kConfigDocument, {EscapeForDisplay(ConfigurationFile()), defaults});
    } else {
      ReportColumns<Default> table(TerminalOf(console), SettingFields());
      table.Show("name", "setting")
          .Show("value", Align::kLeft, ValueText)
          .Show("from", Align::kLeft, PlaceText);
      console.out().Write(table.Of(defaults).Render());
    }
    const std::string file = ConfigurationFile();
    console.Note("flags take precedence, then VARVE_FORMAT, VARVE_COLOR and VARVE_CACHE" +
                 (file.empty() ? ", and no file, because HOME is not set"
                               : ", then " + EscapeForDisplay(file)));
    return kDone;
  }

 private:
  static std::string ValueText(const Default& value) {
    return value.value.empty() ? "-" : EscapeForDisplay(value.value);
  }
  static std::string PlaceText(const Default& value) {
    return value.place.empty() ? std::string(SourceName(value.source))
                               : EscapeForDisplay(value.place);
  }
};

}  // namespace

const CommandDocument<Configured> kConfigDocument = {"varve.config/1", ConfigFields, "settings"};

const Command kConfig = {
    "config", "print the defaults of format, color and cache, and where each comes from",
    "varve config\n"
    "VARVE_FORMAT=jsonl varve config --json\n"
    "echo 'cache = 256MiB' >> ~/.config/varve/config",
    "0 printed, 2 a setting is unknown or its value wrong, 3 the file cannot be read",
    [] { return MakeInvocation<Configuration>(); }};

}  // namespace varve::cli
