// SPDX-License-Identifier: Apache-2.0
// KeyLocks are the locks that transactions of a database take on keys, which need not exist. Any
// number of owners share a lock, or one has it alone. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"
#include "varve/types.h"

namespace varve::c {

class KeyLocks {
 public:
  using Owner = uint64_t;
  using Key = std::pair<ColumnFamilyId, std::string>;
  enum class Outcome : uint8_t { kLocked, kTimedOut, kDeadlock };
  // How long to wait for others.
  struct Patience {
    std::optional<uint64_t> micros = {};  // None: forever.
    bool detect_deadlock = false;         // Ends a wait that others wait for.
  };

  explicit KeyLocks(Clock& clock) : clock_(clock) {}

  Owner NewOwner();
  // An owner may lock a key again; a shared lock becomes an exclusive one when it is alone.
  Outcome Lock(Owner owner, const Key& key, bool exclusive, const Patience& patience);
  // Requires that the owner has locked it.
  void Unlock(Owner owner, const Key& key);

 private:
  struct State {
    bool exclusive = false;
    std::set<Owner> owners;
  };

  // Takes the lock, or says who has it.
  bool TryLock(Owner owner, const Key& key, bool exclusive) REQUIRES(mutex_);
  std::set<Owner> OthersThatHold(Owner owner, const Key& key) const REQUIRES(mutex_);
  bool WouldDeadlock(Owner owner) const REQUIRES(mutex_);

  Clock& clock_;
  Mutex mutex_;
  CondVar released_;
  Owner last_owner_ GUARDED_BY(mutex_) = 0;
  std::map<Key, State> locks_ GUARDED_BY(mutex_);
  // Whom the waiting owners wait for.
  std::map<Owner, std::set<Owner>> waits_ GUARDED_BY(mutex_);
};

}  // namespace varve::c
