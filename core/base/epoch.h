// SPDX-License-Identifier: Apache-2.0
// Epochs tell a writer of a lock-free structure when nobody can be looking any more at what it has
// taken out.
//
//   reader   EpochGuard guard;          writer   unlink the object (a seq_cst store)
//            load pointers (seq_cst)             stamp = EndEpoch()
//            use what they point to              free it once stamp < OldestEpochInUse()
//            (guard ends)
//
// A guard announces the present epoch in a cache line of its thread. Whoever enters after
// EndEpoch() announces a larger one and can no longer meet the object; whoever entered before is
// seen by OldestEpochInUse(). Announcement, pointer loads, unlinking and the scan are all seq_cst:
// either the scan sees the announcement, or the reader sees that the object is gone.
//
// Guards are short: no I/O and no lock within one, since nothing is freed meanwhile. They nest.
// One set of epochs for the process. Thread-safe.
#pragma once

#include <cstdint>

namespace varve {

class EpochGuard {
 public:
  EpochGuard();
  ~EpochGuard();
  EpochGuard(const EpochGuard&) = delete;
  EpochGuard& operator=(const EpochGuard&) = delete;
};

// Is the calling thread within a guard? What needs one of its caller's DCHECKs that.
bool IsWithinEpoch();

// Call after unlinking; stamps what was unlinked.
uint64_t EndEpoch();

// No reader can still meet what has a smaller stamp.
uint64_t OldestEpochInUse();

}  // namespace varve
