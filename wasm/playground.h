// SPDX-License-Identifier: Apache-2.0
// A database of the browser, in memory or stored, on the only thread.
#pragma once

#include <memory>
#include <string>

#include "varve/db.h"
#include "varve/write_batch.h"
#include "webview/api/engine/engine_live.h"

namespace varve::wasm {

// One thread.
class Playground {
 public:
  // `options`: one NAME=VALUE per line, as for `varve --option`.
  static Result<std::unique_ptr<Playground>> Open(const Environment& environment,
                                                  const std::string& path,
                                                  const std::string& options);

  DB& db() { return *db_; }
  const std::string& path() const { return path_; }
  api::LiveEngine* live() { return &live_; }

  // Does not run compactions: due ones wait for Step(). Busy if so many are due that the engine
  // would slow down the writer.
  Status Apply(WriteBatch batch);
  // Runs one flush or compaction that is due; false: none is.
  static bool Step();

 private:
  Playground(std::string path, std::unique_ptr<DB> db, Clock& clock)
      : path_(std::move(path)), db_(std::move(db)), live_(*db_, clock) {}

  const std::string path_;
  const std::unique_ptr<DB> db_;
  api::EngineLive live_;
};

// For a closed database: removes its directory and the files in it.
Status RemovePlayground(const Environment& environment, const std::string& path);

}  // namespace varve::wasm
