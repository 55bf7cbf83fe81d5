// SPDX-License-Identifier: Apache-2.0
// Opening a database for reading while somebody else writes it.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

// Somebody may hold the lock, and the first listings may come too late for a table.
class LiveFs final : public WatchedFs {
 public:
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    auto entries = WatchedFs::List(directory);
    if (entries.ok() && listings_without_tables > 0) {
      --listings_without_tables;
      std::erase_if(*entries, [](const DirectoryEntry& e) { return e.name.ends_with(".sst"); });
    }
    return entries;
  }
  bool IsLocked(const std::string&) override { return live; }

  int listings_without_tables = 0;
  bool live = false;
};

TEST_CASE("Reading a live database: a table that went while the reader looked is no damage") {
  LiveFs fs;
  Options options;
  options.create_if_missing = true;
  options.env.file_system = &fs;
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    REQUIRE((*db)->Put({}, "key", "value").ok());
    REQUIRE((*db)->Flush().ok());
  }
  const auto code_of = [&](bool live, int listings) {
    fs.live = live;
    fs.listings_without_tables = listings;
    const auto db = DB::OpenReadOnly(options, "db");
    return db.ok() ? Code::kOk : db.status().code();
  };
  CHECK_EQ(code_of(true, 0), Code::kOk);
  CHECK_EQ(code_of(true, 3), Code::kOk);
  CHECK_EQ(code_of(true, std::numeric_limits<int>::max()), Code::kCorruption);
  CHECK_EQ(code_of(false, 3), Code::kCorruption);
}

}  // namespace
}  // namespace varve
