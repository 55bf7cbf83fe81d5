// SPDX-License-Identifier: Apache-2.0
// Stored entries as rows of a list: of one table, or of a whole family. A position is the user key
// and the number of its versions already listed, or the number of a range deletion, so a page
// begins with one seek and reads nothing before it.
#pragma once

#include <functional>
#include <memory>

#include "core/inspect/table/table_report.h"
#include "webview/api/routing/answer.h"
#include "webview/api/routing/call.h"

namespace varve::api {

struct EntryRows {
  EntryRange range = {};
  bool keys_only = false;
  // Opens the entries of that range, in the file or database of the resource.
  std::function<Result<EntryStream>(const EntryRange&)> open;
};

// Starts at call.position(). page_token_mismatch if that is malformed.
Answer<std::unique_ptr<RowSource>> NewEntryRows(const Call& call, EntryRows rows);

}  // namespace varve::api
