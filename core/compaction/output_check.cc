// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_check.h"

#include <memory>
#include <optional>
#include <string>

#include "core/iterator/checking_iterator.h"
#include "core/version/seen_bounds.h"

namespace varve {
namespace {

std::string Name(const std::string& encoded) {
  const std::optional<InternalKey> key = DecodeInternalKey(encoded);
  return key ? DebugString(*key) : "nothing";
}
std::string Range(const std::string& first, const std::string& last) {
  return Name(first) + " to " + Name(last);
}

Status Compare(const FileDescription& output, const SeenBounds& seen) {
  const std::string name = "table " + std::to_string(output.number) + ": ";
  if (output.smallest != seen.smallest() || output.largest != seen.largest()) {
    return Status::Corruption(name + "its description has the keys " +
                              Range(output.smallest, output.largest) + ", its entries " +
                              Range(seen.smallest(), seen.largest()));
  }
  if (output.smallest_sequence != seen.first_sequence() ||
      output.largest_sequence != seen.last_sequence()) {
    return Status::Corruption(
        name + "its description has the sequences " + std::to_string(output.smallest_sequence) +
        ".." + std::to_string(output.largest_sequence) + ", its entries " +
        std::to_string(seen.first_sequence()) + ".." + std::to_string(seen.last_sequence()));
  }
  return Status::Ok();
}

}  // namespace

Status CheckOutput(const Comparator& comparator, const FileDescription& output,
                   const TableReader& table) {
  SeenBounds seen(comparator);
  const std::unique_ptr<InternalIterator> it =
      NewCheckingIterator(comparator, table.NewIterator({.fill_cache = false}));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    seen.Cover(it->key());
    seen.CoverSequence(it->key().sequence);
  }
  if (!it->status().ok()) return Status::Ok();
  for (const RangeTombstone& tombstone : table.RawTombstones()) {
    seen.Cover({tombstone.begin, tombstone.sequence, ValueType::kRangeDeletion});
    seen.Cover({tombstone.end, kMaxSequence, ValueType::kRangeDeletion});
    seen.CoverSequence(tombstone.sequence);
  }
  return Compare(output, seen);
}

}  // namespace varve
