// SPDX-License-Identifier: Apache-2.0
// varve options, varve completion, varve version.
#include <algorithm>

#include "cli/arguments/shell_words.h"
#include "cli/build_features.h"
#include "cli/commands/commands.h"
#include "cli/completion.h"
#include "cli/output/api_output.h"
#include "cli/output/listed_rows.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/option_table.h"
#include "varve/version.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return lines;
}

class OptionsCommand : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    if (WantsDocument(console)) {
      PrintList(console, {{"schema", "varve.option_list/1"}}, "options", OptionTable(),
                ListedOptionFields());
      return kDone;
    }
    PrintTable(console);
    return kDone;
  }

 private:
  // A line for each option; on a terminal that is too narrow for it, the values and the meaning are
  // below the name.
  static void PrintTable(Console& console) {
    const Terminal terminal = TerminalOf(console);
    Terminal unlimited = terminal;
    unlimited.there = false;
    TextTable wide(unlimited, {{"name"}, {"default"}, {"values"}, {"meaning"}});
    TextTable narrow(unlimited, {{"name"}, {"default"}});
    for (const OptionRow& row : OptionTable()) {
      const std::string name(row.name);
      const std::string value = ShortDefault(row);
      wide.Add({name, value, std::string(row.range), std::string(row.help)});
      narrow.Add({name, value});
    }
    const std::vector<std::string> lines = Lines(wide.Render());
    const bool fits = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return DisplayWidth(line) <= terminal.width;
    });
    if (!terminal.there || fits) {
      for (const std::string& line : lines) console.out().Write(line + "\n");
      return;
    }
    const std::vector<std::string> heads = Lines(narrow.Render());
    console.out().Write(heads[0] + "\n    values: meaning\n");
    for (size_t i = 0; i < OptionTable().size(); ++i) {
      const OptionRow& row = OptionTable()[i];
      console.out().Write(
          Fit(heads[i + 1], terminal.width) + "\n" +
          Wrapped(std::string(row.range) + ": " + std::string(row.help), terminal.width, 4));
    }
  }

  // The default in the words of `range`: "lz4", not RocksDB's "kLZ4Compression"; and without a last
  // part that changes nothing, as of "bloomfilter:10:false".
  static std::string ShortDefault(const OptionRow& row) {
    if (row.is_struct) return "{...}";  // Its members have rows of their own.
    const std::string value = row.get(Options());
    const auto means_default = [&](const std::string& text) {
      Options options;
      return row.set(&options, text).ok() && row.get(options) == value;
    };
    std::string_view rest = row.range;
    while (!rest.empty()) {
      const size_t bar = std::min(rest.find('|'), rest.size());
      const std::string word(rest.substr(0, bar));
      if (means_default(word)) return word;
      rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    const size_t colon = value.rfind(':');
    const std::string shorter = value.substr(0, std::min(colon, value.size()));
    return means_default(shorter) ? shorter : value;
  }
};

class Completion : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("shell", &shell_, "the shell").choices = {"bash", "zsh", "fish"};
    parameters.OptionalPositional("word", &words_,
                                  "words of a command line: print candidates for the last one");
    parameters.Option("line", &line_,
                      "the same for a whole line up to the cursor, as bash gives it");
    parameters.Option("breaks", &breaks_, "additional characters that separate its words");
  }

  Result<ExitCode> Run(Console& console) override {
    if (words_.empty() && !line_) return PrintScript(console);
    if (line_) {
      ASSIGN_OR_RETURN(words_, SplitWords(*line_));
      if (line_->empty() || line_->back() == ' ') words_.emplace_back();
      words_.erase(words_.begin());  // The name of this program.
      if (words_.empty()) return kDone;
    }
    const std::string current = words_.back();
    words_.pop_back();
    Candidates candidates = Complete(words_, current);
    const size_t divided = current.find_last_of(breaks_);
    if (divided != std::string::npos) {
      for (Candidate& candidate : candidates.words) candidate.word.erase(0, divided + 1);
    }
    if (WantsDocument(console)) {
      PrintCandidates(console, candidates);
    } else {
      console.out().WriteData(CompletionAnswer(shell_, candidates));
    }
    return kDone;
  }

 private:
  ExitCode PrintScript(Console& console) const {
    const std::string script = CompletionScript(shell_);
    if (WantsDocument(console)) {
      PrintDocument(console,
                    {{"schema", "varve.completion/1"}, {"shell", shell_}, {"script", script}});
    } else {
      console.out().WriteData(script);
    }
    return kDone;
  }

  static void PrintCandidates(Console& console, const Candidates& candidates) {
    std::vector<api::Json> rows;
    for (const Candidate& candidate : candidates.words) {
      rows.push_back({{"word", EscapeForDisplay(candidate.word)}, {"help", candidate.help}});
    }
    PrintList(console, {{"schema", "varve.candidates/1"}, {"files", candidates.files}},
              "candidates", rows);
  }

  std::string shell_, breaks_;
  std::vector<std::string> words_;
  std::optional<std::string> line_;
};

class Version : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    const std::vector<BuildFeature> features = BuildFeatures();
    if (WantsDocument(console)) {
      api::Json has = api::Json::object();
      for (const BuildFeature& feature : features) has[std::string(feature.name)] = feature.present;
      PrintDocument(console, {{"schema", "varve.about/1"},
                              {"version", VARVE_VERSION},
                              {"build", std::string(BuildDescription())},
                              {"features", std::move(has)},
                              {"reads_format_versions", {0, 1, 2, 3, 4, 5, 6, 7}},
                              {"writes_format_versions", {2, 3, 4, 5, 6, 7}}});
    } else {
      console.out().Write("varve " VARVE_VERSION
                          ": reads tables of format_version 0-7, writes 2-7\nbuild  " +
                          std::string(BuildDescription()) + "\n");
      for (const BuildFeature& feature : features) {
        console.out().Write((feature.present ? "has    " : "lacks  ") +
                            std::string(feature.meaning) + "\n");
      }
    }
    return kDone;
  }
};

}  // namespace

const api::Fields<OptionRow>& ListedOptionFields() {
  static const auto fields =
      api::Fields<OptionRow>()
          .Text("name", &OptionRow::name, "as RocksDB's, where it has such an option")
          .Text(
              "default", [](const OptionRow& row) { return row.get(Options()); },
              "what it is where nothing is said")
          .Text("range", &OptionRow::range, "what it can be, for people")
          .Text("help", &OptionRow::help, "what it does");
  return fields;
}

const Command kOptions = {"options", "list the engine options that --option takes",
                          "varve options\nvarve load ./db - --option compression=zstd", "0 printed",
                          [] { return MakeInvocation<OptionsCommand>(); }};

const Command kCompletion = {"completion", "print the completion script of a shell",
                             "source <(varve completion bash)      # or zsh\n"
                             "varve completion fish | source\n"
                             "varve completion fish -- scan ./db --f",
                             "0 printed", [] { return MakeInvocation<Completion>(); }};

const Command kVersion = {"version", "print the version, and what this build has and lacks",
                          "varve version --json", "0 printed",
                          [] { return MakeInvocation<Version>(); }};

}  // namespace varve::cli
