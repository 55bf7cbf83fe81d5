// SPDX-License-Identifier: Apache-2.0
// Epochs tell the writer of a lock-free structure when no reader can be using an unlinked object
// any more.
//
//   reader   EpochGuard guard;          writer   unlink the object (a seq_cst store)
//            load pointers (seq_cst)             stamp = EndEpoch()
//            use what they point to              free it once stamp < OldestEpochInUse()
//            (guard ends)
//
// A guard announces the current epoch in a cache line of its thread. A reader that enters after
// EndEpoch() announces a larger one and cannot find the object any more; one that entered before is
// seen by OldestEpochInUse(). Announcement, pointer loads, unlinking and the scan are all seq_cst:
// either the scan sees the announcement, or the reader sees that the object is gone.
//
// Guards must be short, with no I/O and no locks inside, since nothing is freed meanwhile. They
// nest. One set of epochs for the process. Thread-safe.
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

// Whether the calling thread is within a guard. Functions that require a guard DCHECK this.
bool IsWithinEpoch();

// Call after unlinking; returns the stamp of what was unlinked.
uint64_t EndEpoch();

// Objects with a smaller stamp cannot be in use by any reader.
uint64_t OldestEpochInUse();

}  // namespace varve
