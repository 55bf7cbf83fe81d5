// SPDX-License-Identifier: Apache-2.0
#include "cli/ldb/properties.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <span>

#include "core/base/try.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/table/table_report.h"

namespace varve::cli::ldb {
namespace {

constexpr std::string_view kAggregated = "rocksdb.aggregated-table-properties";
constexpr std::string_view kFilesAtLevel = "rocksdb.num-files-at-level";

struct Figures {
  uint64_t entries = 0, deletions = 0;  // Of memtables and tables.
  uint64_t table_bytes = 0;
  FamilyStats stats;
};

Result<Figures> FiguresOf(Call& call) {
  Figures figures;
  for (FamilyStats& stats : call.db().StatsOfFamilies()) {
    if (stats.id == call.family()) figures.stats = std::move(stats);
  }
  const FamilyStats& stats = figures.stats;
  figures.entries = stats.memtable_entries + stats.sealed_memtable_entries;
  figures.deletions = stats.memtable_deletions + stats.sealed_memtable_deletions;
  ASSIGN_OR_RETURN(const auto files, call.db().LiveFiles(call.family()));
  for (const LiveFile& file : files) {
    figures.entries += file.entries;
    figures.deletions += file.deletions;
    figures.table_bytes += file.size;
  }
  return figures;
}

std::optional<uint64_t> NumberNamed(std::string_view name, const Figures& figures) {
  const FamilyStats& stats = figures.stats;
  const uint64_t hidden = 2 * figures.deletions;  // As RocksDB estimates it.
  const std::pair<std::string_view, uint64_t> numbers[] = {
      {"rocksdb.estimate-num-keys", figures.entries > hidden ? figures.entries - hidden : 0},
      {"rocksdb.num-entries-active-mem-table", stats.memtable_entries},
      {"rocksdb.num-deletes-active-mem-table", stats.memtable_deletions},
      {"rocksdb.num-entries-imm-mem-tables", stats.sealed_memtable_entries},
      {"rocksdb.num-deletes-imm-mem-tables", stats.sealed_memtable_deletions},
      {"rocksdb.num-immutable-mem-table", stats.sealed_memtables},
      {"rocksdb.total-sst-files-size", figures.table_bytes},
      {"rocksdb.live-sst-files-size", figures.table_bytes},
      {"rocksdb.num-blob-files", stats.blob_files},
      {"rocksdb.total-blob-file-size", stats.blob_bytes},
      {"rocksdb.live-blob-file-size", stats.blob_bytes},
      {"rocksdb.live-blob-file-garbage-size", stats.blob_garbage_bytes},
      {"rocksdb.estimate-pending-compaction-bytes", stats.pending_compaction_bytes},
      {"rocksdb.compaction-pending", stats.pending_compaction_bytes > 0 ? 1 : 0},
  };
  for (const auto& [known, number] : numbers) {
    if (known == name) return number;
  }
  if (!name.starts_with(kFilesAtLevel)) return std::nullopt;
  const std::string_view digits = name.substr(kFilesAtLevel.size());
  for (const LevelInfo& level : stats.levels) {
    if (std::to_string(level.level) == digits) return level.files;
  }
  return std::nullopt;
}

std::string LevelTable(const FamilyStats& stats) {
  std::string text = "Level Files Size(MB)\n--------------------\n";
  for (const LevelInfo& level : stats.levels) {
    std::array<char, 64> line{};
    std::snprintf(line.data(), line.size(), "%3d %8llu %8.0f\n", level.level,
                  static_cast<unsigned long long>(level.files),
                  static_cast<double>(level.bytes) / (1 << 20));
    text += line.data();
  }
  return text;
}

struct Sum {
  std::string_view name, property;
  uint64_t sum = 0;
};

void AddTable(const TableReport& table, std::span<Sum> sums) {
  for (const TableReport::Property& property : table.properties) {
    for (Sum& sum : sums) {
      if (sum.property != property.name) continue;
      const std::string& text = property.text;
      uint64_t number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      sum.sum += number;
    }
  }
}

// Sums over the properties of all tables.
Result<std::string> AggregatedText(Call& call) {
  Sum sums[] = {
      {"data_size", "rocksdb.data.size"},
      {"fast_compression_estimated_data_size", "rocksdb.sample_for_compression.fast.data.size"},
      {"filter_size", "rocksdb.filter.size"},
      {"index_partitions", "rocksdb.index.partitions"},
      {"index_size", "rocksdb.index.size"},
      {"num_data_blocks", "rocksdb.num.data.blocks"},
      {"num_deletions", "rocksdb.deleted.keys"},
      {"num_entries", "rocksdb.num.entries"},
      {"num_filter_entries", "rocksdb.num.filter_entries"},
      {"num_merge_operands", "rocksdb.merge.operands"},
      {"num_range_deletions", "rocksdb.num.range-deletions"},
      {"raw_key_size", "rocksdb.raw.key.size"},
      {"raw_value_size", "rocksdb.raw.value.size"},
      {"slow_compression_estimated_data_size", "rocksdb.sample_for_compression.slow.data.size"},
      {"top_level_index_size", "rocksdb.top-level.index.size"},
  };
  ASSIGN_OR_RETURN(const LsmReport lsm, ReportLsm(call.file_system(), call.path));
  for (const FamilyReport& family : lsm.families) {
    if (family.id != call.family()) continue;
    for (const LevelReport& level : family.levels) {
      for (const FileReport& file : level.files) {
        ASSIGN_OR_RETURN(const TableReport table,
                         ReportTable(call.file_system(), call.path + "/" + file.name));
        AddTable(table, sums);
      }
    }
  }
  std::string text;
  for (const Sum& sum : sums) {
    text += std::string(kAggregated) + "." + std::string(sum.name) + ": " +
            std::to_string(sum.sum) + "\n";
  }
  return text;
}

}  // namespace

Result<std::string> PropertyText(Call& call, std::string_view name) {
  if (name == kAggregated) return AggregatedText(call);
  ASSIGN_OR_RETURN(const Figures figures, FiguresOf(call));
  const std::string before = std::string(name) + ": ";
  if (const auto number = NumberNamed(name, figures)) {
    return before + std::to_string(*number) + "\n";
  }
  if (name == "rocksdb.levelstats") return before + LevelTable(figures.stats) + "\n";
  return std::string();
}

}  // namespace varve::cli::ldb
