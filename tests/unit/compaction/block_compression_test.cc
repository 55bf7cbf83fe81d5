// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/block_compression.h"

#include <doctest/doctest.h>

namespace varve {
namespace {

using enum CompressionType;

ColumnFamilyOptions LevelsOf(std::vector<CompressionType> per_level) {
  ColumnFamilyOptions options;
  options.table.compression = kSnappy;
  options.table.compression_level = 3;
  options.table.compression_dict_bytes = 100;
  options.table.zstd_max_train_bytes = 1000;
  options.compression_per_level = std::move(per_level);
  return options;
}

bool HasOwnParameters(const TableOptions& table) {
  return table.compression_level == 3 && table.compression_dict_bytes == 100 &&
         table.zstd_max_train_bytes == 1000;
}

TEST_CASE("BlockCompression: a flush takes level 0's codec, with the parameters of all levels") {
  CHECK(TableOptionsOfFlush(LevelsOf({})).compression == kSnappy);
  ColumnFamilyOptions options = LevelsOf({kNone, kLz4, kZstd});
  options.bottommost_compression = {.type = kZlib, .enabled = true, .level = 9};
  const TableOptions table = TableOptionsOfFlush(options);
  CHECK(table.compression == kNone);
  CHECK(HasOwnParameters(table));
}

TEST_CASE("BlockCompression: an ingested table is compressed as for the deepest level") {
  CHECK(TableOptionsOfIngestion(LevelsOf({})).compression == kSnappy);
  ColumnFamilyOptions options = LevelsOf({kNone, kLz4, kZstd});
  CHECK(TableOptionsOfIngestion(options).compression == kZstd);
  options.bottommost_compression = {
      .type = kZlib, .level = 9, .dict_bytes = 7, .zstd_max_train_bytes = 70};
  CHECK(TableOptionsOfIngestion(options).compression == kZlib);
  CHECK(HasOwnParameters(TableOptionsOfIngestion(options)));  // Not enabled.
  options.bottommost_compression.enabled = true;
  const TableOptions table = TableOptionsOfIngestion(options);
  CHECK_EQ(table.compression_level, 9);
  CHECK_EQ(table.compression_dict_bytes, 7);
  CHECK_EQ(table.zstd_max_train_bytes, 70);
}

TEST_CASE("BlockCompression: a bottommost codec's parameters hold without a codec of its own") {
  ColumnFamilyOptions options = LevelsOf({});
  options.bottommost_compression = {.enabled = true, .level = 9};
  CHECK(TableOptionsOfIngestion(options).compression == kSnappy);
  CHECK_EQ(TableOptionsOfIngestion(options).compression_level, 9);
}

TEST_CASE("BlockCompression: a compaction has its plan's codec; parameters change at the deepest") {
  ColumnFamilyOptions options = LevelsOf({kNone, kNone, kNone});
  options.bottommost_compression = {.type = kZlib, .enabled = true, .level = 9, .dict_bytes = 7};
  CompactionPlan plan;
  plan.compression = kLz4;
  plan.bottommost = true;  // Nothing below in its range, but elsewhere: another level's business.
  CHECK(TableOptionsOfCompaction(options, plan).compression == kLz4);
  CHECK(HasOwnParameters(TableOptionsOfCompaction(options, plan)));
  plan.deepest = true;
  CHECK(TableOptionsOfCompaction(options, plan).compression == kLz4);
  CHECK_EQ(TableOptionsOfCompaction(options, plan).compression_level, 9);
  CHECK_EQ(TableOptionsOfCompaction(options, plan).compression_dict_bytes, 7);
  options.bottommost_compression.enabled = false;
  CHECK(HasOwnParameters(TableOptionsOfCompaction(options, plan)));
}

TEST_CASE("BlockCompression: point indexes of each level") {
  ColumnFamilyOptions options;
  options.table.point_index = PointIndexKind::kInteger;
  CompactionPlan plan;
  CHECK(TableOptionsOfFlush(options).point_index == PointIndexKind::kInteger);
  CHECK(TableOptionsOfIngestion(options).point_index == PointIndexKind::kInteger);
  CHECK(TableOptionsOfCompaction(options, plan).point_index == PointIndexKind::kInteger);
  options.point_index_per_level = {PointIndexKind::kNone, PointIndexKind::kInteger,
                                   PointIndexKind::kAny};
  plan.point_index = PointIndexKind::kNone;
  CHECK(TableOptionsOfFlush(options).point_index == PointIndexKind::kNone);
  CHECK(TableOptionsOfIngestion(options).point_index == PointIndexKind::kAny);
  CHECK(TableOptionsOfCompaction(options, plan).point_index == PointIndexKind::kNone);
}

TEST_CASE("BlockCompression: levels before bloom_before_level have Bloom filters") {
  ColumnFamilyOptions options;
  options.table.filter = FilterKind::kRibbon;
  const auto filter_of_level = [&options](int level) {
    CompactionPlan plan;
    plan.output_level = level;
    return TableOptionsOfCompaction(options, plan).filter;
  };
  CHECK(TableOptionsOfFlush(options).filter == FilterKind::kRibbon);
  options.table.bloom_before_level = 0;
  CHECK(TableOptionsOfFlush(options).filter == FilterKind::kBloom);
  CHECK(filter_of_level(0) == FilterKind::kRibbon);
  options.table.bloom_before_level = 2;
  CHECK(filter_of_level(1) == FilterKind::kBloom);
  CHECK(filter_of_level(2) == FilterKind::kRibbon);
  CHECK(TableOptionsOfIngestion(options).filter == FilterKind::kRibbon);
  options.compaction_style = CompactionStyle::kFifo;
  CHECK(TableOptionsOfFlush(options).filter == FilterKind::kRibbon);
  options.compaction_style = CompactionStyle::kLevel;
  options.table.filter = FilterKind::kNone;
  CHECK(TableOptionsOfFlush(options).filter == FilterKind::kNone);
}

TEST_CASE("BlockCompression: what is not about compression stays") {
  ColumnFamilyOptions options = LevelsOf({kZstd});
  options.bottommost_compression = {.type = kZlib, .enabled = true};
  options.table.block_size = 12345;
  options.table.filter_bits_per_key = 7;
  for (const TableOptions& table : {TableOptionsOfFlush(options), TableOptionsOfIngestion(options),
                                    TableOptionsOfCompaction(options, {})}) {
    CHECK_EQ(table.block_size, 12345);
    CHECK_EQ(table.filter_bits_per_key, 7);
  }
}

}  // namespace
}  // namespace varve
