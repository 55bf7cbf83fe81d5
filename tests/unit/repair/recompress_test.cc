// SPDX-License-Identifier: Apache-2.0
#include "core/repair/recompress.h"

#include <doctest/doctest.h>

#include "tests/unit/repair/repair_files.h"

namespace varve {
namespace {

struct Fixture : RepairFiles {
  template <typename Fill>
  uint64_t Build(const std::string& name, const TableOptions& options, Fill fill,
                 const Comparator& order = *BytewiseComparator()) {
    auto file = fs().Create("db/" + name, /*direct=*/false);
    REQUIRE(file.ok());
    TableOrigin origin;
    origin.base_context_checksum = 1;
    TableBuilder builder(options, order, origin, file->get());
    fill(builder);
    REQUIRE(builder.Finish().ok());
    return builder.file_size();
  }
  Result<RecompressedSize> Measure(const TableOptions& options,
                                   const std::string& path = "db/source") {
    return MeasureRecompressed(env(), path, options);
  }
};

void FillUsual(TableBuilder& builder) {
  for (int i = 0; i < 500; ++i) {
    const std::string user_key = std::to_string(1000 + i);
    REQUIRE(builder.Add({user_key, 500, ValueType::kValue}, std::string(100, 'v') + user_key).ok());
  }
  REQUIRE(builder.AddRangeTombstone("a", "b", 7).ok());
}

TEST_CASE("MeasureRecompressed: the size is that of the table that would be written") {
  Fixture t;
  t.Build("source", TableOptions(), FillUsual);
  for (const CompressionType codec :
       {CompressionType::kNone, CompressionType::kSnappy, CompressionType::kZstd}) {
    for (const uint32_t block_size : {512U, 16384U}) {
      TableOptions options;
      options.compression = codec;
      options.block_size = block_size;
      const uint64_t size = t.Build("rewritten", options, FillUsual);
      const auto measured = t.Measure(options);
      REQUIRE_MESSAGE(measured.ok(), measured.status().ToString());
      CHECK_EQ(measured->file_bytes, size);
      CHECK_LT(measured->data_bytes, size);
      CHECK_GT(measured->data_blocks, 0);
    }
  }
}

TEST_CASE("MeasureRecompressed: it writes nothing") {
  Fixture t;
  t.Build("source", TableOptions(), FillUsual);
  REQUIRE(t.Measure(TableOptions()).ok());
  CHECK_EQ(t.fs().List("db")->size(), 1);
}

TEST_CASE("MeasureRecompressed: larger blocks are fewer") {
  Fixture t;
  t.Build("source", TableOptions(), FillUsual);
  TableOptions small, large;
  small.block_size = 512;
  large.block_size = 1 << 20;
  CHECK_GT(t.Measure(small)->data_blocks, 50);
  CHECK_EQ(t.Measure(large)->data_blocks, 1);
}

TEST_CASE("MeasureRecompressed: damage is located; what is no table, or not there, is an error") {
  Fixture t;
  t.Build("source", TableOptions(), FillUsual);
  std::string bytes = t.Read("db/source");
  bytes[10] ^= 1;
  t.Write("source", bytes);
  const Status damaged = t.Measure(TableOptions()).status();
  CHECK(damaged.code() == Code::kCorruption);
  CHECK(damaged.message().find("source@0") != std::string::npos);
  t.Write("source", "not a table");
  CHECK(t.Measure(TableOptions()).status().code() == Code::kCorruption);
  CHECK(t.Measure(TableOptions(), "db/nothing").status().code() == Code::kNotFound);
}

TEST_CASE("MeasureRecompressed: what takes far more than its file is refused, with the sizes") {
  Fixture t;
  TableOptions packed;
  packed.compression = CompressionType::kZstd;
  packed.block_size = 1 << 20;
  const uint64_t size = t.Build("source", packed, [](TableBuilder& builder) {
    for (int i = 0; i < 40; ++i) {
      const std::string key = std::to_string(100 + i);
      REQUIRE(builder.Add({key, 1, ValueType::kValue}, std::string(1 << 20, 'v')).ok());
    }
  });
  REQUIRE_LT(size, 100'000);
  const Status refused = t.Measure(TableOptions()).status();
  CHECK(refused.code() == Code::kNotSupported);
  CHECK_MESSAGE(refused.message().find("in a file of " + std::to_string(size)) != std::string::npos,
                refused.message());
}

TEST_CASE("MeasureRecompressed: an index that would be held in memory is bounded as well") {
  Fixture t;
  TableOptions few_blocks;
  few_blocks.compression = CompressionType::kZstd;
  few_blocks.block_size = 64 << 20;
  t.Build("source", few_blocks, [](TableBuilder& builder) {
    for (int i = 0; i < 1000; ++i) {  // Long keys that differ at their ends only.
      const std::string key = std::string(12'000, 'k') + std::to_string(1000 + i);
      REQUIRE(builder.Add({key, 1, ValueType::kValue}, "").ok());
    }
  });
  TableOptions tiny;
  tiny.compression = CompressionType::kNone;
  tiny.block_size = 256;
  const Status refused = t.Measure(tiny).status();
  CHECK(refused.code() == Code::kNotSupported);
  CHECK_MESSAGE(refused.message().find("--block-size") != std::string::npos, refused.message());
}

TEST_CASE("OptionsOfTable: format, checksum and filter are those of the table") {
  Fixture t;
  for (const uint32_t version : {2U, 5U, 7U}) {
    for (const ChecksumType checksum : {ChecksumType::kCrc32c, ChecksumType::kXxh3}) {
      for (const FilterKind filter : {FilterKind::kNone, TableOptions().filter}) {
        TableOptions options;
        options.format_version = version;
        options.checksum = checksum;
        options.filter = filter;
        t.Build("source", options, FillUsual);
        const auto found = OptionsOfTable(t.fs(), "db/source");
        REQUIRE(found.ok());
        CHECK_EQ(found->format_version, version);
        CHECK(found->checksum == checksum);
        CHECK((found->filter == FilterKind::kNone) == (filter == FilterKind::kNone));
      }
    }
  }
  t.Write("source", "not a table");
  CHECK(OptionsOfTable(t.fs(), "db/source").status().code() == Code::kCorruption);
}

}  // namespace
}  // namespace varve
