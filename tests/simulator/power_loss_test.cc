// SPDX-License-Identifier: Apache-2.0
// Random operations (tests/mix) on a simulated disk. After every mutation of the disk power is
// lost, in each of five ways, and the database that is found is opened by another engine:
//
//   - it holds, in all families, the state after one of the commits that may be the last
//     (history.h);
//   - it verifies clean, takes a write and keeps it;
//   - where power is lost again at any mutation of its recovery (of some), the next recovery ends
//     in the same state.
//
//   power_loss_test [--seed=N] [--first=N] [--seeds=N] [--ops=N] [--every=N] [--at=MUTATION]
//                   [--trace]
//
// --every: of the mutations only each N-th; --at: only that one. What fails prints the line that
// replays it.
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/inline_executor.h"
#include "core/inspect/verify/verify.h"
#include "tests/mix/arguments.h"
#include "tests/mix/mix.h"
#include "tests/mix/varve_kind.h"
#include "tests/simulator/history.h"
#include "tests/simulator/recording_kind.h"
#include "tests/simulator/simulated_disk.h"
#include "varve/db.h"
#include "varve/merge_operator.h"

namespace varve::simulator {
namespace {

using mix::Dice;
using mix::Trouble;

constexpr char kPath[] = "db";

// Time passes by being looked at.
class SimulatedClock final : public Clock {
 public:
  uint64_t NowMicros() override { return ++micros_; }
  uint64_t UnixMicros() override { return 1'700'000'000'000'000 + ++micros_; }

 private:
  uint64_t micros_ = 0;
};

class SimulatedRandom final : public Random {
 public:
  explicit SimulatedRandom(uint64_t seed) : random_(seed) {}
  uint64_t Next64() override { return random_(); }

 private:
  std::mt19937_64 random_;
};

// The outside world of one database.
struct World {
  World(SimulatedDisk* disk, uint64_t seed) : random(seed) {
    environment = {&disk->file_system(), &clock, &random, &executor};
  }
  SimulatedClock clock;
  SimulatedRandom random;
  InlineExecutor executor;
  Environment environment;
};

struct Command {
  uint64_t ops = 0, every = 1, at = 0;
  bool trace = false;
};

struct Counts {
  uint64_t mutations = 0, states = 0, recoveries_cut_short = 0, refused = 0;
};

Options OptionsOf(const World& world) {
  Options options;
  options.env = world.environment;
  options.create_if_missing = true;
  options.family.merge_operator = MergeOperatorByName("stringappend");
  return options;
}

Result<mix::Moment> ReadAll(DB* db) {
  mix::Moment moment;
  for (const FamilyInfo& family : db->Families()) {
    mix::Contents contents(mix::Order{mix::RunsBackwards(family.name)});
    auto it = db->NewIterator({}, family.id);
    if (!it.ok()) return it.status();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      contents.emplace(it->key(), it->value());
    }
    if (!it->status().ok()) return it->status();
    moment.emplace(family.name, std::move(contents));
  }
  return moment;
}

// Opens what is on the disk. Damage in a log that power loss may have left (decision 20: a hole in
// what was never synced, with records behind it) has to be consented to.
// The same goes for the last record of the MANIFEST, for which there is no consent: db is null.
struct Opened {
  std::unique_ptr<DB> db;
  bool refused = false;
};
Result<Opened> Open(const World& world) {
  Options options = OptionsOf(world);
  RecoveryReport report;
  auto db = DB::Open(options, kPath, &report);
  if (db.ok()) return Opened{*std::move(db), false};
  if (!report.damaged()) {
    const bool manifest = db.status().message().find("/MANIFEST-") != std::string_view::npos;
    if (db.status().code() != Code::kCorruption || !manifest) return db.status();
    return Opened{nullptr, true};
  }
  options.accept_loss = true;
  db = DB::Open(options, kPath, &report);
  if (!db.ok()) return db.status();
  return Opened{*std::move(db), true};
}

class Examination {
 public:
  Examination(const History& history, Counts* counts, uint64_t seed)
      : history_(history), counts_(*counts), seed_(seed) {}

