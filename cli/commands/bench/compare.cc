// SPDX-License-Identifier: Apache-2.0
// varve bench compare: two sets of engine options, two executables, or two results of bench run.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>

#include "cli/commands/bench/peer_process.h"
#include "cli/commands/bench/result_reader.h"
#include "cli/commands/bench/side.h"
#include "cli/commands/bench/statistics.h"
#include "cli/commands/commands.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/progress.h"
#include "core/base/try.h"

namespace varve::cli {
using namespace bench;

struct Comparison {
  std::string workload, a, b;
  std::optional<Effect> check;  // A against A.
  Effect effect;

  bool trusted() const { return !check || !check->shown(); }
  std::string verdict() const {
    if (!trusted()) return "not to be trusted: A differs from A";
    if (effect.pairs < kPairsMin) return "too few pairs to say";
    if (!effect.shown()) return "no difference shown";
    return effect.log_ratio > 0 ? "B is faster" : "B is slower";
  }
};

struct Comparisons {
  std::vector<Comparison> all;
};

namespace {

double Percent(double log_ratio) { return (std::exp(log_ratio) - 1) * 100; }

std::string EffectText(const Effect& effect) {
  char text[96];
  std::snprintf(text, sizeof(text), "%+.2f %% [%+.2f, %+.2f]", Percent(effect.log_ratio),
                Percent(effect.low), Percent(effect.high));
  return text;
}

// Nothing for an unbounded interval.
std::optional<double> FinitePercent(double log_ratio) {
  if (!std::isfinite(log_ratio)) return std::nullopt;
  return Percent(log_ratio);
}

const api::Fields<Effect>& EffectFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<Effect>()
          .Fraction(
              "percent", [](const Effect& effect) { return Percent(effect.log_ratio); },
              "B's rate against A's")
          .Fraction(
              "low", [](const Effect& effect) { return FinitePercent(effect.low); },
              "of its confidence interval; null: unbounded, there are too few pairs")
          .OrNull()
          .Fraction(
              "high", [](const Effect& effect) { return FinitePercent(effect.high); },
              "of its confidence interval; null: likewise")
          .OrNull()
          .Number("pairs", Unit::kCount, &Effect::pairs, "that were measured");
  return fields;
}

const api::Fields<Comparison>& ComparisonFields() {
  static const auto fields =
      api::Fields<Comparison>()
          .Text("workload", &Comparison::workload, "of bench list")
          .Text("a", &Comparison::a, "what A is")
          .Text("b", &Comparison::b, "what B is")
          .Object("check", &Comparison::check, EffectFields(),
                  "A against A; null for two results, which cannot tell")
          .OrNull()
          .Object("effect", &Comparison::effect, EffectFields(), "B against A")
          .Choice("verdict",
                  {"not to be trusted: A differs from A", "too few pairs to say",
                   "no difference shown", "B is faster", "B is slower"},
                  &Comparison::verdict, "at that confidence");
  return fields;
}

const api::Fields<Comparisons>& ComparisonsFields() {
  static const auto fields =
      api::Fields<Comparisons>()
          .Fraction(
              "confidence_percent", [](const Comparisons&) { return kConfidencePercent; },
              "of the intervals")
          .List("comparisons", &Comparisons::all, ComparisonFields(), "one for each workload");
  return fields;
}

ExitCode ExitOf(const Comparisons& comparisons) {
  ExitCode code = kDone;
  for (const Comparison& one : comparisons.all) {
    if (!one.trusted()) {
      code = kPartial;
    } else if (one.effect.pairs >= kPairsMin && one.effect.shown() && code == kDone) {
      code = kNegative;
    }
  }
  return code;
}

ExitCode Print(Console& console, const Comparisons& comparisons) {
  if (WantsDocument(console)) {
    PrintReport(console, kBenchComparisonDocument, comparisons);
    return ExitOf(comparisons);
  }
  for (const Comparison& one : comparisons.all) {
    console.out().Write(one.workload + ", " + std::to_string(one.effect.pairs) +
                        " pairs, throughput, 99 % confidence\n  A    " + one.a + "\n  B    " +
                        one.b + "\n");
    if (one.check) console.out().Write("  A/A  " + EffectText(*one.check) + "\n");
    console.out().Write("  B/A  " + EffectText(one.effect) + "  " + one.verdict() + "\n");
  }
  return ExitOf(comparisons);
}

// Seconds per operation of every run of each workload, in order.
Result<std::map<std::string, std::vector<double>>> ReadResults(const std::string& path) {
  ASSIGN_OR_RETURN(const ReadResult result, ReadResultFile(path));
  std::map<std::string, std::vector<double>> results;
  for (const ReadRun& run : result.runs) {
    if (run.operations == 0 || run.seconds == 0) continue;
    results[run.workload].push_back(run.seconds / static_cast<double>(run.operations));
  }
  return results;
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "default options" : text;
}

// Whether it is executable, unlike a result file.
bool IsExecutable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

class BenchCompare : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.OptionalPositional(
        "A", &given_a_, "a result of bench run --repeat N --json, or a varve or varve-bench-*");
    parameters.OptionalPositional("B", &given_b_, "another");
    parameters.Option("a", &options_a_, "NAME=VALUE of an engine option of A").names =
        Names::kEngineOption;
    parameters.Option("b", &options_b_, "NAME=VALUE of an engine option of B").names =
        Names::kEngineOption;
    parameters.Option(
        "workload", &workload_,
        "what to run (varve bench list; default: readrandom); of two results, what to compare");
    parameters.Option(
        "pairs", &pairs_,
        "pairs to measure, at least 10 (default: " + std::to_string(kPairsDefault) + ")");
    parameters.Option("processes", &processes_, "start a process for each measurement");
    flags_.Declare(parameters);
  }

  Result<ExitCode> Run(Console& console) override {
    if (given_a_ && !given_b_) {
      return Status::InvalidArgument("one result cannot be compared: give two, or --a and --b");
    }
    if (!given_a_) return CompareSides(console, "", "");
    const bool runs_a = IsExecutable(*given_a_), runs_b = IsExecutable(*given_b_);
    if (runs_a != runs_b) {
      return Status::InvalidArgument("A and B are two results or two executables");
    }
    if (runs_a) return CompareSides(console, *given_a_, *given_b_);
    RETURN_IF_ERROR(CheckNothingIsMeasured());
    return CompareFiles(console);
  }

 private:
  // Of two results, all flags but --workload are about a measurement that was made before.
  Status CheckNothingIsMeasured() const {
    std::vector<std::string> words = flags_.Words();
    if (!options_a_.empty()) words.emplace_back("--a");
    if (!options_b_.empty()) words.emplace_back("--b");
    if (pairs_) words.emplace_back("--pairs");
    if (processes_) words.emplace_back("--processes");
    if (words.empty()) return Status::Ok();
    return Status::InvalidArgument(words.front() + " is for measuring: " + *given_a_ + " and " +
                                   *given_b_ + " are results");
  }

  // Compares runs of two processes: the i-th runs are paired, although they were not measured
  // together.
  Result<ExitCode> CompareFiles(Console& console) const {
    ASSIGN_OR_RETURN(const auto a, ReadResults(*given_a_));
    ASSIGN_OR_RETURN(const auto b, ReadResults(*given_b_));
    Comparisons comparisons;
    for (const auto& [name, seconds] : a) {
      const auto other = b.find(name);
      if (other == b.end() || (workload_ && name != *workload_)) continue;
      const size_t pairs = std::min(seconds.size(), other->second.size());
      ASSIGN_OR_RETURN(
          const Effect effect,
          ComparePairs([&](size_t i) -> Result<double> { return seconds[i]; },
                       [&](size_t i) -> Result<double> { return other->second[i]; }, pairs));
      comparisons.all.push_back({name, *given_a_, *given_b_, std::nullopt, effect});
    }
    if (comparisons.all.empty()) {
      return Status::InvalidArgument(*given_a_ + " and " + *given_b_ +
                                     (workload_ ? " do not both have --workload " + *workload_
                                                : " have no workload in common"));
    }
    return Print(console, comparisons);
  }

  // Measures in pairs, first A against A. Without executables: the engine in this process, or in
  // processes of this executable.
  Result<ExitCode> CompareSides(Console& console, std::string run_a, std::string run_b) const {
    const std::string name = workload_.value_or("readrandom");
    const Workload* workload = FindWorkload(name);
    if (workload == nullptr) return NoWorkload(name);
    const uint64_t pairs = pairs_.value_or(kPairsDefault);
    if (pairs < kPairsMin) return Status::InvalidArgument("--pairs must be at least 10");
    if (processes_ && run_a.empty()) run_a = run_b = ThisExecutable();
    Comparison comparison{
        std::string(workload->name), Label(run_a, options_a_), Label(run_b, options_b_), {}, {}};
    Progress progress(console, "compare", "measurements", 4 * pairs);
    uint64_t measured = 0;
    const auto measure = [&](Side& side, uint64_t* found) {
      return [&, found](size_t pair) -> Result<double> {
        ASSIGN_OR_RETURN(const double seconds, side.Measure(pair + 1));
        progress.Look(++measured);
        *found = side.found();
        return seconds;
      };
    };
    uint64_t found_a = 0, found_b = 0;
    ASSIGN_OR_RETURN(const auto first, Warm(run_a, options_a_, *workload, console));
    {
      ASSIGN_OR_RETURN(const auto again, Warm(run_a, options_a_, *workload, console));
      ASSIGN_OR_RETURN(comparison.check,
                       ComparePairs(measure(*first, &found_a), measure(*again, &found_b), pairs));
      RETURN_IF_ERROR(again->Close());
    }
    ASSIGN_OR_RETURN(const auto second, Warm(run_b, options_b_, *workload, console));
    ASSIGN_OR_RETURN(comparison.effect,
                     ComparePairs(measure(*first, &found_a), measure(*second, &found_b), pairs));
    RETURN_IF_ERROR(first->Close());
    RETURN_IF_ERROR(second->Close());
    if (found_a != found_b && flags_.Repeatable(workload->writes)) {
      return Status::Corruption("bench compare: A found " + std::to_string(found_a) +
                                " records where B found " + std::to_string(found_b));
    }
    return Print(console, {{comparison}});
  }

  static std::string Label(const std::string& executable, const std::vector<std::string>& options) {
    if (executable.empty()) return Join(options);
    return executable + (options.empty() ? "" : " " + Join(options));
  }

  // A database with its records, after one run that is not counted.
  Result<std::unique_ptr<Side>> Warm(const std::string& executable,
                                     const std::vector<std::string>& options,
                                     const Workload& workload, Console& console) const {
    std::unique_ptr<Side> side;
    if (executable.empty()) {
      ASSIGN_OR_RETURN(const Settings settings, Checked(flags_.Make(options)));
      RETURN_IF_ERROR(CheckLength(settings, std::array{&workload}));
      ASSIGN_OR_RETURN(side, SideInThisProcess(settings, workload, console));
    } else {
      // The executable interprets the options.
      ASSIGN_OR_RETURN(const Settings settings, Checked(flags_.Make()));
      std::vector<std::string> words = flags_.Words();
      for (const std::string& option : options) {
        words.emplace_back("--option");
        words.push_back(option);
      }
      ASSIGN_OR_RETURN(side, SideInAProcess(executable, std::move(words), settings, workload));
    }
    RETURN_IF_ERROR(side->Measure(0).status());
    return side;
  }

  static Result<Settings> Checked(Result<Settings> settings) {
    if (settings.ok() && !settings->directory.empty()) {
      return Status::InvalidArgument("bench compare takes no --db: each side has its own database");
    }
    return settings;
  }

  std::optional<std::string> given_a_, given_b_;
  std::vector<std::string> options_a_, options_b_;
  std::optional<std::string> workload_;
  std::optional<uint64_t> pairs_;
  bool processes_ = false;
  SettingsFlags flags_;
};

}  // namespace

const CommandDocument<Comparisons> kBenchComparisonDocument = {"varve.bench-comparison/1",
                                                               ComparisonsFields};

const Command kBenchCompare = {
    "bench compare", "measure whether options or versions make a difference, in interleaved pairs",
    "varve bench compare --a block_restart_interval=16 --b block_restart_interval=4\n"
    "varve bench compare --b block_size=8192 --workload seekrandom --pairs 100 --ops 100000\n"
    "varve bench compare ./varve-of-yesterday ./varve --workload readrandom\n"
    "varve bench compare old.json new.json",
    "0 no difference shown, 1 a difference, 4 they answer differently, 7 A differs from A: too "
    "much noise",
    [] { return MakeInvocation<BenchCompare>(); }};

}  // namespace varve::cli
