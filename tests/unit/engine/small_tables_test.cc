// SPDX-License-Identifier: Apache-2.0
// Databases that are opened for a few writes at a time, as by a command line tool: each opening
// leaves a table, and these are merged.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

std::string KeyOf(int i) {
  char key[16];
  std::snprintf(key, sizeof(key), "key%04d", i);
  return key;
}

// `step`: 1 writes keys in order, so that no table overlaps another.
void PutOneByOne(FileSystem* fs, int count, int step) {
  InlineExecutor executor;
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs;
  options.env.executor = &executor;
  for (int i = 0; i < count; ++i) {
    auto db = DB::Open(options, "db");
    REQUIRE_MESSAGE(db.ok(), db.status().ToString());
    REQUIRE((*db)->Put({}, KeyOf(i * step % count), std::to_string(i)).ok());
    REQUIRE((*db)->WaitForBackgroundWork().ok());
    REQUIRE((*db)->Close().ok());
  }
}

int Tables(FileSystem* fs) {
  int tables = 0;
  const auto entries = fs->List("db");
  for (const DirectoryEntry& entry : *entries) tables += entry.name.ends_with(".sst");
  return tables;
}

TEST_CASE("Sixty openings for one write each leave few tables") {
  for (const int step : {1, 37}) {
    CAPTURE(step);
    const auto fs = NewMemoryFileSystem();
    PutOneByOne(fs.get(), 60, step);
    CHECK_LE(Tables(fs.get()), 4);
    Options options;
    options.env.file_system = fs.get();
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    for (int i = 0; i < 60; ++i) {
      const auto value = (*db)->Get({}, KeyOf(i * step % 60));
      REQUIRE(value.ok());
      REQUIRE(value->has_value());
      CHECK_EQ((**value).view(), std::to_string(i));
    }
  }
}

// A single write to a large database must not cost a rewrite of what it overlaps.
TEST_CASE("Few writes to a large database rewrite little") {
  const auto fs = NewMemoryFileSystem();
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs.get();
  options.family.table.compression = CompressionType::kNone;  // The sizes below count.
  uint64_t large = 0;
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    for (int i = 0; i < 4000; ++i) REQUIRE((*db)->Put({}, KeyOf(i), std::string(1000, 'v')).ok());
    REQUIRE((*db)->CompactRange({.force_bottommost = true}, {}, {}).ok());
    for (const LevelInfo& level : (*db)->Levels()) large += level.bytes;
  }
  uint64_t rewritten = 0;
  for (int i = 0; i < 60; ++i) {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    WriteBatch batch;
    batch.Put(KeyOf(i * 7919 % 4000), "w");
    if (i % 10 == 0) batch.DeleteRange(KeyOf(i), KeyOf(i + 3000));
    REQUIRE((*db)->Write({}, std::move(batch)).ok());
    REQUIRE((*db)->WaitForBackgroundWork().ok());
    rewritten += (*db)->Stats().compaction_bytes_written;
  }
  CHECK_LT(rewritten, large / 4);
}

}  // namespace
}  // namespace varve
