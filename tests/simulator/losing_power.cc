// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/losing_power.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/mix/arguments.h"

namespace varve::simulator {
namespace {

using mix::Argument;
using mix::Dice;
using mix::Trouble;

unsigned long long Printed(uint64_t n) { return n; }

}  // namespace

LossCommand::LossCommand(int argc, char** argv, uint64_t ops)
    : ops(argc, argv, Argument(argc, argv, "--ops", ops)),
      every(Argument(argc, argv, "--every", 1)),
      at(Argument(argc, argv, "--at", 0)),
      trace(mix::HasFlag(argc, argv, "--trace")) {
  const bool unknown = mix::HasUnknownArgument(
      argc, argv,
      {"--seed=", "--ops=", "--keep=", "--every=", "--at=", "--first=", "--seeds=", "--trace"});
  if (unknown || !this->ops.ok()) std::exit(2);
}

void LosingPower::Lose(const SimulatedDisk& disk, const std::string& mutation) {
  ++mutation_;
  ++counts_.mutations;
  if (command_.trace) std::fprintf(stderr, "    %llu %s\n", Printed(mutation_), mutation.c_str());
  if (!trouble_.empty()) return;
  if (command_.at != 0 ? mutation_ != command_.at : mutation_ % command_.every != 0) return;
  for (const Loss loss : kLosses) {
    const uint64_t seed = (seed_ << 32) + mutation_ * 8 + static_cast<uint64_t>(loss);
    Dice dice(seed);
    const auto found = disk.AfterPowerLoss(loss, &dice);
    Trouble trouble;
    // An engine of its own: what threads keep to themselves is not to be shared with the other.
    std::thread([&] {
      Examination examination(path_, judge_, &counts_, seed);
      trouble = examination.Examine(found.get(), loss, /*cut_short=*/dice.OneIn(32));
    }).join();
    if (trouble.empty()) continue;
    trouble_ = "power lost after mutation " + std::to_string(mutation_) + " (" + mutation + "), " +
               std::string(NameOf(loss)) + ": what is found " + trouble;
    found_at_ = mutation_;
    found_in_ = step_();
    return;
  }
}

int RunSeeds(int argc, char** argv,
             const std::function<bool(uint64_t seed, const LossCommand&, LossCounts*)>& run,
             uint64_t ops) {
  const LossCommand command(argc, argv, ops);
  const mix::Seeds seeds(argc, argv, 8);
  LossCounts counts;
  bool good = true;
  for (uint64_t seed = seeds.first; good && seed < seeds.end(); ++seed) {
    good = run(seed, command, &counts);
  }
  std::printf("%llu mutations, %llu states, %llu recoveries cut short; %llu were called damaged\n",
              Printed(counts.mutations), Printed(counts.states),
              Printed(counts.recoveries_cut_short), Printed(counts.refused));
  return good ? 0 : 1;
}

}  // namespace varve::simulator
