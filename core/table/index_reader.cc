// SPDX-License-Identifier: Apache-2.0
#include "core/table/index_reader.h"

#include <string>

namespace varve {

bool IndexCursor::FailIfDamaged(const IndexBlockCursor& cursor, uint64_t block_offset) {
  status_ = Status::Ok();
  if (cursor.damaged()) {
    status_ = Status::Corruption("index entry at byte " + std::to_string(cursor.offset()) +
                                 " of the block is broken")
                  .At(fetcher_.Where(block_offset));
  }
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
      partition_.Detach();
      return false;
    }
    partition_block_ = *std::move(block);
    partition_offset_ = handle.offset;
  }
  partition_.Attach(*partition_block_, index_.encoding);
  return true;
}

bool IndexCursor::SkipForward() {
  while (true) {
    if (partition_.damaged()) return FailIfDamaged(partition_, partition_offset_);
    ++at_;
    if (!MoveTop(&IndexBlockCursor::Next) || !OpenPartition()) return false;
    if (partition_.SeekToFirst()) return true;
  }
}

bool IndexCursor::SkipBackward() {
  while (true) {
    if (partition_.damaged()) return FailIfDamaged(partition_, partition_offset_);
    --at_;
    if (!MoveTop(&IndexBlockCursor::Prev) || !OpenPartition()) return false;
    if (partition_.SeekToLast()) return true;
  }
}

}  // namespace varve
