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
//   power_loss_test [--seed=N] [--first=N] [--seeds=N] [--ops=N | --keep=LIST] [--every=N]
//                   [--at=MUTATION] [--trace]
//
// --every: of the mutations only each N-th; --at: only that one. What fails prints the line that
// replays it (tests/replay).
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "tests/mix/arguments.h"
#include "tests/mix/mix.h"
#include "tests/mix/varve_kind.h"
#include "tests/replay/kept.h"
#include "tests/replay/replay.h"
#include "tests/simulator/found_database.h"
#include "tests/simulator/history.h"
#include "tests/simulator/recording_kind.h"
#include "tests/simulator/simulated_disk.h"

namespace varve::simulator {
namespace {

using mix::Dice;
using mix::Trouble;

constexpr char kPath[] = "db";

struct Command {
  replay::Kept ops;
  uint64_t every = 1, at = 0;
  bool trace = false;
};

struct Counts : Examination::Counts {
  uint64_t mutations = 0;
};

class Run {
 public:
  Run(uint64_t seed, const Command& command, Counts* counts)
      : seed_(seed), command_(command), counts_(*counts) {}

  bool Go() {
    replay::At(ReplayLine(command_.ops));
    World world(&disk_, seed_);
    mix::VarveKind varve(world.environment, /*newest_tables=*/true);
    if (seed_ % 2 == 0) varve.WriteInTwoPhases();
    RecordingKind recording(&varve, &history_, [&]() -> const mix::Moment& { return mix_->now(); });
    mix::Mix running(seed_, {.engines = {&recording},
                             .path = kPath,
                             .steps = command_.ops,
                             .unlogged_writes = false,
                             .trace = command_.trace});
    mix_ = &running;
    disk_.set_after_mutation([&](const std::string& what) { LosePower(what); });
    const Trouble trouble = running.Run();
    disk_.set_after_mutation(nullptr);
    counts_.mutations += mutation_;
    if (trouble_.empty() && trouble.empty()) return true;
    std::fprintf(stderr, "%s\n", trouble_.empty() ? trouble.c_str() : trouble_.c_str());
    const uint64_t step = trouble_.empty() ? running.step() : found_in_;
    const std::string at = trouble_.empty() ? "" : " --at=" + std::to_string(found_at_);
    replay::Print(ReplayLine(command_.ops.Before(step + 1)) + at);
    return false;
  }

 private:
  static unsigned long long Printed(uint64_t n) { return n; }

  std::string ReplayLine(const replay::Kept& ops) const {
    return "power_loss --seed=" + std::to_string(seed_) + " " + ops.Option();
  }

  Trouble Judge(const mix::Moment& moment) const {
    const Digest found = DigestOf(moment);
    return history_.IsLegal(found) ? "" : "holds " + history_.Describe(found);
  }

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
        Examination examination(
            kPath, [&](const mix::Moment& moment) { return Judge(moment); }, &counts_, seed);
        trouble = examination.Examine(found.get(), loss, /*cut_short=*/dice.OneIn(32));
      }).join();
      if (trouble.empty()) continue;
      trouble_ = "power lost after mutation " + std::to_string(mutation_) + " (" + what + "), " +
                 std::string(NameOf(loss)) + ": what is found " + trouble;
      found_at_ = mutation_;
      found_in_ = mix_->step();
      return;
    }
  }

  const uint64_t seed_;
  const Command command_;
  Counts& counts_;
  SimulatedDisk disk_;
  History history_;
  const mix::Mix* mix_ = nullptr;
  uint64_t mutation_ = 0, found_at_ = 0, found_in_ = 0;
  Trouble trouble_;
};

}  // namespace
}  // namespace varve::simulator

int main(int argc, char** argv) {
  using varve::mix::Argument;
  if (varve::mix::HasUnknownArgument(argc, argv,
                                     {"--seed=", "--ops=", "--keep=", "--every=", "--at=",
                                      "--first=", "--seeds=", "--trace"})) {
    return 2;
  }
  const varve::simulator::Command command = {
      .ops = varve::replay::Kept(argc, argv, Argument(argc, argv, "--ops", 60)),
      .every = Argument(argc, argv, "--every", 1),
      .at = Argument(argc, argv, "--at", 0),
      .trace = varve::mix::HasFlag(argc, argv, "--trace"),
  };
  if (!command.ops.ok()) return 2;
  const varve::mix::Seeds seeds(argc, argv, 8);
  varve::simulator::Counts counts;
  bool good = true;
  for (uint64_t seed = seeds.first; good && seed < seeds.end(); ++seed) {
    good = varve::simulator::Run(seed, command, &counts).Go();
  }
  std::printf("%llu mutations, %llu states, %llu recoveries cut short; %llu were called damaged\n",
              static_cast<unsigned long long>(counts.mutations),
              static_cast<unsigned long long>(counts.states),
              static_cast<unsigned long long>(counts.recoveries_cut_short),
              static_cast<unsigned long long>(counts.refused));
  return good ? 0 : 1;
}
