// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/subcompaction.h"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/task_queue.h"
#include "core/base/try.h"
#include "core/compaction/compaction_iterator.h"
#include "core/compaction/compaction_tombstones.h"
#include "core/compaction/output_splitter.h"
#include "core/compaction/visibility.h"
#include "core/iterator/merging_iterator.h"
#include "core/version/level_iterator.h"

namespace varve {
namespace {

// How often a long job asks whether it should stop.
constexpr uint64_t kEntriesBetweenChecks = 1024;
// An output that overlaps more than this many files' worth of the next level would make its own
// compaction too large.
constexpr uint64_t kGrandparentFilesMax = 10;
// Outputs that are read back at once: one by a helper while the next is being built, and at the end
// the last one by the job itself.
constexpr size_t kVerificationsMax = 2;

OutputSplitter::Limits LimitsOf(const CompactionInputs& inputs) {
  return {.target_file_size = inputs.plan.target_file_size,
          .max_grandparent_bytes = kGrandparentFilesMax * inputs.job.options.target_file_size_base};
}

std::vector<FilePtr> GrandparentsOf(const CompactionInputs& inputs) {
  const int below = inputs.plan.output_level + 1;
  if (below >= inputs.version.num_levels()) return {};
  return inputs.version.files(below);
}

class Subcompaction {
 public:
  Subcompaction(const CompactionInputs& inputs, const KeyRange& range)
      : job_(inputs.job),
        version_(inputs.version),
        plan_(inputs.plan),
        range_(range),
        comparator_(*inputs.job.options.comparator),
        visibility_(inputs.job.snapshots, inputs.plan.bottommost),
        covering_(comparator_, kMaxSequence),
        carried_(comparator_, &visibility_),
        splitter_(comparator_, LimitsOf(inputs), GrandparentsOf(inputs)),
        lower_(range.begin),
        verifications_(job_.env.executor, Executor::Lane::kCompaction, kVerificationsMax) {
    table_options_ = job_.options.table;
    table_options_.compression = plan_.compression;
  }

  Result<CompactionOutcome> Run() {
    Status done = WriteAll();
    verifications_.AwaitAll();
    for (Status& verdict : verdicts_) {
      if (done.ok()) done = std::move(verdict);
    }
    if (done.ok()) return std::move(outcome_);
    output_.reset();
    RemoveOutputs(job_, outcome_.outputs);
    return done;
  }

 private:
  Status WriteAll() {
    std::vector<std::unique_ptr<InternalIterator>> children;
    RETURN_IF_ERROR(OpenInputs(&children));
    CompactionScope scope;
    scope.comparator = &comparator_;
    scope.merge_operator = job_.options.merge_operator;
    scope.tombstones = &covering_;
    scope.begin = range_.begin;
    scope.end = range_.end;
    CompactionIterator entries(scope, &visibility_,
                               NewMergingIterator(comparator_, std::move(children)));
    RETURN_IF_ERROR(WriteEntries(&entries));
    return CloseOutput(range_.end);
  }

  std::shared_ptr<const FileIndex> IndexOf(const std::vector<FilePtr>& files) const {
    return std::make_shared<const FileIndex>(version_.comparator(), files, version_.file_search());
  }

  Status OpenInputs(std::vector<std::unique_ptr<InternalIterator>>* children) {
    TableIteratorOptions reading;
    reading.fill_cache = false;
    reading.readahead.fixed_window = job_.readahead_size;
    KeyBounds bounds;
    if (range_.begin) bounds.lower = *range_.begin;
    if (range_.end) bounds.upper = *range_.end;
    for (const auto* files : {&plan_.inputs, &plan_.output_overlap}) {
      for (const FilePtr& file : *files) RETURN_IF_ERROR(AddTombstones(*file));
    }
    carried_.Finish();
    if (plan_.input_level == 0) {
      for (const FilePtr& file : plan_.inputs) {
        ASSIGN_OR_RETURN(auto table, NewFileIterator(version_, *file, reading, nullptr));
        children->push_back(std::move(table));
      }
    } else {
      children->push_back(
          NewLevelIterator(version_, IndexOf(plan_.inputs), reading, bounds, nullptr));
    }
    if (!plan_.output_overlap.empty()) {
      children->push_back(
          NewLevelIterator(version_, IndexOf(plan_.output_overlap), reading, bounds, nullptr));
    }
    return Status::Ok();
  }

