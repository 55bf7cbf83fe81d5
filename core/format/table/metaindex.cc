// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/metaindex.h"

#include <utility>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/table/block_builder.h"
#include "core/format/table/block_view.h"
#include "core/format/table/block_walker.h"

namespace varve {

std::string EncodeMetaindex(const Metaindex& entries) {
  BlockBuilder builder({.restart_interval = 1});
  std::string value;
  for (const auto& [name, handle] : entries) {
    value.clear();
    AppendBlockHandle(&value, handle);
    builder.Add(name, value);
  }
  return std::string(builder.Finish());
}

Result<Metaindex> DecodeMetaindex(std::string_view block, uint64_t footer_offset) {
  ASSIGN_OR_RETURN(const BlockView view, ParseBlock(block));
  Metaindex entries;
  BlockWalker walker(view);
  while (walker.Next()) {
    const std::string name(walker.key());
    const std::string shown = "metaindex entry \"" + EscapeForDisplay(name) + "\"";
    if (!entries.empty() && entries.rbegin()->first >= name) {
      return Status::Corruption(shown + " is out of order");
    }
    Result<BlockHandle> handle = DecodeBlockHandle(walker.value());
    if (!handle.ok()) return handle.status().At(shown);
    if (!handle->FitsBelow(footer_offset)) {
      return Status::Corruption(shown + ": a block at " + std::to_string(handle->offset) + " of " +
                                std::to_string(handle->size) +
                                " bytes does not fit below the footer at " +
                                std::to_string(footer_offset));
    }
    entries.emplace_hint(entries.end(), name, *handle);
  }
  RETURN_IF_ERROR(walker.status());
  return entries;
}

std::optional<BlockHandle> FindMeta(const Metaindex& metaindex, std::string_view name) {
  const auto found = metaindex.find(name);
  if (found == metaindex.end()) return std::nullopt;
  return found->second;
}

std::optional<BlockHandle> FindProperties(const Metaindex& metaindex) {
  if (const auto found = FindMeta(metaindex, kMetaProperties)) return found;
  return FindMeta(metaindex, kMetaPropertiesOld);
}

std::optional<FilterEntry> FindFilter(const Metaindex& metaindex) {
  const auto find = [&](std::string_view prefix, std::string_view policy) {
    return FindMeta(metaindex, std::string(prefix).append(policy));
  };
  if (const auto full = find(kMetaFullFilter, kRocksDbFilterName)) {
    return FilterEntry{FilterEntry::Kind::kFull, false, *full};
  }
  if (const auto partitioned = find(kMetaPartitionedFilter, kRocksDbFilterName)) {
    return FilterEntry{FilterEntry::Kind::kPartitioned, false, *partitioned};
  }
  if (const auto leveldb = find(kMetaBlockFilter, kLevelDbFilterName)) {
    return FilterEntry{FilterEntry::Kind::kPerBlock, true, *leveldb};
  }
  if (const auto rocksdb = find(kMetaBlockFilter, kRocksDbFilterName)) {
    return FilterEntry{FilterEntry::Kind::kPerBlock, false, *rocksdb};
  }
  return std::nullopt;
}

}  // namespace varve
