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
#include "cli/output/command_documents.h"
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

// Empty if no table was built.
std::string BytesTimes(uint64_t bytes, uint64_t base) {
  if (bytes == 0 || base == 0) return "";
  return Times({static_cast<double>(bytes)}, {static_cast<double>(base)});
}

std::string ToText(const Console& console, const ClaimResult& result) {
  using Align = TextTable::Align;
  const Claim& claim = *result.claim;
  std::string text = std::string(claim.name) + ": " + std::string(claim.source) + "\n  " +
                     std::string(claim.workload) + ", " + HumanCount(result.size.records) + " " +
                     std::string(claim.records_are) + ", " + HumanCount(result.size.operations) +
                     " operations a measurement";
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
  for (const Claim::Grade& grade : claim.grades) {  // Omitted where no tables were built.
    columns.push_back({std::string(grade.name) + ", table", Align::kRight});
    if (grade.name != "off") columns.push_back({"/off", Align::kRight});
  }
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
    for (size_t g = 0; g < at.grades.size(); ++g) {
      cells.push_back(at.table_bytes[g] == 0 ? "" : HumanBytes(at.table_bytes[g]));
      if (g != off) cells.push_back(BytesTimes(at.table_bytes[g], at.table_bytes[off]));
    }
    table.Add(std::move(cells));
  }
  return text + table.Render(2) + "\n";
}

}  // namespace

struct ClaimsReport {
  Machine machine;
  std::vector<ClaimResult> claims;
};

namespace {

// A point with the claim whose grades it has the rates of.
struct ClaimPoint {
  const Claim& claim;
  const PointResult& result;
};

std::vector<ClaimPoint> PointsOf(const ClaimResult& result) {
  std::vector<ClaimPoint> points;
  for (const PointResult& point : result.points) points.push_back({*result.claim, point});
  return points;
}

api::Json RatesJson(const ClaimPoint& point) {
  api::Json rates = api::Json::object();
  for (size_t g = 0; g < point.result.grades.size(); ++g) {
    rates[std::string(point.claim.grades[g].name)] = point.result.grades[g];
  }
  if (!point.result.peer.empty()) rates["peer"] = point.result.peer;
  return rates;
}

// Absent where none were built.
std::optional<api::Json> TableBytesJson(const ClaimPoint& point) {
  api::Json bytes = api::Json::object();
  for (size_t g = 0; g < point.result.table_bytes.size(); ++g) {
    const uint64_t of_grade = point.result.table_bytes[g];
    if (of_grade > 0) bytes[std::string(point.claim.grades[g].name)] = of_grade;
  }
  return bytes.empty() ? std::nullopt : std::optional(std::move(bytes));
}

const api::Fields<Claim::Grade>& GradeFields() {
  static const auto fields = api::Fields<Claim::Grade>()
                                 .Text("grade", &Claim::Grade::name, "its name")
                                 .Texts("options", &Claim::Grade::options, "NAME=VALUE");
  return fields;
}

const api::Fields<ClaimPoint>& PointFields() {
  static const auto fields =
      api::Fields<ClaimPoint>()
          .Text(
              "point", [](const ClaimPoint& p) { return std::string_view(p.result.label); },
              "its name")
          .Other("ops_per_second", api::MapOf(api::ArrayOf(api::Fraction())), RatesJson,
                 "of each grade, and of \"peer\", the rates of all rounds")
          .Other("table_bytes", api::MapOf(api::Number()), TableBytesJson,
                 "of the table that each grade wrote, where that is what is measured");
  return fields;
}

// What is the same for every measurement of a claim.
const api::Fields<Claim>& ClaimFields() {
  static const auto fields =
      api::Fields<Claim>()
          .Text("grades_are", &Claim::grades_are,
                "what the grades stand for, where their names do not say")
          .List("grades", &Claim::grades, GradeFields(), "in the order of the measurements")
          .Texts("flags", &Claim::flags, "of bench run, for all grades and the peer")
          .Texts("peer_flags", &Claim::peer_flags, "of bench run, for the peer alone");
  return fields;
}

const api::Fields<ClaimResult>& ClaimResultFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<ClaimResult>()
          .Text(
              "name", [](const ClaimResult& r) { return r.claim->name; }, "of the claim")
          .Text(
              "source", [](const ClaimResult& r) { return r.claim->source; },
              "where it was published")
          .Text(
              "workload", [](const ClaimResult& r) { return r.claim->workload; },
              "of bench list, or what else is measured")
          .Text("scaled", &ClaimResult::scaled, "what differs from the publication; empty: nothing")
          .Include([](const ClaimResult& r) -> const Claim& { return *r.claim; }, ClaimFields())
          .Number(
              "records", Unit::kCount, [](const ClaimResult& r) { return r.size.records; },
              "of each database")
          .Number(
              "operations", Unit::kCount, [](const ClaimResult& r) { return r.size.operations; },
              "of one measurement, of each thread")
          .Number("files", Unit::kCount, &ClaimResult::files, "tables, once all is loaded")
          .Text("peer", &ClaimResult::peer, "its name and version; empty: there was none")
          .List("points", PointsOf, PointFields(), "at which it was measured");
  return fields;
}

const api::Fields<ClaimsReport>& ClaimsFields() {
  static const auto fields =
      api::Fields<ClaimsReport>()
          .Object("machine", &ClaimsReport::machine, MachineFields(), "on which they ran")
          .List("claims", &ClaimsReport::claims, ClaimResultFields(), "that were measured");
  return fields;
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
    ClaimsReport report = {
        .machine = DescribeMachine(std::filesystem::temp_directory_path().string()), .claims = {}};
    if (!json) console.out().Write(Heading(report.machine));
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
      if (!json) {
        console.out().Write(ToText(console, *result));
        console.out().Flush();
      }
      report.claims.push_back(*std::move(result));
    }
    if (json) PrintReport(console, kBenchClaimsDocument, report);
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

const CommandDocument<ClaimsReport> kBenchClaimsDocument = {"varve.bench-claims/1", ClaimsFields};

const Command kBenchClaims = {
    "bench claims", "reproduce the published results: off, published, beyond and RocksDB",
    "varve bench claims\n"
    "varve bench claims memtable multiget --rounds 5\n"
    "varve bench claims --num 1M\n"
    "varve bench claims --short --peer none",
    "0 measured, 4 two of them answered differently", [] { return MakeInvocation<BenchClaims>(); }};

}  // namespace varve::cli
