// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/filter_report.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/table/bloom_filter.h"
#include "core/inspect/explain/table_look.h"
#include "core/inspect/table/block_report.h"
#include "core/inspect/table/table_layout.h"
#include "core/table/read/table_state.h"

namespace varve {
namespace {

constexpr uint64_t kBlocksSampled = 500;
constexpr size_t kBytesAdded = 4;
constexpr size_t kRandomBytes = 16;
constexpr double kNormal95 = 1.959964;

class FilterMeter {
 public:
  FilterMeter(const TableLayout& layout, const TableReader& reader)
      : layout_(layout), reader_(reader), table_(reader.impl()) {}

  FilterReport Run(const FilterQuestion& question) {
    const TableProperties& properties = table_.properties;
    report_.policy = properties.filter_policy;
    report_.whole_keys = properties.whole_key_filtering;
    report_.prefix_extractor =
        properties.prefix_extractor == "nullptr" ? "" : properties.prefix_extractor;
    report_.entries =
        properties.filter_entries != 0 ? properties.filter_entries : properties.entries;
    report_.by_hash = !report_.whole_keys || reader_.comparator() == nullptr;
    LookAtFilters(question);
    report_.damaged = !reader_.filter_status().ok();
    if (report_.damaged) report_.problem = reader_.filter_status().message();
    if (report_.kind == "none") return std::move(report_);
    if (report_.entries > 0) {
      report_.bits_per_key =
          8.0 * static_cast<double>(report_.bytes) / static_cast<double>(report_.entries);
    }
    if (report_.bits > 0) report_.expected_rate /= static_cast<double>(report_.bits);
    if (!report_.by_hash && !report_.damaged) Measure(question);
    EstimateRate();
    return std::move(report_);
  }

 private:
  void LookAtFilters(const FilterQuestion& question) {
    std::mt19937_64 random(question.seed);
    uint64_t all = 0, before = 0;
    for (const TablePart& part : layout_.parts()) {
      if (IsFilter(part)) all += part.size;
    }
    report_.partitioned = table_.filter.top() != nullptr;
    if (report_.partitioned) report_.smallest_partition = UINT64_MAX;
    for (const TablePart& part : layout_.parts()) {
      if (part.kind == TablePartKind::kPerBlockFilter) {
        report_.kind = "per_block";
        report_.bytes = part.handle().size;
      } else if (IsFilter(part)) {
        const uint64_t behind = before + part.size;  // Each is asked as often as its size says.
        const uint64_t share = Share(question.ask, behind, all) - Share(question.ask, before, all);
        LookAtFilter(part, report_.by_hash ? share : 0, &random);
        before = behind;
      }
    }
    if (report_.partitions == 0) report_.smallest_partition = 0;
    CountEmptyPartitions();
  }

  static bool IsFilter(const TablePart& part) {
    return part.kind == TablePartKind::kFilter || part.kind == TablePartKind::kFilterPartition;
  }
  static uint64_t Share(uint64_t ask, uint64_t part, uint64_t all) {
    DCHECK(all > 0 && part <= all);
    return static_cast<uint64_t>(static_cast<double>(ask) * static_cast<double>(part) /
                                 static_cast<double>(all));
  }

  void LookAtFilter(const TablePart& part, uint64_t ask, std::mt19937_64* random) {
    const auto block = layout_.Decoded(part);
    if (!block.ok()) {
      report_.problem = block.status().message();
      return;
    }
    const std::string_view bytes = (*block)->bytes();
    const FilterProbe probe = FilterProbe::Parse(bytes);
    const std::string_view kind = FilterKindName(probe.kind());
    report_.kind = report_.kind == "none" || report_.kind == kind ? kind : "mixed";
    report_.bytes += bytes.size();
    const std::string_view lines =
        bytes.substr(0, bytes.size() - std::min<size_t>(bytes.size(), kFilterTrailerSize));
    CountBits(lines);
    report_.expected_rate += 8.0 * static_cast<double>(lines.size()) * RateOf(probe, lines);
    report_.probes = std::max(report_.probes, probe.probes());
    if (probe.kind() == FilterProbe::Kind::kRibbon) report_.columns = probe.ribbon().upper_columns;
    for (uint64_t i = 0; i < ask; ++i) {
      std::string absent(kRandomBytes, '\0');
      for (char& byte : absent) byte = static_cast<char>((*random)());
      ++report_.asked;
      report_.passed += probe.MayMatch(probe.Hash(absent)) ? 1 : 0;
    }
    if (part.kind != TablePartKind::kFilterPartition) return;
    ++report_.partitions;
    report_.smallest_partition = std::min<uint64_t>(report_.smallest_partition, bytes.size());
    report_.largest_partition = std::max<uint64_t>(report_.largest_partition, bytes.size());
  }
  static uint64_t SetBits(std::string_view bytes) {
    uint64_t set = 0;
    for (const char byte : bytes) {
      set += static_cast<uint64_t>(std::popcount(static_cast<uint8_t>(byte)));
    }
    return set;
  }
  void CountBits(std::string_view lines) {
    report_.bits += 8 * lines.size();
    report_.bits_set += SetBits(lines);
  }

