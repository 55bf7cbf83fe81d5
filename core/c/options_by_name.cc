// SPDX-License-Identifier: Apache-2.0
// Options by the names that OPTIONS files have for them.
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text/text.h"
#include "core/c/option_handles.h"
#include "core/c/option_text.h"
#include "varve/option_table.h"

namespace varve::c {
namespace {

// RocksDB's words, and the numbers that c.h has for them.
using Word = std::pair<std::string_view, int>;
constexpr std::array kWords = {Word{"kNoCompression", 0},
                               Word{"kSnappyCompression", 1},
                               Word{"kZlibCompression", 2},
                               Word{"kBZip2Compression", 3},
                               Word{"kLZ4Compression", 4},
                               Word{"kLZ4HCCompression", 5},
                               Word{"kXpressCompression", 6},
                               Word{"kZSTD", 7},
                               Word{"kZSTDNotFinalCompression", 0x40},
                               Word{"kDisableCompressionOption", 0xff},
                               Word{"kCompactionStyleLevel", 0},
                               Word{"kCompactionStyleUniversal", 1},
                               Word{"kCompactionStyleFIFO", 2},
                               Word{"kCompactionStopStyleSimilarSize", 0},
                               Word{"kCompactionStopStyleTotalSize", 1},
                               Word{"kTolerateCorruptedTailRecords", 0},
                               Word{"kAbsoluteConsistency", 1},
                               Word{"kPointInTimeRecovery", 2},
                               Word{"kSkipAnyCorruptedRecords", 3},
                               Word{"DEBUG_LEVEL", 0},
                               Word{"INFO_LEVEL", 1},
                               Word{"WARN_LEVEL", 2},
                               Word{"ERROR_LEVEL", 3},
                               Word{"FATAL_LEVEL", 4},
                               Word{"HEADER_LEVEL", 5},
                               Word{"NONE", 0},
                               Word{"NORMAL", 1},
                               Word{"SEQUENTIAL", 2},
                               Word{"WILLNEED", 3},
                               Word{"kDisable", 0},
                               Word{"kFlushOnly", 1},
                               Word{"kBinarySearch", 0},
                               Word{"kHashSearch", 1},
                               Word{"kTwoLevelIndexSearch", 2},
                               Word{"kBinarySearchWithFirstKey", 3},
                               Word{"kDataBlockBinarySearch", 0},
                               Word{"kDataBlockBinaryAndHash", 1},
                               Word{"kNoChecksum", 0},
                               Word{"kCRC32c", 1},
                               Word{"kxxHash", 2},
                               Word{"kxxHash64", 3},
                               Word{"kXXH3", 4}};

// Whether `name` is that of a plain value; then *status says whether it could be set.
bool SetPlainValue(std::string_view name, std::string_view value, OptionValues* values,
                   Status* status) {
#define VARVE_C_PARSE(option, Set, Get, initial)            \
  if (name == #option) {                                    \
    *status = ParseOption(value, &values->option).At(name); \
    return true;                                            \
  }
  VARVE_C_OPTION_ROWS(VARVE_C_PARSE, VARVE_C_PARSE, VARVE_C_PARSE, VARVE_C_PARSE)
  VARVE_C_SEVEN_OPTION_ROWS(VARVE_C_PARSE)
#define VARVE_C_PARSE_ELEVEN(option, Type, initial) VARVE_C_PARSE(option, Type, Type, initial)
  VARVE_C_ELEVEN_OPTIONS(VARVE_C_PARSE_ELEVEN, VARVE_C_PARSE_ELEVEN)
#undef VARVE_C_PARSE_ELEVEN
#undef VARVE_C_PARSE
  return false;
}

// Removes the text up to `separator`, outside of braces, and the separator from the front of *text.
std::string_view TakePart(std::string_view* text, char separator) {
  size_t end = 0;
  for (int depth = 0; end < text->size(); ++end) {
    const char c = (*text)[end];
    if (c == separator && depth == 0) break;
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
  }
  const std::string_view part = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return part;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Calls `take(name, value)` for each "name=value" of "a=1;b={c=2;d=3;}", until one fails.
template <typename Take>
Status ForEachMember(std::string_view text, Take take) {
  text = Trimmed(text);
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    std::string_view value = Trimmed(TakePart(&text, ';'));
    if (value.empty()) continue;
    const std::string_view name = Trimmed(TakePart(&value, '='));
    RETURN_IF_ERROR(take(name, Trimmed(value)));
  }
  return Status::Ok();
}

Status SetCodecMember(std::string_view name, std::string_view value, CodecOptions* codec) {
  if (name == "level") return ParseOption(value, &codec->level);
  if (name == "max_dict_bytes") return ParseOption(value, &codec->max_dict_bytes);
  if (name == "zstd_max_train_bytes") return ParseOption(value, &codec->zstd_max_train_bytes);
  if (name == "use_zstd_dict_trainer") return ParseOption(value, &codec->use_zstd_dict_trainer);
  if (name == "enabled") return ParseOption(value, &codec->enabled);
  return Status::Ok();
}

// A member that RocksDB keeps as unsigned, and c.h has as int.
Status ParseUnsignedMember(std::string_view text, int* out) {
  ASSIGN_OR_RETURN(const uint64_t number,
                   ParseUnsigned(text, 0, std::numeric_limits<uint32_t>::max()));
  *out = static_cast<int>(static_cast<uint32_t>(number));
  return Status::Ok();
}

Status SetUniversalMember(std::string_view name, std::string_view value,
                          rocksdb_universal_compaction_options_t* universal) {
  if (name == "size_ratio") return ParseUnsignedMember(value, &universal->size_ratio);
  if (name == "min_merge_width") return ParseUnsignedMember(value, &universal->min_merge_width);
  if (name == "max_merge_width") return ParseUnsignedMember(value, &universal->max_merge_width);
  if (name == "max_size_amplification_percent") {
    return ParseUnsignedMember(value, &universal->max_size_amplification_percent);
  }
  if (name == "compression_size_percent") {
    return ParseOption(value, &universal->compression_size_percent);
  }
  if (name == "stop_style") return ParseOption(value, &universal->stop_style);
  if (name == "allow_trivial_move") return ParseOption(value, &universal->allow_trivial_move);
  if (name == "incremental") return ParseOption(value, &universal->incremental);
  return Status::Ok();
}

Status SetCompressionOptions(std::string_view text, rocksdb_options_t* options) {
  CodecOptions& codec = options->compression_options;
  RETURN_IF_ERROR(ForEachMember(text, [&](std::string_view name, std::string_view value) {
    return SetCodecMember(name, value, &codec);
  }));
  options->values.compression_options_zstd_max_train_bytes = codec.zstd_max_train_bytes;
  return Status::Ok();
}

Status SetCompressionPerLevel(std::string_view text, std::vector<int>* levels) {
  levels->clear();
  while (!text.empty()) {
    int& level = levels->emplace_back();
    RETURN_IF_ERROR(ParseOption(TakePart(&text, ':'), &level));
  }
  return Status::Ok();
}

// "bloomfilter:10:false", "ribbonfilter:10:-1" or "nullptr".
Status SetFilterPolicy(std::string_view text, TableValues* table) {
  table->filter_policy.reset();
  if (text == "nullptr") return Status::Ok();
  FilterPolicy policy;
  const std::string_view kind = TakePart(&text, ':');
  policy.kind = kind.ends_with("ribbonfilter") || kind == "rocksdb.RibbonFilter"
                    ? FilterKind::kRibbon
                    : FilterKind::kBloom;
  if (!text.empty()) RETURN_IF_ERROR(ParseOption(TakePart(&text, ':'), &policy.bits_per_key));
  if (policy.kind == FilterKind::kRibbon) {
    policy.bloom_before_level = 0;  // As in RocksDB, where nothing is said.
    if (!text.empty()) RETURN_IF_ERROR(ParseOption(text, &policy.bloom_before_level));
  }
  table->filter_policy = std::make_shared<const FilterPolicy>(policy);
  return Status::Ok();
}

Status SetTableValue(std::string_view name, std::string_view value, TableValues* table) {
  if (name == "block_size") return ParseOption(value, &table->block_size);
  if (name == "block_restart_interval") return ParseOption(value, &table->block_restart_interval);
  if (name == "index_block_restart_interval") {
    return ParseOption(value, &table->index_block_restart_interval);
  }
  if (name == "metadata_block_size") return ParseOption(value, &table->metadata_block_size);
  if (name == "partition_filters") return ParseOption(value, &table->partition_filters);
  if (name == "no_block_cache") return ParseOption(value, &table->no_block_cache);
  if (name == "format_version") return ParseOption(value, &table->format_version);
  if (name == "checksum") return ParseOption(value, &table->checksum);
  if (name == "index_type") return ParseOption(value, &table->index_type);
  if (name == "data_block_index_type") return ParseOption(value, &table->data_block_index_type);
  if (name == "data_block_hash_table_util_ratio") {
    return ParseOption(value, &table->data_block_hash_ratio);
  }
  if (name == "filter_policy") return SetFilterPolicy(value, table);
#define VARVE_C_PARSE(hint) \
  if (name == #hint) return ParseOption(value, &table->hint);
  VARVE_C_PARSE(block_size_deviation)
  VARVE_C_PARSE(use_delta_encoding)
  VARVE_C_PARSE(whole_key_filtering)
  VARVE_C_PARSE(cache_index_and_filter_blocks)
  VARVE_C_PARSE(cache_index_and_filter_blocks_with_high_priority)
  VARVE_C_PARSE(pin_l0_filter_and_index_blocks_in_cache)
  VARVE_C_PARSE(pin_top_level_index_and_filter)
#undef VARVE_C_PARSE
  return Status::Ok();  // A hint of RocksDB's.
}

}  // namespace

Status ParseOption(std::string_view text, int* out) {
  const auto* const word =
      std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.first == text; });
  if (word != kWords.end()) {
    *out = word->second;
    return Status::Ok();
  }
  ASSIGN_OR_RETURN(const int64_t number, ParseSigned(text, std::numeric_limits<int>::min(),
                                                     std::numeric_limits<int>::max()));
  *out = static_cast<int>(number);
  return Status::Ok();
}

