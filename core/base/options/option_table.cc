// SPDX-License-Identifier: Apache-2.0
#include "varve/option_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "core/base/options/option_limits.h"
#include "core/base/options/option_row.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/comparator.h"
#include "varve/merge_operator.h"

// The place of an option in Options or const Options, as a template argument.
// NOLINTNEXTLINE(bugprone-macro-parentheses): it is a path of members.
#define FIELD(path) [](auto& options) -> auto& { return options.path; }

namespace varve {
namespace {

constexpr OptionScope kDb = OptionScope::kDatabase;
constexpr OptionScope kFamily = OptionScope::kColumnFamily;
constexpr OptionScope kTable = OptionScope::kTable;
constexpr std::string_view kNull = "nullptr";  // RocksDB's text for a missing object.
constexpr uint32_t kBlockMax = uint32_t{1} << 30;
constexpr int kManyThreads = 256;
constexpr uint64_t kSecondsMax = uint64_t{1} << 40;
constexpr bool kThisOpening = false;  // Not stored: applies to one opening of the database.

// --- objects identified by name --------------------------------------------------------------

// A custom object cannot be found by its name, but the current one may be kept.
template <typename T>
Status SetByName(std::string_view option, const T* (*find)(std::string_view), std::string_view text,
                 const T** field) {
  if (*field != nullptr && (*field)->name() == text) return Status::Ok();
  const T* const found = text == kNull ? nullptr : find(text);
  if (found == nullptr && text != kNull) {
    return Status::InvalidArgument(std::string(option) + ": there is no built-in object named \"" +
                                   EscapeForDisplay(text) + "\"");
  }
  *field = found;
  return Status::Ok();
}

template <typename T>
std::string NameOf(const T* object) {
  return std::string(object == nullptr ? kNull : object->name());
}

Status SetComparator(Options* options, std::string_view text) {
  return SetByName("comparator", ComparatorByName, text, &options->family.comparator);
}
std::string GetComparator(const Options& options) { return NameOf(options.family.comparator); }

Status SetMergeOperator(Options* options, std::string_view text) {
  return SetByName("merge_operator", MergeOperatorByName, text, &options->family.merge_operator);
}
std::string GetMergeOperator(const Options& options) {
  return NameOf(options.family.merge_operator);
}

// --- Lists and structs -------------------------------------------------------------------------

// Removes the part before `separator`, and the separator, from the front of *text.
std::string_view TakePart(std::string_view* text, char separator) {
  const size_t end = std::min(text->find(separator), text->size());
  const std::string_view part = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return part;
}

// "kNoCompression:kSnappyCompression"
template <typename Enum>
Result<std::vector<Enum>> ParsePerLevel(std::string_view text) {
  std::vector<Enum> levels;
  while (!text.empty()) {
    ASSIGN_OR_RETURN(const Enum value, ParseEnum<Enum>(TakePart(&text, ':')));
    levels.push_back(value);
  }
  return levels;
}

template <typename Enum>
std::string FormatPerLevel(const std::vector<Enum>& levels) {
  std::string text;
  for (const Enum value : levels) {
    if (!text.empty()) text += ':';
    text += FormatEnum(value);
  }
  return text;
}

// "http://HOST:PORT", with "#token-file=FILE" or without.
bool IsHttpService(std::string_view text) {
  constexpr std::string_view kTokenFile = "token-file=";
  const size_t hash = std::min(text.find('#'), text.size());
  const std::string_view fragment = text.substr(std::min(hash + 1, text.size()));
  std::string_view host = text.substr(0, hash);
  if (!host.starts_with("http://") && !host.starts_with("https://")) return false;
  host.remove_prefix(host.find("//") + 2);
  return !host.empty() && host.find_first_of("/?@ ") == std::string_view::npos &&
         (hash == text.size() ||
          (fragment.starts_with(kTokenFile) && fragment.size() > kTokenFile.size()));
}

// "folder:/shared/jobs", "command:ssh worker varve compact-worker {job}", a URL, or nothing.
Result<std::string> ParseCompactionService(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon);
  const bool known = (kind == "folder" || kind == "command") && colon + 1 < text.size();
  if (!text.empty() && !known && !IsHttpService(text)) {
    return Status::InvalidArgument("'" + EscapeForDisplay(text) +
                                   "' is neither folder:DIRECTORY nor command:COMMAND nor "
                                   "http://HOST:PORT#token-file=FILE");
  }
  return std::string(text);
}
std::string FormatCompactionService(const std::string& service) { return service; }

// "/fast=10737418240,/slow": the last path needs no size.
Result<std::vector<DbPath>> ParsePaths(std::string_view text) {
  std::vector<DbPath> paths;
  while (!text.empty()) {
    const std::string_view part = TakePart(&text, ',');
    const size_t equals = part.rfind('=');
    DbPath& path = paths.emplace_back();
    path.path = std::string(part.substr(0, equals));
    if (equals == std::string_view::npos) continue;
    ASSIGN_OR_RETURN(path.target_size, ParseUnsigned(part.substr(equals + 1), 0,
                                                     std::numeric_limits<uint64_t>::max()));
  }
  return paths;
}

std::string FormatPaths(const std::vector<DbPath>& paths) {
  std::string text;
  for (const DbPath& path : paths) {
    if (!text.empty()) text += ',';
    text.append(path.path).append("=").append(std::to_string(path.target_size));
  }
  return text;
}

constexpr std::string_view kNoBottommost = "kDisableCompressionOption";  // RocksDB's word.

Status SetBottommostCompression(Options* options, std::string_view text) {
  std::optional<CompressionType>& type = options->family.bottommost_compression.type;
  if (text == kNoBottommost) {
    type.reset();
    return Status::Ok();
  }
  const Result<CompressionType> parsed = ParseEnum<CompressionType>(text);
  if (!parsed.ok()) return parsed.status().At("bottommost_compression");
  type = *parsed;
  return Status::Ok();
}

std::string GetBottommostCompression(const Options& options) {
  const std::optional<CompressionType>& type = options.family.bottommost_compression.type;
  return type ? FormatEnum(*type) : std::string(kNoBottommost);
}

// "nullptr", "bloomfilter:10:false" or "ribbonfilter:10:-1". The third part of the former
// controlled RocksDB's choice of an older filter kind; it is ignored here. That of the latter is
// bloom_before_level.
Status SetFilterPolicy(Options* options, std::string_view text) {
  TableOptions& table = options->family.table;
  if (text == kNull) {
    table.filter = FilterKind::kNone;
    return Status::Ok();
  }
  const std::string whole(text);
  const std::string_view kind = TakePart(&text, ':');
  if (kind != "bloomfilter" && kind != "ribbonfilter") {
    return Status::InvalidArgument(
        "filter_policy: expected nullptr, bloomfilter:BITS or ribbonfilter:BITS, not \"" +
        EscapeForDisplay(whole) + "\"");
  }
  RETURN_IF_ERROR(
      FindOption("filter_bits_per_key")->set(options, TakePart(&text, ':')).At("filter_policy"));
  table.filter = kind == "bloomfilter" ? FilterKind::kBloom : FilterKind::kRibbon;
  table.bloom_before_level = TableOptions().bloom_before_level;
  if (table.filter == FilterKind::kBloom || text.empty()) return Status::Ok();
  return FindOption("bloom_before_level")->set(options, text).At("filter_policy");
}

std::string GetFilterPolicy(const Options& options) {
  const std::string bits = FormatReal(options.family.table.filter_bits_per_key);
  switch (options.family.table.filter) {
    case FilterKind::kNone:
      return std::string(kNull);
    case FilterKind::kBloom:
      return "bloomfilter:" + bits + ":false";
    case FilterKind::kRibbon:
      return "ribbonfilter:" + bits + ":" + std::to_string(options.family.table.bloom_before_level);
  }
  return "unsupported";
}

Status SetDataBlockIndexType(Options* options, std::string_view text) {
  bool& hashed = options->family.table.data_block_hash_index;
  if (text != "kDataBlockBinarySearch" && text != "kDataBlockBinaryAndHash") {
    return Status::InvalidArgument(
        "data_block_index_type: expected kDataBlockBinarySearch|kDataBlockBinaryAndHash, not \"" +
        EscapeForDisplay(text) + "\"");
  }
  hashed = text == "kDataBlockBinaryAndHash";
  return Status::Ok();
}

std::string GetDataBlockIndexType(const Options& options) {
  return options.family.table.data_block_hash_index ? "kDataBlockBinaryAndHash"
                                                    : "kDataBlockBinarySearch";
}

// Members without a row that would change what compactions do.
Status CheckNotWanted(std::string_view struct_name, std::string_view member,
                      std::string_view value) {
  if (struct_name != "compaction_options_universal" || member != "incremental") return Status::Ok();
  if (value == "false" || value == "0") return Status::Ok();
  return Status::NotSupported(
      "compaction_options_universal.incremental: only whole sorted runs are compacted");
}

// "{level=3;max_dict_bytes=0;}": the members that have a row named "STRUCT.MEMBER". Other members
// of RocksDB's structs are ignored.
Status SetStruct(Options* options, std::string_view name, std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with('}')) {
    return Status::InvalidArgument(std::string(name) + ": expected {member=value;...}, not \"" +
                                   EscapeForDisplay(text) + "\"");
  }
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    std::string_view value = TakePart(&text, ';');
    const std::string member(TakePart(&value, '='));
    const OptionRow* const row = FindOption(std::string(name) + "." + member);
    RETURN_IF_ERROR(CheckNotWanted(name, member, value));
    if (row != nullptr) RETURN_IF_ERROR(row->set(options, value));
  }
  return Status::Ok();
}

