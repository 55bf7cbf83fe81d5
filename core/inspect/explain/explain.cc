// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/explain.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/try.h"
#include "core/inspect/explain/key_reader.h"

namespace varve {
namespace {

// Performs one Get on an open database.
class GetWalk {
 public:
  GetWalk(const KeyReader& reader, const KeyQuestion& question)
      : reader_(reader), question_(question), at_(reader.at()) {
    out_.family = question.family;
    out_.key = question.key;
    out_.at = at_;
  }

  ExplainedGet Run() {
    if (AskMemtable()) return std::move(out_);
    const Version& version = reader_.version();
    for (const FilePtr& file : version.files(0)) {
      if (AskFile(*file, 0) || covered_by_ != 0) return std::move(out_);
    }
    for (int level = 1; level < version.num_levels(); ++level) {
      const std::vector<FilePtr>& files = version.files(level);
      // Compactions of other programs may have cut a level between two versions of one key:
      // continue as long as the next file begins with it.
      for (size_t i = version.index(level)->FirstNotBefore(LookupKey(question_.key, at_));
           i < files.size(); ++i) {
        const bool in_range = reader_.InRange(*files[i], question_.key);
        if (AskFile(*files[i], level)) return std::move(out_);
        if (!in_range) break;
      }
      // All that is below is older: so the engine stops, too (Lookup::EndIfCovered()).
      if (covered_by_ != 0) return std::move(out_);
    }
    return std::move(out_);
  }

 private:
  bool AskMemtable() {
    ExplainStep step{.source = "memtable"};
    ++out_.totals.get_from_memtable_count;
    step.look.versions = reader_.Logged(question_.key, at_, &step.look.covered_by);
    std::erase_if(step.look.versions, [](const KeyVersion& version) { return !version.visible; });
    return Settle(std::move(step)) || covered_by_ != 0;
  }

  bool AskFile(const FileMetadata& file, int level) {
    ++out_.totals.files_considered;
    ExplainStep step{.source = "file", .file = file.number(), .level = level};
    if (!reader_.InRange(file, question_.key)) {
      step.verdict = "out_of_range";
      out_.steps.push_back(std::move(step));
      return false;
    }
    step.look = reader_.Look(file, question_.key, at_, LookDepth::kAsGet, question_.clock);
    out_.totals.Add(step.look);
    return Settle(std::move(step));
  }

  // Applies the result of a step to the answer; true if that is final.
  bool Settle(ExplainStep step) {
    TableLook& look = step.look;
    covered_by_ = std::max(covered_by_, look.covered_by);
    bool final = false;
    step.verdict = look.versions.empty() ? VerdictOfNothing(look) : "";
    if (!look.problem.ok()) {
      step.verdict = "unreadable";
      final = true;
    }
    for (const KeyVersion& version : look.versions) {
      if (final) break;
      final = Take(version, step.file, &step.verdict);
    }
    out_.steps.push_back(std::move(step));
    return final;
  }

  std::string VerdictOfNothing(const TableLook& look) {
    if (look.filter_checked && !look.filter.may_match) return "filter_negative";
    if (look.covered_by != 0) return "range_deleted";
    // It is exact: all versions there are newer.
    if (!look.filter_checked || look.filter.kind == kAnsweredByPointIndex) return "miss";
    ++out_.totals.filter_false_positives;
    return "filter_false_positive";
  }

  bool Take(const KeyVersion& version, FileNumber file, std::string* verdict) {
    if (version.sequence < covered_by_) {
      *verdict = "range_deleted";
      return true;
    }
    if (out_.sequence == 0) {
      out_.sequence = version.sequence;
      out_.file = file;
    }
    if (version.type == "merge") {
      *verdict = "merge_operand";
      return false;
    }
    const bool deletion = version.type.find("delete") != std::string::npos;
    *verdict = deletion ? "deleted" : "hit";
    return true;
  }

