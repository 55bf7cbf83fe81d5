// SPDX-License-Identifier: Apache-2.0
#include "core/c/key_locks.h"

#include <vector>

#include "core/base/check.h"

namespace varve::c {

KeyLocks::Owner KeyLocks::NewOwner() {
  MutexLock lock(mutex_);
  return ++last_owner_;
}

bool KeyLocks::TryLock(Owner owner, const Key& key, bool exclusive) {
  State& state = locks_[key];
  const bool alone =
      state.owners.empty() || (state.owners.size() == 1 && state.owners.contains(owner));
  if (!alone && (exclusive || state.exclusive)) return false;
  state.owners.insert(owner);
  state.exclusive |= exclusive;
  return true;
}

std::set<KeyLocks::Owner> KeyLocks::OthersThatHold(Owner owner, const Key& key) const {
  std::set<Owner> others = locks_.at(key).owners;
  others.erase(owner);
  return others;
}

bool KeyLocks::WouldDeadlock(Owner owner) const {
  std::vector<Owner> open(waits_.at(owner).begin(), waits_.at(owner).end());
  std::set<Owner> seen;
  while (!open.empty()) {
    const Owner next = open.back();
    open.pop_back();
    if (next == owner) return true;
    if (!seen.insert(next).second) continue;
    const auto waiting = waits_.find(next);
    if (waiting == waits_.end()) continue;
    open.insert(open.end(), waiting->second.begin(), waiting->second.end());
  }
  return false;
}

KeyLocks::Outcome KeyLocks::Lock(Owner owner, const Key& key, bool exclusive,
                                 const Patience& patience) {
  MutexLock lock(mutex_);
  const uint64_t begin = clock_.NowMicros();
  Outcome outcome = Outcome::kLocked;
  while (!TryLock(owner, key, exclusive)) {
    waits_[owner] = OthersThatHold(owner, key);
    if (patience.detect_deadlock && WouldDeadlock(owner)) {
      outcome = Outcome::kDeadlock;
      break;
    }
    if (!patience.micros) {
      released_.Wait(mutex_);
      continue;
    }
    const uint64_t waited = clock_.NowMicros() - begin;
    if (waited >= *patience.micros) {
      outcome = Outcome::kTimedOut;
      break;
    }
    released_.WaitFor(mutex_, *patience.micros - waited);
  }
  waits_.erase(owner);
  return outcome;
}

void KeyLocks::Unlock(Owner owner, const Key& key) {
  MutexLock lock(mutex_);
  const auto at = locks_.find(key);
  CHECK(at != locks_.end() && at->second.owners.erase(owner) == 1);
  at->second.exclusive = false;
  if (at->second.owners.empty()) locks_.erase(at);
  if (!waits_.empty()) released_.NotifyAll();
}

}  // namespace varve::c
