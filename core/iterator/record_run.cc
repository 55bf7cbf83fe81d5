// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/record_run.h"

#include <algorithm>

#include "core/base/poison.h"

namespace varve {

void RecordRun::Begin(size_t records_max, size_t bytes_max) {
  size_ = 0;
  pins_.clear();
  records_max_ = records_max;
  bytes_max_ = bytes_max;
  bytes_ = 0;
  for (const Piece& piece : pieces_) Poison(piece.bytes.get(), piece.size);
  free_ = end_ = nullptr;
  if (pieces_.empty()) return;
  pieces_.resize(1);
  free_ = pieces_[0].bytes.get();
  end_ = free_ + pieces_[0].size;
  Unpoison(free_, pieces_[0].size);
}

void RecordRun::NewPiece(size_t size) {
  if (pieces_.empty() && size > kPieceBytes) NewPiece(kPieceBytes);
  const size_t bytes = std::max(size, kPieceBytes);
  pieces_.push_back({std::make_unique_for_overwrite<char[]>(bytes), bytes});
  free_ = pieces_.back().bytes.get();
  end_ = free_ + bytes;
}

}  // namespace varve
