// SPDX-License-Identifier: Apache-2.0
// Long calls that are cancelled: CompactRangeOptions::cancelled, IngestOptions::cancelled.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tests/unit/engine/inline_db.h"
#include "varve/compaction_filter.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

constexpr int kKeys = 20'000;

std::string KeyOf(int i) {
  char key[16];
  std::snprintf(key, sizeof(key), "%06d", i);
  return key;
}

// Does something at each record of a compaction.
class Watch final : public CompactionFilterFactory {
 public:
  std::unique_ptr<CompactionFilter> Create(const Context& /*context*/) const override {
    return std::make_unique<Asking>(this);
  }

  std::function<void(std::string_view key)> at;

 private:
  class Asking final : public CompactionFilter {
   public:
    explicit Asking(const Watch* watch) : watch_(watch) {}
    Decision Filter(int /*level*/, std::string_view key, std::string_view /*value*/,
                    std::string* /*new_value*/) override {
      if (watch_->at) watch_->at(key);
      return Decision::kKeep;
    }

   private:
    const Watch* watch_;
  };
};

struct Fixture : InlineDb {
  Fixture() {
    options.family.disable_auto_compactions = true;
    options.family.compaction_filter_factory = &watch;
    Open();
  }
  // Two tables with all the keys: neither can be moved to another level as it is.
  void Fill() {
    for (const char* value : {"old", "new"}) {
      for (int i = 0; i < kKeys; ++i) REQUIRE(db->Put({}, KeyOf(i), value).ok());
      REQUIRE(db->Flush().ok());
    }
  }
  Status Compact() { return db->CompactRange({.cancelled = &cancelled}, {}, {}); }
  uint64_t FilesOf(int level) { return db->Levels()[static_cast<size_t>(level)].files; }

  Watch watch;
  std::atomic<bool> cancelled = false;
};

TEST_CASE("Cancel: a compaction ends in the middle, and leaves what was there") {
  Fixture t;
  t.Fill();
  int seen = 0;
  t.watch.at = [&](std::string_view key) {
    ++seen;
    if (key == KeyOf(5'000)) t.cancelled = true;
  };
  const Status ended = t.Compact();
  CHECK_MESSAGE(ended.code() == Code::kShutdown, ended.ToString());
  CHECK(ended.message() == "the compaction was cancelled");
  CHECK_GT(seen, 5'000);
  CHECK_LT(seen, kKeys);
  CHECK_EQ(t.FilesOf(0), 2);
  CHECK_EQ(t.CountFiles(".sst"), 2);

  t.watch.at = nullptr;
  t.cancelled = false;
  REQUIRE(t.Compact().ok());  // Its tables are free again.
  CHECK_EQ(t.FilesOf(0), 0);
  const auto value = t.db->Get({}, KeyOf(kKeys - 1));
  REQUIRE(value.ok());
  CHECK_EQ((*value)->view(), "new");
}

TEST_CASE(
    "Cancel: a compaction does not begin, and nothing is compacted in the background either") {
  Fixture t;
  t.Fill();
  t.cancelled = true;
  CHECK(t.Compact().code() == Code::kShutdown);
  CHECK_EQ(t.FilesOf(0), 2);
  CHECK(t.db->Put({}, "a", "after it").ok());
  CHECK(t.db->WaitForBackgroundWork().ok());  // It was no failure.
}

TEST_CASE("Cancel: of a bottommost rewrite, what was rewritten stays") {
  Fixture t;
  REQUIRE(t.db->SetOptions({{"target_file_size_base", "16384"},
                            {"max_compaction_bytes", "65536"},
                            {"compression", "none"}})
              .ok());
  t.Fill();
  REQUIRE(t.Compact().ok());
  REQUIRE_GT(t.CountFiles(".sst"), 3);
  t.watch.at = [&](std::string_view key) { t.cancelled = t.cancelled || key == KeyOf(kKeys / 2); };
  const Status ended =
      t.db->CompactRange({.force_bottommost = true, .cancelled = &t.cancelled}, {}, {});
  CHECK(ended.code() == Code::kShutdown);
  int count = 0;
  auto it = t.db->NewIterator({});
  REQUIRE(it.ok());
  for (it->SeekToFirst(); it->Valid(); it->Next()) ++count;
  CHECK(it->status().ok());
  CHECK_EQ(count, kKeys);
}

TEST_CASE("Cancel: an ingestion ends while it verifies, and leaves nothing") {
  Fixture t;
  REQUIRE(t.fs.CreateDirectory("in").ok());
  for (const char* name : {"in/a", "in/b"}) {
    auto writer = SstFileWriter::Create(t.options.env, t.options.family, name);
    REQUIRE(writer.ok());
    for (int i = 0; i < kKeys; ++i) REQUIRE(writer->Put(name + KeyOf(i), "value").ok());
    REQUIRE(writer->Finish().ok());
  }
  IngestOptions options{.move_files = true, .cancelled = &t.cancelled};
  uint64_t told = 0;
  options.verified = [&](uint64_t bytes) {
    told += bytes;
    t.cancelled = true;
  };
  const Status ended = t.db->Ingest(options, {"in/a", "in/b"});
  CHECK_MESSAGE(ended.code() == Code::kShutdown, ended.ToString());
  CHECK_LT(told, *t.fs.FileSize("in/a"));
  CHECK_EQ(t.CountFiles(".sst"), 0);
  CHECK(t.fs.Exists("in/b"));

  t.cancelled = false;
  options.verified = nullptr;
  CHECK(t.db->Ingest(options, {"in/a", "in/b"}).ok());
}

}  // namespace
}  // namespace varve
