// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/subcompaction.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/try.h"
#include "core/compaction/blob_flow.h"
#include "core/compaction/blob_separator.h"
#include "core/compaction/block_compression.h"
#include "core/compaction/collapsing_iterator.h"
#include "core/compaction/compaction_iterator.h"
#include "core/compaction/compaction_tombstones.h"
#include "core/compaction/entry_pipe.h"
#include "core/compaction/filtering_iterator.h"
#include "core/compaction/output_writer.h"
#include "core/compaction/table_output.h"
#include "core/compaction/visibility.h"
#include "core/iterator/merging_iterator.h"
#include "core/version/level_iterator.h"

namespace varve {
namespace {

// An output that overlaps more than this many files' worth of the next level would make its own
// compaction too large.
constexpr uint64_t kGrandparentFilesMax = 10;

OutputSplitter::Limits LimitsOf(const CompactionInputs& inputs) {
  if (inputs.plan.output_level == 0) return {.target_file_size = inputs.plan.target_file_size};
  return {.target_file_size = inputs.plan.target_file_size,
          .max_grandparent_bytes =
              SaturatingMultiply(inputs.job.options.target_file_size_base, kGrandparentFilesMax)};
}

std::vector<FilePtr> GrandparentsOf(const CompactionInputs& inputs) {
  const int below = inputs.plan.output_level + 1;
  if (inputs.plan.output_level == 0) return {};  // One output file, whatever is below it.
  if (below >= inputs.version.num_levels()) return {};
  return inputs.version.files(below);
}

// Reads and merges in the first half; the second half, an OutputWriter, runs concurrently behind a
// pipe.
class Subcompaction {
 public:
  Subcompaction(const CompactionInputs& inputs, const KeyRange& range)
      : job_(inputs.job),
        version_(inputs.version),
        plan_(inputs.plan),
        meter_(inputs.meter),
        range_(range),
        comparator_(*inputs.job.options.comparator),
        visibility_(inputs.job.snapshots, inputs.plan.bottommost),
        covering_(comparator_, kMaxSequence),
        carried_(comparator_, &visibility_),
        collect_below_(CollectBlobsBelow(version_.blob_files(), job_.options.blobs)),
        writer_(job_, TableOptionsOfCompaction(inputs.job.options, inputs.plan), plan_.output_level,
                {comparator_, LimitsOf(inputs), GrandparentsOf(inputs)}, carried_, range.lower(),
                collect_below_) {}

  Result<CompactionOutcome> Run() {
    Status done = Merge();
    if (done.ok()) {
      Result<CompactionOutcome> outcome = writer_.Finish(range_.upper(), blobs_read_);
      if (outcome.ok()) return outcome;
      done = outcome.status();
    }
    writer_.Abandon();
    return done;
  }

 private:
  // Merges into writer_.
  Status Merge() {
    std::vector<std::unique_ptr<InternalIterator>> children;
    RETURN_IF_ERROR(OpenInputs(&children));
    CompactionScope scope;
    scope.comparator = &comparator_;
    scope.merge_operator = job_.options.merge_operator;
    scope.tombstones = &covering_;
    scope.full_history_ts_low = job_.full_history_ts_low;
    scope.begin = range_.lower();
    scope.end = range_.upper();
    scope.blobs = job_.blobs;
    auto merged = NewMergingIterator(comparator_, std::move(children));
    if (!version_.blob_files().empty()) {
      merged =
          NewBlobCountingIterator(std::move(merged), comparator_, range_.upper(), &blobs_read_);
    }
    CompactionIterator entries(
        scope, &visibility_,
        NewFilteringIterator(NewCollapsingIterator(std::move(merged), comparator_, visibility_,
                                                   job_.full_history_ts_low),
                             NewFilter(), job_.blobs, comparator_, plan_.input_level,
                             range_.upper()));
    return PipeEntries(job_, &entries,
                       [this](const EntryBatch::Entry& entry) { return writer_.Add(entry); });
  }

  // Null: none.
  std::unique_ptr<CompactionFilter> NewFilter() const {
    const CompactionFilterFactory* const factory = job_.options.compaction_filter_factory;
    if (factory == nullptr) return nullptr;
    return factory->Create(
        {.full = plan_.full, .manual = plan_.reason == CompactionReason::kManual});
  }

  std::shared_ptr<const FileIndex> IndexOf(const std::vector<FilePtr>& files) const {
    return std::make_shared<const FileIndex>(version_.comparator(), files, version_.file_search());
  }

  Status OpenInputs(std::vector<std::unique_ptr<InternalIterator>>* children) {
    TableIteratorOptions reading;
    reading.fill_cache = false;
    reading.readahead.fixed_window = job_.readahead_size;
    reading.meter = &meter_;
    KeyBounds bounds;
    if (range_.lower()) bounds.lower = *range_.lower();
    if (range_.upper()) bounds.upper = *range_.upper();
    for (const auto& [level, file] : InputsOf(plan_)) RETURN_IF_ERROR(AddTombstones(*file));
    RETURN_IF_ERROR(carried_.Finish());
    if (plan_.input_level == 0) {
      for (const FilePtr& file : plan_.inputs) {
        ASSIGN_OR_RETURN(auto table, NewFileIterator(version_, *file, reading, nullptr));
        children->push_back(std::move(table));
      }
    }
    const auto add_level = [&](const std::vector<FilePtr>& files) {
      if (files.empty()) return;
      children->push_back(NewLevelIterator(version_, IndexOf(files), reading, bounds, nullptr));
    };
    if (plan_.input_level > 0) add_level(plan_.inputs);
    for (const LevelInputs& level : plan_.between) add_level(level.files);
    add_level(plan_.output_overlap);
    return Status::Ok();
  }

  Status AddTombstones(const FileMetadata& file) {
    ASSIGN_OR_RETURN(const auto table, version_.Open(file));
    const auto tombstones = table->Tombstones();
    if (tombstones == nullptr) return Status::Ok();
    if (comparator_.timestamp_size() != 0) {
      return Status::NotSupported("table " + std::to_string(file.number()) +
                                  ": range deletions of keys with timestamps");
    }
    covering_.Add(file.number(), tombstones, file.smallest, file.largest);
    carried_.Add(*tombstones, file.smallest, file.largest);
    return Status::Ok();
  }

  const JobContext& job_;
  const Version& version_;
  const CompactionPlan& plan_;
  WorkMeter& meter_;
  const KeyRange& range_;
  const Comparator& comparator_;
  const Visibility visibility_;
  TombstoneCollector covering_;   // Hides entries of the inputs.
  CompactionTombstones carried_;  // To be written to the outputs.
  const FileNumber collect_below_;
  BlobFlow blobs_read_;
  OutputWriter writer_;
};

}  // namespace

Result<CompactionOutcome> RunSubcompaction(const CompactionInputs& inputs, const KeyRange& range) {
  return Subcompaction(inputs, range).Run();
}

}  // namespace varve
