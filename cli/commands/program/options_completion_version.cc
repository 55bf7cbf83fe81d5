// SPDX-License-Identifier: Apache-2.0
// varve options, varve completion, varve version.
#include "cli/arguments/shell_words.h"
#include "cli/build_features.h"
#include "cli/commands/commands.h"
#include "cli/completion.h"
#include "cli/output/api_output.h"
#include "cli/output/listed_rows.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/option_table.h"
#include "varve/version.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

class OptionsCommand : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    const Options defaults;
    if (WantsDocument(console)) {
      PrintList(console, {{"schema", "varve.option_list/1"}}, "options", OptionTable(),
                ListedOptionFields());
      return kDone;
    }
    for (const OptionRow& row : OptionTable()) {
      console.out().Write(std::string(row.name) + "\t" + row.get(defaults) + "\t" +
                          std::string(row.range) + "\t" + std::string(row.help) + "\n");
    }
    return kDone;
  }
};

class Completion : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("shell", &shell_, "whose").choices = {"bash", "zsh", "fish"};
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
                          "varve options\nvarve load ./db - --option compression=zstd", "0",
                          [] { return MakeInvocation<OptionsCommand>(); }};

const Command kCompletion = {"completion", "print the completion script of a shell",
                             "source <(varve completion bash)      # or zsh\n"
                             "varve completion fish | source\n"
                             "varve completion fish -- scan ./db --f",
                             "0", [] { return MakeInvocation<Completion>(); }};

const Command kVersion = {"version", "print the version, and what this build has and lacks",
                          "varve version --json", "0", [] { return MakeInvocation<Version>(); }};

}  // namespace varve::cli
