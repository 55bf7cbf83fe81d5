// SPDX-License-Identifier: Apache-2.0
#include "core/c/interface.h"

namespace varve::c {

constexpr Interface kInterface = {
    .version = "11.8.1", .table_format_max = 7, .merge_failed = "Merge operator failed"};

rocksdb_options_t DefaultOptions() {
  constexpr int kLz4 = 4;
  rocksdb_options_t options;
  options.values.info_log_level = 1;
  options.values.level_compaction_dynamic_level_bytes = true;
  options.values.compression = kLz4;
  options.compaction_readahead_size = 2 << 20;
  return options;
}

TableValues DefaultTable() {
  TableValues table;
  table.format_version = 7;
  return table;
}

}  // namespace varve::c
