// SPDX-License-Identifier: Apache-2.0
// All targets. CMakeLists.txt names their sources.
#pragma once

#include "tests/fuzz/target.h"

namespace varve::fuzz {

extern const Target batch;
extern const Target block;
extern const Target filter;
extern const Target index_block;
extern const Target manifest;
extern const Target options_file;
extern const Target table;
extern const Target table_meta;
extern const Target wal;

inline constexpr const Target* kTargets[] = {
    &batch, &block, &filter, &index_block, &manifest, &options_file, &table, &table_meta, &wal};

}  // namespace varve::fuzz
