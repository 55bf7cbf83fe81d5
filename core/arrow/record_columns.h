// SPDX-License-Identifier: Apache-2.0
// Keys and values of records as Arrow's columns of the type large_binary: one behind the other,
// with the offset of each. The offsets have 64 bits, because a single value may have almost 4 GiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace varve::arrow {

// Which columns there are. A value belongs to each key, or to none.
enum class Columns : uint8_t { kKeys, kKeysAndValues };

inline constexpr const char* kColumnNames[] = {"key", "value"};
inline constexpr size_t CountOf(Columns columns) { return columns == Columns::kKeys ? 1 : 2; }

// A column without nulls.
class BinaryColumn {
 public:
  void Append(std::string_view bytes) {
    bytes_.append(bytes);
    offsets_.push_back(static_cast<int64_t>(bytes_.size()));
  }
  // Keeps the memory, for the next batch.
  void Clear() {
    offsets_.resize(1);
    bytes_.clear();
  }
  size_t rows() const { return offsets_.size() - 1; }
  // rows() + 1 of them: where each row begins in bytes(), and where the last one ends.
  std::span<const int64_t> offsets() const { return offsets_; }
  std::string_view bytes() const { return bytes_; }

 private:
  std::vector<int64_t> offsets_ = {0};
  std::string bytes_;
};

// Records that make one batch.
class RecordColumns {
 public:
  explicit RecordColumns(Columns columns) : columns_(columns) {}

  void Append(std::string_view key, std::string_view value) {
    keys_.Append(key);
    if (columns_ == Columns::kKeysAndValues) values_.Append(value);
  }
  void Clear() {
    keys_.Clear();
    values_.Clear();
  }
  // No more should be appended: batches are to stay in the caches of a processor.
  bool full() const {
    return rows() >= kMaxRows || keys_.bytes().size() + values_.bytes().size() >= kMaxBytes;
  }
  size_t rows() const { return keys_.rows(); }
  Columns columns() const { return columns_; }
  // The column of that index in kColumnNames.
  const BinaryColumn& column(size_t index) const { return index == 0 ? keys_ : values_; }
  BinaryColumn&& TakeColumn(size_t index) && { return std::move(index == 0 ? keys_ : values_); }

 private:
  static constexpr size_t kMaxRows = 64 << 10;
  static constexpr size_t kMaxBytes = 2 << 20;  // The last record may go beyond.

  Columns columns_;
  BinaryColumn keys_, values_;
};

}  // namespace varve::arrow
