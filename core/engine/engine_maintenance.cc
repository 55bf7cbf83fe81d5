// SPDX-License-Identifier: Apache-2.0
// Manual flush and compaction, and statistics.
#include <algorithm>
#include <span>
#include <unordered_set>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/base/try.h"
#include "core/compaction/picker.h"
#include "core/engine/engine.h"

namespace varve {
namespace {

// The first consecutive files of a level that are all `due`, up to the given bytes but at least
// one. A file with nothing below it is taken alone: only then are its tombstones dropped.
std::span<const FilePtr> FirstRunOf(const Version& version, int level,
                                    const std::unordered_set<FileNumber>& due, uint64_t bytes_max) {
  CHECK_OP(level, >, 0, "in level 0, neighbours are so in age, not in keys");
  const std::span<const FilePtr> files = version.files(level);
  const auto is_due = [&](const FilePtr& file) { return due.contains(file->number()); };
  const auto first = std::find_if(files.begin(), files.end(), is_due);
  if (first == files.end()) return {};
  const auto nothing_below = [&](const FilePtr& from, const FilePtr& to) {
    return NothingBelow(version, level, from->smallest.user_key, to->largest.user_key);
  };
  const bool bottommost = nothing_below(*first, *first);
  uint64_t bytes = (*first)->size();
  auto end = first + 1;
  for (; end != files.end() && is_due(*end); ++end) {
    bytes += (*end)->size();
    if (bytes > bytes_max) break;
    if (nothing_below(bottommost ? *first : *end, *end) != bottommost) break;
  }
  return {first, end};
}

}  // namespace

Status Engine::Flush(const FlushOptions& options, ColumnFamilyId id) {
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  return FlushFamilies({family}, options.wait, FlushReason::kManual);
}

Status Engine::FlushAll() {
  RETURN_IF_ERROR(CheckWritable());
  return FlushFamilies(LiveFamilies(), /*wait=*/true, FlushReason::kManual);
}

std::vector<Family*> Engine::LiveFamilies() const {
  std::vector<Family*> families;
  for (Family* family : context_.families.all()) {
    if (!family->dropped()) families.push_back(family);
  }
  return families;
}

Status Engine::FlushFamilies(const std::vector<Family*>& families, bool wait, FlushReason reason) {
  {
    const WritePath::Lead lead(*writes_);
    RETURN_IF_ERROR(writes_->Switch(families, reason));
  }
  return wait ? AwaitFlushed(families) : Status::Ok();
}

Status Engine::AwaitFlushed(const std::vector<Family*>& families) {
  std::vector<uint64_t> newest;  // Memtables sealed by later writes are not waited for.
  {
    MutexLock lock(context_.mutex());
    background_->RetryFailed([&](const Family& family) {
      return std::find(families.begin(), families.end(), &family) != families.end();
    });
    for (const Family* family : families) {
      newest.push_back(family->immutables().empty() ? 0
                                                    : family->immutables().back().memtable->id());
    }
  }
  Status failure;
  size_t flushed = 0;  // The first ones: each wakeup looks at those that are next.
  context_.WaitUntil([&]() REQUIRES(engine_mutex) {
    for (; flushed < families.size(); ++flushed) {
      const auto& sealed = families[flushed]->immutables();
      if (!sealed.empty() && sealed.front().memtable->id() <= newest[flushed]) break;
    }
    if (flushed == families.size()) return true;
    failure = families[flushed]->jobs().flush_error;
    if (failure.ok()) failure = context_.errors.CheckWritable();
    if (failure.ok()) failure = background_->CheckRunning();
    return !failure.ok();
  });
  return failure;
}

Status Engine::CompactRange(const CompactRangeOptions& options,
                            std::optional<std::string_view> begin,
                            std::optional<std::string_view> end, ColumnFamilyId id) {
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  RETURN_IF_ERROR(FlushFamilies({family}, /*wait=*/true, FlushReason::kManualCompaction));
  const StoredRange range(*family->comparator(), begin, end, StoredRange::End::kIncluded);
  int last_level = 0;
  RETURN_IF_ERROR(CompactDown(options, family, range, &last_level));
  if (!options.force_bottommost) return Status::Ok();
  return RewriteLevel(options, family, last_level, range);
}

// Compacts level by level, down to the last one that has files in the range.
Status Engine::CompactDown(const CompactRangeOptions& options, Family* family,
                           const StoredRange& range, int* last_level) {
  const CompactionStyle style = family->options().compaction_style;
  if (style == CompactionStyle::kUniversal) {
    *last_level = family->options().num_levels - 1;
    return background_->CompactRuns(options, family, range.begin(), range.end()).status();
  }
  int base_level = 1;
  {
    MutexLock lock(context_.mutex());
    const std::shared_ptr<const Version> version = log_->VersionOf(family->id());
    if (version == nullptr || style == CompactionStyle::kFifo) return Status::Ok();
    base_level = ComputeLevelTargets(*version, family->options()).base_level;
    for (int level = 0; level < version->num_levels(); ++level) {
      if (!version->Overlapping(level, range.begin(), range.end()).empty()) {
        *last_level = level;
      }
    }
  }
  *last_level = std::max(*last_level, std::min(base_level, family->options().num_levels - 1));
  for (int level = 0; level < *last_level; ++level) {
    const int output_level = level == 0 ? std::min(base_level, *last_level) : level + 1;
    for (bool more = true; more;) {
      ASSIGN_OR_RETURN(more, background_->CompactLevel(options, family, level, output_level,
                                                       range.begin(), range.end()));
      // New files may arrive in level 0 as fast as they leave: one pass is enough.
      if (level == 0) break;
    }
  }
  return Status::Ok();
}

// Rewrites each present file in place, as many neighbours at once as one compaction may take: one
// edit and one Version per table would make the cost quadratic.
Status Engine::RewriteLevel(const CompactRangeOptions& options, Family* family, int level,
                            const StoredRange& range) {
  if (level == 0) return Status::Ok();
  std::unordered_set<FileNumber> due;
  {
    MutexLock lock(context_.mutex());
    const std::shared_ptr<const Version> version = log_->VersionOf(family->id());
    if (version == nullptr) return Status::Ok();
    for (const FilePtr& file : version->Overlapping(level, range.begin(), range.end())) {
      due.insert(file->number());
    }
  }
  while (!due.empty()) {
    std::string first, last;
    {
      MutexLock lock(context_.mutex());
      const std::shared_ptr<const Version> version = log_->VersionOf(family->id());
      if (version == nullptr) return Status::Ok();
      const std::span<const FilePtr> run =
          FirstRunOf(*version, level, due, MaxCompactionBytes(family->options()));
      if (run.empty()) return Status::Ok();  // The rest was rewritten together with its neighbours.
      first = run.front()->smallest.user_key;
      last = run.back()->largest.user_key;
      for (const FilePtr& file : run) due.erase(file->number());
    }
    RETURN_IF_ERROR(background_->CompactLevel(options, family, level, level, first, last).status());
  }
  return Status::Ok();
}

Status Engine::CompactFiles(const CompactFilesOptions& options, std::span<const std::string> names,
                            int output_level, ColumnFamilyId id, CompactionJobInfo* info) {
  ASSIGN_OR_RETURN(Family* const family, FamilyToChange(id));
  return background_->CompactFiles(options, family, names, output_level, info);
}

Status Engine::PauseBackgroundWork() {
  RETURN_IF_ERROR(CheckWritable());
  return background_->Pause();
}

Status Engine::ContinueBackgroundWork() {
  RETURN_IF_ERROR(CheckWritable());
  return background_->Continue();
}

Status Engine::WaitForBackgroundWork() {
  if (context_.read_only) return Status::Ok();
  {
    MutexLock lock(context_.mutex());
    background_->Reconsider();
  }
  context_.WaitUntil([&]() REQUIRES(engine_mutex) { return background_->Idle(); });
  MutexLock lock(context_.mutex());
  return background_->Failure();
}

std::vector<LevelInfo> Engine::Levels(ColumnFamilyId id) const {
  std::vector<LevelInfo> levels;
  MutexLock lock(context_.mutex());
  const std::shared_ptr<const Version> version = log_->VersionOf(id);
  if (version == nullptr) return levels;
  for (int level = 0; level < version->num_levels(); ++level) {
    levels.push_back({level, version->files(level).size(), version->LevelBytes(level)});
  }
  return levels;
}

}  // namespace varve
