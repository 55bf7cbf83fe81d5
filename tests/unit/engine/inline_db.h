// SPDX-License-Identifier: Apache-2.0
// A database in memory without threads: what it does in the background, its callers do. Fixtures
// derive from it.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "core/base/threads/inline_executor.h"
#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {

struct InlineDb {
  InlineDb() : options(OptionsOn(&fs)) { options.env.executor = &executor; }

  // Opens the database, or opens it again.
  Status TryOpen(const Options& with, RecoveryReport* report = nullptr) {
    db.reset();
    auto opened = DB::Open(with, "db", report);
    if (!opened.ok()) return opened.status();
    db = *std::move(opened);
    return Status::Ok();
  }
  DB& Open() {
    const Status opened = TryOpen(options);
    REQUIRE_MESSAGE(opened.ok(), opened.ToString());
    return *db;
  }
  // How many of its files have a name that ends so.
  size_t CountFiles(std::string_view suffix) {
    size_t count = 0;
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) count += entry.name.ends_with(suffix);
    return count;
  }

  WatchedFs fs;
  InlineExecutor executor;
  Options options;
  std::unique_ptr<DB> db;  // Goes first.
};

}  // namespace varve
