// SPDX-License-Identifier: Apache-2.0
// The locks of an open database by name, in their order, outermost first. Thread-safety annotations
// in the engine use these names: its parts reach shared mutexes by different paths, and clang
// identifies locks by their path. A getter with RETURN_CAPABILITY maps a mutex to its name.
//
// A name denotes that lock of every database in the process. Only Engine::CheckUnlocked() uses two
// databases at once, and its second one is not shared with other threads.
//
// Mutexes declared ACQUIRED_AFTER(engine_mutex) elsewhere are leaves: no other lock is taken while
// they are held.
#pragma once

#include "core/base/mutex.h"

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

// Held during Engine::Close().
inline constexpr MutexName closing_mutex;
// Held by the write group leader: WALs, new memtables, sequence numbers, set of families.
inline constexpr LeadName write_lead ACQUIRED_AFTER(closing_mutex);
// OptionsStore: OPTIONS files and the stored options.
inline constexpr MutexName options_mutex ACQUIRED_AFTER(write_lead);
// VersionLog: one writer of the MANIFEST at a time.
inline constexpr MutexName manifest_mutex ACQUIRED_AFTER(options_mutex);
// EngineContext: families, versions, jobs, stalls. Not held across I/O.
inline constexpr MutexName engine_mutex ACQUIRED_AFTER(manifest_mutex);

}  // namespace varve