  // Of what is found on the disk. It is changed. `cut_short`: power is lost again within recovery.
  Trouble Examine(SimulatedDisk* disk, Loss loss, bool cut_short) {
    ++counts_.states;
    Disks cuts;
    if (cut_short) KeepCuts(disk, &cuts);
    std::optional<Digest> recovered;
    Trouble trouble = Recover(disk, loss, &recovered);
    if (trouble.empty() && recovered) trouble = Reopen(disk);
    for (size_t i = 0; trouble.empty() && recovered && i < cuts.size(); ++i) {
      ++counts_.recoveries_cut_short;
      trouble = RecoverAgain(cuts[i].get(), *recovered);
    }
    return trouble;
  }

 private:
  using Disks = std::vector<std::unique_ptr<SimulatedDisk>>;

  void KeepCuts(SimulatedDisk* disk, Disks* cuts) const {
    disk->set_after_mutation([disk, cuts, dice = Dice(seed_)](const std::string&) mutable {
      for (const Loss again : kLosses) {
        if (dice.OneIn(3)) cuts->push_back(disk->AfterPowerLoss(again, &dice));
      }
    });
  }

  // No digest: the database was refused, as it may be.
  Trouble Recover(SimulatedDisk* disk, Loss loss, std::optional<Digest>* recovered) {
    World world(disk, seed_);
    auto opened = Open(world);
    disk->set_after_mutation(nullptr);
    if (!opened.ok()) return "does not open: " + opened.status().ToString();
    counts_.refused += opened->refused;
    if (opened->refused && loss != Loss::kSectors) return "is called damaged";
    if (opened->db == nullptr) return {};
    auto moment = ReadAll(opened->db.get());
    if (!moment.ok()) return "does not read: " + moment.status().ToString();
    *recovered = DigestOf(*moment);
    if (!history_.IsLegal(**recovered)) return "holds " + history_.Describe(**recovered);
    const Status put = opened->db->Put({.durability = Durability::kSync}, "after", "the loss");
    if (!put.ok()) return "takes no write: " + put.ToString();
    const Status closed = opened->db->Close();
    return closed.ok() ? "" : "does not close: " + closed.ToString();
  }

  // It is sound, and what was written to it is there.
  Trouble Reopen(SimulatedDisk* disk) const {
    auto report = VerifyDatabase(disk->file_system(), kPath, nullptr);
    if (!report.ok()) return "cannot be verified: " + report.status().ToString();
    for (const Finding& finding : report->findings) {
      if (finding.severity == Finding::Severity::kError) {
        return "verifies with " + finding.file + ": " + finding.what;
      }
    }
    World world(disk, seed_ + 1);
    auto opened = Open(world);
    if (!opened.ok()) return "does not open again: " + opened.status().ToString();
    if (opened->refused) return "is called damaged when opened again";
    auto value = opened->db->Get({}, "after");
    if (!value.ok()) return "does not read again: " + value.status().ToString();
    return value->has_value() ? "" : "lost a synced write that came after";
  }

  Trouble RecoverAgain(SimulatedDisk* disk, Digest recovered) const {
    World world(disk, seed_ + 2);
    auto opened = Open(world);
    if (!opened.ok()) return "does not open: " + opened.status().ToString();
    // Of what recovery writes, too, the last record of a MANIFEST may be torn.
    if (opened->db == nullptr) return {};
    auto moment = ReadAll(opened->db.get());
    if (!moment.ok()) return "does not read: " + moment.status().ToString();
    const Digest again = DigestOf(*moment);
    if (again == recovered) return {};
    return "holds " + history_.Describe(recovered) + ", and if its recovery is cut short, " +
           history_.Describe(again);
  }

  const History& history_;
  Counts& counts_;
  const uint64_t seed_;
};

class Run {
 public:
  Run(uint64_t seed, const Command& command, Counts* counts)
      : seed_(seed), command_(command), counts_(*counts) {}

