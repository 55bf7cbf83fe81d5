// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/explain_scan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"
#include "core/inspect/explain/scan_run.h"

namespace varve {
namespace {

// Merges the runs into one sequence of entries, with a heap of the runs that are on an entry.
class RunMerge {
  struct After {  // Orders the heap by smallest key.
    const Comparator* comparator;
    uint64_t* comparisons;
    bool operator()(const ScanRun* a, const ScanRun* b) const {
      ++*comparisons;
      return CompareInternalKeys(VirtualOrder{comparator}, a->key(), b->key()) > 0;
    }
  };

 public:
  RunMerge(const Comparator& comparator, std::vector<std::unique_ptr<ScanRun>> runs,
           ScanTotals* totals)
      : after_{&comparator, &totals->key_comparisons}, runs_(std::move(runs)), totals_(totals) {
    totals_->runs = runs_.size();
  }

  void Seek(const InternalKey* target) {
    heap_.clear();
    for (const std::unique_ptr<ScanRun>& run : runs_) {
      if (target != nullptr) {
        // The logs, always the first, are RocksDB's memtable; a single child is not merged.
        if (run == runs_.front()) ++totals_->seek_on_memtable_count;
        if (runs_.size() > 1) ++totals_->seek_child_seek_count;
      }
      Push(run.get(), run->Seek(target));
    }
  }
  void Next() {
    DCHECK(valid());
    std::pop_heap(heap_.begin(), heap_.end(), after_);
    ScanRun* const run = heap_.back();
    heap_.pop_back();
    if (run == runs_.front().get()) ++totals_->next_on_memtable_count;
    Push(run, run->Next());
  }

  bool valid() const { return !heap_.empty(); }
  ScanRun& run() const {
    DCHECK(valid());
    return *heap_.front();
  }
  const std::vector<std::unique_ptr<ScanRun>>& runs() const { return runs_; }
  bool damaged() const { return damaged_; }

 private:
  void Push(ScanRun* run, bool stands) {
    if (stands) {
      heap_.push_back(run);
      std::push_heap(heap_.begin(), heap_.end(), after_);
    } else if (!run->parts().empty() && !run->part().problem.ok()) {
      damaged_ = true;
    }
  }

  const After after_;
  const std::vector<std::unique_ptr<ScanRun>> runs_;
  ScanTotals* const totals_;
  std::vector<ScanRun*> heap_;
  bool damaged_ = false;
};

// Turns entries into rows, like RocksDB's DBIter going forward.
class ScanWalk {
 public:
  ScanWalk(const KeyReader& reader, const ScanQuestion& question)
      : reader_(reader),
        at_(reader.at()),
        tombstones_(reader.comparator(), at_),
        merge_(reader.comparator(), MakeRuns(question), &out_.totals) {
    out_.question = question;
  }

  ExplainedScan Run() {
    if (out_.question.limit > 0) Walk();
    TakeParts();
    out_.refused = reader_.CheckTables();
    return std::move(out_);
  }

 private:
  std::vector<std::unique_ptr<ScanRun>> MakeRuns(const ScanQuestion& question) {
    const ScanContext context{reader_, question, tombstones_, &out_.totals.key_comparisons};
    std::vector<std::unique_ptr<ScanRun>> runs;
    runs.push_back(NewLogRun(context));
    const Version& version = reader_.version();
    for (const FilePtr& file : version.files(0)) {
      runs.push_back(NewFileRun(context, {&file, 1}, 0));
    }
    for (int level = 1; level < version.num_levels(); ++level) {
      if (version.files(level).empty()) continue;
      runs.push_back(NewFileRun(context, version.files(level), level));
    }
    return runs;
  }

  void Walk() {
    const ScanQuestion& question = out_.question;
    const InternalKey from = LookupKey(question.from ? *question.from : std::string_view(), at_);
    merge_.Seek(question.from ? &from : nullptr);
    if (merge_.valid()) row_ = question.from ? *question.from : merge_.run().key().user_key;
    for (bool skipping = false; FindRow(skipping); skipping = true) {
      out_.last_key = row_;
      if (out_.rows++ == 0) out_.first_key = row_;
      if (out_.rows == question.limit) return;
      if (row_is_merged_) continue;  // It is already positioned behind its operands.
      merge_.Next();
      ++out_.totals.internal_key_skipped_count;
    }
    out_.ended = !failed_ && !merge_.damaged();
  }

