// SPDX-License-Identifier: Apache-2.0
// varve bench compare: two sets of engine options, or two results of bench run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>

#include "cli/commands/bench/runner.h"
#include "cli/commands/bench/statistics.h"
#include "cli/commands/commands.h"
#include "cli/progress.h"
#include "core/base/try.h"
#include "webview/api/json.h"

namespace varve::cli {
namespace {

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

double Percent(double log_ratio) { return (std::exp(log_ratio) - 1) * 100; }

std::string EffectText(const Effect& effect) {
  char text[96];
  std::snprintf(text, sizeof(text), "%+.2f %% [%+.2f, %+.2f]", Percent(effect.log_ratio),
                Percent(effect.low), Percent(effect.high));
  return text;
}

api::Json EffectJson(const Effect& effect) {
  const auto bound = [](double log_ratio) {
    return std::isfinite(log_ratio) ? api::Json(Percent(log_ratio)) : api::Json(nullptr);
  };
  return {{"percent", Percent(effect.log_ratio)},
          {"low", bound(effect.low)},
          {"high", bound(effect.high)},
          {"pairs", effect.pairs}};
}

ExitCode Print(Console& console, const std::vector<Comparison>& comparisons) {
  const bool json = console.format(Format::kTable) == Format::kJson;
  api::Json list = api::Json::array();
  ExitCode code = kDone;
  for (const Comparison& one : comparisons) {
    if (!one.trusted()) {
      code = kPartial;
    } else if (one.effect.pairs >= kPairsMin && one.effect.shown() && code == kDone) {
      code = kNegative;
    }
    if (json) {
      list.push_back({{"workload", one.workload},
                      {"a", one.a},
                      {"b", one.b},
                      {"check", one.check ? EffectJson(*one.check) : api::Json(nullptr)},
                      {"effect", EffectJson(one.effect)},
                      {"verdict", one.verdict()}});
      continue;
    }
    console.out().Write(one.workload + ", " + std::to_string(one.effect.pairs) +
                        " pairs, throughput, 99 % confidence\n  A    " + one.a + "\n  B    " +
                        one.b + "\n");
    if (one.check) console.out().Write("  A/A  " + EffectText(*one.check) + "\n");
    console.out().Write("  B/A  " + EffectText(one.effect) + "  " + one.verdict() + "\n");
  }
  if (json) {
    console.out().Write(api::Dump({{"schema", "varve.bench-comparison/1"},
                                   {"confidence_percent", kConfidencePercent},
                                   {"comparisons", std::move(list)}}) +
                        "\n");
  }
  return code;
}

// Seconds for an operation, of every run of each workload, in order.
Result<std::map<std::string, std::vector<double>>> ReadResults(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Status::NotFound(path + ": cannot be read");
  const api::Json json = api::Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("schema", "") != "varve.bench/1") {
    return Status::InvalidArgument(path + " is not a result of bench run --json");
  }
  std::map<std::string, std::vector<double>> results;
  for (const api::Json& one : json.value("workloads", api::Json::array())) {
    const double operations = one.value("operations", 0.0), seconds = one.value("seconds", 0.0);
    if (operations <= 0 || seconds <= 0) continue;
    results[one.value("name", "")].push_back(seconds / operations);
  }
  return results;
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "default options" : text;
}

class BenchCompare : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.OptionalPositional("A", &file_a_, "a result of bench run --repeat N --json");
    parameters.OptionalPositional("B", &file_b_, "another");
    parameters.Option("a", &options_a_, "NAME=VALUE of an engine option of A");
    parameters.Option("b", &options_b_, "NAME=VALUE of an engine option of B");
    parameters.Option("workload", &workload_, "what to run (varve bench list)");
    parameters.Option("pairs", &pairs_, "pairs to measure, at least 10");
    flags_.Declare(parameters);
  }

  Result<ExitCode> Run(Console& console) override {
    if (file_a_ && file_b_) return CompareFiles(console);
    if (file_a_)
      return Status::InvalidArgument("one result says nothing: give two, or --a and --b");
    return CompareOptions(console);
  }

 private:
  // Runs of two processes: their i-th are taken as a pair, though nothing made them neighbours.
  Result<ExitCode> CompareFiles(Console& console) const {
    ASSIGN_OR_RETURN(const auto a, ReadResults(*file_a_));
    ASSIGN_OR_RETURN(const auto b, ReadResults(*file_b_));
    std::vector<Comparison> comparisons;
    for (const auto& [name, seconds] : a) {
      const auto other = b.find(name);
      if (other == b.end()) continue;
      const size_t pairs = std::min(seconds.size(), other->second.size());
      ASSIGN_OR_RETURN(
          const Effect effect,
          ComparePairs([&](size_t i) -> Result<double> { return seconds[i]; },
                       [&](size_t i) -> Result<double> { return other->second[i]; }, pairs));
      comparisons.push_back({name, *file_a_, *file_b_, std::nullopt, effect});
    }
    if (comparisons.empty()) {
      return Status::InvalidArgument(*file_a_ + " and " + *file_b_ + " have no workload in common");
    }
    return Print(console, comparisons);
  }

  Result<ExitCode> CompareOptions(Console& console) const {
    const Workload* workload = FindWorkload(workload_);
    if (workload == nullptr) {
      return Status::InvalidArgument("there is no workload '" + workload_ +
                                     "' (varve bench list shows them)");
    }
    if (pairs_ < kPairsMin) return Status::InvalidArgument("--pairs must be at least 10");
    ASSIGN_OR_RETURN(const Settings a, flags_.Make(options_a_));
    ASSIGN_OR_RETURN(const Settings b, flags_.Make(options_b_));
    if (!a.directory.empty()) {
      return Status::InvalidArgument("each side has a database of its own: no --db here");
    }
    Comparison comparison{workload->name.data(), Join(options_a_), Join(options_b_), {}, {}};
    Progress progress(console, "compare", "measurements", 4 * pairs_);
    uint64_t measured = 0;
    ASSIGN_OR_RETURN(const auto first, Warm(a, console, *workload));
    const auto measure = [&](Runner& runner) {
      return [&, workload](size_t pair) -> Result<double> {
        ASSIGN_OR_RETURN(const WorkloadResult result, runner.Run(*workload, pair + 1));
        progress.Look(++measured);
        return result.seconds / static_cast<double>(std::max<uint64_t>(result.operations, 1));
      };
    };
    {
      ASSIGN_OR_RETURN(const auto again, Warm(a, console, *workload));
      ASSIGN_OR_RETURN(comparison.check, ComparePairs(measure(*first), measure(*again), pairs_));
      RETURN_IF_ERROR(again->Close());
    }
    ASSIGN_OR_RETURN(const auto second, Warm(b, console, *workload));
    ASSIGN_OR_RETURN(comparison.effect, ComparePairs(measure(*first), measure(*second), pairs_));
    RETURN_IF_ERROR(first->Close());
    RETURN_IF_ERROR(second->Close());
    return Print(console, {comparison});
  }

  // A database with its records in it, after one run that does not count.
  static Result<std::unique_ptr<Runner>> Warm(const Settings& settings, Console& console,
                                              const Workload& workload) {
    ASSIGN_OR_RETURN(auto runner, Runner::Create(settings, console));
    RETURN_IF_ERROR(runner->Run(workload).status());
    return runner;
  }

  std::optional<std::string> file_a_, file_b_;
  std::vector<std::string> options_a_, options_b_;
  std::string workload_ = "readrandom";
  uint64_t pairs_ = kPairsDefault;
  SettingsFlags flags_;
};

}  // namespace

const Command kBenchCompare = {
    "bench compare", "measure whether options make a difference, in interleaved pairs",
    "varve bench compare --a block_restart_interval=16 --b block_restart_interval=4\n"
    "varve bench compare --b block_size=8192 --workload seekrandom --pairs 100 --ops 100000\n"
    "varve bench compare old.json new.json",
    "0 no difference shown, 1 a difference, 7 A differs from A: too much noise",
    [] { return MakeInvocation<BenchCompare>(); }};

}  // namespace varve::cli
