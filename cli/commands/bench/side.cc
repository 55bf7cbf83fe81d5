// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/side.h"

#include <filesystem>

#include "cli/commands/bench/peer_process.h"
#include "cli/commands/bench/runner.h"
#include "cli/process/leftovers.h"
#include "core/base/try.h"

namespace varve::cli::bench {
namespace {

// Without a rate there is nothing to compare.
Status NothingDone(const Workload& workload) {
  return Status::InvalidArgument(std::string(workload.name) +
                                 " has done no operation: nothing can be compared");
}

class InThisProcess final : public Side {
 public:
  InThisProcess(std::unique_ptr<Runner> runner, const Workload& workload)
      : runner_(std::move(runner)), workload_(workload) {}

  Result<double> Measure(uint64_t round) override {
    ASSIGN_OR_RETURN(const WorkloadResult result, runner_->Run(workload_, round));
    found_ = result.found;
    if (result.rate() <= 0) return NothingDone(workload_);
    return 1 / result.rate();
  }
  Status Close() override { return runner_->Close(); }

 private:
  const std::unique_ptr<Runner> runner_;
  const Workload& workload_;
};

class InAProcess final : public Side {
 public:
  InAProcess(std::string executable, std::vector<std::string> words, uint64_t seed,
             const Workload& workload, TemporaryDirectory home)
      : executable_(std::move(executable)),
        words_(std::move(words)),
        seed_(seed),
        workload_(workload),
        home_(std::move(home)),
        database_(home_.path() + "/db") {}

  Result<double> Measure(uint64_t round) override {
    const bool fresh = workload_.data == Workload::Data::kFresh;
    std::vector<std::string> words;
    if (fresh) {
      std::error_code ignored;  // What is in the way is told by the process.
      std::filesystem::remove_all(database_, ignored);
    } else if (!loaded_) {
      words = {"filluniquerandom", "flush", "waitforcompaction"};
    } else {
      words = {"--use-existing"};
    }
    // A process begins with nothing cached.
    if (!fresh) words.emplace_back("readtocache");
    loaded_ = true;
    words.insert(words.end(), {std::string(workload_.name), "--db", database_, "--seed",
                               std::to_string(seed_ + round)});
    words.insert(words.end(), words_.begin(), words_.end());
    ASSIGN_OR_RETURN(const PeerRun run, RunPeer(executable_, words));
    found_ = run.found;
    if (run.rate <= 0) return NothingDone(workload_);
    return 1 / run.rate;
  }
  Status Close() override { return Status::Ok(); }

 private:
  const std::string executable_;
  const std::vector<std::string> words_;
  const uint64_t seed_;
  const Workload& workload_;
  const TemporaryDirectory home_;
  const std::string database_;
  bool loaded_ = false;
};

}  // namespace

Result<std::unique_ptr<Side>> SideInThisProcess(const Settings& settings, const Workload& workload,
                                                Console& console) {
  ASSIGN_OR_RETURN(auto runner, Runner::Create(settings, console));
  return std::unique_ptr<Side>(std::make_unique<InThisProcess>(std::move(runner), workload));
}

Result<std::unique_ptr<Side>> SideInAProcess(std::string executable, std::vector<std::string> words,
                                             const Settings& settings, const Workload& workload) {
  ASSIGN_OR_RETURN(TemporaryDirectory home, TemporaryDirectory::Create("varve-compare-"));
  return std::unique_ptr<Side>(std::make_unique<InAProcess>(
      std::move(executable), std::move(words), settings.seed, workload, std::move(home)));
}

}  // namespace varve::cli::bench
