// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/claim_run.h"

#include <filesystem>

#include "cli/arguments/parser.h"
#include "cli/commands/bench/peer_process.h"
#include "core/base/try.h"

namespace varve::cli::bench {
namespace {

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

}  // namespace

// All participants perform the same operations, so they must find the same records with the same
// contents, unless a concurrent writer runs.
class ClaimRun::Agreement {
 public:
  Status Check(std::string_view who, const Claim::Outcome& outcome) {
    if (!first_) first_ = outcome;
    if (first_->found == outcome.found && first_->checksum == outcome.checksum) {
      return Status::Ok();
    }
    return Status::Corruption("bench claims: " + std::string(who) + " found " + Text(outcome) +
                              " but the others found " + Text(*first_));
  }

 private:
  static std::string Text(const Claim::Outcome& outcome) {
    return std::to_string(outcome.found) + " records" +
           (outcome.checksum.empty() ? "" : " of checksum " + outcome.checksum);
  }

  std::optional<Claim::Outcome> first_;
};

Result<ClaimResult> ClaimRun::Run() {
  ClaimResult result{.claim = &claim_,
                     .size = plan_.size,
                     .scaled = std::string(claim_.scaled),
                     .peer = {},
                     .points = {}};
  if (claim_.trial == nullptr) {
    if (!plan_.peer.empty()) {
      ASSIGN_OR_RETURN(peer_home_, TemporaryDirectory::Create("varve-claims-"));
    }
    for (size_t g = 0; g < claim_.grades.size(); ++g) RETURN_IF_ERROR(Load(g, &result));
  }
  for (size_t i = 0; i < claim_.points.size(); ++i) {
    const Claim::Point& point = claim_.points[i];
    console_.Note("bench claims: " + std::string(claim_.name) + ", " + point.label + " (" +
                  std::to_string(i + 1) + " of " + std::to_string(claim_.points.size()) + ")");
    PointResult at{.label = point.label, .grades = {}, .table_bytes = {}, .peer = {}};
    at.grades.resize(claim_.grades.size());
    at.table_bytes.resize(claim_.grades.size());
    RETURN_IF_ERROR(Measure(point, &at, &result.peer));
    result.points.push_back(std::move(at));
  }
  for (const auto& runner : runners_) RETURN_IF_ERROR(runner->Close());
  return result;
}

Words ClaimRun::SizeWords() const {
  Words words = {"--num",    std::to_string(plan_.size.records),
                 "--ops",    std::to_string(plan_.size.operations),
                 "--sample", "0"};
  const bool raced = FindWorkload(claim_.workload)->writer != nullptr;
  if (plan_.checksum && !raced) words.emplace_back("--checksum");
  return words;
}

Words ClaimRun::LoadWorkloads() const {
  return claim_.in_memtable ? Words{claim_.load.front()} : claim_.load;
}

Words ClaimRun::GradeWords(size_t grade, const Words& point) const {
  return Joined({SizeWords(), claim_.flags, point, OptionWords(claim_.grades[grade].options)});
}

Status ClaimRun::Load(size_t grade, ClaimResult* result) {
  console_.Note("bench claims: " + std::string(claim_.name) + ", loading " +
                std::string(claim_.grades[grade].name));
  ASSIGN_OR_RETURN(const Settings settings, ParseSettings(GradeWords(grade, {})));
  ASSIGN_OR_RETURN(auto runner, Runner::Create(settings, console_));
  for (const std::string& name : LoadWorkloads()) {
    ASSIGN_OR_RETURN(const WorkloadResult last, runner->Run(*FindWorkload(name)));
    result->files = 0;
    for (const LevelInfo& level : last.end.levels) result->files += level.files;
  }
  runners_.push_back(std::move(runner));
  return Status::Ok();
}

Status ClaimRun::Measure(const Claim::Point& point, PointResult* at, std::string* peer) {
  for (size_t g = 0; g < runners_.size(); ++g) {
    ASSIGN_OR_RETURN(const Settings settings, ParseSettings(GradeWords(g, point.flags)));
    RETURN_IF_ERROR(runners_[g]->Change(settings));
    if (claim_.warm) RETURN_IF_ERROR(runners_[g]->Run(*FindWorkload("readtocache")).status());
  }
  for (uint64_t round = 0; round < plan_.rounds; ++round) {
    Agreement agreement;
    for (size_t g = 0; g < claim_.grades.size(); ++g) {
      ASSIGN_OR_RETURN(const Claim::Outcome outcome, MeasureGrade(g, point, round));
      at->grades[g].push_back(outcome.rate);
      at->table_bytes[g] = outcome.table_bytes;
      RETURN_IF_ERROR(agreement.Check(claim_.grades[g].name, outcome));
    }
    if (plan_.peer.empty() || claim_.trial != nullptr) continue;
    ASSIGN_OR_RETURN(const Claim::Outcome outcome, MeasurePeer(point, peer));
    at->peer.push_back(outcome.rate);
    // A new process each time, which always performs the first round's operations.
    if (round == 0) RETURN_IF_ERROR(agreement.Check(*peer, outcome));
  }
  return Status::Ok();
}

Result<Claim::Outcome> ClaimRun::MeasureGrade(size_t grade, const Claim::Point& point,
                                              uint64_t round) {
  if (claim_.trial != nullptr) {
    return claim_.trial(point, claim_.grades[grade], plan_.size, round);
  }
  ASSIGN_OR_RETURN(const WorkloadResult result,
                   runners_[grade]->Run(*FindWorkload(claim_.workload), round));
  return Claim::Outcome{.rate = result.rate(),
                        .found = result.found,
                        .checksum = result.checksum ? std::to_string(*result.checksum) : ""};
}

Result<Claim::Outcome> ClaimRun::MeasurePeer(const Claim::Point& point, std::string* name) {
  const std::string directory = peer_home_.path() + "/db";
  const Words common = Joined({claim_.flags, point.flags, claim_.peer_flags, {"--db", directory}});
  Words workloads;
  if (claim_.in_memtable) {
    // Loaded again each time: a memtable does not outlive its process.
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
    workloads = LoadWorkloads();
  } else {
    if (!peer_loaded_) {
      const Words load = Joined({LoadWorkloads(), SizeWords(), common});
      RETURN_IF_ERROR(RunPeer(plan_.peer, load).status());
      peer_loaded_ = true;
    }
    workloads = {"--use-existing"};
    if (claim_.warm) workloads.emplace_back("readtocache");
  }
  workloads.emplace_back(claim_.workload);
  ASSIGN_OR_RETURN(const PeerRun run,
                   RunPeer(plan_.peer, Joined({workloads, SizeWords(), common})));
  *name = run.store;
  return Claim::Outcome{.rate = run.rate, .found = run.found, .checksum = run.checksum};
}

}  // namespace varve::cli::bench
