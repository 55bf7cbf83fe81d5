// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/ingest.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/compaction/picker.h"
#include "core/engine/jobs/table_candidate.h"
#include "core/format/file_name.h"
#include "core/fs/durable.h"
#include "core/fs/file_copy.h"

namespace varve {
namespace {

// The path of `name` in the directory of `path`.
std::string BesideName(const std::string& path, const std::string& name) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? name : path.substr(0, slash + 1) + name;
}

// The tables copied or linked into the directory. Destroying this removes them, unless Keep() was
// called.
class Arrivals {
 public:
  Arrivals(Engine* engine, const Comparator& comparator)
      : engine_(engine), fs_(*engine->env().file_system), comparator_(comparator) {}
  ~Arrivals() {
    if (kept_) return;
    for (const FileNumber number : numbers_) RemoveObsoleteFile(fs_, PathOf(number));
  }
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // Copies first and verifies the copy: later changes of the original have no effect.
  Status Bring(const std::string& source, bool link) {
    const FileNumber number = engine_->NewFileNumber();
    numbers_.push_back(number);
    const std::string path = PathOf(number);
    ASSIGN_OR_RETURN(const uint64_t size, fs_.FileSize(source));
    // Paths may differ for one directory: if the new file appears in the source's directory, it is
    // the same directory.
    const std::string twin = BesideName(source, TableFileName(number));
    const bool there_before = fs_.Exists(twin);
    RETURN_IF_ERROR(link ? LinkOrCopyFile(fs_, source, path, size)
                         : CopyFile(fs_, source, path, size));
    if (!there_before && fs_.Exists(twin)) {
      return Status::InvalidArgument(source + ": is a file of this database");
    }
    // A copy is synced already; a linked file may not be, and its source name will be removed.
    if (link) RETURN_IF_ERROR(fs_.SyncFile(path));
    ASSIGN_OR_RETURN(TableCandidate table, VerifyCandidate(fs_, path, source, number, comparator_));
    tables_.push_back(std::move(table));
    return Status::Ok();
  }

  // Call when all are here. Sorts them, unless two overlap: then they stay in their order if
  // `may_overlap`, else it is InvalidArgument.
  Status Complete(bool may_overlap) {
    CHECK_OP(tables_.size(), ==, numbers_.size());
    const auto before = [this](const TableCandidate& a, const TableCandidate& b) {
      return comparator_.Compare(a.smallest_key, b.smallest_key) < 0;
    };
    std::vector<TableCandidate> sorted = tables_;
    std::sort(sorted.begin(), sorted.end(), before);
    for (size_t i = 1; i < sorted.size() && !overlap_; ++i) {
      const TableCandidate& left = sorted[i - 1];
      const int order = comparator_.Compare(left.largest_key, sorted[i].smallest_key);
      overlap_ = order > 0 || (order == 0 && !left.largest_open);
      if (!overlap_ || may_overlap) continue;
      return Status::InvalidArgument(left.source + ": its keys overlap those of " +
                                     sorted[i].source);
    }
    if (!overlap_) tables_ = std::move(sorted);
    return SyncDirectory(fs_, engine_->directory());
  }

  void Keep() { kept_ = true; }
  const std::vector<TableCandidate>& tables() const { return tables_; }
  // Two of them overlap: only level 0 can have both.
  bool overlap() const { return overlap_; }

 private:
  std::string PathOf(FileNumber number) const {
    return JoinPath(engine_->directory(), TableFileName(number));
  }

