// SPDX-License-Identifier: Apache-2.0
#include "core/table/read/table_opener.h"

#include <algorithm>
#include <utility>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/format/table/block_walker.h"
#include "core/table/block/block_cursor.h"

namespace varve {
namespace {

using Impl = TableReader::Impl;

constexpr std::string_view kGlobalSeqnoName = "rocksdb.external_sst_file.global_seqno";

Status ReadFooter(Impl* table) {
  const uint64_t size = table->fetcher.file_size();
  const uint64_t tail_size = std::min(size, kFooterSize);
  ASSIGN_OR_RETURN(const std::string tail, table->fetcher.ReadBytes(size - tail_size, tail_size));
  Result<Footer> footer = DecodeFooter(tail, size);
  if (!footer.ok()) return footer.status().At(table->fetcher.Where(size - tail_size));
  table->fetcher.set_footer(*footer);
  return Status::Ok();
}

Status CheckSize(const BlockFetcher& fetcher, BlockHandle handle, uint64_t max, const char* what) {
  if (handle.size <= max) return Status::Ok();
  return Status::Corruption(std::string(what) + " of " + std::to_string(handle.size) + " bytes")
      .At(fetcher.Where(handle.offset));
}

Status ReadMetaindex(Impl* table) {
  const Footer& footer = table->fetcher.footer();
  RETURN_IF_ERROR(CheckSize(table->fetcher, footer.metaindex, kMetaindexSizeMax, "metaindex"));
  ASSIGN_OR_RETURN(const std::shared_ptr<const Block> block,
                   table->fetcher.Read(footer.metaindex, BlockKind::kKeyValue, FetchOptions{}));
  Result<Metaindex> metaindex = DecodeMetaindex(block->bytes(), footer.offset);
  if (!metaindex.ok()) {
    return metaindex.status().At(table->fetcher.Where(footer.metaindex.offset));
  }
  table->metaindex = *std::move(metaindex);
  return Status::Ok();
}

// Copies `stored` with the value of global_seqno zeroed; nullopt if the block has no such property.
std::optional<std::string> WithoutGlobalSeqno(const std::string& stored) {
  const std::string_view payload =
      std::string_view(stored).substr(0, stored.size() - kBlockTrailerSize);
  const Result<BlockView> view = ParseBlock(payload);
  if (!view.ok()) return std::nullopt;
  BlockWalker walker(*view);
  while (walker.Next()) {
    if (walker.key() != kGlobalSeqnoName || walker.value().size() != sizeof(uint64_t)) continue;
    std::string patched = stored;
    const auto at = static_cast<size_t>(walker.value().data() - payload.data());
    patched.replace(at, sizeof(uint64_t), sizeof(uint64_t), '\0');
    return patched;
  }
  return std::nullopt;
}

Status ReadProperties(Impl* table) {
  const std::optional<BlockHandle> handle = FindProperties(table->metaindex);
  if (!handle.has_value()) return Status::Ok();  // LevelDB's filters have none.
  ASSIGN_OR_RETURN(table->properties, ReadTableProperties(table->fetcher, *handle));
  table->has_properties = true;
  return Status::Ok();
}

// In format_version 7 this names the codecs' manager: "<manager>;<types>;" (sst-format 9.3).
Status CheckCompressionManager(const Impl& table) {
  if (table.fetcher.footer().format_version < 7 || !table.has_properties) return Status::Ok();
  const std::string& text = table.properties.compression;
  const size_t first = text.find(';');
  const std::string where = table.fetcher.Where(0);
  if (first == std::string::npos || text.find(';', first + 1) == std::string::npos) {
    return Status::Corruption("property rocksdb.compression is \"" + text + "\"").At(where);
  }
  const std::string manager = text.substr(0, first);
  if (manager.empty() || manager == "BuiltinV2") return Status::Ok();
  return Status::NotSupported("compressed by the unknown codec manager \"" + manager + "\"")
      .At(where);
}

Status ChooseComparator(Impl* table, const Comparator* wanted) {
  table->comparator_name = table->properties.comparator;
  if (wanted == nullptr) {
    if (table->comparator_name.empty()) table->comparator_name = BytewiseComparator()->name();
    table->comparator = ComparatorByName(table->comparator_name);
    return Status::Ok();
  }
  if (!table->comparator_name.empty() && table->comparator_name != wanted->name()) {
    return Status::InvalidArgument("table is ordered by \"" +
                                   EscapeForDisplay(table->comparator_name) +
                                   "\" but opened with \"" + std::string(wanted->name()) + "\"")
        .At(table->fetcher.Where(0));
  }
  table->comparator = wanted;
  if (wanted->timestamp_size() != 0 && !table->properties.user_timestamps_persisted) {
    return Status::NotSupported("user-defined timestamps that the table does not keep")
        .At(table->fetcher.Where(0));
  }
  table->comparator_name = wanted->name();
  return Status::Ok();
}

Status ChooseGlobalSequence(Impl* table, Sequence from_manifest) {
  const TableProperties& properties = table->properties;
  const Sequence stored = properties.global_seqno.value_or(0);
  const std::string where =
      table->fetcher.Where(FindProperties(table->metaindex).value_or(BlockHandle{}).offset);
  if (properties.external_version.value_or(1) < 2) {
    if (properties.global_seqno.has_value()) {
      return Status::Corruption("property global_seqno without external_sst_file.version 2")
          .At(where);
    }
    return Status::Ok();
  }
  if (stored != 0 && from_manifest != 0 && stored != from_manifest) {
    return Status::Corruption("global_seqno is " + std::to_string(stored) + ", the MANIFEST says " +
                              std::to_string(from_manifest))
        .At(where);
  }
  table->global_sequence = stored != 0 ? stored : from_manifest;
  if (table->global_sequence > kMaxSequence) {
    return Status::Corruption("global_seqno is " + std::to_string(table->global_sequence))
        .At(where);
  }
  return Status::Ok();
}

Status ReadDictionary(Impl* table) {
  const std::optional<BlockHandle> handle = FindMeta(table->metaindex, kMetaCompressionDict);
  if (!handle.has_value() || handle->size == 0) return Status::Ok();
  RETURN_IF_ERROR(CheckSize(table->fetcher, *handle, kDictionarySizeMax, "dictionary"));
  ASSIGN_OR_RETURN(std::shared_ptr<const Block> block,
                   table->fetcher.Read(*handle, BlockKind::kOpaque, FetchOptions{}));
  table->fetcher.set_dictionary(std::move(block));
  return Status::Ok();
}

Status ReadIndex(Impl* table) {
  const TableProperties& properties = table->properties;
  const uint32_t kind = properties.index_type.value_or(0);
  if (kind > static_cast<uint32_t>(IndexType::kBinaryWithFirstKey)) {
    return Status::NotSupported("index kind " + std::to_string(kind)).At(table->fetcher.Where(0));
  }
  std::optional<BlockHandle> handle = table->fetcher.footer().index;
  if (!handle.has_value()) handle = FindMeta(table->metaindex, kMetaIndex);
  if (!handle.has_value()) {
    return Status::Corruption("metaindex has no rocksdb.index")
        .At(table->fetcher.Where(table->fetcher.footer().metaindex.offset));
  }
  table->index.two_levels = kind == static_cast<uint32_t>(IndexType::kTwoLevel);
  table->index.handle = *handle;
  table->index.encoding = {
      .user_keys = properties.index_key_is_user_key,
      .values = {.delta_encoded = properties.index_value_is_delta_encoded,
                 .has_first_key = kind == static_cast<uint32_t>(IndexType::kBinaryWithFirstKey)}};
  ASSIGN_OR_RETURN(table->index.top,
                   table->fetcher.Read(*handle, BlockKind::kKeyValue, FetchOptions{}));
  return Status::Ok();
}

// Data blocks come first in every format. Without this limit an index might name itself as a data
// block, and a cached block of another kind might be taken for one.
void LimitData(Impl* table) {
  uint64_t end = std::min(table->fetcher.footer().metaindex.offset, table->index.handle.offset);
  for (const auto& [name, handle] : table->metaindex) {
    if (handle.size > 0) end = std::min(end, handle.offset);
  }
  table->fetcher.set_end_of_data(end);
}

// LevelDB writes only puts and deletions. If the first key ends with neither type, the table was
// built outside a database, and its keys have no packed part.
Status DetectBareKeys(Impl* table) {
  if (!table->fetcher.footer().legacy_magic || table->has_properties) return Status::Ok();
  IndexCursor index(table->index, table->fetcher, FetchOptions{});
  if (!index.SeekToFirst()) return Status::Ok();
  const Result<std::shared_ptr<const Block>> block =
      table->fetcher.Fetch(index.handle(), BlockKind::kData, FetchOptions{});
  if (!block.ok()) return Status::Ok();  // Readers of the block report the error.
  BlockCursor cursor(**block);
  if (!cursor.SeekToFirst()) return Status::Ok();
  InternalKey key;
  table->bare_keys = !ParseStoredKey(cursor.key(), false, &key) || key.type > ValueType::kValue;
  if (table->bare_keys) table->index.encoding.user_keys = true;
  return Status::Ok();
}

Status ReadTombstones(Impl* table) {
  const std::optional<BlockHandle> handle = FindMeta(table->metaindex, kMetaRangeDeletions);
  if (!handle.has_value()) return Status::Ok();
  ASSIGN_OR_RETURN(const std::shared_ptr<const Block> block,
                   table->fetcher.Read(*handle, BlockKind::kKeyValue, FetchOptions{}));
  uint64_t room = kTombstoneKeysMax * block->bytes().size();
  BlockWalker walker(block->view());
  while (walker.Next()) {
    const std::optional<InternalKey> key = DecodeInternalKey(walker.key());
    if (walker.key().size() > room) {
      return Status::Corruption("the keys of the range deletions are more than " +
                                std::to_string(kTombstoneKeysMax) + " times their block")
          .At(table->fetcher.Where(handle->offset));
    }
    room -= walker.key().size();
    if (!key.has_value() || key->type != ValueType::kRangeDeletion) {
      return Status::Corruption("entry at byte " + std::to_string(walker.offset()) +
                                " of the block is no range deletion")
          .At(table->fetcher.Where(handle->offset));
    }
    table->raw_tombstones.push_back(
        {std::string(key->user_key), std::string(walker.value()),
         table->global_sequence != 0 ? table->global_sequence : key->sequence});
  }
  if (!walker.status().ok()) return walker.status().At(table->fetcher.Where(handle->offset));
  if (table->comparator != nullptr && !table->raw_tombstones.empty()) {
    table->tombstones =
        std::make_shared<const FragmentedTombstones>(*table->comparator, table->raw_tombstones);
  }
  return Status::Ok();
}

void MakeIndexHeads(Impl* table) {
  if (table->comparator == nullptr || table->comparator->kind() != Comparator::Kind::kBytewise) {
    return;
  }
  const IndexEncoding& encoding = table->index.encoding;
  table->index.heads = IndexHeads(*table->index.top, encoding.user_keys, encoding.values);
}

void OpenFilter(Impl* table) {
  const std::optional<FilterEntry> entry = FindFilter(table->metaindex);
  if (!entry.has_value() || table->bare_keys) return;
  table->filter_status =
      table->filter.Open(table->fetcher, *entry, table->properties, table->index.encoding);
}

// What the index says of itself was checked when it was decoded; this is what it says of the table.
Status CheckPointIndex(const Impl& table, const PointPlaces& index) {
  const TableProperties& properties = table.properties;
  if (properties.entries - std::min(properties.entries, properties.range_deletions) !=
      index.entries) {
    return Status::Corruption("point index: it has " + std::to_string(index.entries) +
                              " entries, the table another number");
  }
  if (properties.data_blocks != index.blocks.size()) {
    return Status::Corruption("point index: it has " + std::to_string(index.blocks.size()) +
                              " blocks, the table another number");
  }
  const IndexHeads& heads = table.index.heads;
  for (size_t i = 0; table.index.is_listed() && i < index.blocks.size(); ++i) {
    if (i < heads.size() && heads.handle(static_cast<uint32_t>(i)) == index.blocks[i].handle) {
      continue;
    }
    return Status::Corruption("point index: block " + std::to_string(i) +
                              " is not where the table's index has it");
  }
  return table.fetcher.CheckHandle(index.blocks.back().handle, BlockKind::kData);
}

// The index, if it is that of the table.
template <typename Index>
Result<std::unique_ptr<const PointIndex>> MakePointIndex(const Impl& table, Result<Index> index) {
  if (!index.ok()) return index.status();
  RETURN_IF_ERROR(CheckPointIndex(table, *index));
  return std::make_unique<const PointIndex>(*std::move(index));
}

Result<std::unique_ptr<const PointIndex>> ReadPointIndex(const Impl& table, BlockHandle handle,
                                                         bool is_hash) {
  RETURN_IF_ERROR(CheckSize(table.fetcher, handle, kPointIndexSizeMax, "point index"));
  ASSIGN_OR_RETURN(const std::string stored, table.fetcher.ReadStored(handle));
  // It is not written compressed: a few bytes could become an index that takes gigabytes.
  if (static_cast<CompressionType>(stored[handle.size]) != CompressionType::kNone) {
    return Status::Corruption("point index: it is compressed")
        .At(table.fetcher.Where(handle.offset));
  }
  ASSIGN_OR_RETURN(
      const std::shared_ptr<const Block> block,
      table.fetcher.Decode(stored, handle, BlockKind::kOpaque, FetchOptions{}.verify_checksums));
  auto point = is_hash ? MakePointIndex(table, DecodeHashIndex(block->bytes()))
                       : MakePointIndex(table, DecodeIntegerIndex(block->bytes()));
  if (!point.ok()) return point.status().At(table.fetcher.Where(handle.offset));
  return point;
}

// Advisory: a damaged one is not used.
void OpenPointIndex(Impl* table) {
  std::optional<BlockHandle> handle = FindMeta(table->metaindex, kMetaIntegerIndex);
  const bool is_hash = !handle.has_value();
  if (is_hash) handle = FindMeta(table->metaindex, kMetaHashIndex);
  if (!handle.has_value() || !table->has_properties || !table->searches_bytewise() ||
      table->fetcher.footer().checksum == ChecksumType::kNone) {
    return;
  }
  Result<std::unique_ptr<const PointIndex>> point = ReadPointIndex(*table, *handle, is_hash);
  if (point.ok()) {
    table->point = *std::move(point);
  } else {
    table->point_status = point.status();
  }
}

void DecodePartitions(Impl* table) {
  if (!table->index.two_levels || table->comparator == nullptr || table->bare_keys) return;
  table->index.partitions = PartitionMap::Make(*table->comparator, *table->index.top,
                                               table->filter.top(), table->index.encoding);
}

}  // namespace

Result<TableProperties> ReadTableProperties(const BlockFetcher& fetcher, BlockHandle handle) {
  RETURN_IF_ERROR(CheckSize(fetcher, handle, kPropertiesSizeMax, "properties block"));
  ASSIGN_OR_RETURN(const std::string stored, fetcher.ReadStored(handle));
  bool verify = true;
  Result<std::shared_ptr<const Block>> block =
      fetcher.Decode(stored, handle, BlockKind::kOpaque, verify);
  if (!block.ok()) {
    const std::optional<std::string> unpatched = WithoutGlobalSeqno(stored);
    if (!unpatched.has_value() ||
        !fetcher.Decode(*unpatched, handle, BlockKind::kOpaque, verify).ok()) {
      return block.status();
    }
    verify = false;  // Everything except the sequence number was just verified.
    block = fetcher.Decode(stored, handle, BlockKind::kOpaque, verify);
    if (!block.ok()) return block.status();
  }
  Result<TableProperties> properties = DecodeTableProperties((*block)->bytes());
  if (!properties.ok()) return properties.status().At(fetcher.Where(handle.offset));
  return properties;
}

Result<std::unique_ptr<Impl>> OpenTable(std::unique_ptr<RandomAccessFile> file,
                                        const TableReaderOptions& options) {
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  auto table = std::make_unique<Impl>(std::move(file), size, options.cache);
  if (options.expected_size != 0 && options.expected_size != size) {
    return Status::Corruption("file has " + std::to_string(size) + " bytes, the MANIFEST says " +
                              std::to_string(options.expected_size))
        .At(table->fetcher.Where(0));
  }
  RETURN_IF_ERROR(ReadFooter(table.get()));
  RETURN_IF_ERROR(ReadMetaindex(table.get()));
  RETURN_IF_ERROR(ReadProperties(table.get()));
  RETURN_IF_ERROR(CheckCompressionManager(*table));
  RETURN_IF_ERROR(ChooseComparator(table.get(), options.comparator));
  RETURN_IF_ERROR(ChooseGlobalSequence(table.get(), options.global_sequence));
  RETURN_IF_ERROR(ReadDictionary(table.get()));
  RETURN_IF_ERROR(ReadIndex(table.get()));
  LimitData(table.get());
  RETURN_IF_ERROR(DetectBareKeys(table.get()));
  MakeIndexHeads(table.get());
  RETURN_IF_ERROR(ReadTombstones(table.get()));
  OpenFilter(table.get());
  OpenPointIndex(table.get());
  table->fetcher.set_protect_metadata(options.grades.protect_metadata);
  if (options.grades.partition_search == PartitionSearch::kDecoded) DecodePartitions(table.get());
  if (options.grades.block_form == BlockForm::kLookup && table->searches_bytewise()) {
    table->fetcher.use_heads(
        BlockHeads::RoomFor(table->properties.entries, table->properties.data_blocks));
  }
  return table;
}

}  // namespace varve
