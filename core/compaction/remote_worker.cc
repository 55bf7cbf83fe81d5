// SPDX-License-Identifier: Apache-2.0
// The worker of a CompactionService: varve/compaction_service.h. It makes a plan and a Version of
// what the job says, and runs the compaction that an engine runs itself.
//
//   DB/remote-compactions/ID/JOB                 made by the engine, as is the folder
//   DB/remote-compactions/ID/SESSION/000001.sst  the outputs, synced
//   DB/remote-compactions/ID/RESULT              renamed into place last
//
// The session is new for each attempt: two workers that are at one job, or a dead one and the next,
// never write to one file.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/compaction/compaction_job.h"
#include "core/compaction/table_output.h"
#include "core/format/file_name.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/format/table/unique_id.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"
#include "core/table/block/clock_cache.h"
#include "core/version/table_paths_fs.h"
#include "core/version/version_builder.h"
#include "varve/compaction_filter.h"
#include "varve/compaction_service.h"
#include "varve/merge_operator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

constexpr uint64_t kWorkerCacheBytes = 32 << 20;
constexpr uint64_t kLookForJobMicros = 500'000;
constexpr uint64_t kProgressMicros = 100'000;
constexpr std::string_view kJobSuffix = ".job";
constexpr std::string_view kLockSuffix = ".lock";

// The registered object of that name, or what `built_in` finds.
template <typename T>
Result<const T*> ObjectNamed(std::string_view kind, std::string_view name,
                             const std::vector<const T*>& registered,
                             const T* (*built_in)(std::string_view)) {
  for (const T* object : registered) {
    if (object->name() == name) return object;
  }
  if (built_in != nullptr) {
    if (const T* const found = built_in(name); found != nullptr) return found;
  }
  return Status::NotSupported("this worker has no " + std::string(kind) + " \"" +
                              EscapeForDisplay(name) + "\"");
}

class WorkerJob {
 public:
  WorkerJob(const CompactionWorkerOptions& options, const std::string& path)
      : options_(options), env_(Complete(options.env)), fs_(*env_.file_system), path_(path) {}
  // The bytes of the job are `sent`, and those of the result go to *result.
  WorkerJob(const CompactionWorkerOptions& options, std::string_view sent, std::string* result)
      : options_(options),
        env_(Complete(options.env)),
        fs_(*env_.file_system),
        path_("job"),
        sent_(sent),
        result_(result) {}

  Result<CompactionWorkerReport> Run() {
    const uint64_t begin = env_.clock->NowMicros();
    RETURN_IF_ERROR(ReadJob());
    RemoteResult result;
    result.job_id = job_.id;
    result.job_crc = CrcOfRemoteJob(file_);
    result.session = session_;
    Result<CompactionOutcome> outcome = Compact();
    if (outcome.ok()) outcome = Described(*std::move(outcome), &result);
    if (!outcome.ok()) {
      if (outcome.status().code() == Code::kShutdown) return GiveUp(outcome.status(), begin);
      result.code = outcome.status().code();
      result.message = std::string(outcome.status().message());
    }
    result.bytes_read = report_.input_bytes;
    result.micros = report_.micros = env_.clock->NowMicros() - begin;
    const Status told = Tell(result);
    if (!outcome.ok()) return GiveUp(outcome.status(), begin);
    if (!told.ok()) {
      RemoveOutputs(context_, outcome->outputs);
      return GiveUp(told, begin);
    }
    return report_;
  }

 private:
  std::string Folder() const {
    return JoinPath(JoinPath(directory_, std::string(kRemoteFolderName)), job_.id);
  }

