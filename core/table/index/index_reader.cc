// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_reader.h"

#include <string>

#include "core/base/check.h"

namespace varve {

std::string_view IndexCursor::ListedKey(size_t at) const {
  DCHECK_OP(at, <, index_.heads.size());
  const BlockView& block = index_.top->view();
  const char* const entry = block.restart(static_cast<uint32_t>(at));
  BlockEntry parsed;
  const bool fits = index_.encoding.values.delta_encoded
                        ? ParseKeyOnlyEntry(entry, block.limit(), &parsed)
                        : ParseBlockEntry(entry, block.limit(), &parsed);
  CHECK(fits, "the list was made because they fit");
  return parsed.suffix();
}

bool IndexCursor::FailIfDamaged(const IndexBlockCursor& cursor, uint64_t block_offset) {
  status_ = Status::Ok();
  if (cursor.damaged()) {
    status_ = Status::Corruption("index entry at byte " + std::to_string(cursor.offset()) +
                                 " of the block is broken")
                  .At(fetcher_.Where(block_offset));
  }
  return false;
}

bool IndexCursor::FailUnordered(BlockHandle a, BlockHandle b) {
  status_ = Status::Corruption("the index names a block at " + std::to_string(b.offset) +
                               " behind one of " + std::to_string(a.size) + " bytes at " +
                               std::to_string(a.offset))
                .At(fetcher_.Where(index_.handle.offset));
  at_ = index_.heads.size();
  top().Detach();
  leaf_.Detach();
  return false;
}

bool IndexCursor::OpenPartition() {
  status_ = Status::Ok();
  const BlockHandle handle = PartitionHandle();
  if (partition_block_ == nullptr || handle.offset != partition_offset_) {
    Result<std::shared_ptr<const Block>> block =
        fetcher_.Fetch(handle, BlockKind::kKeyValue, options_);
    if (!block.ok()) {
      status_ = block.status();
      leaf_.Detach();
      return false;
    }
    partition_block_ = *std::move(block);
    partition_offset_ = handle.offset;
  }
  leaf_.Attach(*partition_block_, index_.encoding);
  return true;
}

bool IndexCursor::SkipForward() {
  while (true) {
    if (leaf_.damaged()) return FailIfDamaged(leaf_, partition_offset_);
    const BlockHandle before = PartitionHandle();
    ++at_;
    if (!MoveTop(&IndexBlockCursor::Next)) return false;
    if (!Ascend(before, PartitionHandle())) return FailUnordered(before, PartitionHandle());
    if (!OpenPartition()) return false;
    if (leaf_.SeekToFirst()) return true;
  }
}

bool IndexCursor::SkipBackward() {
  while (true) {
    if (leaf_.damaged()) return FailIfDamaged(leaf_, partition_offset_);
    const BlockHandle after = PartitionHandle();
    --at_;
    if (!MoveTop(&IndexBlockCursor::Prev)) return false;
    if (!Ascend(PartitionHandle(), after)) return FailUnordered(PartitionHandle(), after);
    if (!OpenPartition()) return false;
    if (leaf_.SeekToLast()) return true;
  }
}

}  // namespace varve
