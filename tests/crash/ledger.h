// SPDX-License-Identifier: Apache-2.0
// The oracle of the kill tests: what each writer issued and what was acknowledged to it, kept in
// a mapped file shared with the process that is killed, outside the database.
//
// Writer w's n-th batch sets, atomically and across two families, three keys to n. After a kill
// the database must show some prefix n of each writer with acknowledged <= n <= issued.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "varve/db.h"

namespace varve::crash {

inline constexpr int kWriters = 3;
inline constexpr uint64_t kSlots = 40;

struct Ledger {
  struct Writer {
    std::atomic<uint64_t> issued{0};
    std::atomic<uint64_t> acknowledged{0};
  };
  Writer writers[kWriters];
  std::atomic<bool> opened{false};  // The child got that far.
  std::atomic<bool> failed{false};  // The child saw an error: the test must not pass.

  // The file at `path`, made and zeroed if it is not there; null if it cannot be mapped.
  static Ledger* Map(const std::string& path);
};

// The changes of writer `w`'s batch `n`, for the families "default" and "other".
WriteBatch MakeBatch(const DB& db, int w, uint64_t n);

// "" if the database shows a legal prefix for every writer, else what is wrong. Moves issued and
// acknowledged to what was found, so that the next cycle goes on from there.
std::string CheckAgainst(DB& db, Ledger* ledger);

}  // namespace varve::crash