  // Moves to the next row and stores it in row_. `skipping`: skips remaining entries of the
  // previous row.
  bool FindRow(bool skipping) {
    uint64_t skipped = 0;
    bool reseeked = false;
    for (row_is_merged_ = false; merge_.valid() && !merge_.damaged();) {
      ScanRun& run = merge_.run();
      const InternalKey& key = run.key();
      if (IsPastEnd(key.user_key)) return false;
      const bool too_new = key.sequence > at_;
      const bool of_row = SameOrBefore(key.user_key, skipping || too_new, skipping);
      if (too_new) {
        Count(run, &ScanPart::too_new);
        ++out_.totals.internal_recent_skipped_count;
        if (of_row) {
          ++skipped;
        } else {
          StartKey(key.user_key, &skipped, &reseeked);
          skipping = false;
        }
      } else if (skipping && of_row) {
        Count(run, &ScanPart::hidden);
        ++out_.totals.internal_key_skipped_count;
        ++skipped;
      } else if (tombstones_.Covers(key)) {
        Count(run, &ScanPart::range_deleted);
        ++out_.totals.entries_range_deleted;
      } else {
        StartKey(key.user_key, &skipped, &reseeked);
        if (!IsPointDeletion(key.type)) return TakeRow();
        skipping = true;
        Count(run, &ScanPart::deletions);
        ++out_.totals.internal_delete_skipped_count;
      }
      if (skipped > out_.question.max_sequential_skip && !reseeked) {
        skipped = 0;
        reseeked = true;
        Reseek(skipping);
      } else {
        merge_.Next();
      }
    }
    return false;
  }

  bool IsPastEnd(std::string_view key) {
    if (!out_.question.to) return false;
    ++out_.totals.key_comparisons;
    return reader_.comparator().Compare(key, *out_.question.to) >= 0;
  }
  // Whether `key` belongs to the entries being skipped. Compares only `if_asked`.
  bool SameOrBefore(std::string_view key, bool if_asked, bool before_counts) {
    if (!if_asked) return false;
    ++out_.totals.key_comparisons;
    const int c = reader_.comparator().Compare(key, row_);
    return c == 0 || (c < 0 && before_counts);
  }
  void StartKey(std::string_view key, uint64_t* skipped, bool* reseeked) {
    row_ = key;
    *skipped = 0;
    *reseeked = false;
  }

  // Seeks past all versions of the skipped key, or to its newest visible one.
  void Reseek(bool skipping) {
    const std::string user_key = row_;
    const InternalKey target =
        skipping ? InternalKey{user_key, 0, ValueType::kDeletion} : LookupKey(user_key, at_);
    ++out_.totals.number_of_reseeks_in_iteration;
    merge_.Seek(&target);
  }

