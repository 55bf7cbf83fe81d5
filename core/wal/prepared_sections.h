// SPDX-License-Identifier: Apache-2.0
// PreparedSections follows the two-phase commits of WALs (format/log/two_phase.h): it remembers
// what was prepared, and applies it where it was committed.
//
//   prepared --Commit--> applied         a mark for a name that is not known has no effect: its
//            \--Rollback--> forgotten    section was in a log that is not needed any more
//
// Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "varve/status.h"
#include "varve/write_batch.h"

namespace varve {

class PreparedSections {
 public:
  struct Section {
    uint64_t wal = 0;  // The log that has it.
    WriteBatch batch;  // Its changes.
  };
  using Map = std::map<std::string, Section, std::less<>>;  // By the transaction's name.

  // The batch that applies instead of `record`, which CheckReplayable() accepted; it has the same
  // sequence number. Valid until the next call.
  std::string_view Resolve(uint64_t wal, std::string_view record);

  // The last one has commits of what is not known: it used more numbers than it shows.
  bool met_unknown() const { return met_unknown_; }

  // NotSupported if what is pending takes more memory than logs of so many bytes may: a compressed
  // log may hold 1,100 times its size. What is not compressed never does.
  Status CheckSize(uint64_t log_bytes) const;

  // In no state between. A name that is prepared again stands for the later section.
  const Map& pending() const { return pending_; }

 private:
  void Add(std::string_view name, Section section);
  void Remove(Map::iterator at);

  Map pending_;
  uint64_t pending_bytes_ = 0;  // Estimated, of memory.
  WriteBatch resolved_;
  bool met_unknown_ = false;
};

}  // namespace varve