std::string GetStruct(const Options& options, std::string_view name) {
  const std::string prefix = std::string(name) + ".";
  std::string text = "{";
  for (const OptionRow& row : OptionTable()) {
    if (!row.name.starts_with(prefix)) continue;
    text.append(row.name.substr(prefix.size())).append("=").append(row.get(options)).append(";");
  }
  return text + "}";
}

template <OptionName kName>
OptionRow StructRow(const RowText& text) {
  return {kName.view(),
          text.scope,
          "{member=value;...}",
          text.help,
          [](Options* options, std::string_view value) {
            return SetStruct(options, kName.view(), value);
          },
          [](const Options& options) { return GetStruct(options, kName.view()); },
          /*in_rocksdb=*/true,
          /*kept=*/true,
          /*is_struct=*/true};
}

// --- The rows, in the order of options.h --------------------------------------------------------

void AddDatabaseRows(std::vector<OptionRow>& rows) {
  rows.insert(
      rows.end(),
      {ChoiceRow<"create_if_missing", FIELD(create_if_missing)>(
           {kDb, "Create an absent database.", true, kThisOpening}),
       ChoiceRow<"error_if_exists", FIELD(error_if_exists)>(
           {kDb, "Refuse an existing database.", true, kThisOpening}),
       ChoiceRow<"create_missing_column_families", FIELD(create_missing_column_families)>(
           {kDb, "Create the families asked for that are absent.", true, kThisOpening}),
       ChoiceRow<"paranoid_checks", FIELD(paranoid_checks)>(
           {kDb, "Read each new table back before it is installed."}),
       NumberRow<"max_open_files", FIELD(max_open_files), -1>({kDb, "Tables kept open; -1: all."}),
       NumberRow<"max_background_jobs", FIELD(max_background_jobs), 1, kManyThreads>(
           {kDb, "Flushes and compactions running at once."}),
       NumberRow<"max_subcompactions", FIELD(max_subcompactions), 1, kManyThreads>(
           {kDb, "Threads that share one compaction."}),
       ListRow<"compaction_service", FIELD(compaction_service), ParseCompactionService,
               FormatCompactionService>(
           "folder:DIR, command:.., http://..",
           {kDb, "Who compacts instead of this process; none: nobody.", false, kThisOpening}),
       ChoiceRow<"compaction_service_fallback", FIELD(compaction_service_fallback)>(
           {kDb, "Compact here what the service failed to do.", false, kThisOpening}),
       NumberRow<"compaction_service_timeout_seconds", FIELD(compaction_service_timeout_seconds), 0,
                 kSecondsMax>(
           {kDb, "Time that the service has for a job; 0: any.", false, kThisOpening}),
       NumberRow<"compaction_service_min_bytes", FIELD(compaction_service_min_bytes), 0>(
           {kDb, "Smaller compactions are done here.", false, kThisOpening}),
       NumberRow<"block_cache_bytes", FIELD(block_cache_bytes), 0>(
           {kDb, "Memory for cached blocks.", false}),
       ChoiceRow<"cache_metadata_with_high_priority", FIELD(cache_metadata_with_high_priority)>(
           {kDb, "Keep indexes and filters cached when blocks read once pass through.", false}),
       ListRow<"db_paths", FIELD(db_paths), ParsePaths, FormatPaths>(
           "DIR=BYTES,..", {kDb, "Directories for tables, with target sizes; none: the database's.",
                            /*in_rocksdb=*/true, kThisOpening}),
       ChoiceRow<"scan_readahead", FIELD(scan_readahead)>(
           {kDb, "How iterators read ahead.", false}),
       NumberRow<"initial_auto_readahead_size", FIELD(initial_auto_readahead_size), 0>(
           {kDb, "scan_readahead=doubling: the first window in bytes.", false}),
       NumberRow<"max_auto_readahead_size", FIELD(max_auto_readahead_size), 0>(
           {kDb, "scan_readahead=doubling: the largest window; 0: none.", false}),
       NumberRow<"num_file_reads_for_auto_readahead", FIELD(num_file_reads_for_auto_readahead), 0u>(
           {kDb, "scan_readahead=doubling: sequential reads before it starts.", false}),
       ChoiceRow<"use_direct_reads", FIELD(use_direct_reads)>(
           {kDb, "Bypass the page cache for user reads."}),
       ChoiceRow<"use_direct_io_for_flush_and_compaction",
                 FIELD(use_direct_io_for_flush_and_compaction)>(
           {kDb, "Bypass the page cache in the background."}),
       NumberRow<"compaction_readahead_size", FIELD(compaction_readahead_size), 0>(
           {kDb, "Bytes that a compaction reads at once."}),
       NumberRow<"max_total_wal_size", FIELD(max_total_wal_size), 0>(
           {kDb, "Logs larger than this are flushed away; 0: four times all write buffers."}),
       NumberRow<"max_manifest_file_size", FIELD(max_manifest_file_size), 1>(
           {kDb, "A larger MANIFEST is replaced by a new one."}),
       NumberRow<"delayed_write_rate", FIELD(delayed_write_rate), 1>(
           {kDb, "Bytes a second once writes are slowed down."}),
       ChoiceRow<"wal_recovery_mode", FIELD(wal_recovery_mode)>(
           {kDb, "What damage in a log recovery tolerates.", true, kThisOpening}),
       ChoiceRow<"accept_loss", FIELD(accept_loss)>(
           {kDb, "Open for writing although a log is damaged; the log is kept in lost/.", false,
            kThisOpening}),
       ChoiceRow<"allow_2pc", FIELD(allow_2pc)>(
           {kDb, "Open for writing although transactions are prepared, and prepare some.", false,
            kThisOpening}),
       ChoiceRow<"allow_concurrent_memtable_write", FIELD(allow_concurrent_memtable_write)>(
           {kDb, "Let the writers of a group fill the memtable side by side."})});
}

