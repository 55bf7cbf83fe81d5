// SPDX-License-Identifier: Apache-2.0
// A log of a database, as listed by DB::LogFiles().
//
// Plain data, copied at the time of the call: it may outlive the DB, and is thread-compatible.
#pragma once

#include <cstdint>
#include <optional>

#include "varve/types.h"

namespace varve {

// One WAL: writes that may not be in tables yet.
struct LogFile {
  FileNumber number = 0;  // Of the file "<number>.log", at least six digits, in the directory.
  uint64_t size = 0;      // Bytes of the file now; the present one grows.
  // Of its first batch; nullopt if there is none, or it cannot be read.
  std::optional<Sequence> first_sequence = {};
  bool present = false;  // Writes go to it. None is, in a database that is open read-only.
};

}  // namespace varve
