// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/ingest.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/compaction/picker.h"
#include "core/engine/jobs/arrivals.h"
#include "core/fs/durable.h"

namespace varve {
namespace {

bool Overlaps(const MemTable& memtable, const TableCandidate& table, const Comparator& comparator) {
  const std::unique_ptr<InternalIterator> it = memtable.NewIterator();
  const std::string first = BeforeVersionsOf(table.smallest_key, comparator.timestamp_size());
  it->Seek(LookupKey(first, kMaxSequence));
  if (it->Valid() &&
      CompareIgnoringTimestamps(comparator, it->key().user_key, table.largest_key) <= 0) {
    return true;
  }
  const std::shared_ptr<const TombstoneLists> tombstones = memtable.Tombstones();
  if (tombstones == nullptr) return false;
  for (const auto& list : *tombstones) {
    for (size_t i = 0; i < list->size(); ++i) {
      const FragmentedTombstones::Tombstone tombstone = list->tombstone(i);
      if (comparator.Compare(tombstone.begin, table.largest_key) <= 0 &&
          comparator.Compare(tombstone.end, table.smallest_key) > 0) {
        return true;
      }
    }
  }
  return false;
}

bool AnyMemTableOverlaps(const ReadView& view, const std::vector<TableCandidate>& tables) {
  const auto overlaps = [&](const MemTable& memtable) {
    return !memtable.empty() &&
           std::any_of(tables.begin(), tables.end(), [&](const TableCandidate& table) {
             return Overlaps(memtable, table, *view.comparator);
           });
  };
  return overlaps(*view.memtable) ||
         std::any_of(view.immutables.begin(), view.immutables.end(),
                     [&](const std::shared_ptr<MemTable>& m) { return overlaps(*m); });
}

bool HasMemTableEntries(const ReadView& view) {
  return !view.memtable->empty() || !view.immutables.empty();
}

using OutputRanges = std::vector<Background::OutputRange>;

// Whether a table at `level` might overlap the outputs of a running compaction there.
bool MeetsOutputs(const OutputRanges& running, int level, const TableCandidate& table,
                  const Comparator& comparator) {
  return std::any_of(running.begin(), running.end(), [&](const Background::OutputRange& range) {
    return range.level == level && range.Meets(comparator, table.smallest_key, table.largest_key);
  });
}

// The lowest level such that the table overlaps nothing in it or above it: the table is newer than
// everything it overlaps, so it must be above that. Level 0 takes any table; levels between 0 and
// the base level are kept empty.
int LevelFor(const Version& version, int base_level, const OutputRanges& running,
             const TableCandidate& table, bool* overlaps) {
  int level = 0;
  bool free = true;
  for (int below = 0; below < version.num_levels(); ++below) {
    const bool meets_tables =
        !version.Overlapping(below, table.smallest_key, table.largest_key).empty();
    *overlaps |= meets_tables;
    free = free && !meets_tables &&
           (below == 0 || !MeetsOutputs(running, below, table, version.comparator()));
    if (free && below >= base_level) level = below;
  }
  return level;
}

struct LevelAssignment {
  std::vector<int> levels;  // One per table.
  bool overlaps = false;    // Whether they overlap existing keys.
};

LevelAssignment Place(const Engine::CompactionHold& hold, const Arrivals::OfFamily& arrived) {
  const Family& family = *arrived.family;
  const OutputRanges running = hold.RunningOutputs(family);
  const std::shared_ptr<const ReadView> view = family.views().Current();
  const Version& version = *view->version;
  LevelAssignment placement;
  const bool only_level0 =
      arrived.overlap || family.options().compaction_style == CompactionStyle::kFifo;
  const int base_level = only_level0 ? version.num_levels()
                                     : ComputeLevelTargets(version, family.options()).base_level;
  for (const TableCandidate& table : arrived.tables) {
    placement.levels.push_back(LevelFor(version, base_level, running, table, &placement.overlaps));
  }
  return placement;
}

// Chooses the levels. Writes are paused; the memtables are flushed if a table overlaps them or goes
// to level 0, where sequence ranges must ascend in order of creation.
Result<LevelAssignment> MakeRoom(Engine* engine, const Engine::CompactionHold& hold,
                                 const IngestOptions& options, const Arrivals::OfFamily& arrived)
    REQUIRES(write_lead) {
  Family* const family = arrived.family;
  if (family->dropped()) {
    return Status::InvalidArgument("column family \"" + EscapeForDisplay(family->name()) +
                                   "\" was dropped");
  }
  const auto conflict = [&](bool overlaps) {
    return overlaps && !options.allow_overlap
               ? Status::InvalidArgument("the tables overlap existing keys")
               : Status::Ok();
  };
  const std::shared_ptr<const ReadView> view = family->views().Current();
  const bool memtables_overlap = AnyMemTableOverlaps(*view, arrived.tables);
  RETURN_IF_ERROR(conflict(memtables_overlap));
  LevelAssignment placement = Place(hold, arrived);
  const bool to_level0 =
      std::find(placement.levels.begin(), placement.levels.end(), 0) != placement.levels.end();
  if (memtables_overlap || (to_level0 && HasMemTableEntries(*view))) {
    RETURN_IF_ERROR(engine->FlushPaused(*family));
    placement = Place(hold, arrived);
    DCHECK(!HasMemTableEntries(*family->views().Current()));
  }
  CHECK_OP(placement.levels.size(), ==, arrived.tables.size());
  RETURN_IF_ERROR(conflict(placement.overlaps));
  return placement;
}

// Of one family. *sequence is the newest one in use.
VersionEdit EditFor(Engine* engine, const Arrivals::OfFamily& arrived,
                    const LevelAssignment& placement, Sequence* sequence) {
  const uint64_t now = engine->env().clock->UnixMicros() / 1000000;
  VersionEdit edit;
  edit.family = arrived.family->id();
  for (size_t i = 0; i < arrived.tables.size(); ++i) {
    edit.new_files.push_back(
        {placement.levels[i],
         arrived.tables[i].Describe(++*sequence, engine->NewEpoch(*arrived.family), now)});
  }
  edit.last_sequence = *sequence;
  return edit;
}

Status Install(Engine* engine, const IngestOptions& options, Arrivals* arrivals) {
  const Engine::WritePause pause(engine);
  const Engine::CompactionHold hold(engine);
  std::vector<LevelAssignment> placements;
  size_t count = 0;
  for (const Arrivals::OfFamily& arrived : arrivals->families()) {
    ASSIGN_OR_RETURN(LevelAssignment placement, MakeRoom(engine, hold, options, arrived));
    placements.push_back(std::move(placement));
    count += arrived.tables.size();
  }
  RETURN_IF_ERROR(engine->SyncWal());
  Sequence sequence = engine->visible().load(std::memory_order_acquire);
  if (count >= kMaxSequence - sequence) {
    return Status::NotSupported("sequence numbers are used up: 2^56 changes were written");
  }
  std::vector<VersionEdit> edits;
  for (size_t i = 0; i < placements.size(); ++i) {
    edits.push_back(EditFor(engine, arrivals->families()[i], placements[i], &sequence));
  }
  const Status logged = engine->Log(std::move(edits));
  // The MANIFEST names them, or may name them if logging failed and closed writes.
  if (logged.ok() || !engine->CheckWritable().ok()) arrivals->Keep();
  RETURN_IF_ERROR(logged);
  engine->PublishSequence(sequence);
  return Status::Ok();
}

}  // namespace

Status IngestTables(Engine* engine, const IngestOptions& options,
                    std::span<const FamilyTables> families) {
  RETURN_IF_ERROR(engine->CheckWritable());
  // Outlives the arrivals, so that only they remove their files.
  const Engine::FileHold hold(engine);
  Arrivals arrivals(engine, options);
  std::set<ColumnFamilyId> listed;
  for (const FamilyTables& tables : families) {
    ASSIGN_OR_RETURN(Family* const family, engine->FamilyToRead(tables.family));
    if (!listed.insert(tables.family).second) {
      return Status::InvalidArgument("column family " + EscapeForDisplay(family->name()) +
                                     " is listed twice");
    }
    if (!tables.paths.empty()) arrivals.Expect(family, tables.paths);
  }
  if (arrivals.families().empty()) return Status::Ok();
  RETURN_IF_ERROR(arrivals.Bring());
  RETURN_IF_ERROR(Install(engine, options, &arrivals));
  if (!options.move_files) return Status::Ok();
  for (const FamilyTables& tables : families) {
    for (const std::string& path : tables.paths) {
      RemoveObsoleteFile(*engine->env().file_system, path);
    }
  }
  return Status::Ok();
}

}  // namespace varve
