// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_merge.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"
#include "core/iterator/merging_iterator.h"
#include "core/repair/table_copy.h"
#include "core/version/file_metadata.h"

namespace varve {
namespace {

using Deletions = std::set<std::tuple<std::string, std::string, Sequence>>;

// Cuts a deletion to the table's bounds, beyond which RocksDB stores it but does not apply it. The
// end is unchanged with comparators that have no key directly after the largest one.
RangeTombstone WithinBounds(const Comparator& order, const FileMetadata& table,
                            RangeTombstone deletion) {
  if (order.Compare(deletion.begin, table.smallest.user_key) < 0) {
    deletion.begin = table.smallest.user_key;
  }
  if (order.Compare(table.largest.user_key, deletion.end) >= 0) return deletion;
  if (table.ends_before_largest()) {
    deletion.end = table.largest.user_key;
  } else if (order.kind() == Comparator::Kind::kBytewise) {
    deletion.end = table.largest.user_key;
    deletion.end.push_back('\0');
  }
  return deletion;
}

Deletions DeletionsOf(const Comparator& order, const std::vector<const TableSurvey*>& tables) {
  Deletions deletions;
  for (const TableSurvey* survey : tables) {
    const FileMetadata table(survey->description);
    for (const RangeTombstone& whole : survey->reader->RawTombstones()) {
      const RangeTombstone d = WithinBounds(order, table, whole);
      if (order.Compare(d.begin, d.end) < 0) deletions.insert({d.begin, d.end, d.sequence});
    }
  }
  return deletions;
}

Status CopyEntries(const Comparator& order, const std::vector<const TableSurvey*>& tables,
                   TableCopy* copy) {
  std::vector<std::unique_ptr<InternalIterator>> children;
  for (const TableSurvey* survey : tables) {
    children.push_back(survey->reader->NewIterator({.fill_cache = false}));
  }
  std::string before;
  const auto it = NewMergingIterator(order, std::move(children));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    // An input and the output of a compaction may both exist.
    const std::string encoded = EncodeInternalKey(it->key());
    if (encoded == before) continue;
    DCHECK(before.empty() ||
           CompareInternalKeys(VirtualOrder{&order}, *DecodeInternalKey(before), it->key()) < 0);
    RETURN_IF_ERROR(copy->Add(it->key(), it->value()));
    before = encoded;
  }
  return it->status();
}

// 0: none.
FileNumber OldestBlobFile(const std::vector<const TableSurvey*>& tables) {
  FileNumber oldest = 0;
  for (const TableSurvey* survey : tables) {
    const FileNumber number = survey->description.oldest_blob_file;
    if (number != 0) oldest = oldest == 0 ? number : std::min(oldest, number);
  }
  return oldest;
}

}  // namespace

Result<std::optional<FileDescription>> MergeTables(const Environment& env, const std::string& path,
                                                   const Comparator& order,
                                                   const std::vector<const TableSurvey*>& tables) {
  CHECK(!tables.empty());
  TableCopy copy(env, path);
  const TableReader& first = *tables.front()->reader;
  RETURN_IF_ERROR(copy.Begin({.comparator = &order,
                              .comparator_name = std::string(order.name()),
                              .properties = first.properties(),
                              .format_version = first.format_version(),
                              .checksum = first.checksum_type()}));
  RETURN_IF_ERROR(CopyEntries(order, tables, &copy));
  for (const auto& [begin, end, sequence] : DeletionsOf(order, tables)) {
    RETURN_IF_ERROR(copy.AddRangeDeletion(begin, end, sequence));
  }
  if (copy.empty()) return std::optional<FileDescription>();
  RETURN_IF_ERROR(copy.Finish());
  FileDescription description = copy.Description();
  description.oldest_blob_file = OldestBlobFile(tables);
  return std::optional<FileDescription>(std::move(description));
}

}  // namespace varve
