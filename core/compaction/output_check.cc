// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "core/base/try.h"
#include "core/format/value/blob_record.h"
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

}  // namespace

Status CompareWithDescription(const FileDescription& output, const SeenBounds& seen) {
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

namespace {

Status ReadAll(const TableReader& table, std::unique_ptr<InternalIterator> it, ReadTable* read) {
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    const InternalKey key = it->key();
    read->bounds.Cover(key);
    read->bounds.CoverSequence(key.sequence);
    ++read->points;
    if (key.type != ValueType::kBlobIndex) continue;
    ASSIGN_OR_RETURN(const BlobIndex index, DecodeBlobIndex(it->value(), key.user_key));
    uint64_t& oldest = read->oldest_blob_file;
    oldest = oldest == 0 ? index.file : std::min(oldest, index.file);
  }
  RETURN_IF_ERROR(it->status());
  for (const RangeTombstone& tombstone : table.RawTombstones()) {
    read->bounds.Cover({tombstone.begin, tombstone.sequence, ValueType::kRangeDeletion});
    read->bounds.Cover({tombstone.end, kMaxSequence, ValueType::kRangeDeletion});
    read->bounds.CoverSequence(tombstone.sequence);
  }
  if (read->bounds.empty()) return Status::Corruption("the table has no entries");
  return Status::Ok();
}

}  // namespace

Status ReadWholeTable(const TableReader& table, uint64_t readahead, ReadTable* read) {
  TableIteratorOptions reading;
  reading.fill_cache = false;
  reading.readahead.fixed_window = readahead;
  return ReadAll(table, table.NewIterator(reading), read);
}

Status CheckOutput(const Comparator& comparator, const FileDescription& output,
                   const TableReader& table) {
  ReadTable read(comparator);
  const Status readable = ReadAll(
      table, NewCheckingIterator(comparator, table.NewIterator({.fill_cache = false})), &read);
  if (!readable.ok()) return Status::Ok();
  return CompareWithDescription(output, read.bounds);
}

}  // namespace varve
