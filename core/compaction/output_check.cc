// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_check.h"

#include <algorithm>
#include <memory>
#include <string>

#include "core/base/keys/key_order.h"
#include "core/iterator/checking_iterator.h"

namespace varve {
namespace {

// The bounds of the keys seen so far.
class Bounds {
 public:
  explicit Bounds(const Comparator& comparator) : order_{&comparator} {}

  void Add(const InternalKey& first, const InternalKey& last, Sequence sequence) {
    if (smallest_.empty() ||
        CompareInternalKeys(order_, first, *DecodeInternalKey(smallest_)) < 0) {
      smallest_ = EncodeInternalKey(first);
    }
    if (largest_.empty() || CompareInternalKeys(order_, last, *DecodeInternalKey(largest_)) > 0) {
      largest_ = EncodeInternalKey(last);
    }
    lowest_ = std::min(lowest_, sequence);
    highest_ = std::max(highest_, sequence);
  }

  Status Compare(const FileDescription& output) const {
    const std::string name = "table " + std::to_string(output.number) + ": ";
    if (output.smallest != smallest_ || output.largest != largest_) {
      return Status::Corruption(name + "its description has the keys " +
                                Range(output.smallest, output.largest) + ", its entries " +
                                Range(smallest_, largest_));
    }
    if (output.smallest_sequence != lowest_ || output.largest_sequence != highest_) {
      return Status::Corruption(name + "its description has the sequences " +
                                std::to_string(output.smallest_sequence) + ".." +
                                std::to_string(output.largest_sequence) + ", its entries " +
                                std::to_string(lowest_) + ".." + std::to_string(highest_));
    }
    return Status::Ok();
  }

 private:
  static std::string Name(const std::string& encoded) {
    const std::optional<InternalKey> key = DecodeInternalKey(encoded);
    return key ? DebugString(*key) : "nothing";
  }
  static std::string Range(const std::string& first, const std::string& last) {
    return Name(first) + " to " + Name(last);
  }

  const VirtualOrder order_;
  std::string smallest_, largest_;  // Encoded; empty: no keys seen.
  Sequence lowest_ = kMaxSequence;
  Sequence highest_ = 0;
};

}  // namespace

Status CheckOutput(const Comparator& comparator, const FileDescription& output,
                   const TableReader& table) {
  Bounds bounds(comparator);
  const std::unique_ptr<InternalIterator> it =
      NewCheckingIterator(comparator, table.NewIterator({.fill_cache = false}));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    bounds.Add(it->key(), it->key(), it->key().sequence);
  }
  if (!it->status().ok()) return Status::Ok();
  for (const RangeTombstone& tombstone : table.RawTombstones()) {
    bounds.Add({tombstone.begin, tombstone.sequence, ValueType::kRangeDeletion},
               {tombstone.end, kMaxSequence, ValueType::kRangeDeletion}, tombstone.sequence);
  }
  return bounds.Compare(output);
}

}  // namespace varve
