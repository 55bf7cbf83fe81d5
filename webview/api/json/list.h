// SPDX-License-Identifier: Apache-2.0
// Lists: a resource gives rows one at a time; whether they become one page of a document or a
// stream of JSON lines is decided here, once, for all of them.
//
//   page    {…head, "<rows>":[…], "count":2, "complete":false, "reason":"limit",
//            "next_page_token":"…"}
//   jsonl   a row a line, then {"end":true,"count":2,"complete":true}
//
// A page ends after page_size rows, a MiB of JSON, or the last row; the token that it then carries
// stands for the first row that it does not show.
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
  // Where a source opened anew must begin for this to be its first row (Call::position()). Opaque
  // to all but the resource; need not be short.
  std::string position;
};

// One thread. Reads as it goes: nothing is collected in advance.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual bool Next(Row* row) = 0;           // False: the end, or a failure.
  virtual const Status& status() const = 0;  // Read it when Next() turned false.
};

struct List {
  Json head;         // Call::Head() and whatever else stands before the rows.
  std::string rows;  // The member's name: "files", "entries".
  std::unique_ptr<RowSource> source;
  bool partial = false;  // The head says why ("recovery"): even all rows are not complete.
  // What the list ends with, if its source does not fail: rows are missing, or nobody can say.
  std::optional<Problem> problem = {};
};

// Rows that are in memory already, each of them made when it is asked for: `make(i)` for i < count.
// The position of a row is its index, so what `make` indexes must be the same as long as the edit
// that page tokens are bound to is.
std::unique_ptr<RowSource> IndexedRows(const Call& call, size_t count,
                                       std::function<Json(size_t)> make);

Response PageOf(const Call& call, List list);
Response LinesOf(const Call& call, List list);

inline constexpr size_t kPageBytesMax = 1 << 20;
inline constexpr size_t kPageRowsDefault = 100;

}  // namespace varve::api