  Status ReadJob() {
    if (result_ != nullptr) {
      file_ = sent_;
      result_->clear();
    } else {
      ASSIGN_OR_RETURN(file_, ReadFileToString(fs_, path_, kRemoteFileMax));
    }
    ASSIGN_OR_RETURN(job_, DecodeRemoteJob(path_, file_));
    directory_ = options_.directory.empty() ? job_.directory : options_.directory;
    if (fs_.Exists(JoinPath(Folder(), std::string(kRemoteResultName)))) {
      return Status::Busy(path_ + ": it has a result already");
    }
    if (!fs_.Exists(directory_)) {
      return Status::IoError(path_ + ": the database " + directory_ +
                             " is not seen here; --db says where it is");
    }
    if (!fs_.Exists(Folder())) {
      return Status::NotFound(Folder() + ": nobody waits for this compaction any more");
    }
    report_.id = job_.id;
    report_.family = job_.family_name;
    report_.input_level = job_.input_level;
    report_.output_level = job_.output_level;
    const uint64_t upper = env_.random->Next64();
    session_ = MakeSessionId(upper, env_.random->Next64() | 1);
    return Status::Ok();
  }

  Status SetOptions() {
    Options options;
    for (const auto& [name, value] : job_.options) {
      const OptionRow* const row = FindOption(name);
      if (row == nullptr || row->scope == OptionScope::kDatabase) {
        return Status::NotSupported(path_ + ": this worker knows no option \"" +
                                    EscapeForDisplay(name) + "\" of a family");
      }
      RETURN_IF_ERROR(row->set(&options, value));
    }
    RETURN_IF_ERROR(ValidateOptions(options));
    ColumnFamilyOptions& family = options.family;
    ASSIGN_OR_RETURN(family.comparator, ObjectNamed("comparator", job_.comparator,
                                                    options_.comparators, ComparatorByName));
    const size_t low = job_.full_history_ts_low.size();
    if (low != 0 && low != family.comparator->timestamp_size()) {
      return Status::Corruption(path_ + ": a timestamp of " + std::to_string(low) +
                                " bytes, those of the keys have " +
                                std::to_string(family.comparator->timestamp_size()));
    }
    family.merge_operator = nullptr;
    if (!job_.merge_operator.empty()) {
      ASSIGN_OR_RETURN(family.merge_operator,
                       ObjectNamed("merge operator", job_.merge_operator, options_.merge_operators,
                                   MergeOperatorByName));
    }
    if (!job_.compaction_filter.empty()) {
      ASSIGN_OR_RETURN(
          family.compaction_filter_factory,
          ObjectNamed<CompactionFilterFactory>("compaction filter", job_.compaction_filter,
                                               options_.compaction_filters, nullptr));
    }
    if (family.blobs.enabled) {
      return Status::NotSupported(path_ + ": workers write no blob files");
    }
    context_.options = family;
    return Status::Ok();
  }

  // The same tables in the same order as the plan of the engine had.
  Result<CompactionPlan> PlanOf(const Version& version) const {
    CompactionPlan plan;
    plan.reason = job_.manual ? CompactionReason::kManual : CompactionReason::kLevelSize;
    plan.input_level = job_.input_level;
    plan.output_level = job_.output_level;
    if (job_.input_level >= version.num_levels()) {
      return Status::Corruption(path_ + ": it names no inputs");
    }
    plan.inputs = version.files(job_.input_level);
    for (int level = job_.input_level + 1;
         level < std::min(job_.output_level, version.num_levels()); ++level) {
      if (version.files(level).empty()) continue;
      plan.between.push_back({.level = level, .files = version.files(level)});
    }
    if (job_.output_level != job_.input_level && job_.output_level < version.num_levels()) {
      plan.output_overlap = version.files(job_.output_level);
    }
    plan.bottommost = job_.bottommost;
    plan.deepest = job_.deepest;
    plan.full = job_.full;
    plan.target_file_size = job_.target_file_size;
    plan.compression = job_.compression;
    if (job_.point_index) plan.point_index = job_.point_index_kind;
    if (plan.inputs.empty()) return Status::Corruption(path_ + ": it names no inputs");
    return plan;
  }

  Status CheckFiles() const {
    const VersionEdit& files = job_.files;
    if (!files.deleted_files.empty() || !files.blob_additions.empty() ||
        !files.blob_garbage.empty()) {
      return Status::Corruption(path_ + ": its version edit does more than to name tables");
    }
    for (const VersionEdit::NewFile& file : files.new_files) {
      const bool input = job_.input_level <= file.level && file.level <= job_.output_level;
      if (input || file.level == job_.output_level + 1) continue;
      return Status::Corruption(path_ + ": table " + std::to_string(file.file.number) +
                                " is on level " + std::to_string(file.level) +
                                ", which is not part of it");
    }
    return Status::Ok();
  }

