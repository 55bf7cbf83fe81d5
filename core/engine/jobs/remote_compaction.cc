// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/remote_compaction.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/text/text.h"
#include "core/base/threads/task_queue.h"
#include "core/base/try.h"
#include "core/compaction/table_output.h"
#include "core/format/file_name.h"
#include "core/fs/durable.h"
#include "core/fs/file_copy.h"
#include "varve/compaction_filter.h"
#include "varve/merge_operator.h"
#include "varve/option_table.h"

namespace varve {
namespace {

constexpr uint64_t kWaitMicros = 100'000;
constexpr uint64_t kMicrosPerSecond = 1'000'000;
constexpr size_t kOutputsReadAtOnce = 4;

std::unique_ptr<CompactionService> BuiltInService(const Options& options) {
  constexpr std::string_view kFolder = "folder:", kCommand = "command:",
                             kTokenFile = "#token-file=";
  const std::string_view text = options.compaction_service;
  if (text.starts_with(kFolder)) {
    return NewFolderCompactionService(options.env, std::string(text.substr(kFolder.size())));
  }
  if (text.starts_with(kCommand)) {
    return NewCommandCompactionService(options.env, std::string(text.substr(kCommand.size())));
  }
  if (text.starts_with("http://") || text.starts_with("https://")) {
    const size_t at = std::min(text.find(kTokenFile), text.size());
    const std::string_view file = text.substr(std::min(at + kTokenFile.size(), text.size()));
    return NewHttpCompactionService(options.env, std::string(text.substr(0, at)),
                                    std::string(file));
  }
  return nullptr;
}

// Another process need not have the same working directory. (Other file systems have none.)
std::string PathForWorkers(const Environment& env, const std::string& path) {
  if (path.starts_with("/") || env.file_system != NativeEnvironment().file_system) return path;
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

std::string HashOf(std::string_view text) { return Hex(ComputeCrc32c(text).value, 8); }

// What a worker has to know of the options of a family: not its default values, nor what the job
// names in other places.
std::vector<std::pair<std::string, std::string>> OptionsToSend(const ColumnFamilyOptions& family) {
  Options options;
  const Options defaults;
  options.family = family;
  std::vector<std::pair<std::string, std::string>> changed;
  for (const OptionRow& row : OptionTable()) {
    if (row.scope == OptionScope::kDatabase || row.is_struct) continue;
    if (row.name == "comparator" || row.name == "merge_operator" || row.name == "cf_paths")
      continue;
    std::string value = row.get(options);
    if (value != row.get(defaults)) changed.emplace_back(row.name, std::move(value));
  }
  return changed;
}

Status CheckMayBeSent(const JobContext& job, const Version& version, const CompactionPlan& plan) {
  if (job.options.blobs.enabled || !version.blob_files().empty()) {
    return Status::NotSupported("values in blob files are not given to workers");
  }
  const CompactionFilterFactory* const filter = job.options.compaction_filter_factory;
  if (filter != nullptr && filter->name().empty()) {
    return Status::NotSupported(
        "the compaction filter has no name by which a worker could find it");
  }
  for (const auto& [level, file] : InputsOf(plan)) {
    if (file->description.sequences_known) continue;
    return Status::NotSupported("table " + std::to_string(file->number()) +
                                " was written by LevelDB, and its sequences are not stored");
  }
  return Status::Ok();
}

}  // namespace

RemoteCompactions::RemoteCompactions(EngineContext& context)
    : context_(context),
      built_in_(context.options.custom_compaction_service == nullptr
                    ? BuiltInService(context.options)
                    : nullptr),
      service_(built_in_ != nullptr ? built_in_.get() : context.options.custom_compaction_service) {
  if (service_ == nullptr) return;
  directory_ = PathForWorkers(context.options.env, context.directory);
  prefix_ = HashOf(context.db_id) + HashOf(directory_) + "-";
  service_->Sweep(prefix_);
}

bool RemoteCompactions::Takes(const CompactionPlan& plan) const {
  return service_ != nullptr && InputBytes(plan) >= context_.options.compaction_service_min_bytes;
}

Result<RemoteJob> RemoteCompactions::Describe(const JobContext& job, const Version& version,
                                              const CompactionPlan& plan) {
  RETURN_IF_ERROR(CheckMayBeSent(job, version, plan));
  RemoteJob sent;
  sent.id = prefix_ + context_.db_session_id + "-" +
            std::to_string(jobs_.fetch_add(1, std::memory_order_relaxed) + 1);
  sent.directory = directory_;
  for (const std::vector<DbPath>* paths :
       {&job.options.cf_paths, &std::as_const(context_.options).db_paths}) {
    for (const DbPath& path : *paths) {
      sent.paths.push_back(PathForWorkers(context_.options.env, path.path));
    }
  }
  sent.db_id = context_.db_id;
  sent.family = job.origin.family_id;
  sent.family_name = job.origin.family_name;
  sent.comparator = job.options.comparator->name();
  if (job.options.merge_operator != nullptr) {
    sent.merge_operator = job.options.merge_operator->name();
  }
  if (job.options.compaction_filter_factory != nullptr) {
    sent.compaction_filter = job.options.compaction_filter_factory->name();
  }
  sent.input_level = plan.input_level;
  sent.output_level = plan.output_level;
  sent.bottommost = plan.bottommost;
  sent.deepest = plan.deepest;
  sent.full = plan.full;
  sent.manual = plan.reason == CompactionReason::kManual;
  sent.paranoid = job.paranoid_checks;
  sent.compression = plan.compression;
  sent.point_index = plan.point_index.has_value();
  sent.point_index_kind = plan.point_index.value_or(PointIndexKind::kNone);
  sent.target_file_size = plan.target_file_size;
  sent.readahead_size = std::min(job.readahead_size, uint64_t{1} << 30);
  sent.subcompactions = static_cast<uint32_t>(context_.options.max_subcompactions);
  sent.last_sequence = context_.visible.load(std::memory_order_acquire);
  sent.snapshots = job.snapshots;
  sent.full_history_ts_low = job.full_history_ts_low;
  sent.options = OptionsToSend(job.options);
  sent.files.family = sent.family;
  const auto add = [&sent](int level, const std::vector<FilePtr>& files) {
    for (const FilePtr& file : files) sent.files.new_files.push_back({level, file->description});
  };
  for (const auto& [level, file] : InputsOf(plan)) add(level, {file});
  const int below = plan.output_level + 1;
  if (plan.output_level > 0 && below < version.num_levels()) {
    const ClosedKeyRange range = RangeOf(*job.options.comparator, plan);
    add(below, version.Overlapping(below, range.begin, range.end));
  }
  return sent;
}

Result<CompactionOutcome> RemoteCompactions::Run(const JobContext& job, const Version& version,
                                                 const CompactionPlan& plan,
                                                 RemoteOutcome* remote) {
  CountRunning(true);
  Result<CompactionOutcome> outcome = Give(job, version, plan);
  CountRunning(false);
  if (outcome.ok()) {
    remote->done = true;
    context_.stats.remote_compactions.Add(1);
    context_.stats.compaction_bytes_read.Add(InputBytes(plan));
    return outcome;
  }
  if (job.cancelled()) return Status::Shutdown("the compaction was cancelled");
  remote->failure = outcome.status().At(service_->name());
  remote->fall_back = context_.options.compaction_service_fallback;
  context_.stats.remote_compaction_failures.Add(1);
  if (remote->fall_back) context_.stats.remote_compaction_fallbacks.Add(1);
  MutexLock lock(context_.mutex());
  context_.remote_compaction_failure = remote->failure.ToString();
  return remote->failure;
}

void RemoteCompactions::CountRunning(bool begin) {
  MutexLock lock(context_.mutex());
  context_.remote_compactions_running += begin ? uint64_t{1} : ~uint64_t{0};
}

Result<CompactionOutcome> RemoteCompactions::Give(const JobContext& job, const Version& version,
                                                  const CompactionPlan& plan) {
  ASSIGN_OR_RETURN(const RemoteJob sent, Describe(job, version, plan));
  FileSystem& fs = context_.fs();
  const std::string all = context_.PathOf(std::string(kRemoteFolderName));
  const std::string folder = JoinPath(all, sent.id);
  const std::string file = EncodeRemoteJob(sent);
  CompactionServiceJob offer;
  offer.id = sent.id;
  offer.folder = PathForWorkers(context_.options.env, folder);
  offer.path = JoinPath(offer.folder, std::string(kRemoteJobName));
  offer.family = sent.family_name;
  offer.input_bytes = InputBytes(plan);
  const auto run = [&]() -> Result<CompactionOutcome> {
    RETURN_IF_ERROR(fs.CreateDirectory(all));
    RETURN_IF_ERROR(fs.CreateDirectory(folder));
    RETURN_IF_ERROR(ReplaceFileDurably(fs, offer.path + ".tmp", offer.path, file));
    Status waited = service_->Schedule(offer);
    if (waited.ok()) waited = Await(job, offer);
    service_->Cancel(offer);
    RETURN_IF_ERROR(waited);
    return Take({job, version, plan, sent, CrcOfRemoteJob(file)}, folder);
  };
  Result<CompactionOutcome> outcome = run();
  RemoveFolders(fs, folder);
  return outcome;
}

Status RemoteCompactions::Await(const JobContext& job, const CompactionServiceJob& offer) const {
  const uint64_t begin = context_.clock().NowMicros();
  const uint64_t seconds = context_.options.compaction_service_timeout_seconds;
  for (;;) {
    if (job.cancelled()) return Status::Shutdown("the compaction was cancelled");
    ASSIGN_OR_RETURN(const bool ended, service_->Wait(offer, kWaitMicros));
    if (ended) return Status::Ok();
    if (seconds != 0 && context_.clock().NowMicros() - begin >= seconds * kMicrosPerSecond) {
      return Status::Busy("no result of job " + offer.id + " within " + std::to_string(seconds) +
                          " seconds (compaction_service_timeout_seconds)");
    }
  }
}

Result<CompactionOutcome> RemoteCompactions::Take(const RemoteCheck& check,
                                                  const std::string& folder) const {
  FileSystem& fs = context_.fs();
  const std::string path = JoinPath(folder, std::string(kRemoteResultName));
  ASSIGN_OR_RETURN(const std::string bytes, ReadFileToString(fs, path, kRemoteFileMax));
  ASSIGN_OR_RETURN(const RemoteResult result, DecodeRemoteResult(path, bytes));
  RETURN_IF_ERROR(CheckRemoteResult(check, result));
  const std::string tables = JoinPath(folder, result.session);
  const size_t count = result.edit.new_files.size();
  std::vector<Status> verdicts(count);
  std::vector<uint64_t> points(count);
  CompactionOutcome outcome;
  outcome.outputs.resize(count);
  {
    TaskQueue queue(check.job.env.executor, Executor::Lane::kCompaction, kOutputsReadAtOnce);
    for (size_t i = 0; i < count; ++i) {
      queue.Add([&, i] {
        verdicts[i] = check.job.cancelled() ? Status::Shutdown("the compaction was cancelled")
                                            : CheckRemoteOutput(check, result, i, tables,
                                                                &outcome.outputs[i], &points[i]);
      });
    }
    queue.AwaitAll();
  }
  uint64_t all = 0;
  for (size_t i = 0; i < count; ++i) {
    RETURN_IF_ERROR(verdicts[i]);
    all += points[i];
    outcome.bytes_written += outcome.outputs[i].size;
  }
  RETURN_IF_ERROR(CheckRemotePoints(check, all));
  RETURN_IF_ERROR(MoveInto(check.job, tables, result, &outcome.outputs));
  InheritFromInputs(check.plan, &outcome.outputs);
  return outcome;
}

// The tables are whole and on stable storage in their places afterwards, or gone.
Status RemoteCompactions::MoveInto(const JobContext& job, const std::string& folder,
                                   const RemoteResult& result,
                                   std::vector<FileDescription>* outputs) const {
  FileSystem& fs = context_.fs();
  const auto move = [&]() -> Status {
    for (size_t i = 0; i < outputs->size(); ++i) {
      FileDescription& output = (*outputs)[i];
      const std::string from =
          JoinPath(folder, TableFileName(result.edit.new_files[i].file.number));
      RETURN_IF_ERROR(fs.SyncFile(from));
      output.number = job.new_file_number();
      const std::string to = JoinPath(job.table_directory, TableFileName(output.number));
      // Not renamed: what was verified may be behind a symbolic link. It may be on another device
      // than the path of its level.
      if (!fs.Link(from, to).ok()) RETURN_IF_ERROR(CopyFile(fs, from, to, output.size));
    }
    if (outputs->empty()) return Status::Ok();
    return SyncDirectory(fs, job.table_directory);
  };
  const Status moved = move();
  if (!moved.ok()) {
    std::erase_if(*outputs, [](const FileDescription& output) { return output.number == 0; });
    RemoveOutputs(job, *outputs);
  }
  return moved;
}

}  // namespace varve
