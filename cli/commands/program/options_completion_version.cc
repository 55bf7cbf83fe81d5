// SPDX-License-Identifier: Apache-2.0
// varve options, varve completion, varve version.
#include <algorithm>
#include <span>

#include "cli/arguments/shell_words.h"
#include "cli/build_features.h"
#include "cli/commands/commands.h"
#include "cli/completion.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/lines.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/option_table.h"
#include "varve/version.h"

namespace varve::cli {

struct ListedOptions {
  std::span<const OptionRow> options;
};
struct CompletionText {
  std::string_view shell;
  std::string script;
};
struct About {
  std::string_view version, build;
  std::vector<BuildFeature> features;
  // format_version of tables.
  std::vector<uint64_t> reads = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<uint64_t> writes = {2, 3, 4, 5, 6, 7};
};

namespace {

const api::Fields<OptionRow>& ListedOptionFields() {
  static const auto fields =
      api::Fields<OptionRow>()
          .Text("name", &OptionRow::name, "RocksDB's name, if RocksDB has the option")
          .Text(
              "default", [](const OptionRow& row) { return row.get(Options()); },
              "the value if none is given")
          .Text("range", &OptionRow::range, "possible values, for people")
          .Text("help", &OptionRow::help, "meaning");
  return fields;
}

const api::Fields<ListedOptions>& OptionListFields() {
  static const auto fields = api::Fields<ListedOptions>().List(
      "options", &ListedOptions::options, ListedOptionFields(), "all that --option takes");
  return fields;
}

const api::Fields<CompletionText>& CompletionFields() {
  static const auto fields =
      api::Fields<CompletionText>()
          .Choice("shell", kCompletionShells, &CompletionText::shell,
                  "the shell that reads the script")
          .Text("script", &CompletionText::script, "for the shell to source");
  return fields;
}

const api::Fields<Candidate>& CandidateFields() {
  static const auto fields =
      api::Fields<Candidate>()
          .Text(
              "word", [](const Candidate& candidate) { return EscapeForDisplay(candidate.word); },
              "that may stand there, with escapes")
          .Text("help", &Candidate::help, "what it means; may be empty");
  return fields;
}

const api::Fields<Candidates>& CandidatesFields() {
  static const auto fields =
      api::Fields<Candidates>()
          .Flag("files", &Candidates::files, "names of files may stand there as well")
          .List("candidates", &Candidates::words, CandidateFields(), "for the last word");
  return fields;
}

api::Json FeaturesJson(const About& about) {
  api::Json has = api::Json::object();
  for (const BuildFeature& feature : about.features) {
    has[std::string(feature.name)] = feature.present;
  }
  return has;
}

const api::Fields<About>& AboutFields() {
  using api::Unit;
  static const auto fields = api::Fields<About>()
                                 .Text("version", &About::version, "of varve")
                                 .Text("build", &About::build, "kind of build and compiler")
                                 .Other("features", api::MapOf(api::Boolean()), FeaturesJson,
                                        "parts that a build may lack: whether this one has them")
                                 .Numbers("reads_format_versions", Unit::kNone, &About::reads,
                                          "format_version of tables that can be read")
                                 .Numbers("writes_format_versions", Unit::kNone, &About::writes,
                                          "format_version of tables that can be written");
  return fields;
}

class OptionsCommand : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    if (WantsDocument(console)) {
      PrintReport(console, kOptionListDocument, {OptionTable()});
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
    const std::string all = wide.Render();
    const std::vector<std::string_view> lines = SplitLines(all);
    const bool fits = std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
      return DisplayWidth(line) <= terminal.width;
    });
    if (!terminal.there || fits) return console.out().Write(all);
    const std::string names = narrow.Render();
    const std::vector<std::string_view> heads = SplitLines(names);
    console.out().Write(std::string(heads[0]) + "\n    values: meaning\n");
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
    parameters.Positional("shell", &shell_, "the shell").choices = {kCompletionShells.begin(),
                                                                    kCompletionShells.end()};
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
      PrintReport(console, kCandidatesDocument, candidates);
    } else {
      console.out().WriteData(CompletionAnswer(shell_, candidates));
    }
    return kDone;
  }

 private:
  ExitCode PrintScript(Console& console) const {
    const std::string script = CompletionScript(shell_);
    if (WantsDocument(console)) {
      PrintReport(console, kCompletionDocument, {shell_, script});
    } else {
      console.out().WriteData(script);
    }
    return kDone;
  }

  std::string shell_, breaks_;
  std::vector<std::string> words_;
  std::optional<std::string> line_;
};

class Version : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    const About about = {VARVE_VERSION, BuildDescription(), BuildFeatures()};
    if (WantsDocument(console)) {
      PrintReport(console, kAboutDocument, about);
    } else {
      console.out().Write("varve " + std::string(about.version) +
                          ": reads tables of format_version " + Span(about.reads) + ", writes " +
                          Span(about.writes) + "\nbuild  " + std::string(about.build) + "\n");
      for (const BuildFeature& feature : about.features) {
        console.out().Write((feature.present ? "has    " : "lacks  ") +
                            std::string(feature.meaning) + "\n");
      }
    }
    return kDone;
  }

 private:
  static std::string Span(const std::vector<uint64_t>& versions) {
    return std::to_string(versions.front()) + "-" + std::to_string(versions.back());
  }
};

}  // namespace

const CommandDocument<ListedOptions> kOptionListDocument = {"varve.option_list/1", OptionListFields,
                                                            "options"};
const CommandDocument<CompletionText> kCompletionDocument = {"varve.completion/1",
                                                             CompletionFields};
const CommandDocument<Candidates> kCandidatesDocument = {"varve.candidates/1", CandidatesFields,
                                                         "candidates"};
const CommandDocument<About> kAboutDocument = {"varve.about/1", AboutFields};

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