  Result<CompactionOutcome> Compact() {
    RETURN_IF_ERROR(CheckFiles());
    RETURN_IF_ERROR(SetOptions());
    std::unique_ptr<TablePathsFileSystem> paths;
    if (!job_.paths.empty()) paths = NewTablePathsFileSystem(fs_, directory_, job_.paths);
    tables_ = std::make_unique<TableCache>(paths != nullptr ? *paths : fs_, directory_,
                                           std::make_shared<ClockCache>(kWorkerCacheBytes),
                                           /*max_open_files=*/-1, false);
    VersionBuilder builder(context_.options.comparator, nullptr, kLevelsAsFound);
    RETURN_IF_ERROR(builder.Apply(job_.files).At(path_));
    Result<std::shared_ptr<const Version>> version =
        builder.Build(tables_.get(), job_.last_sequence);
    if (!version.ok()) return version.status().At(path_);
    Result<CompactionOutcome> outcome = CompactTables(**version);
    version = Status::Shutdown("done");  // Before the table cache.
    tables_.reset();
    return outcome;
  }

  Result<CompactionOutcome> CompactTables(const Version& version) {
    ASSIGN_OR_RETURN(const CompactionPlan plan, PlanOf(version));
    for (const auto& [level, file] : InputsOf(plan)) {
      ASSIGN_OR_RETURN(const auto table, version.Open(*file));
      ++report_.input_tables;
      report_.input_bytes += file->size();
      report_.input_entries += table->properties().entries;
    }
    context_.env = env_;
    context_.directory = context_.table_directory = JoinPath(Folder(), session_);
    context_.origin.family_id = job_.family;
    context_.origin.family_name = job_.family_name;
    if (!job_.merge_operator.empty()) context_.origin.merge_operator = job_.merge_operator;
    context_.origin.db_id = job_.db_id;
    context_.origin.db_session_id = session_;
    context_.snapshots = job_.snapshots;
    context_.full_history_ts_low = job_.full_history_ts_low;
    context_.new_file_number = [this] { return numbers_.fetch_add(1); };
    context_.cancelled = [this] { return IsCancelled(); };
    context_.paranoid_checks = job_.paranoid;
    context_.readahead_size = job_.readahead_size;
    context_.bytes_read = &bytes_read_;
    RETURN_IF_ERROR(fs_.CreateDirectory(context_.directory));
    int parts = static_cast<int>(job_.subcompactions);
    if (options_.max_subcompactions > 0) parts = std::min(parts, options_.max_subcompactions);
    return RunCompaction(context_, version, plan, parts);
  }

