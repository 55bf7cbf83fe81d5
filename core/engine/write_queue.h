// SPDX-License-Identifier: Apache-2.0
// WriteQueue puts writers in line. The first one leads: it takes the writers behind it along as one
// group, does the work for all of them, and hands the lead to the next in line.
//
//   Join --alone--> lead --Finish--> (gone)
//        --behind-> waiting --its leader finishes--> done
//                           --leader asks for help--> insert own batch --> waiting
//                           --first in line---------> lead
//
// Leading is a capability: state that only the leader touches (WALs, switching memtables, the last
// sequence) needs no lock, since the hand-over goes through the queue's mutex. A writer without a
// batch is never part of another's group; it joins to have the lead to itself. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/base/mutex.h"
#include "core/engine/family.h"
#include "varve/options.h"
#include "varve/status.h"
#include "varve/write_batch.h"

namespace varve {

class WriteQueue {
 public:
  enum class Role : uint8_t { kWaiting, kLeads, kHelps, kDone };

  struct Writer {
    WriteBatch* batch = nullptr;  // Null: wants the lead to itself.
    WriteOptions options;
    uint64_t user_bytes = 0;        // Keys and values in the batch.
    Family* only_family = nullptr;  // Null: the batch touches several.
    Sequence first_sequence = 0;    // Set by the leader.
    Status status;                  // Of the batch once done.

   private:
    friend class WriteQueue;
    Role role = Role::kWaiting;
    Writer* next = nullptr;
    CondVar wake;
  };

  // Returns when the writer leads, is asked to help (kHelps: insert the batch, then HelpDone()) or
  // is done.
  Role Join(Writer* writer) EXCLUDES(mutex_);
  // After kHelps: the writer's part is inserted. Returns when it is done.
  Role HelpDone(Writer* writer) EXCLUDES(mutex_);

  // For the leader: it and those behind it that may share its record, in order. Valid until the
  // next call.
  const std::vector<Writer*>& TakeGroup(Writer* leader) EXCLUDES(mutex_);
  // For the leader: wakes the rest of the group to insert their batches, and later waits for them.
  void AskForHelp() EXCLUDES(mutex_);
  void AwaitHelp() EXCLUDES(mutex_);

  // Ends the lead: `leader`, and the group if one was taken, are done.
  void Finish(Writer* leader) EXCLUDES(mutex_);

 private:
  Role Await(Writer* writer) REQUIRES(mutex_);

  Mutex mutex_;  // A leaf: nothing is locked while it is held.
  Writer* first_ GUARDED_BY(mutex_) = nullptr;
  Writer* last_ GUARDED_BY(mutex_) = nullptr;
  size_t helpers_ GUARDED_BY(mutex_) = 0;
  CondVar helped_;
  std::vector<Writer*> group_;  // The leader's.
};

}  // namespace varve
