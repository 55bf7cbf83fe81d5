// SPDX-License-Identifier: Apache-2.0
// A Version over real tables in memory.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/fs/memory_fs.h"
#include "core/table/block/clock_cache.h"
#include "core/table/cache/table_cache.h"
#include "core/table/write/table_builder.h"
#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/version/version_fixture.h"

namespace varve {

class TableFixture {
 public:
  explicit TableFixture(const Comparator& comparator = *BytewiseComparator(),
                        int max_open_files = -1)
      : comparator_(comparator),
        fs_(NewMemoryFileSystem()),
        cache_(*fs_, "db", std::make_shared<ClockCache>(1 << 20), max_open_files,
               /*direct_reads=*/false) {
    REQUIRE(fs_->CreateDirectory("db").ok());
  }

  // Entries in order, tombstones in any; returns the file's number.
  FileNumber Add(int level, const std::vector<TestEntry>& entries,
                 const std::vector<RangeTombstone>& tombstones = {},
                 const TableOrigin& origin = {}) {
    const FileNumber number = next_++;
    auto file = fs_->Create(JoinPath("db", TableFileName(number)), /*direct=*/false);
    REQUIRE(file.ok());
    TableOptions options;
    options.block_size = 256;
    TableBuilder builder(options, comparator_, origin, file->get());
    for (const TestEntry& entry : entries) REQUIRE(builder.Add(entry.key(), entry.value).ok());
    for (const RangeTombstone& t : tombstones) {
      REQUIRE(builder.AddRangeTombstone(t.begin, t.end, t.sequence).ok());
    }
    REQUIRE(builder.Finish().ok());
    REQUIRE((*file)->Close().ok());
    FileDescription description;
    description.number = number;
    description.size = builder.file_size();
    description.smallest = builder.smallest();
    description.largest = builder.largest();
    description.smallest_sequence = builder.smallest_sequence();
    description.largest_sequence = builder.largest_sequence();
    edit_.new_files.push_back({level, description});
    return number;
  }

  std::shared_ptr<const Version> Build() { return MakeVersion(edit_, comparator_, 7, &cache_); }

  TableCache* cache() { return &cache_; }
  FileSystem& fs() { return *fs_; }
  VersionEdit& edit() { return edit_; }  // What Build() makes a Version of.

  void RemoveFiles() {
    for (FileNumber number = 1; number < next_; number++) {
      REQUIRE(fs_->Remove(JoinPath("db", TableFileName(number))).ok());
    }
  }
  void RemoveFile(FileNumber number) {
    REQUIRE(fs_->Remove(JoinPath("db", TableFileName(number))).ok());
  }
  // Flips a bit of the first block.
  void Damage(FileNumber number) {
    const std::string path = JoinPath("db", TableFileName(number));
    std::string bytes = *ReadFileToString(*fs_, path, 1 << 20);
    bytes[0] ^= 1;
    const auto file = fs_->Create(path, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
    REQUIRE((*file)->Close().ok());
  }

 private:
  const Comparator& comparator_;
  std::unique_ptr<FileSystem> fs_;
  TableCache cache_;
  VersionEdit edit_;
  FileNumber next_ = 1;
};

}  // namespace varve
