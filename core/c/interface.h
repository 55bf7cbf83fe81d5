// SPDX-License-Identifier: Apache-2.0
// What the two libraries differ in beside their functions: each links one definition of it,
// seven/interface.cc or eleven/interface.cc.
#pragma once

#include <string_view>

#include "core/c/option_handles.h"

namespace varve::c {

struct Interface {
  std::string_view version;       // Of the RocksDB whose c.h it is.
  int table_format_max;           // The newest format_version that it takes.
  std::string_view merge_failed;  // What a read says whose merge operator gave nothing.
};

extern const Interface kInterface;

// What rocksdb_options_create() makes.
rocksdb_options_t DefaultOptions();
// What rocksdb_block_based_options_create() makes, and what holds without any.
TableValues DefaultTable();

}  // namespace varve::c
