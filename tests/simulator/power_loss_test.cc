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
// Its arguments are those of losing_power.h. What fails prints the line that replays it
// (tests/replay).
#include <cstdio>
#include <memory>
#include <string>

#include "tests/mix/mix.h"
#include "tests/mix/varve_kind.h"
#include "tests/replay/replay.h"
#include "tests/simulator/found_database.h"
#include "tests/simulator/history.h"
#include "tests/simulator/losing_power.h"
#include "tests/simulator/recording_kind.h"
#include "tests/simulator/simulated_disk.h"

namespace varve::simulator {
namespace {

using mix::Trouble;

constexpr char kPath[] = "db";

class Run {
 public:
  Run(uint64_t seed, const LossCommand& command, LossCounts* counts)
      : seed_(seed),
        command_(command),
        losses_(
            seed, command, kPath, [this](const mix::Moment& moment) { return Judge(moment); },
            [this] { return mix_->step(); }, counts) {}

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
    disk_.set_after_mutation([&](const std::string& what) { losses_.Lose(disk_, what); });
    const Trouble trouble = running.Run();
    disk_.set_after_mutation(nullptr);
    const bool lost = !losses_.trouble().empty();
    if (!lost && trouble.empty()) return true;
    std::fprintf(stderr, "%s\n", lost ? losses_.trouble().c_str() : trouble.c_str());
    const uint64_t step = lost ? losses_.found_in() : running.step();
    const std::string at = lost ? " --at=" + std::to_string(losses_.found_at()) : "";
    replay::Print(ReplayLine(command_.ops.Before(step + 1)) + at);
    return false;
  }

 private:
  std::string ReplayLine(const replay::Kept& ops) const {
    return "power_loss --seed=" + std::to_string(seed_) + " " + ops.Option();
  }

  Trouble Judge(const mix::Moment& moment) const {
    mix::Moment committed = moment;
    committed.erase(std::string(kPreparedTransactions));  // Written, but not acknowledged.
    const Digest found = DigestOf(committed);
    return history_.IsLegal(found) ? "" : "holds " + history_.Describe(found);
  }

  const uint64_t seed_;
  const LossCommand& command_;
  SimulatedDisk disk_;
  History history_;
  const mix::Mix* mix_ = nullptr;
  LosingPower losses_;
};

}  // namespace
}  // namespace varve::simulator

int main(int argc, char** argv) {
  using namespace varve::simulator;
  return GoThroughSeeds<Run>(argc, argv, /*ops=*/60);
}
