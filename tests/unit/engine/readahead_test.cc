// SPDX-License-Identifier: Apache-2.0
// Scans under direct I/O: whatever the grade of readahead, the same entries.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/scratch_directory.h"
#include "varve/db.h"
#include "varve/iterator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

using Contents = std::map<std::string, std::string>;

std::string Key(uint64_t i) {
  std::string digits = std::to_string(i);
  return "key" + std::string(8 - digits.size(), '0') + digits;
}

// Several tables in level 0 and below it, values of all sizes.
Contents Fill(const std::string& path) {
  Options options;
  options.create_if_missing = true;
  options.family.write_buffer_size = 400 << 10;
  options.family.target_file_size_base = 300 << 10;
  options.family.max_bytes_for_level_base = 1 << 20;
  auto db = DB::Open(options, path);
  REQUIRE(db.ok());
  Contents contents;
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const std::string key = Key(random() % 12'000);
    if (random() % 5 == 0) {
      REQUIRE((*db)->Delete({}, key).ok());
      contents.erase(key);
    } else {
      std::string value(random() % 200, static_cast<char>('a' + random() % 26));
      if (random() % 500 == 0) value.assign(70'000, 'L');  // A block across buffers.
      REQUIRE((*db)->Put({}, key, value).ok());
      contents[key] = value;
    }
  }
  REQUIRE((*db)->Flush({}).ok());
  REQUIRE((*db)->Close().ok());
  return contents;
}

void CheckScan(DB& db, const Contents& contents, std::mt19937_64& random) {
  ReadOptions options;
  const std::string lower = Key(random() % 12'000), upper = Key(random() % 12'000);
  if (random() % 3 == 0) options.lower_bound = lower;
  if (random() % 2 == 0) options.upper_bound = upper;
  if (random() % 8 == 0) options.readahead_size = random() % 300'000;
  options.fill_cache = random() % 2 == 0;
  auto it = db.NewIterator(options);
  REQUIRE(it.ok());
  // Several seeks on one iterator: nothing of an earlier one may show.
  for (int seek = 0; seek < 4; ++seek) {
    std::string from = Key(random() % 12'000);
    it->Seek(from);
    if (options.lower_bound && from < lower) from = lower;
    auto expected = contents.lower_bound(from);
    const uint64_t steps = random() % 5 == 0 ? 20'000 : random() % 300;
    for (uint64_t i = 0; i < steps; ++i, ++expected) {
      const bool ends =
          expected == contents.end() || (options.upper_bound && expected->first >= upper);
      REQUIRE_EQ(it->Valid(), !ends);
      if (ends) break;
      REQUIRE_EQ(it->key(), expected->first);
      REQUIRE_EQ(it->value(), expected->second);
      it->Next();
    }
    REQUIRE(it->status().ok());
  }
}

TEST_CASE("Scans: every grade of readahead shows the same, with and without a cache") {
  const ScratchDirectory directory;
  const Contents contents = Fill(directory / "db");
  for (const ScanReadahead grade :
       {ScanReadahead::kOff, ScanReadahead::kDoubling, ScanReadahead::kAdaptive}) {
    for (const bool direct : {false, true}) {
      for (const uint64_t cache : {uint64_t{0}, uint64_t{300} << 10, uint64_t{32} << 20}) {
        CAPTURE(static_cast<int>(grade));
        CAPTURE(direct);
        CAPTURE(cache);
        Options options;
        options.scan_readahead = grade;
        options.use_direct_reads = direct;
        options.block_cache_bytes = cache;
        auto db = DB::OpenReadOnly(options, directory / "db");
        REQUIRE(db.ok());
        std::mt19937_64 random(7);
        for (int scan = 0; scan < 12; ++scan) CheckScan(**db, contents, random);
        auto it = (*db)->NewIterator({});
        it->SeekToLast();
        for (auto back = contents.rbegin(); back != contents.rend(); ++back) {
          REQUIRE(it->Valid());
          REQUIRE_EQ(it->key(), back->first);
          it->Prev();
        }
      }
    }
  }
}

}  // namespace
}  // namespace varve
