// SPDX-License-Identifier: Apache-2.0
// PreparedSet has the prepared transactions of an open database, by name, and knows which WALs they
// need:
//
//   Begin --logged--> Logged: prepared --BeginEnd--> ending --the mark is logged--> Remove
//        \--failed--> Remove                             \--failed--> CancelEnd: prepared
//
// Thread-compatible: the engine guards its instance with its mutex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varve/result.h"
#include "varve/two_phase.h"
#include "varve/write_batch.h"

namespace varve {

// The older of two WALs by their numbers, of which 0 is none.
inline uint64_t OlderWal(uint64_t a, uint64_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

class PreparedSet {
 public:
  using Changes = std::shared_ptr<const WriteBatch>;

  // Takes the name. InvalidArgument if it is too long, or taken.
  Status Begin(std::string_view name, Changes changes);
  // The section is in this WAL.
  void Logged(std::string_view name, uint64_t wal);
  // All sections are in another WAL now.
  void AllMovedTo(uint64_t wal);
  // Its changes, for the one caller who commits it or rolls it back. InvalidArgument if it is not
  // prepared.
  Result<Changes> BeginEnd(std::string_view name);
  void CancelEnd(std::string_view name);
  // Returns the WAL that has its section; 0: none.
  uint64_t Remove(std::string_view name);

  // The oldest WAL that has a section; 0: none.
  uint64_t OldestWal() const;
  std::vector<PreparedTransaction> List() const;  // Those that are prepared, by name.

 private:
  enum class Phase : uint8_t { kPreparing, kPrepared, kEnding };
  struct Transaction {
    Phase phase = Phase::kPreparing;
    uint64_t wal = 0;
    Changes changes;
  };

  Transaction& At(std::string_view name, Phase phase);

  std::map<std::string, Transaction, std::less<>> transactions_;
};

}  // namespace varve