  bool TakeRow() {
    ScanRun& run = merge_.run();
    row_is_merged_ = run.key().type == ValueType::kMerge;
    if (row_is_merged_) {
      operands_.assign(1, std::string(run.value()));
    } else if (!CanRead(run)) {
      return false;
    }
    Count(run, &ScanPart::rows);
    row_bytes_ = run.value().size();
    // A row that cannot be merged is reported with its newest operand.
    const size_t part = run.parts().size() - 1;
    if (row_is_merged_ && !(PassOperands() && CanMerge(run, part))) return false;
    out_.totals.iter_read_bytes += row_.size() + row_bytes_;
    return true;
  }
  // Whether the value of this entry can be read. If not, a scan ends here.
  bool CanRead(ScanRun& run) {
    const InternalKey& key = run.key();
    if (key.type == ValueType::kValue) return true;
    return ReadValueOf(run).has_value();
  }
  std::optional<Value> ReadValueOf(ScanRun& run) {
    Result<Value> value = reader_.ReadValue(run.key().user_key, run.key().type, run.value());
    failed_ = !value.ok();
    if (value.ok()) return *std::move(value);
    run.part().problem = value.status();
    return std::nullopt;
  }
  bool CanMerge(ScanRun& run, size_t part) {
    CHECK_OP(part, <, run.parts().size());
    CHECK(!operands_.empty());
    const std::vector<std::string_view> oldest_first(operands_.rbegin(), operands_.rend());
    std::optional<std::string_view> base;
    if (base_) base = base_->view();
    const Result<std::string> merged = reader_.Fold(row_, base, oldest_first);
    failed_ = !merged.ok();
    if (!merged.ok()) run.parts()[part].problem = merged.status();
    return merged.ok();
  }
  // Reads operands down to the value or deletion that they apply to. False if that cannot be read.
  bool PassOperands() {
    base_.reset();
    for (merge_.Next(); merge_.valid(); merge_.Next()) {
      ScanRun& run = merge_.run();
      ++out_.totals.key_comparisons;
      if (reader_.comparator().Compare(run.key().user_key, row_) != 0) return true;
      const bool covered = tombstones_.Covers(run.key());
      const bool ends = covered || run.key().type != ValueType::kMerge;
      if (ends && !covered && !IsPointDeletion(run.key().type)) {
        base_ = ReadValueOf(run);
        if (!base_) return false;
      }
      Count(run, covered                           ? &ScanPart::range_deleted
                 : IsPointDeletion(run.key().type) ? &ScanPart::deletions
                                                   : &ScanPart::rows);
      if (!ends) {
        operands_.emplace_back(run.value());
        ++out_.totals.internal_merge_count;
        continue;
      }
      merge_.Next();
      return true;
    }
    return !merge_.damaged();
  }

  static void Count(ScanRun& run, uint64_t ScanPart::* fate) {
    ++run.part().entries;
    ++(run.part().*fate);
  }

  void TakeParts() {
    uint64_t files = 0;
    const Version& version = reader_.version();
    for (int level = 0; level < version.num_levels(); ++level) files += version.files(level).size();
    for (const std::unique_ptr<ScanRun>& run : merge_.runs()) {
      for (ScanPart& part : run->parts()) {
        DCHECK_OP(part.entries, ==,
                  part.rows + part.hidden + part.deletions + part.range_deleted + part.too_new);
        out_.totals.reads.Add(part.reads);
        if (part.source == "file") ++out_.totals.files_opened;
        part.verdict = VerdictOn(part);
        out_.parts.push_back(std::move(part));
      }
    }
    out_.totals.files_not_reached = files - std::min(files, out_.totals.files_opened);
  }
  static std::string VerdictOn(const ScanPart& part) {
    if (!part.problem.ok()) return "unreadable";
    if (part.rows > 0) return "rows";
    if (part.entries > 0) return "skipped";
    return part.verdict.empty() ? "beyond" : part.verdict;
  }

  const KeyReader& reader_;
  const Sequence at_;
  ExplainedScan out_;
  TombstoneCollector tombstones_;
  RunMerge merge_;
  std::string row_;  // The key of the row, or of the entries being skipped.
  size_t row_bytes_ = 0;
  std::vector<std::string> operands_;  // Of a merged row, newest first,
  std::optional<Value> base_;          // and their base.
  bool row_is_merged_ = false;
  bool failed_ = false;  // A value could not be read or merged.
};

}  // namespace

void ScanReads::Add(const BlockLook& look) {
  if (look.cached) {
    ++block_cache_hit_count;
    return;
  }
  ++block_read_count;
  block_read_byte += look.size;
  ++(look.kind == "data" ? data_block_read_count : index_block_read_count);
}

void ScanReads::Add(const ScanReads& other) {
  block_cache_hit_count += other.block_cache_hit_count;
  block_read_count += other.block_read_count;
  block_read_byte += other.block_read_byte;
  index_block_read_count += other.index_block_read_count;
  data_block_read_count += other.data_block_read_count;
}

Status ExplainedScan::problem() const {
  for (const ScanPart& part : parts) RETURN_IF_ERROR(part.problem);
  return refused;
}

Result<ExplainedScan> ExplainScan(FileSystem& fs, const std::string& path,
                                  const ScanQuestion& question) {
  ASSIGN_OR_RETURN(const auto reader, KeyReader::Open(fs, path,
                                                      {.family = question.family,
                                                       .at = question.at,
                                                       .clock = question.clock,
                                                       .cache_bytes = question.cache_bytes}));
  return ScanWalk(*reader, question).Run();
}

}  // namespace varve