void AddBottommostRows(std::vector<OptionRow>& rows) {
  rows.insert(
      rows.end(),
      {{"bottommost_compression", kFamily, "a codec or kDisableCompressionOption",
        "The codec of the deepest level that has data; kDisableCompressionOption: as any other's.",
        SetBottommostCompression, GetBottommostCompression},
       StructRow<"bottommost_compression_opts">({kFamily, "The options of that level's codec."}),
       ChoiceRow<"bottommost_compression_opts.enabled",
                 FIELD(family.bottommost_compression.enabled)>(
           {kFamily, "Whether they hold there instead of compression_opts.", false}),
       NumberRow<"bottommost_compression_opts.level", FIELD(family.bottommost_compression.level),
                 -1000000>({kFamily, "That codec's level; 32767: its default.", false}),
       NumberRow<"bottommost_compression_opts.max_dict_bytes",
                 FIELD(family.bottommost_compression.dict_bytes), 0, kBlockMax>(
           {kFamily, "Bytes of a table's dictionary in that level; 0: none.", false}),
       NumberRow<"bottommost_compression_opts.zstd_max_train_bytes",
                 FIELD(family.bottommost_compression.zstd_max_train_bytes), 0, kBlockMax>(
           {kFamily, "Samples to train that dictionary from; 0: the samples are it.", false})});
}

