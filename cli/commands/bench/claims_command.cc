// SPDX-License-Identifier: Apache-2.0
// varve bench claims: each published result as published, with the optimisation off, as published
// and as it is here, and RocksDB beside them. One binary, one run, grades in turn.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "cli/commands/bench/claims.h"
#include "cli/commands/bench/peer_process.h"
#include "cli/commands/bench/runner.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/parser.h"
#include "cli/text_table.h"
#include "core/base/try.h"
#include "webview/api/json.h"

namespace varve::cli {
namespace {

using namespace bench;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

// Operations a second of one side at one point, round by round.
using Rates = std::vector<double>;

struct PointResult {
  std::string label;
  std::array<Rates, 3> grades;
  Rates peer;
};

struct ClaimResult {
  const Claim* claim;
  Claim::Size size;
  std::string peer;  // Its name; empty: there was none.
  std::vector<PointResult> points;
};

std::string Rate(const Rates& rates) {
  return rates.empty() ? "" : HumanCount(static_cast<uint64_t>(Median(rates)));
}

// How many times as fast as `base`; empty if one is missing.
std::string Times(const Rates& rates, const Rates& base) {
  if (rates.empty() || base.empty() || Median(base) == 0) return "";
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", Median(rates) / Median(base));
  return text;
}

Words OptionWords(const Words& options) {
  Words words;
  for (const std::string& option : options) {
    words.push_back("--option");
    words.push_back(option);
  }
  return words;
}

Words Joined(std::initializer_list<Words> parts) {
  Words words;
  for (const Words& part : parts) words.insert(words.end(), part.begin(), part.end());
  return words;
}

Result<Settings> ParseSettings(const Words& words) {
  SettingsFlags flags;
  Parameters parameters;
  flags.Declare(parameters);
  RETURN_IF_ERROR(ParseWords(parameters, words));
  return flags.Make();
}

// One claim on the engine's three grades, each with a database of its own, and on a peer.
class ClaimRun {
 public:
  ClaimRun(Console& console, const Claim& claim, const Claim::Size& size, std::string peer,
           std::string directory)
      : console_(console),
        claim_(claim),
        size_(size),
        peer_(std::move(peer)),
        peer_directory_(std::move(directory)) {}
  ~ClaimRun() {
    std::error_code ignored;  // What stays behind is in the temporary directory.
    std::filesystem::remove_all(peer_directory_, ignored);
  }

  Result<ClaimResult> Run(uint64_t rounds) {
    ClaimResult result{&claim_, size_, "", {}};
    for (size_t g = 0; g < claim_.grades.size(); ++g) RETURN_IF_ERROR(Load(g));
    for (const Claim::Point& point : claim_.points) {
      console_.Note("bench claims: " + std::string(claim_.name) + ", " + point.label);
      PointResult at{.label = point.label, .grades = {}, .peer = {}};
      RETURN_IF_ERROR(Measure(point, rounds, &at, &result.peer));
      result.points.push_back(std::move(at));
    }
    for (const auto& runner : runners_) RETURN_IF_ERROR(runner->Close());
    return result;
  }

 private:
  Words SizeWords() const {
    return {"--num",    std::to_string(size_.records),
            "--ops",    std::to_string(size_.operations),
            "--sample", "0"};
  }
  Words GradeWords(size_t g, const Words& point) const {
    return Joined({SizeWords(), claim_.flags, point, OptionWords(claim_.grades[g])});
  }

  Status Load(size_t g) {
    console_.Note("bench claims: " + std::string(claim_.name) + ", loading " +
                  std::string(kGradeNames[g]));
    ASSIGN_OR_RETURN(Settings settings, ParseSettings(GradeWords(g, {})));
    settings.operations.reset();  // A load writes every record.
    ASSIGN_OR_RETURN(auto runner, Runner::Create(settings, console_));
    RETURN_IF_ERROR(runner->Run(*FindWorkload("filluniquerandom")).status());
    if (!claim_.in_memtable) {
      RETURN_IF_ERROR(runner->Run(*FindWorkload("flush")).status());
      RETURN_IF_ERROR(runner->Run(*FindWorkload("waitforcompaction")).status());
    }
    runners_.push_back(std::move(runner));
    return Status::Ok();
  }

