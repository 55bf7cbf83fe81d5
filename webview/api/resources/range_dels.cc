// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/range_dels: the range deletions of a table as stored.
#include "core/base/try.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

struct StoredRange {
  std::string from, to;
  Sequence sequence;
};

// They are all in one block, so they fit into memory.
Result<std::vector<StoredRange>> ReadRanges(FileSystem& fs, const std::string& path) {
  EntryRange only;
  only.range_deletions_only = true;
  ASSIGN_OR_RETURN(EntryStream stream, EntryStream::OpenTable(fs, path, only));
  std::vector<StoredRange> ranges;
  StoredEntry entry;
  while (stream.Next(&entry)) {
    ranges.push_back({std::string(entry.key), std::string(entry.value), entry.sequence});
  }
  RETURN_IF_ERROR(stream.status());
  return ranges;
}

}  // namespace

Reply ListRangeDeletions(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(std::vector<StoredRange> ranges, ReadRanges(call.target().fs(), file.path));
  const size_t count = ranges.size();
  return List{
      call.Head(), "range_dels",
      IndexedRows(call, count, [call, ranges = std::move(ranges), style = call.bytes()](size_t i) {
        const StoredRange& range = ranges[i];
        const bool cut = IsCut(range.from, style) || IsCut(range.to, style);
        const std::string href = cut ? call.RowHref(std::to_string(i)) : std::string();
        return Json{{"from", BytesJson(range.from, style, href)},
                    {"to", BytesJson(range.to, style, href)},
                    {"seq", std::to_string(range.sequence)}};
      })};
}

Json RangeDeletionsSchema() {
  return ListDocument(
      "varve.range_dels/1", {}, "range_dels",
      Object("RangeDeletion", {{"from", BytesRef()}, {"to", BytesRef()}, {"seq", U64()}}));
}

}  // namespace varve::api