void AddBlobRows(std::vector<OptionRow>& rows) {
  rows.insert(
      rows.end(),
      {ChoiceRow<"enable_blob_files", FIELD(family.blobs.enabled)>(
           {kFamily, "Write large values into files of their own."}),
       NumberRow<"min_blob_size", FIELD(family.blobs.min_size), 0>(
           {kFamily, "Values of so many bytes, or more, are large."}),
       NumberRow<"blob_file_size", FIELD(family.blobs.file_size), 0>(
           {kFamily, "A blob file of so many bytes is closed."}),
       ChoiceRow<"blob_compression_type", FIELD(family.blobs.compression)>(
           {kFamily, "The codec of values in blob files."}),
       ChoiceRow<"enable_blob_garbage_collection", FIELD(family.blobs.collect_garbage)>(
           {kFamily, "Compactions move values out of the oldest blob files."}),
       NumberRow<"blob_garbage_collection_age_cutoff", FIELD(family.blobs.age_cutoff), 0.0, 1.0>(
           {kFamily, "The share of blob files that are so old."}),
       NumberRow<"blob_garbage_collection_force_threshold", FIELD(family.blobs.force_threshold),
                 0.0, 1.0>(
           {kFamily, "The share of garbage in the oldest that starts compactions."}),
       NumberRow<"blob_file_starting_level", FIELD(family.blobs.starting_level), 0, kNumLevelsMax>(
           {kFamily, "The first level whose large values are outside."})});
}

