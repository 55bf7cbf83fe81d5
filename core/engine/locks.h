// SPDX-License-Identifier: Apache-2.0
// The locks of an open database by name, in their order, outermost first. Annotations all over the
// engine use these names: its parts share mutexes and each reaches them by a path of its own, and
// clang tells locks apart by their paths. A getter with RETURN_CAPABILITY leads from a mutex to its
// name.
//
// A name stands for that lock of every database in the process. No function has to do with two
// databases at once but Engine::CheckUnlocked(), whose second one is not shared with any thread.
//
// Mutexes that say ACQUIRED_AFTER(engine_mutex) elsewhere are leaves: under them no other lock is
// taken.
#pragma once

#include "core/base/mutex.h"

namespace varve {

// Names a mutex. Has no state: the mutex is elsewhere.
class CAPABILITY("mutex") MutexName {};

// Leading the write queue is no mutex: WriteQueue hands it from thread to thread. Helpers of a
// leader, who insert their own batches while it waits, share it. The two functions tell clang that
// the lead goes where it cannot see it; they do nothing.
class CAPABILITY("lead") LeadName {
 public:
  void Give() const RELEASE() {}
  void GiveShared() const RELEASE_SHARED() {}
};

// All of Engine::Close().
inline constexpr MutexName closing_mutex;
// What only the leader of the write queue does: WALs, new memtables, sequence numbers, families.
inline constexpr LeadName write_lead ACQUIRED_AFTER(closing_mutex);
// OptionsStore: OPTIONS files and what they say.
inline constexpr MutexName options_mutex ACQUIRED_AFTER(write_lead);
// VersionLog: one writer of the MANIFEST at a time.
inline constexpr MutexName manifest_mutex ACQUIRED_AFTER(options_mutex);
// EngineContext: families, versions, jobs, stalls. Not held across I/O.
inline constexpr MutexName engine_mutex ACQUIRED_AFTER(manifest_mutex);

}  // namespace varve