  // Rounds of all grades and the peer in turn. All do the same operations, so all must find the
  // same number of records, unless a writer runs beside them.
  Status Measure(const Claim::Point& point, uint64_t rounds, PointResult* at, std::string* peer) {
    for (size_t g = 0; g < runners_.size(); ++g) {
      ASSIGN_OR_RETURN(const Settings settings, ParseSettings(GradeWords(g, point.flags)));
      RETURN_IF_ERROR(runners_[g]->Change(settings));
      if (claim_.warm) RETURN_IF_ERROR(runners_[g]->Run(*FindWorkload("readtocache")).status());
    }
    const Workload& workload = *FindWorkload(claim_.workload);
    for (uint64_t round = 0; round < rounds; ++round) {
      std::optional<uint64_t> found;
      for (size_t g = 0; g < runners_.size(); ++g) {
        ASSIGN_OR_RETURN(const WorkloadResult result, runners_[g]->Run(workload, round));
        at->grades[g].push_back(result.rate());
        RETURN_IF_ERROR(CheckFound(std::string(kGradeNames[g]), result.found, &found));
      }
      if (peer_.empty()) continue;
      ASSIGN_OR_RETURN(const PeerRun run, MeasurePeer(point));
      at->peer.push_back(run.rate);
      *peer = run.store;
      if (round == 0) RETURN_IF_ERROR(CheckFound(run.store, run.found, &found));
    }
    return Status::Ok();
  }

  static Status CheckFound(const std::string& who, uint64_t count, std::optional<uint64_t>* all) {
    if (!*all) *all = count;
    if (**all == count) return Status::Ok();
    return Status::Corruption("bench claims: " + who + " found " + std::to_string(count) +
                              " records where the others found " + std::to_string(**all));
  }

  Result<PeerRun> MeasurePeer(const Claim::Point& point) {
    const Words common = Joined({claim_.flags, point.flags, {"--db", peer_directory_}});
    if (claim_.in_memtable) {
      // Loaded anew each time: a memtable does not outlive its process.
      std::error_code ignored;
      std::filesystem::remove_all(peer_directory_, ignored);
      return RunPeer(
          peer_, Joined({{"filluniquerandom", std::string(claim_.workload)}, SizeWords(), common}));
    }
    if (!peer_loaded_) {
      Words load = Joined({{"filluniquerandom", "flush", "waitforcompaction"}, common});
      load.insert(load.end(), {"--num", std::to_string(size_.records), "--sample", "0"});
      RETURN_IF_ERROR(RunPeer(peer_, load).status());
      peer_loaded_ = true;
    }
    Words workloads = claim_.warm ? Words{"readtocache"} : Words{};
    workloads.emplace_back(claim_.workload);
    return RunPeer(peer_, Joined({workloads, SizeWords(), common, {"--use-existing"}}));
  }

  Console& console_;
  const Claim& claim_;
  const Claim::Size size_;
  const std::string peer_, peer_directory_;
  bool peer_loaded_ = false;
  std::vector<std::unique_ptr<Runner>> runners_;
};

class BenchClaims : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.OptionalPositional("claim", &names_, "which ones; all if not given");
    parameters.Option("short", &short_, "small: shows that each grade works, not how fast it is");
    parameters.Option("rounds", &rounds_, "measurements of each grade, in turn");
    parameters.Option("peer", &peer_,
                      "a varve-bench-* executable to measure beside; none: no peer. "
                      "varve-bench-rocksdb beside this one if not given");
  }