void AddUniversalRows(std::vector<OptionRow>& rows) {
  rows.insert(
      rows.end(),
      {StructRow<"compaction_options_universal">({kFamily, "The options of universal compaction."}),
       NumberRow<"compaction_options_universal.size_ratio", FIELD(family.universal.size_ratio), 0u>(
           {kFamily, "Percent by which the next sorted run may be larger.", false}),
       NumberRow<"compaction_options_universal.min_merge_width",
                 FIELD(family.universal.min_merge_width), 0u>(
           {kFamily, "The fewest sorted runs that are merged; less than 2 is 2.", false}),
       NumberRow<"compaction_options_universal.max_merge_width",
                 FIELD(family.universal.max_merge_width), 0u>(
           {kFamily, "The most sorted runs that are merged, unless all are.", false}),
       NumberRow<"compaction_options_universal.max_size_amplification_percent",
                 FIELD(family.universal.max_size_amplification_percent), 0u>(
           {kFamily, "Bytes above the last sorted run, percent of it, that merge all.", false}),
       NumberRow<"compaction_options_universal.compression_size_percent",
                 FIELD(family.universal.compression_size_percent), -1>(
           {kFamily, "Percent of bytes in older runs from which on none is compressed; -1: all.",
            false}),
       ChoiceRow<"compaction_options_universal.stop_style", FIELD(family.universal.stop_style)>(
           {kFamily, "What the size of the next sorted run is compared with.", false}),
       ChoiceRow<"compaction_options_universal.allow_trivial_move",
                 FIELD(family.universal.allow_trivial_move)>(
           {kFamily, "Move runs without common keys instead of merging them.", false})});
}

