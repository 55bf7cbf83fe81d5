// SPDX-License-Identifier: Apache-2.0
// A random mix of operations on one directory, by one engine after the other, against a model.
//
// A seed decides about every operation, and each step about its own, whatever engine takes it: the
// same seed is the same story with other engines, and up to any step, of which only what changes
// the model need be told. The story of the table of operations is in mix.cc.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mix/database.h"
#include "tests/mix/dice.h"
#include "tests/mix/held_cursor.h"
#include "tests/mix/model.h"
#include "tests/replay/kept.h"

namespace varve::mix {

class Mix;

// Whose the directory is.
struct Turn {
  // The last that opened it for writing and found in it what should be there. Null: it is new.
  const EngineKind* writer = nullptr;
  // The one that does something now, here or in a copy. Null: between engines.
  const EngineKind* at_work = nullptr;
};

// A group that went to no log: until the next flush it is in memory only.
struct UnloggedGroup {
  uint64_t step = 0;
  Group group;
};

struct Plan {
  // The next to open the directory is drawn from these. Without any, Run() is about the model only.
  std::vector<EngineKind*> engines;
  std::string path;
  replay::Kept steps = replay::Kept(1000);  // Which of them are done.
  SingleDeletes single_deletes = SingleDeletes::kVarve;
  bool unlogged_writes = true;                     // Some writes go to no log.
  bool trace = false;                              // Every step to standard error.
  std::function<void(uint64_t)> before_step = {};  // For who survives it.
  std::function<void(const Turn&)> on_turn = {};   // At each change of it.
  // While no engine has the directory open: before another takes over, and in the end.
  std::function<Trouble(Mix&)> between_engines = {};
  // One that does not do some of its writes: who looks for faults must find them to be its own.
  const EngineKind* forgetful = nullptr;
};

class Mix {
 public:
  Mix(uint64_t seed, Plan plan);

  // Ends at the first trouble, and says which step met it.
  Trouble Run();

  uint64_t step() const { return step_; }
  // What all families should hold, the change included that is being made.
  const Moment& now() const { return model_.now(); }
  std::set<std::string> Families() const;
  // Since the beginning, those that were flushed later included.
  const std::vector<UnloggedGroup>& unlogged_groups() const { return unlogged_groups_; }
  // Is in `database` all that should be there by now, in all ways to read it?
  Trouble Check(Database* database, const std::string& where);
  // How often each operation was done.
  std::string Counts() const;

 private:
  struct Verb {
    std::string_view name;
    uint64_t weight;
    Trouble (Mix::*run)();
    bool changes_model = false;
  };
  struct HeldSnapshot {
    std::shared_ptr<const Snapshot> snapshot;
    Moment moment;
  };
  struct View {
    std::shared_ptr<const Snapshot> at;  // Null: now.
    const Contents* contents;
  };
  static const std::vector<Verb>& Verbs();

  Trouble Step();
  Trouble Tell(const std::string& what);  // Trace.

  // --- the database
  void AtWork(const EngineKind* engine);
  void TakenOverBy(const EngineKind* engine);
  Trouble BetweenEngines();
  EngineKind* NextEngine();  // With options.
  Trouble OpenNext();
  Trouble Reopen();
  Trouble Finish();
  Trouble OpenReadOnly();
  Trouble Checkpoint();
  Trouble FlushUnlogged();

  // --- changes
  Trouble Write();
  Trouble Ingest();
  Trouble CreateFamily();
  Trouble DropFamily();

  // --- maintenance
  Trouble Flush();
  Trouble FlushAll();
  Trouble Compact();
  Trouble SetOptions();

  // --- reads
  View AnyView(const std::string& family);
  Range AnyRange(const std::string& family);
  Trouble Get();
  Trouble ChangedSince();
  Trouble MultiGet();
  Trouble Scan();
  Trouble TakeSnapshot();
  Trouble NewCursor();
  Trouble MoveCursor();
  Trouble RefreshCursor();
  Trouble Move(HeldCursor* cursor, int moves);
  Trouble CheckFamily(Database* database, const std::string& family);

  const uint64_t seed_;
  const Plan plan_;
  Dice dice_;
  Model model_;
  uint64_t step_ = 0;
  std::string session_;  // The engine at work, and its options.
  std::vector<uint64_t> counts_;
  bool unlogged_ = false;  // Writes may be in memory only.
  std::vector<UnloggedGroup> unlogged_groups_;
  Turn turn_;
  EngineKind* engine_ = nullptr;
  std::unique_ptr<Database> database_;
  std::vector<HeldSnapshot> snapshots_;
  std::vector<std::unique_ptr<HeldCursor>> cursors_;
  std::vector<std::unique_ptr<HeldCursor>> orphans_;  // Whose families were dropped.
};

}  // namespace varve::mix