  // Called by all threads of the compaction, every 1,024 entries.
  bool IsCancelled() {
    if (options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed)) {
      return true;
    }
    const uint64_t now = env_.clock->NowMicros();
    if (options_.progress && IsDue(now, kProgressMicros, &reported_)) {
      options_.progress(bytes_read_.value(), report_.input_bytes);
    }
    if (IsDue(now, kLookForJobMicros, &looked_) && !fs_.Exists(Folder())) unwanted_ = true;
    return unwanted_;
  }
  // By one of the threads.
  static bool IsDue(uint64_t now, uint64_t every, std::atomic<uint64_t>* last) {
    uint64_t before = last->load(std::memory_order_relaxed);
    return now >= before + every && last->compare_exchange_strong(before, now);
  }

  Result<CompactionOutcome> Described(CompactionOutcome outcome, RemoteResult* result) {
    for (const FileDescription& output : outcome.outputs) {
      Result<std::unique_ptr<TableReader>> table = OpenOutput(
          context_, JoinPath(context_.directory, TableFileName(output.number)), output.size);
      if (!table.ok()) {
        RemoveOutputs(context_, outcome.outputs);
        return table.status();
      }
      result->entries.push_back((*table)->properties().entries);
      report_.output_entries += result->entries.back();
      report_.output_bytes += output.size;
      ++report_.output_tables;
      result->edit.new_files.push_back({job_.output_level, output});
    }
    for (const VersionEdit::NewFile& input : job_.files.new_files) {
      if (input.level > job_.output_level) continue;
      result->edit.deleted_files.push_back({input.level, input.file.number});
    }
    result->edit.family = job_.family;
    result->entries_read = report_.input_entries;
    return outcome;
  }

  // What the result names is on stable storage before it.
  Status Tell(const RemoteResult& result) {
    if (fs_.Exists(context_.directory)) RETURN_IF_ERROR(SyncDirectory(fs_, Folder()));
    if (result_ != nullptr) {
      *result_ = EncodeRemoteResult(result);
      return Status::Ok();
    }
    return ReplaceFileDurably(fs_, JoinPath(Folder(), session_ + ".tmp"),
                              JoinPath(Folder(), std::string(kRemoteResultName)),
                              EncodeRemoteResult(result));
  }

  Status GiveUp(const Status& why, uint64_t begin) {
    report_.micros = env_.clock->NowMicros() - begin;
    RemoveObsoleteFile(fs_, JoinPath(Folder(), session_ + ".tmp"));
    if (!context_.directory.empty()) {
      fs_.RemoveDirectory(context_.directory).Ignore("the engine removes what is left");
    }
    if (unwanted_) {
      return Status::NotFound(Folder() + ": nobody waits for this compaction any more");
    }
    return why;
  }

  const CompactionWorkerOptions& options_;
  const Environment env_;
  FileSystem& fs_;
  const std::string path_;         // For messages only, if the job was sent.
  const std::string_view sent_;    // The job, or nothing.
  std::string* result_ = nullptr;  // Null: the result is a file.
  std::string file_;               // Of the job, as it was read.
  RemoteJob job_;
  std::string directory_;
  std::string session_;
  JobContext context_;
  std::unique_ptr<TableCache> tables_;
  CompactionWorkerReport report_;
  Counter bytes_read_;
  std::atomic<FileNumber> numbers_{1};
  std::atomic<uint64_t> reported_{0}, looked_{0};
  std::atomic<bool> unwanted_{false};
};

}  // namespace

Result<CompactionWorkerReport> RunCompactionJob(const CompactionWorkerOptions& options,
                                                const std::string& path) {
  return WorkerJob(options, path).Run();
}

Result<CompactionWorkerReport> RunSentCompactionJob(const CompactionWorkerOptions& options,
                                                    std::string_view job, std::string* result) {
  return WorkerJob(options, job, result).Run();
}

Result<CompactionWorkerReport> RunFirstCompactionJob(const CompactionWorkerOptions& options,
                                                     const std::string& folder, bool* found) {
  *found = false;
  FileSystem& fs = *Complete(options.env).file_system;
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(folder));
  std::vector<std::string> ids;
  for (const DirectoryEntry& entry : entries) {
    if (entry.is_directory || !entry.name.ends_with(kJobSuffix)) continue;
    std::string id = entry.name.substr(0, entry.name.size() - kJobSuffix.size());
    if (IsRemoteJobId(id)) ids.push_back(std::move(id));
  }
  std::sort(ids.begin(), ids.end());
  Status failure;  // The first. The job may stay as it was; others are done nevertheless.
  for (const std::string& id : ids) {
    const std::string job = JoinPath(folder, id + std::string(kJobSuffix));
    const std::string lock = JoinPath(folder, id + std::string(kLockSuffix));
    // Held as long as this worker lives, and no longer.
    const Result<std::unique_ptr<FileLock>> held = fs.Lock(lock);
    if (!held.ok()) continue;
    if (!fs.Exists(job)) {
      RemoveObsoleteFile(fs, lock);
      continue;
    }
    Result<CompactionWorkerReport> done = RunCompactionJob(options, job);
    const Code code = done.status().code();
    if (code == Code::kBusy || code == Code::kNotFound) continue;
    if (done.ok() || code == Code::kShutdown) {
      *found = true;
      return done;
    }
    if (failure.ok()) failure = done.status();
  }
  if (failure.ok()) return CompactionWorkerReport();
  *found = true;
  return failure;
}

}  // namespace varve
