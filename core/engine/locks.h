// SPDX-License-Identifier: Apache-2.0
// The locks of an open database, in their order, outermost first:
//
//   lock                             of             for                               across I/O
//   closing_mutex                    Engine         all of Close(), of CatchUp()      yes
//   write_lead                       WriteQueue     WALs, new memtables, sequence     yes
//                                                   numbers, set of families
//   options_mutex                    OptionsStore   OPTIONS files and stored options  yes
//   manifest_mutex                   VersionLog     one MANIFEST writer at a time     yes
//   engine_mutex                     EngineContext  families, versions, jobs, stalls  no
//   PointIndex::filling_             a memtable     its point index; only try-locked  no
//   BTreeLeaf::lock                  a memtable     inserts into a leaf               no
//   BTree::splitting_                a memtable     one split of nodes at a time      no
//   MemTableHashIndex::splitting_    a memtable     one split of buckets at a time    no
//   MemTableHashIndex::Stripe::lock  a memtable     inserts into some buckets         no
//   leaves: no other lock            ErrorState, SnapshotList, ReadViewHolder, table and
//   is taken under these             block cache shards, a memtable's tombstones and
//                                    arena, executors, file systems
//
// Thread-safety annotations in the engine use the names below: its parts reach shared mutexes by
// different paths, and clang identifies locks by their path. A getter with RETURN_CAPABILITY maps a
// mutex to its name. The locks of a memtable have no names: clang checks that they are held, but
// not their order, because it cannot name a lock of one object in the declaration of another's.
//
// A name denotes that lock of every database in the process. Only Engine::CheckUnlocked() and
// CatchUp() use two databases at once, and the second one is not shared with other threads.
//
// Mutexes declared ACQUIRED_AFTER(engine_mutex) elsewhere are leaves.
#pragma once

#include "core/base/threads/mutex.h"

namespace varve {

// Names a mutex. Has no state: the mutex is elsewhere.
class CAPABILITY("mutex") MutexName {};

// The lead of the write queue is not a mutex: WriteQueue passes it from thread to thread. Helpers
// of a leader, which insert their own batches while it waits, share it. The two functions tell
// clang about transfers that it cannot see; they do nothing.
class CAPABILITY("lead") LeadName {
 public:
  void Give() const RELEASE() {}
  void GiveShared() const RELEASE_SHARED() {}
};

inline constexpr MutexName closing_mutex;
inline constexpr LeadName write_lead ACQUIRED_AFTER(closing_mutex);
inline constexpr MutexName options_mutex ACQUIRED_AFTER(write_lead);
inline constexpr MutexName manifest_mutex ACQUIRED_AFTER(options_mutex);
inline constexpr MutexName engine_mutex ACQUIRED_AFTER(manifest_mutex);

}  // namespace varve