  // The false positive rate. Bloom: the probability that all bits, in one line, are set.
  static double RateOf(const FilterProbe& probe, std::string_view lines) {
    if (probe.kind() == FilterProbe::Kind::kNever) return 0;
    if (probe.kind() == FilterProbe::Kind::kRibbon) {
      const RibbonFilter& ribbon = probe.ribbon();  // The first blocks have one column less.
      const double fewer = static_cast<double>(ribbon.first_upper) / ribbon.num_blocks;
      return std::ldexp(1 + fewer, -static_cast<int>(ribbon.upper_columns));
    }
    if (probe.lines() == 0) return 1;
    const size_t line = probe.line_bits() / 8;
    double sum = 0;
    for (size_t at = 0; at < lines.size(); at += line) {
      const auto set = static_cast<double>(SetBits(lines.substr(at, line)));
      sum += std::pow(set / probe.line_bits(), probe.probes());
    }
    return sum / probe.lines();
  }
  // Counts partitions without a block.
  void CountEmptyPartitions() {
    if (table_.filter.top() == nullptr) return;
    IndexEncoding encoding = table_.index.encoding;
    encoding.values.has_first_key = false;
    IndexBlockCursor cursor;
    cursor.Attach(*table_.filter.top(), encoding);
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      if (cursor.handle().size == 0) ++report_.empty_partitions;
    }
  }

  void Measure(const FilterQuestion& question) {
    CHECK(reader_.comparator() != nullptr);
    const std::vector<std::string> keys = SampleKeys(question);
    std::mt19937_64 random(question.seed);
    for (uint64_t i = 0; i < question.ask && !keys.empty(); ++i) {
      std::string key = keys[random() % keys.size()];
      for (size_t j = 0; j < kBytesAdded; ++j) key.push_back(static_cast<char>(random()));
      Ask(key);
    }
  }

  // Keys from data blocks all over the table.
  std::vector<std::string> SampleKeys(const FilterQuestion& question) const {
    std::vector<const TablePart*> blocks;
    for (const TablePart& part : layout_.parts()) {
      if (part.kind == TablePartKind::kData) blocks.push_back(&part);
    }
    std::vector<std::string> keys;
    const uint64_t step = std::max<uint64_t>(1, blocks.size() / kBlocksSampled);
    const uint64_t each = 1 + question.ask / kBlocksSampled;
    for (size_t i = 0; i < blocks.size(); i += step) {
      uint64_t taken = 0;
      const Status walked =
          WalkBlockEntries(layout_, *blocks[i], [&](const BlockEntryReport& entry) {
            keys.emplace_back(entry.key);
            return ++taken < each;
          });
      if (!walked.ok()) continue;  // Skip a damaged block.
    }
    return keys;
  }

  void Ask(const std::string& key) {
    const TableLook look = LookInTable(reader_, *reader_.comparator(), key, kMaxSequence,
                                       LookDepth::kAllVersions, nullptr);
    if (!look.problem.ok() || !look.versions.empty()) return;  // The key exists.
    bool passed = look.filter.may_match;
    if (table_.filter.is_per_block()) {
      if (look.blocks.empty()) return;  // Beyond the last block: no filter is checked.
      passed = table_.filter.BlockMayMatch(look.blocks.front().offset, key);
    }
    ++report_.asked;
    report_.passed += passed ? 1 : 0;
  }

  // Wilson's score interval.
  void EstimateRate() {
    if (report_.asked == 0) return;
    CHECK_OP(report_.passed, <=, report_.asked);
    const auto n = static_cast<double>(report_.asked);
    const double p = static_cast<double>(report_.passed) / n, z = kNormal95;
    const double center = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    report_.rate = p;
    report_.rate_low = std::max(0.0, center - half);
    report_.rate_high = std::min(1.0, center + half);
  }

  const TableLayout& layout_;
  const TableReader& reader_;
  const TableReader::Impl& table_;
  FilterReport report_;
};

}  // namespace

Result<FilterReport> ReportFilter(FileSystem& fs, const std::string& path,
                                  const FilterQuestion& question) {
  ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(fs, path));
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  TableReaderOptions options;
  options.cache = std::make_shared<ClockCache>(uint64_t{64} << 20);
  ASSIGN_OR_RETURN(const auto reader, TableReader::Open(std::move(file), options));
  return FilterMeter(*layout, *reader).Run(question);
}

Result<FilterAnswer> AskFilter(FileSystem& fs, const std::string& path, std::string_view key) {
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const auto reader, TableReader::Open(std::move(file), {}));
  if (reader->comparator() == nullptr) {
    return Status::NotSupported(path + ": the order \"" +
                                EscapeForDisplay(reader->comparator_name()) +
                                "\" is not known: its filter cannot be queried");
  }
  TableLook look = LookInTable(*reader, *reader->comparator(), key, kMaxSequence,
                               LookDepth::kFilterOnly, nullptr);
  RETURN_IF_ERROR(look.problem);
  return FilterAnswer{std::move(look.filter), std::move(look.blocks)};
}

}  // namespace varve