  Status AddTombstones(const FileMetadata& file) {
    ASSIGN_OR_RETURN(const auto table, version_.Open(file));
    const auto tombstones = table->Tombstones();
    if (tombstones == nullptr) return Status::Ok();
    covering_.Add(file.number(), tombstones, file.smallest, file.largest);
    return carried_.Add(*tombstones, file.smallest, file.largest);
  }

  Status WriteEntries(CompactionIterator* entries) {
    uint64_t count = 0;
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      if (++count % kEntriesBetweenChecks == 0 && job_.cancelled()) {
        return Status::Shutdown("the database is closing");
      }
      const InternalKey& key = entries->key();
      if (entries->starts_user_key()) {
        const uint64_t size = output_ == nullptr ? 0 : output_->builder().EstimatedFileSize();
        if (splitter_.ShouldSplitBefore(key.user_key, size)) {
          RETURN_IF_ERROR(CloseOutput(std::string(key.user_key)));
        }
      }
      if (output_ == nullptr) {
        ASSIGN_OR_RETURN(output_, TableOutput::Create(job_, table_options_));
      }
      if (key.type == ValueType::kBlobIndex) {
        RETURN_IF_ERROR(output_->NoteBlobIndex(key.user_key, entries->value()));
      }
      RETURN_IF_ERROR(output_->builder().Add(key, entries->value()));
    }
    return entries->status();
  }

  // Completes the output, which owns the user keys from where the last one ended up to `upper`.
  Status CloseOutput(std::optional<std::string> upper) {
    const std::vector<RangeTombstone> tombstones = carried_.Within(lower_, upper);
    if (output_ == nullptr && !tombstones.empty()) {
      ASSIGN_OR_RETURN(output_, TableOutput::Create(job_, table_options_));
    }
    for (const RangeTombstone& tombstone : tombstones) {
      RETURN_IF_ERROR(
          output_->builder().AddRangeTombstone(tombstone.begin, tombstone.end, tombstone.sequence));
    }
    lower_ = std::move(upper);
    if (output_ == nullptr) return Status::Ok();
    ASSIGN_OR_RETURN(FileDescription table, output_->Finish());
    VerifyLater(table, output_->builder().entries());
    output_.reset();
    outcome_.bytes_written += table.size;
    outcome_.outputs.push_back(std::move(table));
    return Status::Ok();
  }

  void VerifyLater(const FileDescription& table, uint64_t entries) {
    Status& verdict = verdicts_.emplace_back();
    verifications_.Add(
        [this, table, entries, &verdict] { verdict = VerifyOutput(job_, table, entries); });
  }

  const JobContext& job_;
  const Version& version_;
  const CompactionPlan& plan_;
  const KeyRange& range_;
  const Comparator& comparator_;
  const Visibility visibility_;
  TombstoneCollector covering_;   // Hides entries of the inputs.
  CompactionTombstones carried_;  // Goes into the outputs.
  TableOptions table_options_;
  OutputSplitter splitter_;

  std::unique_ptr<TableOutput> output_;  // Null between outputs.
  std::optional<std::string> lower_;     // Where the output at hand begins.
  CompactionOutcome outcome_;

  std::deque<Status> verdicts_;  // Of the outputs that are being read back; stay where they are.
  TaskQueue verifications_;
};

}  // namespace

Result<CompactionOutcome> RunSubcompaction(const CompactionInputs& inputs, const KeyRange& range) {
  return Subcompaction(inputs, range).Run();
}

}  // namespace varve
