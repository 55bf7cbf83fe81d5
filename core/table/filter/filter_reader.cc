// SPDX-License-Identifier: Apache-2.0
#include "core/table/filter/filter_reader.h"

#include <utility>

#include "core/base/check.h"

namespace varve {
namespace {

BlockKind BlockKindOf(FilterEntry::Kind kind) {
  switch (kind) {
    case FilterEntry::Kind::kFull:
      return BlockKind::kFilter;
    case FilterEntry::Kind::kPartitioned:
      return BlockKind::kKeyValue;
    case FilterEntry::Kind::kPerBlock:
      break;
  }
  return BlockKind::kOpaque;
}

}  // namespace

Status FilterReader::Open(const BlockFetcher& fetcher, const FilterEntry& entry,
                          const TableProperties& properties, const IndexEncoding& index_encoding) {
  entry_ = entry;
  whole_keys_ = properties.whole_key_filtering;
  if (properties.prefix_filtering) {
    prefix_ = PrefixExtractor::FromName(properties.prefix_extractor);
  }
  Result<std::shared_ptr<const Block>> block =
      fetcher.Read(entry.handle, BlockKindOf(entry.kind), FetchOptions{});
  if (!block.ok()) return block.status().At("filter not used");
  switch (entry.kind) {
    case FilterEntry::Kind::kFull:
      block_ = *std::move(block);
      CHECK(block_->filter() != nullptr, "filter blocks have a filter, damaged or not");
      full_ = *block_->filter();
      break;
    case FilterEntry::Kind::kPartitioned:
      top_ = *std::move(block);
      encoding_ = index_encoding;
      encoding_.values.has_first_key = false;
      break;
    case FilterEntry::Kind::kPerBlock:
      block_ = *std::move(block);
      per_block_ = LevelDbFilter::Parse(block_->bytes(), entry.leveldb_hash);
      if (!per_block_.has_value()) {
        return Status::Corruption("filter not used: its offsets do not fit its size")
            .At(fetcher.Where(entry.handle.offset));
      }
      break;
  }
  return Status::Ok();
}

bool FilterReader::PartitionMayMatch(BlockHandle handle, const BlockFetcher& fetcher,
                                     const FetchOptions& options, Lookup* lookup) const {
  if (handle.size == 0) return false;  // An empty partition.
  const Result<std::shared_ptr<const Block>> block =
      fetcher.Fetch(handle, BlockKind::kFilter, options);
  if (!block.ok()) return true;  // The data blocks decide, or report the same error.
  const FilterProbe* const filter = (*block)->filter();
  return filter == nullptr || ProbeMayMatch(*filter, lookup);
}

}  // namespace varve
