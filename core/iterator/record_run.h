// SPDX-License-Identifier: Apache-2.0
// RecordRun gathers records that a scan has passed, for a user who takes many at once
// (Iterator::NextBatch).
//
//   records   { key, value } { key, value } { key, value } ...
//               |      \______________________ in a block of a table that the run pins, or copied
//               in the run's own memory, or in the block
//
// An iterator that has its entries in one piece of memory appends them by ReadRun(), in a loop of
// its own. Whatever else is passed is copied. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/bytes/short_copy.h"
#include "core/base/check.h"
#include "varve/iterator.h"
#include "varve/types.h"

namespace varve {

// Which entries belong in a run. Each is a plain value, and the first entry of its user key.
struct RunLimits {
  Sequence at = 0;                         // None with a higher sequence number.
  std::optional<std::string_view> before;  // None with this user key or a greater one.
};

class RecordRun {
 public:
  RecordRun() = default;
  RecordRun(const RecordRun&) = delete;
  RecordRun& operator=(const RecordRun&) = delete;

  // Forgets all records. The run is full with so many of them, or once keys and values together
  // have so many bytes.
  void Begin(size_t records_max, size_t bytes_max);
  bool full() const { return size_ >= records_max_ || bytes_ >= bytes_max_; }
  size_t size() const { return size_; }
  std::span<const Record> records() const { return {records_.data(), size_}; }

  // `key` and `value` stay where they are as long as what is pinned does, or are the run's own.
  void Append(std::string_view key, std::string_view value) {
    DCHECK(!full());
    if (size_ == records_.size()) [[unlikely]]
      records_.resize(std::max<size_t>(64, 2 * size_));
    records_[size_++] = {key, value};
    bytes_ += key.size() + value.size();
  }
  void AppendCopy(std::string_view key, std::string_view value) { Append(Copy(key), Copy(value)); }

  // `size` bytes that stay the run's until Begin().
  char* Allocate(size_t size) {
    if (static_cast<size_t>(end_ - free_) < size) [[unlikely]]
      NewPiece(size);
    return std::exchange(free_, free_ + size);
  }
  std::string_view Copy(std::string_view bytes) {
    char* const to = Allocate(bytes.size());
    CopyShort(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
  }

  // Holds what records point into until Begin().
  void Pin(std::shared_ptr<const void> memory) { pins_.push_back(std::move(memory)); }

 private:
  // Of the first piece, which most runs fit in and the next run uses again. Others are this large
  // at least, and go with their run.
  static constexpr size_t kPieceBytes = 64 << 10;
  struct Piece {
    std::unique_ptr<char[]> bytes;
    size_t size = 0;
  };

  void NewPiece(size_t size);

  std::vector<Record> records_;  // The first size_ of them; the others are room.
  size_t size_ = 0;
  size_t records_max_ = 0;
  size_t bytes_max_ = 0;
  size_t bytes_ = 0;
  char* free_ = nullptr;  // Of the last piece.
  char* end_ = nullptr;
  std::vector<Piece> pieces_;
  std::vector<std::shared_ptr<const void>> pins_;
};

}  // namespace varve
