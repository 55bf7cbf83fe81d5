// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/entries: the entries of a table as stored, range deletions last.
#include "core/base/try.h"
#include "webview/api/json/entry_rows.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {

Reply ListEntries(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  EntryRows rows;
  rows.range.from = call.Key("from");
  rows.range.to = call.Key("to");
  rows.keys_only = call.Flag("keys_only");
  rows.open = [target = call.shared_target(), path = file.path](const EntryRange& range) {
    return EntryStream::OpenTable(target->fs(), path, range);
  };
  ASSIGN_OR_RETURN(auto source, NewEntryRows(call, std::move(rows)));
  return List{call.Head(), "entries", std::move(source)};
}

Json EntriesSchema() {
  return ListDocument("varve.entries/1", {}, "entries", EntryFields().Schema());
}

}  // namespace varve::api