void AddFamilyRows(std::vector<OptionRow>& rows) {
  rows.insert(
      rows.end(),
      {{"comparator", kFamily, "nullptr or a built-in comparator's name",
        "The order of keys; nullptr: what the database has, else bytewise.", SetComparator,
        GetComparator, /*in_rocksdb=*/true, /*kept=*/false},
       {"merge_operator", kFamily, "nullptr or a built-in operator's name",
        "What merge operands mean; nullptr: what the database has.", SetMergeOperator,
        GetMergeOperator},
       ListRow<"cf_paths", FIELD(family.cf_paths), ParsePaths, FormatPaths>(
           "DIR=BYTES,..", {kFamily, "As db_paths, of one family; none: those.",
                            /*in_rocksdb=*/true, kThisOpening}),
       NumberRow<"write_buffer_size", FIELD(family.write_buffer_size), 1>(
           {kFamily, "A memtable this large is sealed and flushed."}),
       NumberRow<"max_write_buffer_number", FIELD(family.max_write_buffer_number), 2>(
           {kFamily, "Memtables, sealed ones included, before writes stall."}),
       ChoiceRow<"compaction_style", FIELD(family.compaction_style)>(
           {kFamily, "How tables are compacted."}),
       ChoiceRow<"disable_auto_compactions", FIELD(family.disable_auto_compactions)>(
           {kFamily, "Compact only when asked to."}),
       NumberRow<"num_levels", FIELD(family.num_levels), 1, kNumLevelsMax>(
           {kFamily, "Levels of the tree."}),
       NumberRow<"level0_file_num_compaction_trigger",
                 FIELD(family.level0_file_num_compaction_trigger), 1>(
           {kFamily, "Tables in level 0 that start a compaction."}),
       NumberRow<"level0_slowdown_writes_trigger", FIELD(family.level0_slowdown_writes_trigger), 1>(
           {kFamily, "Tables in level 0 that slow writes down."}),
       NumberRow<"level0_stop_writes_trigger", FIELD(family.level0_stop_writes_trigger), 1>(
           {kFamily, "Tables in level 0 that stop writes."}),
       NumberRow<"max_bytes_for_level_base", FIELD(family.max_bytes_for_level_base), 1>(
           {kFamily, "Bytes that level 1 may have."}),
       NumberRow<"max_bytes_for_level_multiplier", FIELD(family.max_bytes_for_level_multiplier),
                 1.0, 1000000.0>({kFamily, "How much larger each level is than the one above."}),
       ChoiceRow<"level_compaction_dynamic_level_bytes",
                 FIELD(family.level_compaction_dynamic_level_bytes)>(
           {kFamily, "Derive the sizes of levels from that of the last."}),
       NumberRow<"target_file_size_base", FIELD(family.target_file_size_base), 1>(
           {kFamily, "Bytes of a table in level 1."}),
       NumberRow<"target_file_size_multiplier", FIELD(family.target_file_size_multiplier), 1,
                 1000000>({kFamily, "How much larger tables get each level down."}),
       NumberRow<"max_compaction_bytes", FIELD(family.max_compaction_bytes), 0>(
           {kFamily, "Bytes that one compaction takes in; 0: 25 times target_file_size_base."}),
       NumberRow<"soft_pending_compaction_bytes_limit",
                 FIELD(family.soft_pending_compaction_bytes_limit), 0>(
           {kFamily, "Bytes awaiting compaction that slow writes down; 0: no limit."}),
       NumberRow<"hard_pending_compaction_bytes_limit",
                 FIELD(family.hard_pending_compaction_bytes_limit), 0>(
           {kFamily, "Bytes awaiting compaction that stop writes; 0: no limit."}),
       StructRow<"compaction_options_fifo">({kFamily, "The options of FIFO compaction."}),
       NumberRow<"compaction_options_fifo.max_table_files_size",
                 FIELD(family.fifo_max_table_files_size), 0>(
           {kFamily, "FIFO drops the oldest tables beyond this many bytes.", false}),
       ListRow<"compression_per_level", FIELD(family.compression_per_level),
               ParsePerLevel<CompressionType>, FormatPerLevel<CompressionType>>(
           "codecs separated by ':'",
           {kFamily, "A codec for each level, the last repeated; empty: compression everywhere."}),
       ChoiceRow<"compression", FIELD(family.table.compression)>(
           {kFamily, "The codec of new blocks."}),
       StructRow<"compression_opts">({kFamily, "The options of the codec."}),
       NumberRow<"compression_opts.level", FIELD(family.table.compression_level), -1000000>(
           {kFamily, "The codec's level; 32767: its default.", false}),
       NumberRow<"compression_opts.max_dict_bytes", FIELD(family.table.compression_dict_bytes), 0,
                 kBlockMax>({kFamily, "Bytes of a table's dictionary; 0: none.", false}),
       NumberRow<"compression_opts.zstd_max_train_bytes", FIELD(family.table.zstd_max_train_bytes),
                 0, kBlockMax>(
           {kFamily, "Samples to train it from; 0: the samples are the dictionary.", false})});
  AddUniversalRows(rows);
  AddBottommostRows(rows);
  AddBlobRows(rows);
}

