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
  if (pieces_.size() > 1 || (!pieces_.empty() && pieces_[0].size != kPieceBytes)) {
    const auto usual = [](const Piece& piece) { return piece.size == kPieceBytes; };
    const auto kept = std::find_if(pieces_.begin(), pieces_.end(), usual);
    if (kept == pieces_.end()) {
      pieces_.clear();
    } else {
      std::swap(*kept, pieces_[0]);
      pieces_.resize(1);
    }
  }
  free_ = pieces_.empty() ? nullptr : pieces_[0].bytes.get();
  end_ = pieces_.empty() ? nullptr : free_ + kPieceBytes;
  if (!pieces_.empty()) Unpoison(free_, kPieceBytes);
}

void RecordRun::NewPiece(size_t size) {
  const size_t bytes = std::max(size, kPieceBytes);
  pieces_.push_back({std::make_unique_for_overwrite<char[]>(bytes), bytes});
  free_ = pieces_.back().bytes.get();
  end_ = free_ + bytes;
}

}  // namespace varve
