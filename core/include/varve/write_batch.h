// SPDX-License-Identifier: Apache-2.0
// WriteBatch is a list of changes that become visible, and durable, all together or not at all,
// across column families. Its bytes are RocksDB's write-batch format (format/write_batch_format.h)
// and go into the WAL as they are.
//
// Keys are limited to 256 MiB, a key and its value to 4 GiB - 65 together, a batch to 4 GiB - 1
// (format/limits.h). Thread-compatible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "varve/export.h"
#include "varve/types.h"

namespace varve {

class VARVE_EXPORT WriteBatch {
 public:
  WriteBatch();
  // Takes over encoded bytes, e.g. from a WAL; format/write_batch_format.h validates them.
  explicit WriteBatch(std::string bytes) : bytes_(std::move(bytes)) {}

  void Put(ColumnFamilyId family, std::string_view key, std::string_view value);
  void Delete(ColumnFamilyId family, std::string_view key);
  // As Delete, for a key that was put exactly once, and neither merged nor deleted by Delete(), since
  // it was last deleted singly or by range. A compaction drops put and deletion where they meet, so
  // that any older version left further down would show again.
  void SingleDelete(ColumnFamilyId family, std::string_view key);
  // Deletes [begin, end).
  void DeleteRange(ColumnFamilyId family, std::string_view begin, std::string_view end);
  void Merge(ColumnFamilyId family, std::string_view key, std::string_view operand);

  void Put(std::string_view key, std::string_view value) { Put(0, key, value); }
  void Delete(std::string_view key) { Delete(0, key); }
  void SingleDelete(std::string_view key) { SingleDelete(0, key); }
  void DeleteRange(std::string_view begin, std::string_view end) { DeleteRange(0, begin, end); }
  void Merge(std::string_view key, std::string_view operand) { Merge(0, key, operand); }

  void Append(const WriteBatch& other);
  void Clear();
  uint32_t count() const;               // Changes in the batch.
  bool empty() const { return count() == 0; }
  const std::string& bytes() const { return bytes_; }
  std::string& mutable_bytes() { return bytes_; }  // For format/ and engine/: sequence stamping.

 private:
  std::string bytes_;
};

}  // namespace varve
