// SPDX-License-Identifier: Apache-2.0
// WriteQueue puts writers in line. The first one leads: it takes the writers behind it along as one
// group, does the work for all of them, perhaps that of the next groups too, and hands the lead to
// the next in line.
//
//   Join --alone--> lead --Finish--> (gone)
//        --behind-> waiting --its leader finishes--> done
//                           --leader asks for help--> insert own batch --> waiting
//                           --first in line---------> lead
//
//   newest_ -> writer --older--> writer --older--> first         joining is one compare-and-swap;
//                     <-newer--         <-newer--                the leader links the other way
//
// A leader that goes on for others has in its cache what committing touches: two threads that took
// turns would fetch it from each other for every write (flat combining: D. Hendler et al., SPAA
// 2010).
//
// Leading is a capability (`write_lead`): state that only the leader touches needs no lock, since
// handing over the lead releases it and taking it acquires it. A writer without a batch is never
// part of another's group; it joins to have the lead to itself. Who waits spins for as long as a
// small commit takes, offers its processor to others, and only then sleeps: to be woken costs more
// than most commits. Thread-safe.
//
// Source: RocksDB's WriteThread (db/write_thread.cc, JoinBatchGroup and AwaitState).
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/engine/family.h"
#include "core/engine/locks.h"
#include "varve/options.h"
#include "varve/status.h"
#include "varve/write_batch.h"

namespace varve {

class WriteQueue {
 public:
  enum class Role : uint32_t { kWaiting, kAsleep, kLeads, kHelps, kDone };

  struct Writer {
    WriteBatch* batch = nullptr;  // Null: wants the lead to itself.
    WriteOptions options;
    uint64_t user_bytes = 0;        // Keys and values in the batch.
    Family* only_family = nullptr;  // Null: the batch touches several.
    Sequence first_sequence = 0;    // Set by the leader.
    Status status;                  // Of the batch once done.

   private:
    friend class WriteQueue;
    std::atomic<Role> role{Role::kWaiting};
    Writer* older = nullptr;  // Null for the first in line.
    Writer* newer = nullptr;  // For the leader; null if it has not linked them yet.
  };

  // Returns when the writer leads, is asked to help (kHelps: insert the batch, then HelpDone()) or
  // is done.
  Role Join(Writer* writer) EXCLUDES(write_lead);
  // To be said when Join() or HelpDone() returned kLeads, or Finish() a writer: the first in line.
  static void AssertLeads(const Writer& first) ASSERT_CAPABILITY(write_lead) {
    DCHECK(first.older == nullptr);
  }
  // When Join() returned kHelps: the leader waits until HelpDone().
  static void AssertHelps(const Writer& writer) ASSERT_SHARED_CAPABILITY(write_lead) {
    DCHECK(writer.role.load(std::memory_order_relaxed) == Role::kHelps);
  }
  // After kHelps: the writer's part is inserted. Returns when it is done.
  Role HelpDone(Writer* writer) RELEASE_SHARED(write_lead);

  // The first in line, which is the leader or what Finish() returned, and those behind that may
  // share its record, in order. Valid until the next call.
  const std::vector<Writer*>& TakeGroup(Writer* first) REQUIRES(write_lead);
  // The same without those behind.
  const std::vector<Writer*>& TakeAlone(Writer* first) REQUIRES(write_lead);
  // Wakes the rest of the group to insert their batches, and later waits for them.
  void AskForHelp() REQUIRES(write_lead);
  void AwaitHelp() REQUIRES(write_lead);

  // Ends the turn of the group (of `first` alone if none was taken): all of it is done and, but for
  // `own`, the caller's, may return. The lead goes to the next in line, and null comes back; or, if
  // the caller would `keep` it and the next has a batch to be committed as durably as the caller's,
  // that writer, whose group the caller then serves.
  Writer* Finish(Writer* first, const Writer& own, bool keep) RELEASE(write_lead);

 private:
  static Role Await(Writer* writer);
  // The writer may be gone when this returns, unless it is to lead.
  static void Give(Writer* writer, Role role);
  // Sets `newer` of all writers from the first in line to the newest, which it returns.
  Writer* Link(Writer* first) REQUIRES(write_lead);

  std::atomic<Writer*> newest_{nullptr};  // Null: nobody leads.
  std::atomic<uint32_t> helpers_{0};
  std::vector<Writer*> group_ GUARDED_BY(write_lead);
};

}  // namespace varve
