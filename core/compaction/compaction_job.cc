// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/compaction_job.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/timestamps.h"
#include "core/base/threads/task_queue.h"
#include "core/base/try.h"
#include "core/compaction/blob_output.h"
#include "core/compaction/subcompaction.h"
#include "core/compaction/table_output.h"
#include "core/fs/durable.h"

namespace varve {
namespace {

// User keys that split the inputs into about `count` parts of similar size.
Result<std::vector<KeyRange>> SplitRange(const CompactionInputs& inputs, size_t count) {
  std::vector<std::string> samples;
  for (const auto& [level, file] : InputsOf(inputs.plan)) {
    ASSIGN_OR_RETURN(const auto table, inputs.version.Open(*file));
    // Sample in proportion to size: about one sample per MiB.
    const size_t wanted = static_cast<size_t>(file->size() >> 20) + 1;
    for (std::string& key : table->SampleUserKeys(wanted)) samples.push_back(std::move(key));
  }
  const Comparator& comparator = *inputs.job.options.comparator;
  if (const size_t timestamp = comparator.timestamp_size(); timestamp != 0) {
    // All versions of a key are in one part.
    for (std::string& key : samples) key = BeforeVersionsOf(key, timestamp);
  }
  std::sort(samples.begin(), samples.end(), [&](const std::string& a, const std::string& b) {
    return comparator.Compare(a, b) < 0;
  });
  std::vector<KeyRange> ranges;
  std::optional<std::string> lower;
  for (size_t i = 1; i < count; ++i) {
    const size_t at = samples.size() * i / count;
    if (at >= samples.size()) break;
    if (lower && comparator.Compare(*lower, samples[at]) >= 0) continue;
    ranges.emplace_back(std::exchange(lower, samples[at]), samples[at]);
  }
  ranges.emplace_back(std::move(lower), std::nullopt);
  return ranges;
}

// Smaller parts are not worth a thread.
constexpr uint64_t kPartBytesMin = 4 << 20;

size_t PartsWanted(const CompactionPlan& plan, int subcompactions) {
  if (plan.output_level == 0) return 1;  // The output is a single file.
  return static_cast<size_t>(
      std::clamp<uint64_t>(InputBytes(plan) / kPartBytesMin, 1, std::max(subcompactions, 1)));
}

uint64_t EpochOf(const CompactionPlan& plan) {
  uint64_t epoch = 0;
  for (const auto& [level, file] : InputsOf(plan)) {
    const uint64_t other = file->description.epoch;
    if (other == 0) return 0;  // Unknown.
    epoch = epoch == 0 ? other : std::min(epoch, other);
  }
  return epoch;
}

uint64_t OldestAncestor(const CompactionPlan& plan) {
  uint64_t oldest = 0;
  for (const auto& [level, file] : InputsOf(plan)) {
    const uint64_t time = file->description.oldest_ancestor_time;
    if (time == 0) return 0;  // Unknown.
    oldest = oldest == 0 ? time : std::min(oldest, time);
  }
  return oldest;
}

// Whether each table ends before the next one begins.
[[maybe_unused]] bool AreAscending(const Comparator& comparator,
                                   const std::vector<FileDescription>& tables) {
  return std::adjacent_find(
             tables.begin(), tables.end(), [&](const FileDescription& a, const FileDescription& b) {
               return CompareInternalKeys(VirtualOrder{&comparator}, *DecodeInternalKey(a.largest),
                                          *DecodeInternalKey(b.smallest)) >= 0;
             }) == tables.end();
}

// Joins all parts' outputs in key order, or returns the first error with every finished output
// removed.
Result<CompactionOutcome> Join(const CompactionInputs& inputs,
                               std::vector<Result<CompactionOutcome>> parts) {
  CompactionOutcome joined;
  Status failure;
  for (Result<CompactionOutcome>& part : parts) {
    if (!part.ok()) {
      if (failure.ok()) failure = part.status();
      continue;
    }
    std::move(part->outputs.begin(), part->outputs.end(), std::back_inserter(joined.outputs));
    std::move(part->blobs.begin(), part->blobs.end(), std::back_inserter(joined.blobs));
    std::move(part->garbage.begin(), part->garbage.end(), std::back_inserter(joined.garbage));
    joined.bytes_written += part->bytes_written;
  }
  DCHECK(!failure.ok() || AreAscending(*inputs.job.options.comparator, joined.outputs));
  if (failure.ok() && !joined.outputs.empty()) {
    failure = SyncDirectory(*inputs.job.env.file_system, inputs.job.directory);
  }
  if (!failure.ok()) {
    RemoveOutputs(inputs.job, joined.outputs);
    RemoveBlobFiles(inputs.job, joined.blobs);
    return failure;
  }
  return joined;
}

}  // namespace

uint64_t InputBytes(const CompactionPlan& plan) {
  uint64_t bytes = 0;
  for (const auto& [level, file] : InputsOf(plan)) bytes += file->size();
  return bytes;
}

void InheritFromInputs(const CompactionPlan& plan, std::vector<FileDescription>* outputs) {
  for (FileDescription& output : *outputs) {
    output.epoch = EpochOf(plan);
    output.oldest_ancestor_time = OldestAncestor(plan);
  }
}

Result<CompactionOutcome> RunCompaction(const JobContext& job, const Version& version,
                                        const CompactionPlan& plan, int subcompactions) {
  CHECK(!plan.trivial_move && !plan.delete_only);
  CHECK(!plan.inputs.empty());
  WorkMeter meter(job.bytes_read, InputBytes(plan));
  const CompactionInputs inputs{job, version, plan, meter};
  std::vector<KeyRange> ranges(1);
  if (const size_t wanted = PartsWanted(plan, subcompactions); wanted > 1) {
    ASSIGN_OR_RETURN(ranges, SplitRange(inputs, wanted));
  }
  std::vector<Result<CompactionOutcome>> parts(ranges.size(), Status::Shutdown("not begun"));
  {
    TaskQueue queue(job.env.executor, Executor::Lane::kCompaction, ranges.size());
    for (size_t i = 0; i + 1 < ranges.size(); ++i) {
      queue.Add([&, i] { parts[i] = RunSubcompaction(inputs, ranges[i]); });
    }
    parts.back() = RunSubcompaction(inputs, ranges.back());
  }
  ASSIGN_OR_RETURN(CompactionOutcome outcome, Join(inputs, std::move(parts)));
  InheritFromInputs(plan, &outcome.outputs);
  // Adds what was not counted yet: indexes, filters, and blocks that were not needed.
  meter.Finish();
  return outcome;
}

}  // namespace varve
