// SPDX-License-Identifier: Apache-2.0
// Selects the compression of a new table's blocks, its point index and the kind of its filter, by
// the table's level. Pure functions; the rules are RocksDB's, as for compression_per_level for
// point_index_per_level. TableOptions::bloom_before_level is that of the filter.
//
//   level 0 (flush)                  compression_per_level[0], else compression
//   between                          compression_per_level, else compression
//   the deepest level that has data  bottommost_compression, else as between
//
// `bottommost_compression_opts.enabled` replaces the codec's level and dictionary in the last case.
// An ingested table goes to the deepest possible level, so it is written as for the deepest level.
#pragma once

#include "core/compaction/picker.h"
#include "varve/options.h"

namespace varve {

TableOptions TableOptionsOfFlush(const ColumnFamilyOptions& options);
TableOptions TableOptionsOfIngestion(const ColumnFamilyOptions& options);
TableOptions TableOptionsOfCompaction(const ColumnFamilyOptions& options,
                                      const CompactionPlan& plan);

}  // namespace varve
