// SPDX-License-Identifier: Apache-2.0
// What overhead.c, through the C interface, and overhead.cc, through the C++ one, both do:
//
//   PROGRAM MODE COUNT DIRECTORY
//
// makes a database of kRecords records, and then does MODE COUNT times: "put", "get" (the value is
// copied), "get_pinned". Of two counts, the difference of instructions is that of the operations.
#pragma once

enum { kRecords = 5000, kKeySize = 16, kValueSize = 100 };

// The key of operation `i`: all of them, in an order that is not theirs.
static inline void MakeOverheadKey(char* key, unsigned i) {
  unsigned number = (i * 2654435761U) % kRecords;
  for (int at = kKeySize - 1; at >= 0; --at, number /= 10) key[at] = (char)('0' + number % 10);
}
