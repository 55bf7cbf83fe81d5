// SPDX-License-Identifier: Apache-2.0
// VersionLog owns the state that the MANIFEST records: the DatabaseState in memory, the MANIFEST
// file, and the counter of file numbers. Log() is the only way to change any of them, in the order
// of rule S4:
//
//   plan     locked     build the next Versions from the edits and check them
//   act      unlocked   append and sync the MANIFEST record (or write a new MANIFEST)
//   install  locked     change state, memtables and the readers' views together
//
// One Log() runs at a time. If its act fails, the contents of the MANIFEST are unknown: memory
// stays unchanged, writes are closed, and no file that the edits named is deleted. Thread-safe.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/context.h"
#include "core/engine/files/file_gc.h"
#include "core/format/manifest/version_edit.h"
#include "core/version/column_families.h"
#include "core/version/manifest_writer.h"

namespace varve {

class VersionLog {
 public:
  // `next_file_number`: larger than every number in the directory.
  VersionLog(EngineContext& context, FileGc& gc, DatabaseState state, FileNumber next_file_number);

  // Call before the first Log(): a MANIFEST that already records all of state().
  void Begin(std::unique_ptr<ManifestWriter> manifest) EXCLUDES(manifest_mutex);

  FileNumber NewFileNumber() { return next_file_number_.fetch_add(1, std::memory_order_relaxed); }
  FileNumber next_file_number() const { return next_file_number_.load(std::memory_order_relaxed); }

  // Makes the edits of one atomic group. Called with the engine's mutex held and no other Log()
  // running, so the state() it sees is the one its edits apply to.
  using MakeEdits = std::function<std::vector<VersionEdit>()>;

  // Logs and installs. Fills in next_file_number and last_sequence, the latter at least the edit's
  // own value. `on_install` runs with the engine's mutex held, after the state changed and before
  // readers see it. InvalidArgument, with nothing logged, if a family of the edits was dropped.
  Status Log(const MakeEdits& make, const std::function<void()>& on_install)
      EXCLUDES(manifest_mutex, engine_mutex);

  // The same for edits that add these families, with the tables of their Versions. They are not an
  // atomic group (RocksDB refuses such groups): a crash may leave the first few, and the last of
  // them without its tables.
  Status LogNewFamilies(const std::vector<FamilyState>& families,
                        const std::function<void()>& on_install)
      EXCLUDES(manifest_mutex, engine_mutex);

  const DatabaseState& state() const REQUIRES(engine_mutex) { return state_; }
  // Read-only: takes a later state, which another program has logged, for the present one.
  void Exchange(DatabaseState* state) REQUIRES(engine_mutex) { std::swap(state_, *state); }
  std::shared_ptr<const Version> VersionOf(ColumnFamilyId family) const REQUIRES(engine_mutex);
  uint64_t NewEpoch(ColumnFamilyId family) REQUIRES(engine_mutex);

 private:
  struct Plan {
    std::map<ColumnFamilyId, std::shared_ptr<const Version>> versions;  // Of changed families.
    std::vector<FilePtr> leaving;  // Files that will be in no current Version.
    std::vector<BlobFileMetadata> leaving_blobs;
    FileNumber new_manifest = 0;  // 0: append to the current one.
    DatabaseState snapshot;       // For the new one.
  };
  Status LogAny(const MakeEdits& make, std::span<const FamilyState> new_families,
                const std::function<void()>& on_install) EXCLUDES(manifest_mutex, engine_mutex);
  Result<Plan> MakePlan(std::span<VersionEdit> edits, std::span<const FamilyState> new_families)
      REQUIRES(manifest_mutex, engine_mutex);
  Status PlanFiles(std::span<VersionEdit> edits, Plan* plan) REQUIRES(engine_mutex);
  // Of the blob files that the family no longer uses, those that no other family uses.
  void PlanLeavingBlobs(ColumnFamilyId family, std::span<const BlobFileMetadata> leaving,
                        Plan* plan) const REQUIRES(engine_mutex);
  void PlanDrop(ColumnFamilyId family, Plan* plan) REQUIRES(engine_mutex);
  Status Write(const Plan& plan, std::span<const VersionEdit> edits) REQUIRES(manifest_mutex)
      EXCLUDES(engine_mutex);
  void Install(const Plan& plan, std::span<const VersionEdit> edits,
               std::span<const FamilyState> new_families, const std::function<void()>& on_install)
      REQUIRES(manifest_mutex, engine_mutex);
  Mutex& serial() RETURN_CAPABILITY(manifest_mutex) { return serial_; }

  EngineContext& context_;
  FileGc& gc_;
  std::atomic<FileNumber> next_file_number_;
  Mutex serial_;
  std::unique_ptr<ManifestWriter> manifest_ GUARDED_BY(manifest_mutex)
      PT_GUARDED_BY(manifest_mutex);
  DatabaseState state_ GUARDED_BY(engine_mutex);
};

}  // namespace varve
