// SPDX-License-Identifier: Apache-2.0
// What a two-phase commit leaves in a database until it is decided: DB::Prepare().
#pragma once

#include <string>

#include "varve/write_batch.h"

namespace varve {

// A transaction that was prepared, and neither committed nor rolled back.
struct PreparedTransaction {
  std::string name;    // As given to DB::Prepare(), in this process or an earlier one.
  WriteBatch changes;  // What committing it does.
};

}  // namespace varve
