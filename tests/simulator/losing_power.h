// SPDX-License-Identifier: Apache-2.0
// Loses power after the mutations of a disk, in each way, and examines what is found: the part that
// the tests have in common whose command line is
//
//   [--seed=N] [--first=N] [--seeds=N] [--ops=N | --keep=LIST] [--every=N] [--at=MUTATION]
//   [--trace]
//
// --every: of the mutations only each N-th; --at: only that one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "tests/mix/database.h"
#include "tests/replay/kept.h"
#include "tests/simulator/found_database.h"
#include "tests/simulator/simulated_disk.h"

namespace varve::simulator {

struct LossCommand {
  // Exits if the arguments are wrong.
  LossCommand(int argc, char** argv, uint64_t ops);

  replay::Kept ops;
  uint64_t every = 1, at = 0;
  bool trace = false;
};

struct LossCounts : Examination::Counts {
  uint64_t mutations = 0;
};

class LosingPower {
 public:
  // `step`: the one under way.
  LosingPower(uint64_t seed, const LossCommand& command, std::string path, Examination::Judge judge,
              std::function<uint64_t()> step, LossCounts* counts)
      : seed_(seed),
        command_(command),
        path_(std::move(path)),
        judge_(std::move(judge)),
        step_(std::move(step)),
        counts_(*counts) {}

  // After a mutation of the disk.
  void Lose(const SimulatedDisk& disk, const std::string& mutation);

  const mix::Trouble& trouble() const { return trouble_; }  // The first, with the mutation.
  uint64_t found_in() const { return found_in_; }           // The step of it.
  uint64_t found_at() const { return found_at_; }           // The number of its mutation.

 private:
  const uint64_t seed_;
  const LossCommand& command_;
  const std::string path_;
  const Examination::Judge judge_;
  const std::function<uint64_t()> step_;
  LossCounts& counts_;
  uint64_t mutation_ = 0, found_at_ = 0, found_in_ = 0;
  mix::Trouble trouble_;
};

// What such a program does: `run` is called with each seed, until it is false. Returns its exit
// code.
int RunSeeds(int argc, char** argv,
             const std::function<bool(uint64_t seed, const LossCommand&, LossCounts*)>& run,
             uint64_t ops);

// The same by a Run(seed, command, counts) for each seed.
template <typename Run>
int GoThroughSeeds(int argc, char** argv, uint64_t ops) {
  const auto run = [](uint64_t seed, const LossCommand& command, LossCounts* counts) {
    return Run(seed, command, counts).Go();
  };
  return RunSeeds(argc, argv, run, ops);
}

}  // namespace varve::simulator
