// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/table_report.h"

#include <algorithm>

#include "core/base/bytes/byte_reader.h"
#include "core/base/codec/compression.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/unique_id.h"
#include "core/inspect/explain/table_look.h"
#include "core/table/read/table_state.h"

namespace varve {
namespace {

std::string_view ProbeName(FilterProbe::Kind kind) {
  const bool constant = kind == FilterProbe::Kind::kAlways || kind == FilterProbe::Kind::kNever;
  return constant ? "trivial" : FilterKindName(kind);
}

// The kind of a partitioned filter is that of its first partition.
std::string_view FilterName(const TableReader::Impl& table) {
  const FilterReader& filter = table.filter;
  if (!filter.entry()) return "none";
  if (filter.is_per_block()) return "leveldb";
  if (filter.full()) return ProbeName(filter.full()->kind());
  if (filter.top() == nullptr) return "unknown";
  IndexBlockCursor cursor;
  cursor.Attach(*filter.top(), table.index.encoding);
  if (!cursor.SeekToFirst() || cursor.handle().size == 0) return "trivial";
  const auto block = table.fetcher.Read(cursor.handle(), BlockKind::kOpaque, {});
  return block.ok() ? ProbeName(FilterProbe::Parse((*block)->bytes()).kind()) : "unknown";
}

// Lower-case codec name of rocksdb.compression; "BuiltinV2;07;" becomes "zstd".
std::string CodecName(const std::string& property) {
  std::string codec = property;
  const size_t semicolon = property.find(';');
  if (semicolon != std::string::npos) {
    codec.clear();
    const std::string types =
        property.substr(semicolon + 1, property.find(';', semicolon + 1) - semicolon - 1);
    for (size_t i = 0; i + 1 < types.size(); i += 2) {
      const auto type =
          static_cast<CompressionType>(std::strtoul(types.substr(i, 2).c_str(), nullptr, 16));
      codec += (codec.empty() ? "" : "+") + std::string(CompressionName(type));
    }
  }
  if (codec.empty() || codec == "NoCompression") return "none";
  std::transform(codec.begin(), codec.end(), codec.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return codec;
}

// A property's bytes as text: names of fixed-width ones are known, others are shown as text if
// printable, as varint if valid, otherwise as hex.
std::string PropertyText(const std::string& name, const std::string& raw) {
  ByteReader in(raw);
  if (name == "rocksdb.block.based.table.index.type" ||
      name == "rocksdb.external_sst_file.version") {
    uint32_t value = 0;
    if (in.ReadFixed32(&value) && in.empty()) return std::to_string(value);
  } else if (name == "rocksdb.external_sst_file.global_seqno") {
    uint64_t value = 0;
    if (in.ReadFixed64(&value) && in.empty()) return std::to_string(value);
  }
  static constexpr std::string_view kText[] = {
      "rocksdb.block.based.table.whole.key.filtering",
      "rocksdb.block.based.table.prefix.filtering",
      "rocksdb.block.based.table.decoupled.partitioned.filters",
      "rocksdb.compression",
      "rocksdb.compression_options",
      "rocksdb.prefix.extractor.name",
      "rocksdb.comparator",
      "rocksdb.filter.policy",
      "rocksdb.column.family.name",
      "rocksdb.merge.operator",
      "rocksdb.property.collectors",
      "rocksdb.creating.db.identity",
      "rocksdb.creating.session.identity",
      "rocksdb.creating.host.identity"};
  if (std::find(std::begin(kText), std::end(kText), name) != std::end(kText)) {
    return EscapeForDisplay(raw);
  }
  uint64_t value = 0;
  if (name.starts_with("rocksdb.") && in.ReadVarint64(&value) && in.empty()) {
    return std::to_string(value);
  }
  return EscapeForDisplay(raw);
}

void FillPointIndex(const TableReader& reader, TableReport* report) {
  constexpr std::string_view kNone = "none: ";
  const TableReader::Impl& table = reader.impl();
  std::optional<BlockHandle> handle = FindMeta(table.metaindex, kMetaIntegerIndex);
  if (!handle) handle = FindMeta(table.metaindex, kMetaHashIndex);
  if (handle) {
    report->point_index_bytes = handle->size;
    if (table.point != nullptr) {
      report->point_index = table.point->form_name();
      return;
    }
    report->point_index = "unusable";
    report->point_index_why =
        table.point_status.ok() ? "the order of keys is not known" : table.point_status.message();
    report->warnings.push_back("point index unusable: " + report->point_index_why);
  } else if (table.properties.point_index.starts_with(kNone)) {
    report->point_index_why = table.properties.point_index.substr(kNone.size());
  }
}

Status FillBounds(const TableReader& reader, TableReport* report) {
  const auto bound = [](const InternalKey& key) {
    return BoundReport{std::string(key.user_key), key.sequence,
                       std::string(ValueTypeName(key.type))};
  };
  auto it = reader.NewIterator({.fill_cache = false});
  it->SeekToFirst();
  if (!it->Valid()) return it->status();
  report->smallest = bound(it->key());
  if (reader.comparator() == nullptr) return Status::Ok();  // Unknown order: forward only.
  it.reset();  // Its block: two large ones are not needed at once.
  it = reader.NewIterator({.fill_cache = false});
  it->SeekToLast();
  if (it->Valid()) report->largest = bound(it->key());
  return it->status();
}

void FillFromProperties(const TableProperties& p, TableReport* report) {
  report->codec = CodecName(p.compression);
  report->entries = p.entries;
  // The property counts those of ranges as well.
  report->deletions = p.deletions - std::min(p.deletions, p.range_deletions);
  report->merges = p.merge_operands;
  report->range_deletions = p.range_deletions;
  report->data_blocks = p.data_blocks;
  report->raw_key_bytes = p.raw_key_size;
  report->raw_value_bytes = p.raw_value_size;
  report->data_bytes = p.data_size;
  report->index_bytes = p.index_size;
  report->index_partitions = p.index_partitions;
  report->index_kind = IndexKindName(p.index_type.value_or(0));
  report->index_keys_are_user_keys = p.index_key_is_user_key;
  report->index_values_are_deltas = p.index_value_is_delta_encoded;
  report->filter_bytes = p.filter_size;
  report->global_seqno = p.global_seqno;
  for (const auto& [name, raw] : p.raw) {
    report->properties.push_back({name, raw, PropertyText(name, raw)});
  }
}

}  // namespace

std::string_view IndexKindName(uint32_t type) {
  switch (type) {
    case 0:
      return "binary";
    case 1:
      return "hash";
    case 2:
      return "two_level";
    case 3:
      return "first_key";
    default:
      return "unknown";
  }
}

Result<TableReport> ReportTable(FileSystem& fs, const std::string& path) {
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const auto reader, TableReader::Open(std::move(file), {}));
  const TableReader::Impl& table = reader->impl();
  const Footer& footer = table.fetcher.footer();

