// SPDX-License-Identifier: Apache-2.0
// A read-only database catches up with whoever writes it: the files are read as by opening, into a
// second engine, and what that one shows takes the place of what this one has shown. Families, the
// views' holders and the block cache stay, so that whoever uses them notices nothing else:
//
//   this engine   Family -> views -> { memtables, Version, blobs }  <- replaced, under the mutex
//   the second    Family -> views -> { memtables, Version, blobs }     ends with CatchUp()
//
// A Version shares the table cache and the file system that it was read through (PinFiles), so what
// iterators still read lives as long as they do, and no longer: files that the writer has deleted
// are closed then. Numbers of files say little here, because a writer may reuse those of files that
// a crash has lost; so does a read-only opening for its temporary ones. Hence the caches are new,
// except for tables that have the same unique id.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/engine/engine.h"
#include "core/fs/complete_environment.h"

namespace varve {
namespace {

// In the order in which they may go, last first.
struct PinnedVersion {
  std::shared_ptr<FileSystem> fs;
  std::shared_ptr<TableCache> tables;
  std::shared_ptr<const Version> version;
};

Status OpenItAgain(const std::string& directory, const std::string& what) {
  return Status::InvalidArgument(directory + ": " + what +
                                 " is another one now: the database has to be opened again");
}

}  // namespace

struct Engine::LaterState {
  struct OpenFamily {
    ColumnFamilyOptions options;
    FrozenContents contents;
  };
  DatabaseState state;
  std::map<ColumnFamilyId, OpenFamily> families;  // All of `state`.
  PreparedSet prepared;
  std::string db_id;
  std::shared_ptr<TableCache> tables;
};

void Engine::PinFiles(DatabaseState* state) const {
  CHECK(context_.read_only);
  for (const FamilyState& each : state->families.all()) {
    FamilyState& family = *state->families.Find(each.id);
    const auto pinned = std::make_shared<const PinnedVersion>(
        PinnedVersion{overlay_fs_, context_.tables, std::move(family.version)});
    family.version = std::shared_ptr<const Version>(pinned, pinned->version.get());
  }
}

// While somebody writes, all tables have been opened already. Others are opened when they are read,
// which `earlier` does not live to see.
void Engine::TakeOpenTables(TableCache* earlier) {
  MutexLock lock(context_.mutex());
  for (const FamilyState& family : log_->state().families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        const TableToOpen table = ToOpen(*file, family.comparator);
        if (!earlier->IsOpen(table)) continue;
        context_.tables->Find(table).status().Ignore("whoever reads it is told");
      }
    }
  }
}

Status Engine::CatchUp(const DropOptions& dropped, RecoveryReport* report) {
  if (!context_.read_only) {
    return Status::InvalidArgument("the database is open for writing: there is nobody to follow");
  }
  MutexLock one_at_a_time(closing());
  RETURN_IF_ERROR(context_.errors.CheckReadable());
  ASSIGN_OR_RETURN(LaterState later, ReadLaterState(report));
  context_.AssertReadOnly();
  MutexLock lock(context_.mutex());
  RETURN_IF_ERROR(CheckIsLater(later));
  Adopt(&later, dropped);
  return Status::Ok();
}

Result<Engine::LaterState> Engine::ReadLaterState(RecoveryReport* report) {
  Options options = given_;
  options.env = Complete(given_.env);
  options.block_cache = context_.blocks;
  std::shared_ptr<TableCache> tables;
  {
    MutexLock lock(context_.mutex());
    tables = context_.tables;
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine,
                   Open(options, context_.grades, context_.directory, OpenMode::kReadOnly, report,
                        Beside{.earlier = tables.get()}));
  return engine->TakeState();
}

Engine::LaterState Engine::TakeState() {
  MutexLock lock(context_.mutex());
  LaterState taken{.state = log_->state(),
                   .families = {},
                   .prepared = std::move(context_.prepared),
                   .db_id = context_.db_id,
                   .tables = context_.tables};
  for (const Family* family : context_.families.all()) {
    taken.families[family->id()] = {family->options(), family->Frozen()};
  }
  return taken;
}

// Ids are not reused, except that the directory may have another database now, and that the writer
// may have lost the making of a family by a crash.
Status Engine::CheckIsLater(const LaterState& later) const {
  if (!later.db_id.empty() && !context_.db_id.empty() && later.db_id != context_.db_id) {
    return OpenItAgain(context_.directory, "it");
  }
  for (const FamilyState& family : later.state.families.all()) {
    const Family* const known = context_.families.Find(family.id);
    if (known == nullptr) continue;
    if (known->dropped() || known->name() != family.name ||
        known->comparator_name() != family.comparator_name ||
        known->comparator() != family.comparator) {
      return OpenItAgain(context_.directory, "the column family " + EscapeForDisplay(family.name));
    }
  }
  return Status::Ok();
}

// Snapshots were of the state that goes: compactions have dropped what only they see. A reader pins
// a view first and loads the visible sequence number second, so that goes up first: no entry of an
// old view is newer than the old one.
void Engine::Adopt(LaterState* later, const DropOptions& dropped) {
  const Sequence visible = context_.visible.load(std::memory_order_relaxed);
  context_.visible.store(std::max(visible, later->state.counters.last_sequence),
                         std::memory_order_release);
  context_.snapshots = SnapshotList::Create(context_.visible);
  std::swap(context_.prepared, later->prepared);
  std::swap(context_.tables, later->tables);
  for (Family* family : context_.families.all()) {
    if (family->dropped() || later->families.contains(family->id())) continue;
    family->Drop(dropped.keep_readable ? nullptr : NothingOf(*family));
  }
  for (const FamilyState& state : later->state.families.all()) {
    auto& [options, contents] = later->families.at(state.id);
    Family* family = context_.families.Find(state.id);
    if (family == nullptr) {
      family = context_.families.Add(std::make_unique<Family>(
          state.id, state.name, options, state.comparator_name, contents.blobs,
          context_.readahead(), context_.memtable_grades()));
    } else if (family->options().merge_operator == nullptr && options.merge_operator != nullptr) {
      // The first tables that name it.
      ColumnFamilyOptions with = family->options();
      with.merge_operator = options.merge_operator;
      family->ChangeOptions(with);
    }
    family->Replace(std::move(contents));
    family->SetSnapshots(context_.snapshots);
    family->Publish(state.version);
  }
  log_->Exchange(&later->state);
}

}  // namespace varve