  bool Go() {
    World world(&disk_, seed_);
    mix::VarveKind varve(world.environment, /*newest_tables=*/true);
    const mix::Mix* mix = nullptr;
    RecordingKind recording(&varve, &history_, [&]() -> const mix::Moment& { return mix->now(); });
    mix::Mix running(seed_, {.engines = {&recording},
                             .path = kPath,
                             .steps = command_.ops,
                             .unlogged_writes = false,
                             .trace = command_.trace});
    mix = &running;
    disk_.set_after_mutation([&](const std::string& what) { LosePower(what); });
    const Trouble trouble = running.Run();
    disk_.set_after_mutation(nullptr);
    counts_.mutations += mutation_;
    if (!trouble_.empty()) {
      std::fprintf(stderr, "%s\nreplay: power_loss_test --seed=%llu --ops=%llu --at=%llu\n",
                   trouble_.c_str(), Printed(seed_), Printed(command_.ops), Printed(found_at_));
    } else if (!trouble.empty()) {
      std::fprintf(stderr, "%s\nreplay: power_loss_test --seed=%llu --ops=%llu\n", trouble.c_str(),
                   Printed(seed_), Printed(command_.ops));
    }
    return trouble_.empty() && trouble.empty();
  }

 private:
  static unsigned long long Printed(uint64_t n) { return n; }

  void LosePower(const std::string& what) {
    ++mutation_;
    if (command_.trace) std::fprintf(stderr, "    %llu %s\n", Printed(mutation_), what.c_str());
    if (!trouble_.empty()) return;
    if (command_.at != 0 ? mutation_ != command_.at : mutation_ % command_.every != 0) return;
    for (const Loss loss : kLosses) {
      const uint64_t seed = (seed_ << 32) + mutation_ * 8 + static_cast<uint64_t>(loss);
      Dice dice(seed);
      const auto found = disk_.AfterPowerLoss(loss, &dice);
      Trouble trouble;
      // An engine of its own: what threads keep to themselves is not to be shared with the other.
      std::thread([&] {
        Examination examination(history_, &counts_, seed);
        trouble = examination.Examine(found.get(), loss, /*cut_short=*/dice.OneIn(32));
      }).join();
      if (trouble.empty()) continue;
      trouble_ = "power lost after mutation " + std::to_string(mutation_) + " (" + what + "), " +
                 std::string(NameOf(loss)) + ": what is found " + trouble;
      found_at_ = mutation_;
      return;
    }
  }

  const uint64_t seed_;
  const Command command_;
  Counts& counts_;
  SimulatedDisk disk_;
  History history_;
  uint64_t mutation_ = 0, found_at_ = 0;
  Trouble trouble_;
};

}  // namespace
}  // namespace varve::simulator

int main(int argc, char** argv) {
  using varve::mix::Argument;
  const varve::simulator::Command command = {
      .ops = Argument(argc, argv, "--ops", 60),
      .every = Argument(argc, argv, "--every", 1),
      .at = Argument(argc, argv, "--at", 0),
      .trace = varve::mix::HasFlag(argc, argv, "--trace"),
  };
  const uint64_t only = Argument(argc, argv, "--seed", 0);
  const uint64_t first = only != 0 ? only : Argument(argc, argv, "--first", 1);
  const uint64_t seeds = only != 0 ? 1 : Argument(argc, argv, "--seeds", 8);
  varve::simulator::Counts counts;
  bool good = true;
  for (uint64_t seed = first; good && seed < first + seeds; ++seed) {
    good = varve::simulator::Run(seed, command, &counts).Go();
  }
  std::printf("%llu mutations, %llu states, %llu recoveries cut short; %llu were called damaged\n",
              static_cast<unsigned long long>(counts.mutations),
              static_cast<unsigned long long>(counts.states),
              static_cast<unsigned long long>(counts.recoveries_cut_short),
              static_cast<unsigned long long>(counts.refused));
  return good ? 0 : 1;
}