  TableReport report;
  report.path = path;
  report.size = reader->file_size();
  report.leveldb = reader->is_leveldb();
  report.format_version = footer.format_version;
  report.checksum = ChecksumName(footer.checksum);
  report.base_context_checksum = footer.base_context_checksum;
  report.metaindex = {footer.metaindex.offset, footer.metaindex.size};
  report.index = {table.index.handle.offset, table.index.handle.size};
  for (const auto& [name, handle] : table.metaindex) {
    report.metaindex_entries.push_back({name, {handle.offset, handle.size}});
  }
  FillFromProperties(table.properties, &report);
  report.comparator = reader->comparator_name();
  report.filter_kind = FilterName(table);
  if (table.filter.entry()) {
    report.filter_partitioned = table.filter.entry()->kind == FilterEntry::Kind::kPartitioned;
    if (report.filter_bytes == 0) report.filter_bytes = table.filter.entry()->handle.size;
  }
  FillPointIndex(*reader, &report);
  const TableProperties& p = table.properties;
  if (!p.db_id.empty() && !p.db_session_id.empty()) {
    const auto id = TableUniqueId(p.db_id, p.db_session_id, p.original_file_number);
    report.unique_id = Hex(id[0], 16) + Hex(id[1], 16);
  }
  report.has_properties = table.has_properties;
  if (!table.has_properties) {
    report.codec = "unknown";
    report.index_bytes = report.index.size;
    report.warnings.push_back("no properties block: counts are unknown");
  }
  if (!reader->filter_status().ok()) {
    report.warnings.push_back("filter unusable: " + std::string(reader->filter_status().message()));
  }
  if (Status bounds = FillBounds(*reader, &report); !bounds.ok()) {
    report.damaged = bounds.code() == Code::kCorruption;
    report.warnings.push_back(std::string(bounds.message()));
  }
  return report;
}

}  // namespace varve
