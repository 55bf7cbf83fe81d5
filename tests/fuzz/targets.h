// SPDX-License-Identifier: Apache-2.0
// All targets. CMakeLists.txt names their sources.
#pragma once

#include "tests/fuzz/target.h"

namespace varve::fuzz {

extern const Target batch;
extern const Target block;
extern const Target codec;
extern const Target command_line;
extern const Target database;
extern const Target engine;
extern const Target event_log;
extern const Target filter;
extern const Target index_block;
extern const Target load;
extern const Target manifest;
extern const Target options_file;
extern const Target request;
extern const Target slots;
extern const Target table;
extern const Target table_build;
extern const Target table_meta;
extern const Target values;
extern const Target wal;
extern const Target wasm_calls;

inline constexpr const Target* kTargets[] = {
    &batch,  &block,       &codec,      &command_line, &database,     &engine,    &event_log,
    &filter, &index_block, &load,       &manifest,     &options_file, &request,   &slots,
    &table,  &table_build, &table_meta, &values,       &wal,          &wasm_calls};

}  // namespace varve::fuzz
