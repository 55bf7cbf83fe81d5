// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/block_compression.h"

namespace varve {
namespace {

void UseBottommostOptions(const BottommostCompression& bottommost, TableOptions* table) {
  if (!bottommost.enabled) return;
  table->compression_level = bottommost.level;
  table->compression_dict_bytes = bottommost.dict_bytes;
  table->zstd_max_train_bytes = bottommost.zstd_max_train_bytes;
}

}  // namespace

TableOptions TableOptionsOfFlush(const ColumnFamilyOptions& options) {
  TableOptions table = options.table;
  if (!options.compression_per_level.empty()) {
    table.compression = options.compression_per_level.front();
  }
  if (!options.point_index_per_level.empty()) {
    table.point_index = options.point_index_per_level.front();
  }
  return table;
}

TableOptions TableOptionsOfIngestion(const ColumnFamilyOptions& options) {
  TableOptions table = options.table;
  if (!options.compression_per_level.empty()) {
    table.compression = options.compression_per_level.back();
  }
  if (!options.point_index_per_level.empty()) {
    table.point_index = options.point_index_per_level.back();
  }
  if (options.bottommost_compression.type) table.compression = *options.bottommost_compression.type;
  UseBottommostOptions(options.bottommost_compression, &table);
  return table;
}

TableOptions TableOptionsOfCompaction(const ColumnFamilyOptions& options,
                                      const CompactionPlan& plan) {
  TableOptions table = options.table;
  table.compression = plan.compression;
  if (plan.point_index) table.point_index = *plan.point_index;
  if (plan.deepest) UseBottommostOptions(options.bottommost_compression, &table);
  return table;
}

}  // namespace varve
