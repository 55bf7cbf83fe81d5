// SPDX-License-Identifier: Apache-2.0
// varve config.
#include "cli/api_output.h"
#include "cli/commands/commands.h"
#include "cli/defaults.h"
#include "cli/text_table.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

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

class Configuration : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::vector<Default> defaults, ReadDefaults());
    const Format format =
        console.format(console.out_is_terminal() ? Format::kTable : Format::kText);
    if (IsData(format)) {
      PrintRows(console, defaults);
    } else if (format == Format::kTable) {
      TextTable table(TerminalOf(console), {{"setting"}, {"value"}, {"from"}});
      for (const Default& value : defaults) table.Add(Cells(value));
      console.out().Write(table.Render());
    } else {
      for (const Default& value : defaults) {
        const std::vector<std::string> cells = Cells(value);
        console.out().Write(cells[0] + "\t" + cells[1] + "\t" + cells[2] + "\n");
      }
    }
    const std::string file = ConfigurationFile();
    console.Note("flags go first, then VARVE_FORMAT, VARVE_COLOR and VARVE_CACHE" +
                 (file.empty() ? ", and no file: HOME says no place for one"
                               : ", then " + EscapeForDisplay(file)));
    return kDone;
  }

 private:
  static std::vector<std::string> Cells(const Default& value) {
    return {std::string(value.name), value.value.empty() ? "-" : EscapeForDisplay(value.value),
            value.place.empty() ? std::string(SourceName(value.source))
                                : EscapeForDisplay(value.place)};
  }

  static void PrintRows(Console& console, const std::vector<Default>& defaults) {
    std::vector<api::Json> rows;
    for (const Default& value : defaults) {
      rows.push_back({{"name", std::string(value.name)},
                      {"value", EscapeForDisplay(value.value)},
                      {"source", std::string(SourceName(value.source))},
                      {"place", EscapeForDisplay(value.place)}});
    }
    PrintList(console,
              {{"schema", "varve.config/1"}, {"file", EscapeForDisplay(ConfigurationFile())}},
              "settings", rows);
  }
};

}  // namespace

const Command kConfig = {
    "config", "print the defaults of format, color and cache, and where each comes from",
    "varve config\n"
    "VARVE_FORMAT=jsonl varve config --json\n"
    "echo 'cache = 256MiB' >> ~/.config/varve/config",
    "0 printed, 2 a setting is unknown or its value wrong, 3 the file cannot be read",
    [] { return MakeInvocation<Configuration>(); }};

}  // namespace varve::cli
