// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/filter_report.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "core/base/try.h"
#include "core/format/bloom_filter.h"
#include "core/inspect/block_report.h"
#include "core/inspect/key_probe.h"
#include "core/inspect/table_layout.h"
#include "core/table/table_state.h"

namespace varve {
namespace {

constexpr uint64_t kBlocksSampled = 500;
constexpr size_t kBytesAdded = 4;
constexpr double kNormal95 = 1.959964;

std::string_view KindName(FilterProbe::Kind kind) {
  switch (kind) {
    case FilterProbe::Kind::kFastLocalBloom:
      return "bloom";
    case FilterProbe::Kind::kLegacyBloom:
      return "legacy_bloom";
    case FilterProbe::Kind::kRibbon:
      return "ribbon";
    case FilterProbe::Kind::kAlways:
    case FilterProbe::Kind::kNever:
      break;
  }
  return "constant";
}

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
    LookAtFilters();
    if (report_.kind == "none") return std::move(report_);
    if (report_.entries > 0) {
      report_.bits_per_key =
          8.0 * static_cast<double>(report_.bytes) / static_cast<double>(report_.entries);
    }
    if (report_.kind == "bloom") {
      report_.expected_rate = FastLocalBloomFalsePositives(report_.bits_per_key, report_.probes);
    }
    Measure(question);
    return std::move(report_);
  }

 private:
  void LookAtFilters() {
    report_.partitioned = table_.filter.top() != nullptr;
    if (report_.partitioned) report_.smallest_partition = UINT64_MAX;
    for (const TablePart& part : layout_.parts()) {
      if (part.kind == TablePartKind::kPerBlockFilter) {
        report_.kind = "per_block";
        report_.bytes = part.handle().size;
      } else if (part.kind == TablePartKind::kFilter ||
                 part.kind == TablePartKind::kFilterPartition) {
        LookAtFilter(part);
      }
    }
    if (report_.partitions == 0) report_.smallest_partition = 0;
    CountEmptyPartitions();
  }

  void LookAtFilter(const TablePart& part) {
    const auto block = layout_.Decoded(part);
    if (!block.ok()) {
      report_.problem = block.status().message();
      return;
    }
    const std::string_view bytes = (*block)->bytes();
    const FilterProbe probe = FilterProbe::Parse(bytes);
    const std::string_view kind = KindName(probe.kind());
    report_.kind = report_.kind == "none" || report_.kind == kind ? kind : "mixed";
    report_.bytes += bytes.size();
    if (probe.kind() == FilterProbe::Kind::kFastLocalBloom ||
        probe.kind() == FilterProbe::Kind::kLegacyBloom) {
      report_.probes = probe.probes();
      CountBits(bytes.substr(0, bytes.size() - kFilterTrailerSize));
    }
    if (part.kind != TablePartKind::kFilterPartition) return;
    ++report_.partitions;
    report_.smallest_partition = std::min<uint64_t>(report_.smallest_partition, bytes.size());
    report_.largest_partition = std::max<uint64_t>(report_.largest_partition, bytes.size());
  }
  void CountBits(std::string_view lines) {
    report_.bits += 8 * lines.size();
    for (const char byte : lines) {
      report_.bits_set += static_cast<uint64_t>(std::popcount(static_cast<uint8_t>(byte)));
    }
  }
  // Those that have no block.
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
    if (reader_.comparator() == nullptr) {
      report_.problem = "the order of the keys is not known: not measured";
    } else if (!report_.whole_keys) {
      report_.problem = "the filter holds prefixes alone: not measured";
    } else if (!reader_.filter_status().ok()) {
      report_.problem = reader_.filter_status().message();
    } else {
      const std::vector<std::string> keys = SampleKeys(question);
      std::mt19937_64 random(question.seed);
      for (uint64_t i = 0; i < question.ask && !keys.empty(); ++i) {
        std::string key = keys[random() % keys.size()];
        for (size_t j = 0; j < kBytesAdded; ++j) key.push_back(static_cast<char>(random()));
        Ask(key);
      }
      EstimateRate();
    }
  }

  // Of data blocks from all over the table.
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
      if (!walked.ok()) continue;  // A damaged block: the others will do.
    }
    return keys;
  }

  void Ask(const std::string& key) {
    const TableLook look = LookInTable(reader_, *reader_.comparator(), key, kMaxSequence,
                                       LookDepth::kAllVersions, nullptr);
    if (!look.problem.ok() || !look.versions.empty()) return;  // It is there after all.
    bool passed = look.filter.may_match;
    if (table_.filter.is_per_block()) {
      if (look.blocks.empty()) return;  // Beyond the last block: no filter is asked.
      passed = table_.filter.BlockMayMatch(look.blocks.front().offset, key);
    }
    ++report_.asked;
    report_.passed += passed ? 1 : 0;
  }

  // Wilson's score interval.
  void EstimateRate() {
    if (report_.asked == 0) return;
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
  options.cache = std::make_shared<BlockCache>(uint64_t{64} << 20);
  ASSIGN_OR_RETURN(const auto reader, TableReader::Open(std::move(file), options));
  return FilterMeter(*layout, *reader).Run(question);
}

Result<FilterAnswer> AskFilter(FileSystem& fs, const std::string& path, std::string_view key) {
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const auto reader, TableReader::Open(std::move(file), {}));
  if (reader->comparator() == nullptr) {
    return Status::NotSupported(path + ": the order \"" + reader->comparator_name() +
                                "\" is not known: its filter cannot be asked");
  }
  TableLook look = LookInTable(*reader, *reader->comparator(), key, kMaxSequence,
                               LookDepth::kFilterOnly, nullptr);
  RETURN_IF_ERROR(look.problem);
  return FilterAnswer{std::move(look.filter), std::move(look.blocks)};
}

}  // namespace varve
