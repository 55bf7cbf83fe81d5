// SPDX-License-Identifier: Apache-2.0
// Lists: a resource provides rows one at a time; this turns them into one page of a document or a
// stream of JSON lines, for all resources alike.
//
//   page    {…head, "<rows>":[…], "count":2, "complete":false, "reason":"limit",
//            "next_page_token":"…"}
//   jsonl   a row a line, then {"end":true,"count":2,"complete":true}
//
// A page ends after page_size rows, a MiB of JSON, or the last row; its token identifies the first
// row of the next page.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "webview/api/json/json.h"
#include "webview/api/routing/problem.h"
#include "webview/api/routing/response.h"

namespace varve::api {

class Call;

struct Row {
  Json json;
  // Where a reopened source must begin for this to be its first row (Call::position()). Only the
  // resource interprets it; it may be long.
  std::string position;
};

// One thread. Reads row by row: nothing is collected in advance.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual bool Next(Row* row) = 0;           // False: the end, or a failure.
  virtual const Status& status() const = 0;  // Read it when Next() turned false.
  // The exit code for the rows so far, for a command line (BodyStream::exit_code()). A row that
  // describes damage is not a failure of the source.
  virtual int exit_code() const { return 0; }
};

struct List {
  Json head;         // Call::Head() and the other members before the rows.
  std::string rows;  // The member's name: "files", "entries".
  std::unique_ptr<RowSource> source;
  // The head says why ("recovery"): the list is incomplete even with all rows.
  bool partial = false;
  // Reported at the end if the source does not fail: rows are missing, or may be.
  std::optional<Problem> problem = {};
};

// Rows of data in memory, made on demand: `make(i)` for i < count. The position of a row is its
// index, so the data must not change as long as the edit that page tokens are bound to.
std::unique_ptr<RowSource> IndexedRows(const Call& call, size_t count,
                                       std::function<Json(size_t)> make);

Response PageOf(const Call& call, List list);
Response LinesOf(const Call& call, List list);

inline constexpr size_t kPageBytesMax = 1 << 20;
inline constexpr size_t kPageRowsDefault = 100;

}  // namespace varve::api
