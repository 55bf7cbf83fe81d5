// SPDX-License-Identifier: Apache-2.0
// varve bench claims: each published result with the optimisation off, as published, and as
// implemented here, compared with RocksDB. One binary, one run, grades in turn.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "cli/commands/bench/claim_run.h"
#include "cli/commands/bench/peer_process.h"
#include "cli/commands/bench/report.h"
#include "cli/commands/commands.h"
#include "cli/output/api_output.h"
#include "cli/output/human_numbers.h"
#include "cli/output/text_table.h"
#include "core/base/try.h"
#include "varve/version.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

using namespace bench;

constexpr size_t kTableWidth = 132;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

std::string Rate(const Rates& rates) {
  return rates.empty() ? "" : HumanCount(static_cast<uint64_t>(Median(rates)));
}

// The speed relative to `base`: the median over rounds, in which both are measured next to each
// other. Empty if one is missing.
std::string Times(const Rates& rates, const Rates& base) {
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(rates.size(), base.size()); ++i) {
    if (base[i] > 0) ratios.push_back(rates[i] / base[i]);
  }
  if (ratios.empty()) return "";
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", Median(ratios));
  return text;
}

std::string ToText(const Console& console, const ClaimResult& result) {
  using Align = TextTable::Align;
  const Claim& claim = *result.claim;
  std::string text = std::string(claim.name) + ": " + std::string(claim.source) + "\n  " +
                     std::string(claim.workload) + ", " + HumanCount(result.size.records) +
                     (claim.trial == nullptr ? " records, " : " files, ") +
                     HumanCount(result.size.operations) + " operations a measurement";
  if (result.files > 0) text += ", " + HumanCount(result.files) + " files";
  text += "; operations/s\n";
  if (!claim.grades_are.empty()) text += "  " + std::string(claim.grades_are) + "\n";
  if (!result.peer.empty()) text += "  peer: " + result.peer + "\n";
  if (!result.scaled.empty()) text += "  scaled: " + result.scaled + "\n";
  std::vector<TextTable::Column> columns = {{"point"}};
  size_t off = 0;
  for (size_t g = 0; g < claim.grades.size(); ++g) {
    if (claim.grades[g].name == "off") off = g;
    columns.push_back({std::string(claim.grades[g].name), Align::kRight});
    if (claim.grades[g].name != "off") columns.push_back({"/off", Align::kRight});
  }
  columns.push_back({"peer", Align::kRight});
  columns.push_back({"/peer", Align::kRight});
  Terminal terminal = TerminalOf(console);
  // Truncated figures would be wrong.
  terminal.width = std::max<size_t>(terminal.width, kTableWidth);
  TextTable table(terminal, columns);
  for (const PointResult& at : result.points) {
    std::vector<std::string> cells = {at.label};
    for (size_t g = 0; g < at.grades.size(); ++g) {
      cells.push_back(Rate(at.grades[g]));
      if (g != off) cells.push_back(Times(at.grades[g], at.grades[off]));
    }
    cells.push_back(Rate(at.peer));
    cells.push_back(Times(at.grades.back(), at.peer));
    table.Add(std::move(cells));
  }
  return text + table.Render(2) + "\n";
}

api::Json ToJson(const ClaimResult& result) {
  const Claim& claim = *result.claim;
  api::Json points = api::Json::array(), grades = api::Json::array();
  for (const Claim::Grade& grade : claim.grades) {
    grades.push_back({{"grade", grade.name}, {"options", grade.options}});
  }
  for (const PointResult& at : result.points) {
    api::Json rates = api::Json::object();
    for (size_t g = 0; g < at.grades.size(); ++g) {
      rates[std::string(claim.grades[g].name)] = at.grades[g];
    }
    if (!at.peer.empty()) rates["peer"] = at.peer;
    points.push_back({{"point", at.label}, {"ops_per_second", std::move(rates)}});
  }
  return {{"name", claim.name},
          {"source", claim.source},
          {"workload", claim.workload},
          {"scaled", result.scaled},
          {"grades_are", claim.grades_are},
          {"grades", std::move(grades)},
          {"flags", claim.flags},
          {"peer_flags", claim.peer_flags},
          {"records", result.size.records},
          {"operations", result.size.operations},
          {"files", result.files},
          {"peer", result.peer},
          {"points", std::move(points)}};
}

// Where and when, as every table of figures must say.
std::string Heading(const Machine& machine) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc;
  gmtime_r(&now, &utc);
  char date[32];
  std::strftime(date, sizeof(date), "%Y-%m-%d", &utc);
  return std::string(date) + ", " + std::to_string(machine.cpus) + " x " + machine.cpu + ", " +
         HumanBytes(machine.memory_bytes) + ", " + machine.kernel + ", " + machine.file_system +
         ", " + machine.compiler + ", varve " VARVE_VERSION +
         (machine.assertions ? " with checks on: not figures to compare" : "") + "\n\n";
}

