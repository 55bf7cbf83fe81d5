// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/table_properties.h"

#include <limits>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/codec/compression.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/table/block_builder.h"
#include "core/format/table/block_view.h"
#include "core/format/table/block_walker.h"

namespace varve {

namespace {

using Properties = TableProperties;

// One row per property, used for reading and writing.
struct NumberRow {
  std::string_view name;
  uint64_t Properties::* member;
  bool written_when_zero;
};
constexpr NumberRow kNumbers[] = {
    {"rocksdb.num.entries", &Properties::entries, true},
    {"rocksdb.deleted.keys", &Properties::deletions, true},
    {"rocksdb.merge.operands", &Properties::merge_operands, true},
    {"rocksdb.num.range-deletions", &Properties::range_deletions, true},
    {"rocksdb.num.data.blocks", &Properties::data_blocks, true},
    {"rocksdb.num.filter_entries", &Properties::filter_entries, true},
    {"rocksdb.raw.key.size", &Properties::raw_key_size, true},
    {"rocksdb.raw.value.size", &Properties::raw_value_size, true},
    {"rocksdb.data.size", &Properties::data_size, true},
    {"rocksdb.index.size", &Properties::index_size, true},
    {"rocksdb.index.partitions", &Properties::index_partitions, false},
    {"rocksdb.top-level.index.size", &Properties::top_level_index_size, false},
    {"rocksdb.filter.size", &Properties::filter_size, true},
    {"rocksdb.tail.start.offset", &Properties::tail_start_offset, false},
    {"rocksdb.format.version", &Properties::format_version, true},
    {"rocksdb.fixed.key.length", &Properties::fixed_key_length, true},
    {"rocksdb.column.family.id", &Properties::family_id, true},
    {"rocksdb.original.file.number", &Properties::original_file_number, true},
    {"rocksdb.creation.time", &Properties::creation_time, true},
    {"rocksdb.oldest.key.time", &Properties::oldest_key_time, true},
    {"rocksdb.newest.key.time", &Properties::newest_key_time, false},
    {"rocksdb.file.creation.time", &Properties::file_creation_time, false},
    {"rocksdb.data.block.restart.interval", &Properties::data_block_restart_interval, false},
    {"rocksdb.index.block.restart.interval", &Properties::index_block_restart_interval, false},
};

struct TextRow {
  std::string_view name;
  std::string Properties::* member;
};
constexpr TextRow kTexts[] = {
    // Written unless empty.
    {"rocksdb.compression", &Properties::compression},
    {"rocksdb.prefix.extractor.name", &Properties::prefix_extractor},
    {"rocksdb.comparator", &Properties::comparator},
    {"rocksdb.merge.operator", &Properties::merge_operator},
    {"rocksdb.filter.policy", &Properties::filter_policy},
    {"rocksdb.property.collectors", &Properties::property_collectors},
    {"rocksdb.compression_options", &Properties::compression_options},
    {"rocksdb.column.family.name", &Properties::family_name},
    {"rocksdb.creating.db.identity", &Properties::db_id},
    {"rocksdb.creating.session.identity", &Properties::db_session_id},
    {"rocksdb.creating.host.identity", &Properties::db_host_id},
    {"rocksdb.timestamp_min", &Properties::oldest_timestamp},
    {"rocksdb.timestamp_max", &Properties::newest_timestamp},
    {"varve.point_index", &Properties::point_index},
};

// One ASCII byte.
struct DigitRow {
  std::string_view name;
  bool Properties::* member;
  bool written_when_false;
};
constexpr DigitRow kDigits[] = {
    {"rocksdb.block.based.table.whole.key.filtering", &Properties::whole_key_filtering, true},
    {"rocksdb.block.based.table.prefix.filtering", &Properties::prefix_filtering, true},
    {"rocksdb.block.based.table.decoupled.partitioned.filters",
     &Properties::decoupled_partitioned_filters, false},
};

// A varint that is 0 or 1. Written if it differs from the default, or if other implementations
// always write it.
struct FlagRow {
  std::string_view name;
  bool Properties::* member;
  bool absent;
  bool always_written;
};
constexpr FlagRow kFlags[] = {
    {"rocksdb.index.key.is.user.key", &Properties::index_key_is_user_key, false, true},
    {"rocksdb.index.value.is.delta.encoded", &Properties::index_value_is_delta_encoded, false,
     true},
    {"rocksdb.user.defined.timestamps.persisted", &Properties::user_timestamps_persisted, true,
     false},
    {"rocksdb.separate.key.value.in.data.block", &Properties::separate_key_value, false, false},
};

struct OptionalNumberRow {
  std::string_view name;
  std::optional<uint64_t> Properties::* member;
};
constexpr OptionalNumberRow kOptionalNumbers[] = {
    {"rocksdb.key.largest.seqno", &Properties::key_largest_seqno},
    {"rocksdb.key.smallest.seqno", &Properties::key_smallest_seqno},
};

struct Fixed32Row {
  std::string_view name;
  std::optional<uint32_t> Properties::* member;
};
constexpr Fixed32Row kFixed32s[] = {
    {"rocksdb.block.based.table.index.type", &Properties::index_type},
    {"rocksdb.external_sst_file.version", &Properties::external_version},
};

constexpr std::string_view kGlobalSeqno = "rocksdb.external_sst_file.global_seqno";
constexpr std::string_view kEmbeddedBlobs = "rocksdb.embedded.blob.stats";

std::string Varint(uint64_t value) {
  std::string out;
  AppendVarint64(&out, value);
  return out;
}

std::optional<uint64_t> ToVarint(std::string_view bytes) {
  ByteReader in(bytes);
  uint64_t value = 0;
  if (!in.ReadVarint64(&value) || !in.empty()) return std::nullopt;
  return value;
}

Status Broken(std::string_view name, std::string_view value) {
  return Status::Corruption("property " + std::string(name) +
                            " has an impossible value: " + HexBytes(value.substr(0, 16)));
}

// Properties whose invalid values would make us misread the table.
Status DecodeActedOn(std::string_view name, std::string_view value, Properties* properties) {
  for (const FlagRow& row : kFlags) {
    if (row.name != name) continue;
    const std::optional<uint64_t> number = ToVarint(value);
    if (!number.has_value()) return Broken(name, value);
    properties->*row.member = *number != 0;
  }
  for (const Fixed32Row& row : kFixed32s) {
    if (row.name != name) continue;
    if (value.size() != sizeof(uint32_t)) return Broken(name, value);
    properties->*row.member = LoadFixed32(value.data());
  }
  for (const DigitRow& row : kDigits) {
    if (row.name != name) continue;
    if (value != "0" && value != "1") return Broken(name, value);
    properties->*row.member = value == "1";
  }
  if (name == kGlobalSeqno) {
    if (value.size() != sizeof(uint64_t)) return Broken(name, value);
    properties->global_seqno = LoadFixed64(value.data());
  }
  if (name == kEmbeddedBlobs) properties->has_embedded_blobs = true;
  return Status::Ok();
}

void DecodeInformative(std::string_view name, std::string_view value, Properties* properties) {
  for (const TextRow& row : kTexts) {
    if (row.name == name) properties->*row.member = std::string(value);
  }
  const std::optional<uint64_t> number = ToVarint(value);
  if (!number.has_value()) return;
  for (const NumberRow& row : kNumbers) {
    if (row.name == name) properties->*row.member = *number;
  }
  for (const OptionalNumberRow& row : kOptionalNumbers) {
    if (row.name == name) properties->*row.member = *number;
  }
}

std::map<std::string_view, std::string> EncodedValues(const Properties& properties) {
  std::map<std::string_view, std::string> values;
  for (const NumberRow& row : kNumbers) {
    const uint64_t value = properties.*row.member;
    if (value != 0 || row.written_when_zero) values[row.name] = Varint(value);
  }
  for (const TextRow& row : kTexts) {
    if (const std::string& value = properties.*row.member; !value.empty()) values[row.name] = value;
  }
  for (const DigitRow& row : kDigits) {
    const bool value = properties.*row.member;
    if (value || row.written_when_false) values[row.name] = value ? "1" : "0";
  }
  for (const FlagRow& row : kFlags) {
    const bool value = properties.*row.member;
    if (value != row.absent || row.always_written) values[row.name] = Varint(value ? 1 : 0);
  }
  for (const OptionalNumberRow& row : kOptionalNumbers) {
    if (const auto value = properties.*row.member) values[row.name] = Varint(*value);
  }
  for (const Fixed32Row& row : kFixed32s) {
    if (const auto value = properties.*row.member) AppendFixed32(&values[row.name], *value);
  }
  if (const auto value = properties.global_seqno) AppendFixed64(&values[kGlobalSeqno], *value);
  return values;
}

}  // namespace

std::string CompressionProperty(uint32_t format_version, CompressionType configured, bool used) {
  const bool on = configured != CompressionType::kNone;
  if (format_version < 7) return std::string(CompressionName(configured));
  std::string property = on ? "BuiltinV2;" : ";";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto type = static_cast<uint8_t>(configured);
  if (on && used) property.append({kDigits[type >> 4], kDigits[type & 15]});
  return property + ';';
}

std::string EncodeTableProperties(const TableProperties& properties) {
  BlockBuilder builder({.restart_interval = std::numeric_limits<uint32_t>::max()});
  for (const auto& [name, value] : EncodedValues(properties)) builder.Add(name, value);
  return std::string(builder.Finish());
}

Result<TableProperties> DecodeTableProperties(std::string_view block) {
  ASSIGN_OR_RETURN(const BlockView view, ParseBlock(block));
  TableProperties properties;
  BlockWalker walker(view);
  while (walker.Next()) {
    const std::string_view name = walker.key();
    if (!properties.raw.empty() && properties.raw.rbegin()->first >= name) {
      return Status::Corruption("property \"" + EscapeForDisplay(name) + "\" is out of order");
    }
    properties.raw.emplace_hint(properties.raw.end(), name, walker.value());
    RETURN_IF_ERROR(DecodeActedOn(name, walker.value(), &properties));
    DecodeInformative(name, walker.value(), &properties);
  }
  RETURN_IF_ERROR(walker.status());
  return properties;
}

}  // namespace varve
