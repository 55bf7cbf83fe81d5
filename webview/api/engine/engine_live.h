// SPDX-License-Identifier: Apache-2.0
// LiveEngine over a varve::DB that this process has open. Part of the library varve_api_engine.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"
#include "webview/api/live_engine.h"
#include "webview/api/uploads.h"

namespace varve {
class DB;
}

namespace varve::api {

// Thread-safe. `db` must outlive it.
class EngineLive : public LiveEngine {
 public:
  static constexpr size_t kSamplesMax = 600;

  EngineLive(DB& db, Clock& clock) : db_(db), clock_(clock) {}

  // Adds a sample to StatsHistory(), which keeps the last kSamplesMax, and removes uploads that
  // were forgotten. To be called e.g. once a second.
  void Sample();

  std::shared_ptr<RecordReader> Records() override;
  EngineStats Stats() override;
  std::vector<StatsSample> StatsHistory() override;
  std::string Metrics() override;
  Status SetOptions(const std::string& family,
                    const std::vector<std::pair<std::string, std::string>>& changes,
                    bool validate_only) override;
  Result<Written> Write(const std::vector<Operation>& operations,
                        const std::vector<Expectation>& expected) override;
  Status Flush(const std::string& family) override;
  Status Compact(const std::string& family, std::optional<std::string> from,
                 std::optional<std::string> to) override;
  Status Ingest(const std::string& folder, const std::vector<StagedTables>& tables,
                bool move) override;
  Uploads* uploads() override { return uploads_.get(); }
  // From now on clients may bring tables. Before any of them is served.
  void TakeUploads(const Environment& env, const UploadLimits& limits);

 private:
  Result<std::optional<size_t>> FirstUnmet(const std::vector<Expectation>& expected);

  DB& db_;
  Clock& clock_;
  std::unique_ptr<Uploads> uploads_;  // May be null.
  // Held alone from the look at what is expected to the write, and shared by other writes.
  std::shared_mutex writes_;
  Mutex mu_;
  std::deque<StatsSample> samples_ GUARDED_BY(mu_);
};

}  // namespace varve::api