  const KeyReader& reader_;
  const KeyQuestion& question_;
  const Sequence at_;
  Sequence covered_by_ = 0;  // Newest visible range deletion met so far.
  ExplainedGet out_;
};

// Performs the Get itself. Its reads are not part of the explanation: they leave the cache
// unchanged.
void Answer(const KeyReader& reader, ExplainedGet* get) {
  Lookup lookup(get->key, get->at);
  if (!reader.GetLogged(&lookup)) reader.version().Get({.fill_cache = false}, &lookup);
  using State = Lookup::State;
  get->merged = lookup.state == State::kMerging || lookup.state == State::kMergedOnto ||
                lookup.state == State::kMergedOntoNothing;
  const Result<std::optional<Value>> value = reader.Finish(&lookup);
  get->failure = value.status();
  // The walk already reported missing tables.
  for (const ExplainStep& step : get->steps) {
    if (get->failure.code() == Code::kNotFound && !step.look.problem.ok()) {
      get->failure = step.look.problem;
    }
  }
  if (get->failure.ok()) get->failure = reader.CheckTables();
  get->found = get->failure.ok() && value->has_value();
  if (get->found) get->value = (*value)->view();
}

ExplainedGet Explain(const KeyReader& reader, const KeyQuestion& question) {
  ExplainedGet get = GetWalk(reader, question).Run();
  Answer(reader, &get);
  return get;
}

void AddTotals(const ReadTotals& from, ReadTotals* to) {
  for (uint64_t ReadTotals::* counter :
       {&ReadTotals::files_considered, &ReadTotals::filters_checked,
        &ReadTotals::filter_false_positives, &ReadTotals::get_from_memtable_count,
        &ReadTotals::bloom_sst_hit_count, &ReadTotals::bloom_sst_miss_count,
        &ReadTotals::block_cache_hit_count, &ReadTotals::block_read_count,
        &ReadTotals::block_read_byte, &ReadTotals::index_block_read_count,
        &ReadTotals::filter_block_read_count, &ReadTotals::data_block_read_count,
        &ReadTotals::key_comparisons}) {
    to->*counter += from.*counter;
  }
}

}  // namespace

void ReadTotals::Add(const TableLook& look) {
  key_comparisons += look.comparisons;
  if (look.filter_checked && look.filter.kind != kAnsweredByPointIndex) {
    ++filters_checked;
    ++(look.filter.may_match ? bloom_sst_hit_count : bloom_sst_miss_count);
  }
  for (const BlockLook& block : look.blocks) {
    if (block.cached) {
      ++block_cache_hit_count;
      continue;
    }
    ++block_read_count;
    block_read_byte += block.size;
    ++(block.kind == "data"               ? data_block_read_count
       : block.kind == "filter_partition" ? filter_block_read_count
                                          : index_block_read_count);
  }
}

Result<ExplainedGet> ExplainGet(FileSystem& fs, const std::string& path,
                                const KeyQuestion& question) {
  ASSIGN_OR_RETURN(const auto reader, KeyReader::Open(fs, path, question));
  return Explain(*reader, question);
}

Result<ExplainedMultiGet> ExplainMultiGet(FileSystem& fs, const std::string& path,
                                          const KeyQuestion& question,
                                          const std::vector<std::string>& keys) {
  ASSIGN_OR_RETURN(const auto reader, KeyReader::Open(fs, path, question));
  // In key order, as a batch is read: adjacent keys share blocks.
  std::vector<size_t> order(keys.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return reader->comparator().Compare(keys[a], keys[b]) < 0;
  });
  ExplainedMultiGet report;
  report.keys.resize(keys.size());
  KeyQuestion one = question;
  std::vector<std::string> sorted;
  for (const size_t i : order) {
    one.key = keys[i];
    sorted.push_back(keys[i]);
    report.keys[i] = Explain(*reader, one);
    AddTotals(report.keys[i].totals, &report.totals);
  }
  report.memtable = CountMemtableSearch(reader->comparator(), reader->logged(), sorted);
  return report;
}

}  // namespace varve
