// SPDX-License-Identifier: Apache-2.0
#include "core/engine/files/version_log.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/version/invariants.h"
#include "core/version/version_builder.h"

namespace varve {
namespace {

bool ChangesFiles(const VersionEdit& edit) {
  return !edit.deleted_files.empty() || !edit.new_files.empty() || !edit.blob_additions.empty() ||
         !edit.blob_garbage.empty();
}

Sequence NewestOf(const VersionEdit& edit) {
  Sequence newest = 0;
  for (const VersionEdit::NewFile& added : edit.new_files) {
    newest = std::max(newest, added.file.largest_sequence);
  }
  return newest;
}

// Checked before anything is written.
Status CheckRecordSizes(std::span<const VersionEdit> edits) {
  // Everything recorded for a new file except its two keys.
  constexpr uint64_t kBesidesBounds = 512;
  constexpr uint64_t kOfDeleted = 16;
  for (const VersionEdit& edit : edits) {
    uint64_t bytes = kBesidesBounds + kOfDeleted * edit.deleted_files.size();
    for (const VersionEdit::NewFile& added : edit.new_files) {
      bytes += kBesidesBounds + added.file.smallest.size() + added.file.largest.size();
    }
    if (bytes <= kWrittenEditSizeMax) continue;
    return Status::NotSupported("the first and last keys of " +
                                std::to_string(edit.new_files.size()) +
                                " new tables need a MANIFEST record of " + std::to_string(bytes) +
                                " bytes, of at most " + std::to_string(kWrittenEditSizeMax));
  }
  return Status::Ok();
}

bool HasLowerNumber(const BlobFileMetadata& a, const BlobFileMetadata& b) {
  return a.number < b.number;
}

// The blob files that are in `before` but not in `after`. In every Version they are sorted by
// number.
std::vector<BlobFileMetadata> LeavingBlobs(const Version& before, const Version& after) {
  std::vector<BlobFileMetadata> leaving;
  std::set_difference(before.blob_files().begin(), before.blob_files().end(),
                      after.blob_files().begin(), after.blob_files().end(),
                      std::back_inserter(leaving), HasLowerNumber);
  return leaving;
}

using GarbageByFile = std::map<FileNumber, BlobFileGarbage>;

// Each part of a compaction speaks for itself.
void AddGarbage(const VersionEdit& edit, GarbageByFile* sums) {
  for (const BlobFileGarbage& part : edit.blob_garbage) {
    BlobFileGarbage& sum = (*sums)[part.number];
    sum.number = part.number;
    sum.blobs += part.blobs;
    sum.bytes += part.bytes;
  }
}

// What the MANIFEST does not say to be garbage.
BlobFileGarbage LeftOf(const BlobFileMetadata& blob) {
  return {blob.number, blob.blobs - blob.garbage_blobs, blob.bytes - blob.garbage_bytes};
}

// Takes from the edit what would be more garbage in a blob file of `version` than it has contents.
// The MANIFEST said too much before: that the rest of the file is garbage is not known then, so it
// has to stay as long as a table may refer to it.
void LimitGarbage(const Version& version, VersionEdit* edit) {
  if (edit->blob_garbage.empty()) return;
  GarbageByFile said;
  AddGarbage(*edit, &said);
  edit->blob_garbage.clear();
  for (const BlobFileMetadata& blob : version.blob_files()) {
    const auto found = said.find(blob.number);
    if (found == said.end()) continue;
    BlobFileGarbage garbage = found->second;
    const BlobFileGarbage left = LeftOf(blob);
    if (garbage.blobs > left.blobs || garbage.bytes > left.bytes) {
      garbage.blobs = std::min(garbage.blobs, std::max<uint64_t>(left.blobs, 1) - 1);
      garbage.bytes = std::min(garbage.bytes, left.bytes);
    }
    if (garbage.blobs > 0) edit->blob_garbage.push_back(garbage);
  }
}

// Adds to the family's last edit that every leaving blob file is entirely garbage. RocksDB
// considers an unreferenced blob file live until the MANIFEST says so.
void SayGarbage(ColumnFamilyId family, std::span<const BlobFileMetadata> leaving,
                std::span<VersionEdit> edits) {
  const auto last = std::find_if(edits.rbegin(), edits.rend(), [&](const VersionEdit& edit) {
    return edit.family == family && ChangesFiles(edit);
  });
  CHECK(last != edits.rend());
  if (leaving.empty()) return;
  GarbageByFile said;
  for (const VersionEdit& edit : edits) {
    if (edit.family == family) AddGarbage(edit, &said);
  }
  for (const BlobFileMetadata& blob : leaving) {
    BlobFileGarbage rest = LeftOf(blob);
    if (const auto found = said.find(blob.number); found != said.end()) {
      rest.blobs -= found->second.blobs;
      rest.bytes -= found->second.bytes;
    }
    if (rest.blobs > 0) last->blob_garbage.push_back(rest);
  }
}

}  // namespace

VersionLog::VersionLog(EngineContext& context, FileGc& gc, DatabaseState state,
                       FileNumber next_file_number)
    : context_(context), gc_(gc), next_file_number_(next_file_number), state_(std::move(state)) {}

void VersionLog::Begin(std::unique_ptr<ManifestWriter> manifest) {
  MutexLock one_at_a_time(serial());
  CHECK(manifest_ == nullptr);
  CHECK_OP(manifest->number(), <, next_file_number());
  manifest_ = std::move(manifest);
}

std::shared_ptr<const Version> VersionLog::VersionOf(ColumnFamilyId family) const {
  const FamilyState* state = state_.families.Find(family);
  return state == nullptr ? nullptr : state->version;
}

uint64_t VersionLog::NewEpoch(ColumnFamilyId family) {
  FamilyState* state = state_.families.Find(family);
  return state == nullptr ? 0 : state->next_epoch++;
}

Status VersionLog::Log(const MakeEdits& make, const std::function<void()>& on_install) {
  return LogAny(make, {}, on_install);
}

Status VersionLog::LogNewFamilies(const std::vector<FamilyState>& families,
                                  const std::function<void()>& on_install) {
  const auto make = [&families] {
    std::vector<VersionEdit> edits;
    for (const FamilyState& family : families) {
      VersionEdit& edit = edits.emplace_back();
      edit.family = edit.max_family.emplace(family.id);
      edit.add_family = family.name;
      edit.comparator = family.comparator_name;
      edit.log_number = family.log_number;
      // Files must not be in the edit that adds a family: RocksDB would ignore them.
      VersionEdit files = FilesOf(family);
      if (ChangesFiles(files)) edits.push_back(std::move(files));
    }
    return edits;
  };
  return LogAny(make, families, on_install);
}

Status VersionLog::LogAny(const MakeEdits& make, std::span<const FamilyState> new_families,
                          const std::function<void()>& on_install) {
  {
    MutexLock one_at_a_time(serial());
    RETURN_IF_ERROR(context_.errors.CheckWritable());
    std::vector<VersionEdit> edits;
    Plan plan;
    {
      MutexLock lock(context_.mutex());
      edits = make();
      CHECK(!edits.empty());
      ASSIGN_OR_RETURN(plan, MakePlan(edits, new_families));
    }
    const Status written = Write(plan, edits);
    MutexLock lock(context_.mutex());
    if (!written.ok()) {
      context_.errors.CloseWrites(written);
      context_.changed.NotifyAll();
      return written;
    }
    Install(plan, edits, new_families, on_install);
    context_.changed.NotifyAll();
  }
  gc_.Collect();
  return Status::Ok();
}

Result<VersionLog::Plan> VersionLog::MakePlan(std::span<VersionEdit> edits,
                                              std::span<const FamilyState> new_families) {
  CHECK(manifest_ != nullptr, "Begin() was called");
  RETURN_IF_ERROR(CheckRecordSizes(edits));
  Plan plan;
  if (manifest_->NeedsRollover(context_.options.max_manifest_file_size)) {
    plan.new_manifest = NewFileNumber();
  }
  const Sequence visible = context_.visible.load(std::memory_order_acquire);
  const Sequence before = std::max(visible, state_.counters.last_sequence);
  Sequence last_sequence = before;
  for (VersionEdit& edit : edits) {
    CHECK(!edit.add_family || !new_families.empty());
    CHECK(!edit.drop_family || edits.size() == 1);
    last_sequence = std::max(last_sequence, edit.last_sequence.value_or(0));
    if (!new_families.empty()) last_sequence = std::max(last_sequence, NewestOf(edit));
    edit.last_sequence = last_sequence;
    edit.next_file_number = next_file_number();
  }
  if (!new_families.empty()) {
    DatabaseCounters counters = state_.counters;
    for (const VersionEdit& edit : edits) counters.Take(edit);
    for (const FamilyState& family : new_families) {
      CHECK(state_.families.Find(family.id) == nullptr);
      RETURN_IF_ERROR(CheckVersion(*family.version, counters));
      if (family.version->TotalFiles() > 0) plan.versions.emplace(family.id, family.version);
    }
  } else if (edits.size() == 1 && edits[0].drop_family) {
    PlanDrop(edits[0].family, &plan);
  } else {
    RETURN_IF_ERROR(PlanFiles(edits, &plan));
  }
  if (plan.new_manifest != 0) {
    plan.snapshot = state_;
    plan.snapshot.counters.next_file_number = next_file_number();
    // Not that of the edits behind it, of which the first may have a smaller one than the last:
    // RocksDB checks that it never decreases.
    plan.snapshot.counters.last_sequence = before;
  }
  return plan;
}

Status VersionLog::PlanFiles(std::span<VersionEdit> edits, Plan* plan) {
  std::map<ColumnFamilyId, VersionBuilder> builders;
  std::unordered_set<FileNumber> staying;
  std::vector<FilePtr> leaving;
  DatabaseCounters counters = state_.counters;
  for (VersionEdit& edit : edits) {
    counters.Take(edit);
    const FamilyState* family = state_.families.Find(edit.family);
    if (family == nullptr) {
      return Status::InvalidArgument("column family " + std::to_string(edit.family) +
                                     " was dropped meanwhile");
    }
    if (!ChangesFiles(edit)) continue;
    auto [at, fresh] = builders.try_emplace(edit.family, family->comparator, family->version.get(),
                                            family->version->num_levels());
    LimitGarbage(*family->version, &edit);
    RETURN_IF_ERROR(at->second.Apply(edit));
    for (const auto& added : edit.new_files) {
      CHECK_OP(added.file.number, <, next_file_number());
      staying.insert(added.file.number);
    }
    for (const auto& deleted : edit.deleted_files) {
      for (const FilePtr& file : family->version->files(deleted.level)) {
        if (file->number() == deleted.number) leaving.push_back(file);
      }
    }
  }
  for (auto& [id, builder] : builders) {
    ASSIGN_OR_RETURN(std::shared_ptr<const Version> version,
                     builder.Build(context_.tables.get(), counters.last_sequence));
    RETURN_IF_ERROR(CheckVersion(*version, counters));
    const std::vector<BlobFileMetadata> leaving_blobs = LeavingBlobs(*VersionOf(id), *version);
    SayGarbage(id, leaving_blobs, edits);
    PlanLeavingBlobs(id, leaving_blobs, plan);
    plan->versions.emplace(id, std::move(version));
  }
  CHECK_OP(counters.last_sequence, >=, state_.counters.last_sequence);
  CHECK_OP(counters.next_file_number, >=, state_.counters.next_file_number);
  for (FilePtr& file : leaving) {
    if (!staying.contains(file->number())) plan->leaving.push_back(std::move(file));
  }
  return Status::Ok();
}

void VersionLog::PlanDrop(ColumnFamilyId family, Plan* plan) {
  const std::shared_ptr<const Version> version = VersionOf(family);
  if (version == nullptr) return;
  for (int level = 0; level < version->num_levels(); ++level) {
    for (const FilePtr& file : version->files(level)) plan->leaving.push_back(file);
  }
  PlanLeavingBlobs(family, version->blob_files(), plan);
}

void VersionLog::PlanLeavingBlobs(ColumnFamilyId family, std::span<const BlobFileMetadata> leaving,
                                  Plan* plan) const {
  for (const BlobFileMetadata& blob : leaving) {
    // A MANIFEST of another program may assign one file to two families.
    const bool needed = std::any_of(
        state_.families.all().begin(), state_.families.all().end(), [&](const FamilyState& other) {
          const std::vector<BlobFileMetadata>& files = other.version->blob_files();
          return other.id != family &&
                 std::binary_search(files.begin(), files.end(), blob, HasLowerNumber);
        });
    if (!needed) plan->leaving_blobs.push_back(blob);
  }
}

Status VersionLog::Write(const Plan& plan, std::span<const VersionEdit> edits) {
  if (plan.new_manifest == 0) return manifest_->Append(edits);
  ASSIGN_OR_RETURN(auto manifest, ManifestWriter::Create(context_.fs(), context_.directory,
                                                         plan.new_manifest, plan.snapshot, edits));
  manifest_.swap(manifest);
  // CURRENT was switched and its directory synced, so the old MANIFEST can be deleted now (rule
  // S5).
  MutexLock lock(context_.mutex());
  CHECK_OP(manifest->number(), <, manifest_->number());
  gc_.NoteObsoleteManifest(manifest->number());
  return Status::Ok();
}

void VersionLog::Install(const Plan& plan, std::span<const VersionEdit> edits,
                         std::span<const FamilyState> new_families,
                         const std::function<void()>& on_install) {
  auto new_family = new_families.begin();
  for (const VersionEdit& edit : edits) {
    if (edit.drop_family) {
      state_.families.Drop(edit.family);
      state_.counters.Take(edit);
    } else if (edit.add_family) {
      CHECK(new_family != new_families.end());
      state_.families.Add(*new_family++);
      state_.counters.Take(edit);
    } else {
      const auto version = plan.versions.find(edit.family);
      state_.Install(edit, version == plan.versions.end() ? nullptr : version->second);
    }
  }
  CHECK(new_family == new_families.end());
  on_install();
  for (const auto& [id, version] : plan.versions) {
    Family* const family = context_.families.Find(id);
    family->Publish(version);
    context_.changed_families.Push(family);
  }
  for (const FilePtr& file : plan.leaving) gc_.NoteObsolete(file);
  for (const BlobFileMetadata& blob : plan.leaving_blobs) gc_.NoteObsoleteBlob(blob);
}

}  // namespace varve
