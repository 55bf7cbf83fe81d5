// SPDX-License-Identifier: Apache-2.0
// A table of an open database, as listed by DB::LiveFiles().
//
// Plain data, copied at the time of the call: it may outlive the DB, and is thread-compatible.
#pragma once

#include <cstdint>
#include <string>

#include "varve/types.h"

namespace varve {

// One table: which file it is, where it stands in the tree, and what it holds.
struct LiveFile {
  FileNumber number = 0;  // Of the file "<number>.sst", at least six digits, in the directory.
  int level = 0;          // 0 holds the output of flushes; its tables may overlap.
  uint64_t size = 0;      // Bytes of the file.
  // The smallest and the largest user key, range deletions included.
  std::string smallest_key = {};
  std::string largest_key = {};    // Inclusive, or the exclusive end of a range deletion.
  Sequence smallest_sequence = 0;  // Of its oldest entry.
  Sequence largest_sequence = 0;   // Of its newest entry.
  uint64_t entries = 0;            // Deletions included; 0 if the table cannot be read.
  uint64_t deletions = 0;          // Of single keys and of ranges; 0 if it cannot be read.
};

}  // namespace varve
