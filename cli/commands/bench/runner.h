// SPDX-License-Identifier: Apache-2.0
// Runner owns a database and runs workloads on it, one after another. Not thread-safe.
#pragma once

#include <chrono>
#include <memory>
#include <semaphore>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/bench/result.h"
#include "cli/commands/bench/store.h"
#include "cli/commands/bench/workload.h"
#include "cli/output/console.h"
#include "cli/process/leftovers.h"

namespace varve {
class WebView;
}

namespace varve::cli::bench {

struct ThreadOutcome;

class Runner {
 public:
  // InvalidArgument if settings.directory is not empty, without --use-existing. If
  // settings.directory is "", uses a temporary directory and removes it at the end.
  static Result<std::unique_ptr<Runner>> Create(const Settings& settings, Console& console);
  ~Runner();

  // A different `round` gives different operations with the same seed.
  Result<WorkloadResult> Run(const Workload& workload, uint64_t round = 0);
  // Continues with other settings on the same records and directory; reopens the database if engine
  // options change.
  Status Change(const Settings& settings);
  Status Close();

  const Settings& settings() const { return settings_; }
  const std::string& directory() const { return settings_.directory; }
  double open_seconds() const { return open_seconds_; }

 private:
  Runner(const Settings& settings, Console& console) : settings_(settings), console_(console) {}

  Result<WorkloadResult> RunAsSet(const Workload& workload, uint64_t round);
  Status Open();
  Status Show();
  Status StartAfresh();
  Status Prepare();  // Loads the records that a workload expects to find.
  Status MakeReady(const Workload& workload, bool* prepared);
  Status Reopen(WorkloadResult* result);
  Status RunThreads(const Workload& workload, uint64_t round, WorkloadResult* result);
  void Watch(const Workload& workload, Arena& arena,
             const std::vector<std::unique_ptr<Worker>>& workers,
             std::chrono::steady_clock::time_point begin, std::span<const ThreadOutcome> outcomes,
             std::binary_semaphore& done, WorkloadResult* result);

  Settings settings_;
  Console& console_;
  TemporaryDirectory temporary_;  // Unless settings_.directory is to stay.
  bool filled_ = false;
  uint64_t records_ = 0;
  double open_seconds_ = -1;  // Negative: not opened yet.
  std::unique_ptr<Store> store_;
  std::shared_ptr<WebView> view_;  // Of --serve; ends before the store is closed.
};

}  // namespace varve::cli::bench
