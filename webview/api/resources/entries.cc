// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/entries: the entries of a table as stored, range deletions last.
#include "core/base/try.h"
#include "webview/api/json/entry_rows.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

Reply ListEntries(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  if (call.Has("prefix") && (call.Has("from") || call.Has("to"))) {
    return Problem("bad_request", "prefix cannot be combined with from or to");
  }
  EntryRows rows;
  rows.range.from = call.Key("from");
  rows.range.to = call.Key("to");
  rows.range.prefix = call.Key("prefix");
  rows.keys_only = call.Flag("keys_only");
  rows.open = [target = call.shared_target(), path = file.path](const EntryRange& range) {
    return EntryStream::OpenTable(target->fs(), path, range);
  };
  ASSIGN_OR_RETURN(auto source, NewEntryRows(call, std::move(rows)));
  return List{call.Head(), "entries", std::move(source)};
}

constexpr DocumentSchema kEntriesDocument = {
    .name = "varve.entries/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "entries", EntryFields().Schema());
    }};

}  // namespace

std::span<const Route> EntriesRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/entries",
       .handler = ListEntries,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kEntriesDocument,
       .summary = "the entries of a table as stored, range deletions last",
       .parameters = {query::kFrom, query::kTo, query::kPrefix, {"keys_only", kFlag, "no values"}}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