void AddTableRows(std::vector<OptionRow>& rows) {
  rows.insert(
      rows.end(),
      {NumberRow<"format_version", FIELD(family.table.format_version), 2u, 7u>(
           {kTable, "The version of new tables; 5 is the newest that RocksDB 7.8 reads."}),
       ChoiceRow<"checksum", FIELD(family.table.checksum)>({kTable, "Of every new block."}),
       NumberRow<"block_size", FIELD(family.table.block_size), 1u, kBlockMax>(
           {kTable, "Raw bytes of a data block, approximately."}),
       NumberRow<"block_restart_interval", FIELD(family.table.block_restart_interval), 1u, 65536u>(
           {kTable, "Keys of a data block between two whole ones."}),
       NumberRow<"index_block_restart_interval", FIELD(family.table.index_block_restart_interval),
                 1u, 65536u>({kTable, "Keys of an index block between two whole ones."}),
       NumberRow<"metadata_block_size", FIELD(family.table.metadata_block_size), 1u, kBlockMax>(
           {kTable, "Bytes of a partition of the index or filter, approximately."}),
       ChoiceRow<"index_type", FIELD(family.table.index_type)>(
           {kTable, "One index block, or partitions below a top one."}),
       {"filter_policy", kTable, "nullptr|bloomfilter:BITS|ribbonfilter:BITS[:LEVEL]",
        "What says that a table lacks a key, and its bits per key.", SetFilterPolicy,
        GetFilterPolicy},
       NumberRow<"filter_bits_per_key", FIELD(family.table.filter_bits_per_key), 0.0, 100.0>(
           {kTable, "The size of filters; 0: no filter.", false}),
       NumberRow<"bloom_before_level", FIELD(family.table.bloom_before_level), -1, kNumLevelsMax>(
           {kTable, "Levels before this one have Bloom filters, with ribbonfilter.", false}),
       ChoiceRow<"partition_filters", FIELD(family.table.partition_filters)>(
           {kTable, "Cut the filter like the index; needs kTwoLevelIndexSearch."}),
       ChoiceRow<"decouple_partitioned_filters", FIELD(family.table.decouple_partitioned_filters)>(
           {kTable, "Cut the filter independently of the index.", false}),
       ChoiceRow<"merge_runt_partitions", FIELD(family.table.merge_runt_partitions)>(
           {kTable, "Leave no undersized last partition of an index or filter.", false}),
       {"data_block_index_type", kTable, "kDataBlockBinarySearch|kDataBlockBinaryAndHash",
        "Whether data blocks have a hash index.", SetDataBlockIndexType, GetDataBlockIndexType},
       NumberRow<"data_block_hash_table_util_ratio",
                 FIELD(family.table.data_block_hash_table_util_ratio), 0.01, 1.0>(
           {kTable, "Keys for each bucket of that hash index."}),
       ChoiceRow<"point_index", FIELD(family.table.point_index)>(
           {kTable, "An index for Get and MultiGet: of tables of integer keys, or of any.", false}),
       ListRow<"point_index_per_level", FIELD(family.point_index_per_level),
               ParsePerLevel<PointIndexKind>, FormatPerLevel<PointIndexKind>>(
           "values of point_index separated by ':'",
           {kTable, "One for each level, the last repeated; empty: point_index everywhere.",
            false})});
}

}  // namespace

// Never destroyed: the destructor of a global may open a database.
std::span<const OptionRow> OptionTable() {
  static const std::vector<OptionRow>& table = *[] {
    auto rows = std::make_unique<std::vector<OptionRow>>();
    AddDatabaseRows(*rows);
    AddFamilyRows(*rows);
    AddTableRows(*rows);
    return rows.release();
  }();
  return table;
}

const OptionRow* FindOption(std::string_view name) {
  using ByName = std::map<std::string_view, const OptionRow*>;
  static const ByName& by_name = *[] {
    auto rows = std::make_unique<ByName>();
    for (const OptionRow& row : OptionTable()) rows->emplace(row.name, &row);
    return rows.release();
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

bool MayChangeAtRunTime(std::string_view name) {
  static constexpr std::array<std::string_view, 27> kNames = {
      "write_buffer_size",
      "max_write_buffer_number",
      "disable_auto_compactions",
      "level0_file_num_compaction_trigger",
      "level0_slowdown_writes_trigger",
      "level0_stop_writes_trigger",
      "max_bytes_for_level_base",
      "max_bytes_for_level_multiplier",
      "target_file_size_base",
      "target_file_size_multiplier",
      "max_compaction_bytes",
      "soft_pending_compaction_bytes_limit",
      "hard_pending_compaction_bytes_limit",
      "compaction_options_universal",
      "compression",
      "compression_opts",
      "compression_per_level",
      "bottommost_compression",
      "bottommost_compression_opts",
      "enable_blob_files",
      "min_blob_size",
      "blob_file_size",
      "blob_compression_type",
      "enable_blob_garbage_collection",
      "blob_garbage_collection_age_cutoff",
      "blob_garbage_collection_force_threshold",
      "blob_file_starting_level"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool MayBeStored(const OptionRow& row) {
  if (!row.kept || row.in_rocksdb) return row.kept;
  // Parts of filter_policy.
  if (row.name == "filter_bits_per_key" || row.name == "bloom_before_level") return true;
  const OptionRow* const whole = FindOption(row.name.substr(0, row.name.find('.')));
  return whole != nullptr && whole->is_struct;
}

}  // namespace varve
