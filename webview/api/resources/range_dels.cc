// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/range_dels: the range deletions of a table as stored.
#include "core/base/try.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

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

const Fields<StoredRange>& RangeDeletionFields() {
  static const auto fields =
      Fields<StoredRange>("RangeDeletion")
          .Bytes("from", &StoredRange::from, "first user key that it deletes")
          .Bytes("to", &StoredRange::to, "where it ends; not deleted itself")
          .Id("seq", &StoredRange::sequence, "it deletes what is older than this sequence number");
  return fields;
}

Reply ListRangeDeletions(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(std::vector<StoredRange> ranges, ReadRanges(call.target().fs(), file.path));
  const size_t count = ranges.size();
  return List{call.Head(), "range_dels",
              IndexedRows(call, count, [call, ranges = std::move(ranges)](size_t i) {
                return RangeDeletionFields().ToJson(
                    ranges[i],
                    {call.bytes(), [&call, i] { return call.RowHref(std::to_string(i)); }});
              })};
}

constexpr DocumentSchema kRangeDeletionsDocument = {
    .name = "varve.range_dels/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "range_dels", RangeDeletionFields().Schema());
    }};

}  // namespace

std::span<const Route> RangeDelsRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/range_dels",
       .handler = ListRangeDeletions,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kRangeDeletionsDocument,
       .summary = "the range deletions of a table"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
