// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/arrivals.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/base/threads/task_queue.h"
#include "core/base/try.h"
#include "core/compaction/table_path.h"
#include "core/engine/jobs/table_in_order.h"
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

}  // namespace

Status BringEach(Executor* executor, size_t count, const std::function<Status(size_t)>& bring) {
  std::vector<Status> statuses(count);
  // What comes before one that is refused is brought in any case, so that the error does not depend
  // on which thread was faster.
  std::atomic<size_t> first_refused = count;
  const auto lane = Executor::Lane::kCompaction;
  {
    TaskQueue queue(executor, lane, static_cast<size_t>(std::max(executor->Parallelism(lane), 1)));
    for (size_t i = 0; i < count; ++i) {
      queue.Add([i, &bring, &statuses, &first_refused] {
        if (first_refused.load(std::memory_order_relaxed) < i) return;
        statuses[i] = bring(i);
        if (statuses[i].ok()) return;
        size_t first = first_refused.load(std::memory_order_relaxed);
        while (i < first && !first_refused.compare_exchange_weak(first, i)) continue;
      });
    }
    queue.AwaitAll();
  }
  const size_t first = first_refused.load(std::memory_order_relaxed);
  return first < count ? statuses[first] : Status::Ok();
}

Status BringFrom(FileSystem& fs, const std::string& source, FileNumber number,
                 const std::function<Status()>& bring) {
  // Paths may differ for one directory: if the new file appears in the source's directory, it is
  // the same directory.
  const std::string twin = BesideName(source, TableFileName(number));
  const bool there_before = fs.Exists(twin);
  RETURN_IF_ERROR(bring());
  if (there_before || !fs.Exists(twin)) return Status::Ok();
  return Status::InvalidArgument(source + ": is a file of this database");
}

Arrivals::Arrivals(Engine* engine, const IngestOptions& options)
    : engine_(engine), fs_(*engine->env().file_system), options_(options) {}

Arrivals::~Arrivals() {
  if (kept_) return;
  for (const Table& table : tables_) RemoveObsoleteFile(fs_, PathOf(table));
}

std::string Arrivals::PathOf(const Table& table) const {
  const ColumnFamilyOptions& options = families_[table.family].family->options();
  return JoinPath(DirectoryOfPath(options, 0, engine_->directory()), TableFileName(table.number));
}

void Arrivals::Expect(Family* family, const std::vector<std::string>& paths) {
  CHECK(!paths.empty());
  DCHECK(std::ranges::none_of(families_, [&](const OfFamily& f) { return f.family == family; }));
  families_.push_back({.family = family, .tables = {}});
  for (const std::string& path : paths) {
    tables_.push_back({path, families_.size() - 1, engine_->NewFileNumber(), TableCandidate()});
  }
}

Status Arrivals::Bring() {
  CHECK(!tables_.empty());
  CHECK(!kept_);
  RETURN_IF_ERROR(BringEach(engine_->env().executor, tables_.size(), [this](size_t i) {
    tables_[i].candidate = BringOne(tables_[i]);
    return tables_[i].candidate.status();
  }));
  for (Table& table : tables_) {
    families_[table.family].tables.push_back(*std::move(table.candidate));
  }
  for (OfFamily& arrived : families_) RETURN_IF_ERROR(Sort(&arrived));
  return SyncDirectory(fs_, engine_->directory());
}

// Copies first and verifies the copy: later changes of the original have no effect.
Result<TableCandidate> Arrivals::BringOne(const Table& table) {
  RETURN_IF_ERROR(CheckGoingOn());
  const std::string path = PathOf(table);
  ASSIGN_OR_RETURN(const uint64_t size, fs_.FileSize(table.source));
  const ColumnFamilyOptions& family = families_[table.family].family->options();
  bool other = false;
  if (options_.any_comparator && family.comparator->timestamp_size() == 0) {
    ASSIGN_OR_RETURN(other, HasOtherComparator(fs_, table.source, family));
  }
  RETURN_IF_ERROR(BringFrom(fs_, table.source, table.number, [&] {
    if (other) {
      return OfSource(CopyInOrder(engine_->env(), table.source, path, family), path, table.source);
    }
    return options_.move_files ? LinkOrCopyFile(fs_, table.source, path, size)
                               : CopyFile(fs_, table.source, path, size);
  }));
  // A copy is synced already; a linked file may not be, and its source name will be removed.
  if (options_.move_files) {
    RETURN_IF_ERROR(OfSource(fs_.SyncFile(path), path, table.source));
  }
  return VerifyCandidate(fs_, path, table.source, table.number,
                         *families_[table.family].family->comparator(),
                         [this](uint64_t bytes) { return Report(bytes); });
}

Status Arrivals::Report(uint64_t bytes) {
  RETURN_IF_ERROR(CheckGoingOn());
  if (!options_.verified) return Status::Ok();
  MutexLock lock(reporting_);
  options_.verified(bytes);
  return Status::Ok();
}

Status Arrivals::CheckGoingOn() const {
  if (options_.cancelled == nullptr || !options_.cancelled->load(std::memory_order_relaxed)) {
    return Status::Ok();
  }
  return Status::Shutdown("the ingestion was cancelled");
}

Status Arrivals::Sort(OfFamily* arrived) const {
  const Comparator& comparator = *arrived->family->comparator();
  const auto before = [&](const TableCandidate& a, const TableCandidate& b) {
    return comparator.Compare(a.smallest_key, b.smallest_key) < 0;
  };
  std::vector<TableCandidate> sorted = arrived->tables;
  std::sort(sorted.begin(), sorted.end(), before);
  for (size_t i = 1; i < sorted.size() && !arrived->overlap; ++i) {
    const TableCandidate& left = sorted[i - 1];
    const int order =
        CompareIgnoringTimestamps(comparator, left.largest_key, sorted[i].smallest_key);
    arrived->overlap = order > 0 || (order == 0 && !left.largest_open);
    if (!arrived->overlap || options_.in_order) continue;
    if (left.source == sorted[i].source) {
      return Status::InvalidArgument(left.source + ": is listed twice");
    }
    return Status::InvalidArgument(left.source + ": its keys overlap those of " + sorted[i].source);
  }
  if (!arrived->overlap) arrived->tables = std::move(sorted);
  return Status::Ok();
}

}  // namespace varve
