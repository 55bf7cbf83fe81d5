// SPDX-License-Identifier: Apache-2.0
// WriteQueue puts writers in line. The first one is the write group leader: it takes the writers
// behind it as one group, commits for all of them, possibly commits the next groups as well, and
// hands the lead to the next in line.
//
//   Join --alone--> lead --Finish--> (gone)
//        --behind-> waiting --its leader finishes--> done
//                           --leader asks for help--> insert own batch --> waiting
//                           --first in line---------> lead
//
//   newest_ -> writer --older--> writer --older--> first         joining is one compare-and-swap;
//                     <-newer--         <-newer--                the leader links the other way
//
// A leader that commits for others keeps the shared state in its cache, whereas threads that
// alternate would transfer it for every write (flat combining: D. Hendler et al., SPAA 2010).
//
// Leading is a capability (`write_lead`): state that only the leader touches needs no lock, since
// handing over the lead releases it and taking it acquires it. A writer without a batch is never
// part of a group; it joins to hold the lead alone. A waiting writer spins for about the duration
// of a small commit, then yields, and only then sleeps: a wake-up costs more than most commits.
// Thread-safe.
//
// Source: RocksDB's WriteThread (db/write_thread.cc, JoinBatchGroup and AwaitState).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
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
    WriteBatch* batch = nullptr;  // Null: wants to hold the lead alone.
    // What the WAL gets instead of `batch`, for the steps of a two-phase commit; null: `batch`.
    WriteBatch* record = nullptr;
    // Called by the leader once the record is in the WAL, before `batch` is inserted.
    const std::function<void()>* on_logged = nullptr;
    WriteOptions options;
    uint64_t user_bytes = 0;        // Keys and values in the batch.
    Family* only_family = nullptr;  // Null: the batch touches several.
    Sequence first_sequence = 0;    // Set by the leader.
    Status status;                  // Result of the batch, once done.

   private:
    friend class WriteQueue;
    std::atomic<Role> role{Role::kWaiting};
    Writer* older = nullptr;  // Null for the first in line.
    Writer* newer = nullptr;  // For the leader; null if it has not linked them yet.
  };

  // Returns when the writer leads, is asked to help (kHelps: insert the batch, then call
  // HelpDone()) or is done.
  Role Join(Writer* writer) EXCLUDES(write_lead);
  // Call when Join() or HelpDone() returned kLeads, or Finish() a writer: `first` is first in line.
  static void AssertLeads(const Writer& first) ASSERT_CAPABILITY(write_lead) {
    DCHECK(first.older == nullptr);
  }
  // Call when Join() returned kHelps: the leader waits until HelpDone().
  static void AssertHelps(const Writer& writer) ASSERT_SHARED_CAPABILITY(write_lead) {
    DCHECK(writer.role.load(std::memory_order_relaxed) == Role::kHelps);
  }
  // Call in Writer::on_logged.
  static void AssertLogged() ASSERT_CAPABILITY(write_lead) {}
  // After kHelps, when the writer's own batch is inserted. Returns when its write is done.
  Role HelpDone(Writer* writer) RELEASE_SHARED(write_lead);

  // The first in line (the leader, or the result of Finish()) and the writers behind it that may
  // share its record, in order. Valid until the next call.
  const std::vector<Writer*>& TakeGroup(Writer* first) REQUIRES(write_lead);
  // A group of `first` alone.
  const std::vector<Writer*>& TakeAlone(Writer* first) REQUIRES(write_lead);
  // Wakes the other writers of the group to insert their batches; the leader later waits for them.
  void AskForHelp() REQUIRES(write_lead);
  void AwaitHelp() REQUIRES(write_lead);

  // Ends the turn of the group (of `first` alone if none was taken): all of it is done, and all
  // except `own`, the caller's writer, may return. Hands the lead to the next in line and returns
  // null. If `keep` is set and the next writer's batch needs the same durability as the caller's,
  // keeps the lead and returns that writer, whose group the caller then commits.
  Writer* Finish(Writer* first, const Writer& own, bool keep) RELEASE(write_lead);

 private:
  static Role Await(Writer* writer);
  // The writer may be destroyed when this returns, unless it becomes the leader.
  static void Give(Writer* writer, Role role);
  // Sets `newer` of all writers from the first in line to the newest, which it returns.
  Writer* Link(Writer* first) REQUIRES(write_lead);

  std::atomic<Writer*> newest_{nullptr};  // Null: no leader.
  std::atomic<uint32_t> helpers_{0};
  std::vector<Writer*> group_ GUARDED_BY(write_lead);
};

}  // namespace varve
