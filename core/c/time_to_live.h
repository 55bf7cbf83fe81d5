// SPDX-License-Identifier: Apache-2.0
// Databases with a time to live, in the form of RocksDB's DBWithTTL: the time at which it was
// written is stored behind each value and each operand, and compactions drop old values. Until
// then they are read as any other.
//
//   <value> <Unix seconds, fixed32>
#pragma once

#include <string>
#include <string_view>

#include "core/c/option_handles.h"
#include "varve/environment.h"
#include "varve/value.h"
#include "varve/write_batch.h"

namespace varve::c {

// The options of a family whose values live for so many seconds; for ever if that is not above 0.
// `clock` outlives the database.
rocksdb_options_t WithTimeToLive(const rocksdb_options_t& options, int seconds, Clock& clock);

std::string Stamped(std::string_view value, Clock& clock);
// The batch with all its values and operands stamped.
Result<WriteBatch> StampedBatch(const WriteBatch& batch, Clock& clock);

// What was stamped. Corruption if that cannot be.
Result<std::string_view> Unstamped(std::string_view stored);
Status Unstamp(Value* value);

}  // namespace varve::c
