// SPDX-License-Identifier: Apache-2.0
#include "core/c/interface.h"

namespace varve::c {

constexpr Interface kInterface = {
    .version = "7.8.3", .table_format_max = 5, .merge_failed = "Error: Could not perform merge."};

rocksdb_options_t DefaultOptions() { return {}; }
TableValues DefaultTable() { return {}; }

}  // namespace varve::c
