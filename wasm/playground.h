// SPDX-License-Identifier: Apache-2.0
// A database of the browser's own, in memory, on the one thread there is.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "varve/db.h"
#include "webview/api/live_engine.h"

namespace varve::wasm {

// The engine behind a live target. One thread.
class Playground : public api::LiveEngine {
 public:
  // `options`: NAME=VALUE a line, as `varve --option` takes them.
  static Result<std::unique_ptr<Playground>> Open(const Environment& environment,
                                                  const std::string& path,
                                                  const std::string& options);

  DB& db() { return *db_; }
  const std::string& path() const { return path_; }

  std::shared_ptr<api::RecordReader> Records() override;
  api::Json Stats() override;
  api::Json StatsHistory() override { return api::Json::array({Stats()}); }
  Status SetOptions(const std::string& family,
                    const std::vector<std::pair<std::string, std::string>>& changes,
                    bool validate_only) override;
  Status Flush(const std::string& family) override;
  Status Compact(const std::string& family, std::optional<std::string> from,
                 std::optional<std::string> to) override;

 private:
  Playground(std::string path, std::unique_ptr<DB> db)
      : path_(std::move(path)), db_(std::move(db)) {}

  const std::string path_;
  const std::unique_ptr<DB> db_;
};

}  // namespace varve::wasm