  Result<ExitCode> Run(Console& console) override {
    if (rounds_ == 0) return Status::InvalidArgument("--rounds must be at least 1");
    std::vector<const Claim*> claims;
    for (const Claim& claim : ClaimTable()) {
      const bool wanted =
          names_.empty() || std::find(names_.begin(), names_.end(), claim.name) != names_.end();
      if (wanted) claims.push_back(&claim);
    }
    if (claims.size() < std::max<size_t>(names_.size(), 1)) return UnknownClaim();
    const std::string peer = !peer_ ? PeerBesideUs("rocksdb") : *peer_ == "none" ? "" : *peer_;
    std::vector<ClaimResult> results;
    for (const Claim* claim : claims) {
      const std::filesystem::path directory =
          std::filesystem::temp_directory_path() /
          ("varve-claims-" + std::to_string(getpid()) + "-" + std::string(claim->name));
      ClaimRun run(console, *claim, short_ ? claim->short_size : claim->size, peer, directory);
      ASSIGN_OR_RETURN(ClaimResult result, run.Run(rounds_));
      results.push_back(std::move(result));
    }
    const bool json = console.format(Format::kTable) == Format::kJson;
    console.out().Write(json ? api::Dump(ToJson(results)) + "\n" : ToText(console, results));
    return kDone;
  }

 private:
  static Status UnknownClaim() {
    std::string names;
    for (const Claim& claim : ClaimTable()) names += " " + std::string(claim.name);
    return Status::InvalidArgument("the claims are:" + names);
  }

  static std::string ToText(const Console& console, const std::vector<ClaimResult>& results) {
    using Align = TextTable::Align;
    std::string text;
    for (const ClaimResult& result : results) {
      const Claim& claim = *result.claim;
      text += std::string(claim.name) + ": " + std::string(claim.source) + "\n  " +
              std::string(claim.workload) + ", " + HumanCount(result.size.records) + " records, " +
              HumanCount(result.size.operations) + " operations a measurement; operations/s\n";
      if (!result.peer.empty()) text += "  peer: " + result.peer + "\n";
      if (!claim.scaled.empty()) text += "  scaled: " + std::string(claim.scaled) + "\n";
      TextTable table(TerminalOf(console), {{"point"},
                                            {"off", Align::kRight},
                                            {"published", Align::kRight},
                                            {"/off", Align::kRight},
                                            {"beyond", Align::kRight},
                                            {"/off", Align::kRight},
                                            {"peer", Align::kRight},
                                            {"/peer", Align::kRight}});
      for (const PointResult& at : result.points) {
        const auto& [off, published, beyond] = at.grades;
        table.Add({at.label, Rate(off), Rate(published), Times(published, off), Rate(beyond),
                   Times(beyond, off), Rate(at.peer), Times(beyond, at.peer)});
      }
      text += table.Render(2) + "\n";
    }
    return text;
  }

  static api::Json ToJson(const std::vector<ClaimResult>& results) {
    api::Json claims = api::Json::array();
    for (const ClaimResult& result : results) {
      api::Json points = api::Json::array();
      for (const PointResult& at : result.points) {
        api::Json point = {{"point", at.label}};
        for (size_t g = 0; g < at.grades.size(); ++g) {
          point[std::string(kGradeNames[g]) + "_ops_per_second"] = at.grades[g];
        }
        point["peer_ops_per_second"] = at.peer;
        points.push_back(std::move(point));
      }
      claims.push_back({{"name", result.claim->name},
                        {"source", result.claim->source},
                        {"workload", result.claim->workload},
                        {"scaled", result.claim->scaled},
                        {"records", result.size.records},
                        {"operations", result.size.operations},
                        {"peer", result.peer},
                        {"points", std::move(points)}});
    }
    return {{"schema", "varve.bench-claims/1"}, {"claims", std::move(claims)}};
  }

  std::vector<std::string> names_;
  bool short_ = false;
  uint64_t rounds_ = 3;
  std::optional<std::string> peer_;
};

}  // namespace

const Command kBenchClaims = {
    "bench claims", "reproduce the published results: off, published, beyond and RocksDB",
    "varve bench claims\n"
    "varve bench claims memtable multiget --rounds 5\n"
    "varve bench claims --short --peer none",
    "0 measured, 4 two of them answered differently", [] { return MakeInvocation<BenchClaims>(); }};

}  // namespace varve::cli
