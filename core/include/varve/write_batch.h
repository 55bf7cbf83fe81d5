// SPDX-License-Identifier: Apache-2.0
// WriteBatch is a list of changes that become visible and durable together or not at all, across
// column families. Its bytes are in RocksDB's write-batch format and are appended to the WAL
// unchanged.
//
// Limits: 256 MiB for a key, 4 GiB - 65 for a key and its value together, 4 GiB - 1 for a batch.
// Thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/export.h"
#include "varve/types.h"

namespace varve {

// A list of changes for DB::Write(), applied in the order in which they were added. Nothing here
// fails: DB::Write() reports what is wrong with a change (its size, its family). Keys and values
// are copied in. A key or value of more than 4 GiB - 1, or more than 2^32 changes, ends the
// process. A moved-from batch is empty and may be used again.
class VARVE_EXPORT WriteBatch {
 public:
  WriteBatch();  // An empty batch.
  // Takes encoded bytes, e.g. from a WAL. DB::Write() validates them. Changes may only be added if
  // there are at least the 12 bytes of the header: the sequence number (8 bytes) and the number of
  // changes (4 bytes), both little-endian. Keys of a family with timestamps end with them.
  explicit WriteBatch(std::string bytes)
      : bytes_(std::move(bytes)), encoded_({{0, bytes_.size()}}) {}

  // Sets the value of a key.
  void Put(std::string_view key, std::string_view value,
           ColumnFamilyId family = kDefaultColumnFamilyId);
  // Deletes a key, whether it exists or not.
  void Delete(std::string_view key, ColumnFamilyId family = kDefaultColumnFamilyId);
  // As Delete, for a key that was put exactly once, and neither merged nor deleted by Delete(),
  // since the last SingleDelete() or range deletion of it. Compaction drops the put together with
  // the deletion, so any older version further down would become visible again.
  void SingleDelete(std::string_view key, ColumnFamilyId family = kDefaultColumnFamilyId);
  // Deletes all keys in [begin, end) in the comparator's order; none unless begin < end.
  void DeleteRange(std::string_view begin, std::string_view end,
                   ColumnFamilyId family = kDefaultColumnFamilyId);
  // Adds a merge operand, which the family's MergeOperator applies to the key's value.
  void Merge(std::string_view key, std::string_view operand,
             ColumnFamilyId family = kDefaultColumnFamilyId);

  // Put() in a family whose keys have timestamps (Comparator::timestamp_size()), which takes no
  // others. Later changes of a key should not have older timestamps: as with RocksDB, which of two
  // such changes a read finds is not specified.
  void PutAt(std::string_view key, std::string_view timestamp, std::string_view value,
             ColumnFamilyId family = kDefaultColumnFamilyId);
  // Delete() with a timestamp.
  void DeleteAt(std::string_view key, std::string_view timestamp,
                ColumnFamilyId family = kDefaultColumnFamilyId);
  // SingleDelete() with a timestamp.
  void SingleDeleteAt(std::string_view key, std::string_view timestamp,
                      ColumnFamilyId family = kDefaultColumnFamilyId);
  // Merge() with a timestamp.
  void MergeAt(std::string_view key, std::string_view timestamp, std::string_view operand,
               ColumnFamilyId family = kDefaultColumnFamilyId);

  // Adds all changes of `other`, which may be this batch itself.
  void Append(const WriteBatch& other);
  void Clear();                                // Removes all changes.
  uint32_t count() const;                      // Changes in the batch.
  bool empty() const { return count() == 0; }  // It has no changes.
  // The encoded batch. Valid until the batch changes.
  const std::string& bytes() const { return bytes_; }
  // For the engine, which stamps sequence numbers.
  std::string& mutable_bytes() { return bytes_; }

  // How many changes of a family have timestamps of one size.
  struct Timestamped {
    ColumnFamilyId family;  // Its id.
    size_t timestamp_size;  // Bytes.
    uint32_t changes;       // At least one.
  };
  // For the engine. The bytes do not tell which keys end with timestamps.
  const std::vector<Timestamped>& timestamped() const { return timestamped_; }
  // For whoever has cut mutable_bytes() to what they were before. It also cuts what is known of
  // encoded bytes.
  void CutTimestamped(std::vector<Timestamped> before);
  // For a copy of the changes of `of` with the same keys.
  void TakeTimestampedOf(const WriteBatch& of);
  // Bytes that were given encoded, whose keys are taken as they are.
  struct Encoded {
    size_t begin;  // Of the first byte.
    size_t end;    // Behind the last one.
  };
  const std::vector<Encoded>& encoded() const { return encoded_; }  // In no order.

 private:
  void CountTimestamp(ColumnFamilyId family, size_t timestamp_size, uint32_t changes);
  void AddEncoded(const Encoded& part, size_t end);

  std::string bytes_;
  std::vector<Timestamped> timestamped_;
  std::vector<Encoded> encoded_;
};

}  // namespace varve