class BenchClaims : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.OptionalPositional("claim", &names_, "which ones; all if not given");
    parameters.Option("short", &short_, "small: shows that each grade works, not how fast it is");
    parameters.Option("num", &num_,
                      "at most this many records, with proportionally fewer operations");
    parameters.Option("rounds", &rounds_, "measurements of each grade, in turn");
    parameters.Option("peer", &peer_,
                      "a varve-bench-* executable to compare with; none: no peer. "
                      "Default: varve-bench-rocksdb in the directory of this program");
  }

  Result<ExitCode> Run(Console& console) override {
    if (rounds_ == 0) return Status::InvalidArgument("--rounds must be at least 1");
    if (num_ && *num_ < kRecordsMin) return Status::InvalidArgument("--num must be at least 1000");
    std::vector<const Claim*> claims;
    for (const Claim& claim : ClaimTable()) {
      const bool wanted =
          names_.empty() || std::find(names_.begin(), names_.end(), claim.name) != names_.end();
      if (wanted) claims.push_back(&claim);
    }
    if (claims.size() < std::max<size_t>(names_.size(), 1)) return UnknownClaim();
    const bool json = WantsDocument(console);
    const Machine machine = DescribeMachine(std::filesystem::temp_directory_path().string());
    if (!json) console.out().Write(Heading(machine));
    api::Json all = api::Json::array();
    // The error of the first claim that could not be measured; the others are still measured.
    Status failed;
    for (const Claim* claim : claims) {
      std::string scaled(claim->scaled);
      ClaimRun run(console, *claim, PlanOf(*claim, &scaled));
      Result<ClaimResult> result = run.Run();
      if (!result.ok()) {
        console.Error("bench claims: " + std::string(claim->name) + ": " +
                      std::string(result.status().message()));
        if (failed.ok()) failed = result.status();
        continue;
      }
      result->scaled = scaled;
      if (json) {
        all.push_back(ToJson(*result));
      } else {
        console.out().Write(ToText(console, *result));
        console.out().Flush();
      }
    }
    if (json) {
      PrintDocument(console, {{"schema", "varve.bench-claims/1"},
                              {"machine", MachineJson(machine)},
                              {"claims", std::move(all)}});
    }
    RETURN_IF_ERROR(failed);
    return kDone;
  }

 private:
  static constexpr uint64_t kRecordsMin = 1000;

  ClaimPlan PlanOf(const Claim& claim, std::string* scaled) const {
    ClaimPlan plan{.rounds = rounds_,
                   .size = short_ ? claim.short_size : claim.size,
                   .peer = !peer_             ? PeerBesideUs("rocksdb")
                           : *peer_ == "none" ? ""
                                              : *peer_,
                   .checksum = short_};
    std::string why = "as asked for";
    uint64_t records = plan.size.records;
    if (claim.trial == nullptr && num_) records = std::min(records, *num_);
    if (claim.records_per_file > 0) {  // The grades hold their files open side by side.
      const uint64_t files = OpenFilesMax() / 10 * 9 / claim.grades.size();
      if (files < records / claim.records_per_file) {
        records = files * claim.records_per_file;
        why = "for this system allows " + HumanCount(OpenFilesMax()) + " open files";
      }
    }
    if (records < plan.size.records) {
      const double share = static_cast<double>(records) / static_cast<double>(plan.size.records);
      const auto fewer = static_cast<uint64_t>(static_cast<double>(plan.size.operations) * share);
      plan.size = {records, std::max<uint64_t>({fewer, claim.short_size.operations, 1})};
    }
    if (plan.size.records < claim.size.records) {
      *scaled += (scaled->empty() ? "" : "; ") + HumanCount(plan.size.records) + " instead of " +
                 HumanCount(claim.size.records) + " records, " + why;
    }
    return plan;
  }

  static uint64_t OpenFilesMax() {
    rlimit limit{};
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? uint64_t{limit.rlim_cur} : 1024;
  }

  static Status UnknownClaim() {
    std::string names;
    for (const Claim& claim : ClaimTable()) names += " " + std::string(claim.name);
    return Status::InvalidArgument("the claims are:" + names);
  }

  std::vector<std::string> names_;
  bool short_ = false;
  std::optional<uint64_t> num_;
  uint64_t rounds_ = 3;
  std::optional<std::string> peer_;
};

}  // namespace

const Command kBenchClaims = {
    "bench claims", "reproduce the published results: off, published, beyond and RocksDB",
    "varve bench claims\n"
    "varve bench claims memtable multiget --rounds 5\n"
    "varve bench claims --num 1M\n"
    "varve bench claims --short --peer none",
    "0 measured, 4 two of them answered differently", [] { return MakeInvocation<BenchClaims>(); }};

}  // namespace varve::cli
