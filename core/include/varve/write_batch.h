// SPDX-License-Identifier: Apache-2.0
// WriteBatch is a list of changes that become visible, and durable, all together or not at all,
// across column families. Its bytes are RocksDB's write-batch format
// (format/log/write_batch_format.h) and go into the WAL as they are.
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

// A list of changes for DB::Write(). They are applied in the order in which they were added.
// Nothing here fails: what is wrong with a change (its size, its family) is said by DB::Write().
// Keys and values are copied in. More than 4 GiB - 1 of a key or value, or 2^32 changes, end the
// process. One that was moved from is empty: changes may be added to it again.
class VARVE_EXPORT WriteBatch {
 public:
  WriteBatch();  // Without changes.
  // Takes over encoded bytes, e.g. from a WAL; format/log/write_batch_format.h validates them, and
  // so does DB::Write(). Nothing may be added to fewer than the 12 bytes of the header.
  explicit WriteBatch(std::string bytes) : bytes_(std::move(bytes)) {}

  // Sets the value of a key.
  void Put(ColumnFamilyId family, std::string_view key, std::string_view value);
  // Removes a key, also if it is not there.
  void Delete(ColumnFamilyId family, std::string_view key);
  // As Delete, for a key that was put exactly once, and neither merged nor deleted by Delete(),
  // since it was last deleted singly or by range. A compaction drops put and deletion where they
  // meet, so that any older version left further down would show again.
  void SingleDelete(ColumnFamilyId family, std::string_view key);
  // Deletes all keys in [begin, end), in the comparator's order; none unless begin < end.
  void DeleteRange(ColumnFamilyId family, std::string_view begin, std::string_view end);
  // Adds an operand to the key's value, for the family's MergeOperator to fold.
  void Merge(ColumnFamilyId family, std::string_view key, std::string_view operand);

  // Put() in the default family.
  void Put(std::string_view key, std::string_view value) { Put(0, key, value); }
  // Delete() in the default family.
  void Delete(std::string_view key) { Delete(0, key); }
  // SingleDelete() in the default family.
  void SingleDelete(std::string_view key) { SingleDelete(0, key); }
  // DeleteRange() in the default family.
  void DeleteRange(std::string_view begin, std::string_view end) { DeleteRange(0, begin, end); }
  // Merge() in the default family.
  void Merge(std::string_view key, std::string_view operand) { Merge(0, key, operand); }

  void Append(const WriteBatch& other);  // Adds all changes of `other`, which may be this batch.
  void Clear();                          // Removes all changes.
  uint32_t count() const;                // Changes in the batch.
  bool empty() const { return count() == 0; }          // It has no changes.
  const std::string& bytes() const { return bytes_; }  // Encoded. Valid until the batch changes.
  std::string& mutable_bytes() { return bytes_; }  // For format/ and engine/: sequence stamping.

 private:
  std::string bytes_;
};

}  // namespace varve
