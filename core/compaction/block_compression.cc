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

// `level` is -1 for a flush.
void UseFilterOf(int level, const ColumnFamilyOptions& options, TableOptions* table) {
  if (table->filter != FilterKind::kRibbon) return;
  if (options.compaction_style != CompactionStyle::kLevel) return;
  if (level < table->bloom_before_level) table->filter = FilterKind::kBloom;
}

}  // namespace

TableOptions TableOptionsOfFlush(const ColumnFamilyOptions& options) {
  TableOptions table = options.table;
  if (!options.compression_per_level.empty()) {
    table.compression = options.compression_per_level.front();
  }
  if (options.compaction_style == CompactionStyle::kUniversal &&
      options.universal.compression_size_percent >= 0) {
    table.compression = CompressionType::kNone;
  }
  if (!options.point_index_per_level.empty()) {
    table.point_index = options.point_index_per_level.front();
  }
  UseFilterOf(-1, options, &table);
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
  UseFilterOf(plan.output_level, options, &table);
  if (plan.deepest) UseBottommostOptions(options.bottommost_compression, &table);
  return table;
}

}  // namespace varve