  Engine* const engine_;
  FileSystem& fs_;
  const Comparator& comparator_;
  std::vector<FileNumber> numbers_;
  std::vector<TableCandidate> tables_;
  bool overlap_ = false;
  bool kept_ = false;
};

bool Overlaps(const MemTable& memtable, const TableCandidate& table, const Comparator& comparator) {
  const std::unique_ptr<InternalIterator> it = memtable.NewIterator();
  it->Seek(LookupKey(table.smallest_key, kMaxSequence));
  if (it->Valid() && comparator.Compare(it->key().user_key, table.largest_key) <= 0) return true;
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
    return range.level == level && comparator.Compare(range.begin, table.largest_key) <= 0 &&
           comparator.Compare(table.smallest_key, range.end) <= 0;
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

LevelAssignment Place(const Engine::CompactionHold& hold, const Family& family,
                      const Arrivals& arrivals) {
  const OutputRanges running = hold.RunningOutputs(family);
  const std::shared_ptr<const ReadView> view = family.views().Current();
  const Version& version = *view->version;
  LevelAssignment placement;
  const bool only_level0 =
      arrivals.overlap() || family.options().compaction_style == CompactionStyle::kFifo;
  const int base_level = only_level0 ? version.num_levels()
                                     : ComputeLevelTargets(version, family.options()).base_level;
  for (const TableCandidate& table : arrivals.tables()) {
    placement.levels.push_back(LevelFor(version, base_level, running, table, &placement.overlaps));
  }
  return placement;
}

// Chooses the levels. Writes are paused; the memtables are flushed if a table overlaps them or goes
// to level 0, where sequence ranges must ascend in order of creation.
Result<LevelAssignment> MakeRoom(Engine* engine, const Engine::CompactionHold& hold, Family* family,
                                 const IngestOptions& options, const Arrivals& arrivals)
    REQUIRES(write_lead) {
  const auto conflict = [&](bool overlaps) {
    return overlaps && !options.allow_overlap
               ? Status::InvalidArgument("the tables overlap existing keys")
               : Status::Ok();
  };
  const std::shared_ptr<const ReadView> view = family->views().Current();
  const bool memtables_overlap = AnyMemTableOverlaps(*view, arrivals.tables());
  RETURN_IF_ERROR(conflict(memtables_overlap));
  LevelAssignment placement = Place(hold, *family, arrivals);
  const bool to_level0 =
      std::find(placement.levels.begin(), placement.levels.end(), 0) != placement.levels.end();
  if (memtables_overlap || (to_level0 && HasMemTableEntries(*view))) {
    RETURN_IF_ERROR(engine->FlushPaused(*family));
    placement = Place(hold, *family, arrivals);
    DCHECK(!HasMemTableEntries(*family->views().Current()));
  }
  CHECK_OP(placement.levels.size(), ==, arrivals.tables().size());
  RETURN_IF_ERROR(conflict(placement.overlaps));
  return placement;
}

}  // namespace

Status IngestTables(Engine* engine, Family* family, const IngestOptions& options,
                    const std::vector<std::string>& paths) {
  RETURN_IF_ERROR(engine->CheckWritable());
  if (paths.empty()) return Status::Ok();
  // Outlives the arrivals, so that only they remove their files.
  const Engine::FileHold hold(engine);
  Arrivals arrivals(engine, *family->comparator());
  for (const std::string& path : paths) {
    RETURN_IF_ERROR(arrivals.Bring(path, options.move_files));
  }
  RETURN_IF_ERROR(arrivals.Complete(options.in_order));

  {
    const Engine::WritePause pause(engine);
    const Engine::CompactionHold hold(engine);
    if (family->dropped()) {
      return Status::InvalidArgument("column family \"" + EscapeForDisplay(family->name()) +
                                     "\" was dropped");
    }
    ASSIGN_OR_RETURN(const LevelAssignment placement,
                     MakeRoom(engine, hold, family, options, arrivals));
    RETURN_IF_ERROR(engine->SyncWal());
    VersionEdit edit;
    edit.family = family->id();
    Sequence sequence = engine->visible().load(std::memory_order_acquire);
    if (arrivals.tables().size() >= kMaxSequence - sequence) {
      return Status::NotSupported("sequence numbers are used up: 2^56 changes were written");
    }
    const uint64_t now = engine->env().clock->UnixMicros() / 1000000;
    for (size_t i = 0; i < arrivals.tables().size(); ++i) {
      edit.new_files.push_back(
          {placement.levels[i],
           arrivals.tables()[i].Describe(++sequence, engine->NewEpoch(*family), now)});
    }
    edit.last_sequence = sequence;
    const Status logged = engine->Log(edit);
    // The MANIFEST names them, or may name them if logging failed and closed writes.
    if (logged.ok() || !engine->CheckWritable().ok()) arrivals.Keep();
    RETURN_IF_ERROR(logged);
    engine->PublishSequence(sequence);
  }
  if (options.move_files) {
    for (const std::string& path : paths) RemoveObsoleteFile(*engine->env().file_system, path);
  }
  return Status::Ok();
}

}  // namespace varve