Status SetByName(std::string_view name, std::string_view value, rocksdb_options_t* options) {
  if (name == "use_fsync") {  // A bool in RocksDB's options, an int in c.h.
    bool on = false;
    RETURN_IF_ERROR(ParseOption(value, &on).At(name));
    options->values.use_fsync = on;
    return Status::Ok();
  }
  Status status;
  if (SetPlainValue(name, value, &options->values, &status)) return status;
  if (name == "compaction_readahead_size") {
    return ParseOption(value, &options->compaction_readahead_size);
  }
  if (name == "wal_dir") {
    options->wal_dir = std::string(value);
    return Status::Ok();
  }
  if (name == "db_log_dir") {
    options->db_log_dir = std::string(value);
    return Status::Ok();
  }
  if (name == "compression_opts") return SetCompressionOptions(value, options);
  if (name == "bottommost_compression_opts") {
    return ForEachMember(value, [&](std::string_view member, std::string_view text) {
      return SetCodecMember(member, text, &options->bottommost_compression_options);
    });
  }
  if (name == "compression_per_level") {
    return SetCompressionPerLevel(value, &options->compression_per_level);
  }
  if (name == "compaction_options_universal") {
    return ForEachMember(value, [&](std::string_view member, std::string_view text) {
      return SetUniversalMember(member, text, &options->universal);
    });
  }
  if (name == "compaction_options_fifo") {
    return ForEachMember(value, [&](std::string_view member, std::string_view text) {
      if (member != "max_table_files_size") return Status::Ok();
      return ParseOption(text, &options->fifo.max_table_files_size);
    });
  }
  if (name == "comparator" && ComparatorByName(value) != nullptr) {
    options->comparator = ComparatorByName(value);
    return Status::Ok();
  }
  if (name == "merge_operator" && MergeOperatorByName(value) != nullptr) {
    options->merge_operator =
        std::shared_ptr<const MergeOperator>(std::shared_ptr<void>(), MergeOperatorByName(value));
    return Status::Ok();
  }
  if (name == "block_based_table_factory" || name == "BlockBasedTable") {
    TableValues& table = options->table ? *options->table : options->table.emplace();
    return ForEachMember(value, [&](std::string_view member, std::string_view text) {
      return SetTableValue(member, text, &table);
    });
  }
  return Status::NotFound("Could not find option: " + EscapeForDisplay(name));
}

Status SetManyByName(std::string_view text, rocksdb_options_t* options) {
  return ForEachMember(text, [&](std::string_view name, std::string_view value) {
    return SetByName(name, value, options);
  });
}

}  // namespace varve::c
