// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/fs/memory_fs.h"
#include "core/table/table_builder.h"
#include "core/table/table_reader.h"
#include "tests/unit/iterator/iterator_suite.h"

namespace varve {
namespace {

std::unique_ptr<TableReader> BuildAndOpen(FileSystem& fs, const TableOptions& options,
                                          const Comparator& comparator,
                                          const std::vector<TestEntry>& entries) {
  auto file = fs.Create("t", /*direct=*/false);
  REQUIRE(file.ok());
  TableOrigin origin;
  origin.base_context_checksum = 7;
  TableBuilder builder(options, comparator, origin, file->get());
  for (const TestEntry& entry : entries) REQUIRE(builder.Add(entry.key(), entry.value).ok());
  REQUIRE(builder.Finish().ok());
  auto opened = fs.OpenForRead("t", /*direct=*/false);
  REQUIRE(opened.ok());
  auto reader = TableReader::Open(
      *std::move(opened),
      {.comparator = &comparator, .cache = std::make_shared<BlockCache>(uint64_t{1} << 20)});
  REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
  return *std::move(reader);
}

TEST_CASE("TableIterator: every shape of table shows the same entries, however it is moved") {
  const auto fs = NewMemoryFileSystem();
  uint64_t seed = 1;
  for (const Comparator* comparator : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (const IndexType index : {IndexType::kBinary, IndexType::kTwoLevel}) {
      for (const uint32_t block_size : {1, 200, 4096}) {
        for (const uint32_t format_version : {2, 5, 7}) {
          TableOptions options;
          options.format_version = format_version;
          options.index_type = index;
          options.block_size = block_size;
          options.metadata_block_size = 100;
          options.block_restart_interval = 1 + seed % 5;
          options.index_block_restart_interval = 1 + seed % 3;
          options.data_block_hash_index = seed % 2 == 0;
          CAPTURE(seed);
          const std::vector<TestEntry> entries = RandomEntries(*comparator, 120, seed++);
          const auto reader = BuildAndOpen(*fs, options, *comparator, entries);
          RunIteratorSuite(*comparator, entries,
                           [&] { return reader->NewIterator({.fill_cache = seed % 2 == 0}); });
        }
      }
    }
  }
}

}  // namespace
}  // namespace varve
