// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_writer.h"

#include <utility>

#include "core/base/try.h"

namespace varve {
namespace {

// Outputs that are read back at the same time: one by a helper while the next is being built, and
// the last one by the job itself.
constexpr size_t kVerificationsMax = 2;

}  // namespace

OutputWriter::OutputWriter(const JobContext& job, const TableOptions& options, int level,
                           OutputSplitter splitter, const CompactionTombstones& tombstones,
                           std::optional<std::string> begin, FileNumber collect_below)
    : job_(job),
      options_(options),
      splitter_(std::move(splitter)),
      tombstones_(tombstones),
      blobs_(job, level, collect_below),
      lower_(std::move(begin)),
      verifications_(job_.env.executor, Executor::Lane::kCompaction, kVerificationsMax) {}

Status OutputWriter::Add(const EntryBatch::Entry& entry) {
  if (entry.starts_user_key) {
    const uint64_t size = output_ == nullptr ? 0 : output_->builder().EstimatedFileSize();
    if (splitter_.ShouldSplitBefore(entry.key.user_key, size)) {
      RETURN_IF_ERROR(CloseOutput(std::string(entry.key.user_key)));
    }
  }
  if (output_ == nullptr) {
    ASSIGN_OR_RETURN(output_, TableOutput::Create(job_, options_));
  }
  InternalKey key = entry.key;
  std::string_view value = entry.value;
  RETURN_IF_ERROR(blobs_.Separate(&key, &value));
  return output_->Add(key, value);
}

// Completes the output, which owns the user keys from the end of the previous one up to `upper`.
Status OutputWriter::CloseOutput(std::optional<std::string> upper) {
  const std::vector<RangeTombstone> tombstones = tombstones_.Within(lower_, upper);
  if (output_ == nullptr && !tombstones.empty()) {
    ASSIGN_OR_RETURN(output_, TableOutput::Create(job_, options_));
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

void OutputWriter::VerifyLater(const FileDescription& table, uint64_t entries) {
  Status& verdict = verdicts_.emplace_back();
  verifications_.Add(
      [this, table, entries, &verdict] { verdict = VerifyOutput(job_, table, entries); });
}

Result<CompactionOutcome> OutputWriter::Finish(std::optional<std::string> end,
                                               const BlobFlow& blobs_read) {
  RETURN_IF_ERROR(blobs_.Finish());
  RETURN_IF_ERROR(CloseOutput(std::move(end)));
  verifications_.AwaitAll();
  for (const Status& verdict : verdicts_) RETURN_IF_ERROR(verdict);
  outcome_.blobs = blobs_.TakeFiles();
  for (const BlobFileAddition& file : outcome_.blobs) outcome_.bytes_written += file.bytes;
  outcome_.garbage = blobs_read.Without(blobs_.kept());
  return std::move(outcome_);
}

void OutputWriter::Abandon() {
  verifications_.AwaitAll();
  output_.reset();
  blobs_.Abandon();
  RemoveOutputs(job_, outcome_.outputs);
}

}  // namespace varve
