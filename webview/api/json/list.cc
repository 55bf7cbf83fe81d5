// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/list.h"

#include <algorithm>
#include <limits>

#include "core/base/text/quantity.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

constexpr size_t kPieceBytes = 64 << 10;

class IndexedSource : public RowSource {
 public:
  IndexedSource(size_t begin, size_t count, std::function<Json(size_t)> make)
      : next_(begin), count_(count), make_(std::move(make)) {}

  bool Next(Row* row) override {
    if (next_ >= count_) return false;
    *row = {make_(next_), std::to_string(next_)};
    ++next_;
    return true;
  }
  const Status& status() const override { return status_; }

 private:
  size_t next_;
  const size_t count_;
  const std::function<Json(size_t)> make_;
  const Status status_;
};

// The problem at the end of the list, when its source has no more rows.
std::optional<Problem> ProblemOf(const List& list) {
  const Status& status = list.source->status();
  return status.ok() ? list.problem : std::optional(Problem::OfReading(status));
}

int ExitOf(const List& list, const std::optional<Problem>& problem) {
  return problem ? problem->kind().exit : list.source->exit_code();
}

uint64_t LimitOf(const Call& call) {
  return call.Number("limit").value_or(std::numeric_limits<uint64_t>::max());
}

// Rows of one page, or of all pages at once for a caller in this process.
uint64_t PageRowsOf(const Call& call) {
  if (call.request().in_process && !call.Has("page_size")) {
    return std::numeric_limits<uint64_t>::max();
  }
  const uint64_t most = std::min(call.route().max_rows.value, kPageRowsMax);
  return std::clamp<uint64_t>(call.Number("page_size").value_or(kPageRowsDefault), 1, most);
}

class LineStream : public BodyStream {
 public:
  LineStream(List list, uint64_t limit, uint64_t rows_before)
      : list_(std::move(list)), limit_(limit > rows_before ? limit - rows_before : 0) {}

  Event Next(std::string* piece) override {
    if (ended_) return Event::kEnd;
    piece->clear();
    Row row;
    while (piece->size() < kPieceBytes) {
      if (!list_.source->Next(&row)) {
        Finish(piece, ProblemOf(list_));
        return Event::kPiece;
      }
      if (count_ == limit_) {
        more_ = true;
        Finish(piece, std::nullopt);
        return Event::kPiece;
      }
      *piece += Dump(row.json) + "\n";
      ++count_;
    }
    return Event::kPiece;
  }
  int exit_code() const override { return ExitOf(list_, problem_); }

 private:
  void Finish(std::string* piece, std::optional<Problem> problem) {
    Json end = EndOfStreamJson(count_, !problem && !more_ && !list_.partial);
    if (list_.partial) end["recovery"] = list_.head["recovery"];
    if (problem) end["problem"] = problem->ToJson();
    problem_ = std::move(problem);
    *piece += Dump(end) + "\n";
    ended_ = true;
  }

  List list_;
  const uint64_t limit_;
  uint64_t count_ = 0;
  bool more_ = false, ended_ = false;
  std::optional<Problem> problem_;  // At the end.
};

// A document written as its rows come: head without its closing brace, rows, tail.
class PageStream : public BodyStream {
 public:
  PageStream(const Call& call, List list)
      : call_(call), list_(std::move(list)), limit_(LimitOf(call)), rows_(PageRowsOf(call)) {}

  Event Next(std::string* piece) override {
    if (ended_) return Event::kEnd;
    piece->clear();
    if (bytes_ == 0) Begin(piece);
    while (!ended_ && piece->size() < kPieceBytes) AddRow(piece);
    bytes_ += piece->size();
    return Event::kPiece;
  }
  int exit_code() const override { return ExitOf(list_, problem_); }

 private:
  void Begin(std::string* piece) {
    *piece = Dump(list_.head);
    piece->pop_back();
    *piece += (list_.head.empty() ? "\"" : ",\"") + list_.rows + "\":[";
  }

  void AddRow(std::string* piece) {
    Row row;
    if (!list_.source->Next(&row)) return CloseAtEnd(piece, ProblemOf(list_));
    if (call_.rows_before() + count_ >= limit_) return CloseBefore(piece, row, "limit");
    if (count_ == rows_) return CloseBefore(piece, row, "page");
    const std::string line = Dump(row.json);
    // A row larger than a page makes a page of its own.
    const bool full = bytes_ + piece->size() + line.size() > kPageBytesMax;
    if (full && count_ > 0 && !call_.request().in_process) {
      return CloseBefore(piece, row, "page");
    }
    if (count_++ > 0) *piece += ',';
    *piece += line;
  }

  void CloseAtEnd(std::string* piece, std::optional<Problem> problem) {
    Json tail = {{"count", count_}, {"complete", !problem && !list_.partial}};
    if (list_.partial) tail["reason"] = "recovery";
    if (problem) {
      tail["reason"] = "problem";
      tail["problem"] = problem->ToJson();
    }
    problem_ = std::move(problem);
    Close(piece, tail);
  }
  void CloseBefore(std::string* piece, const Row& next, std::string_view reason) {
    Json tail = {{"count", count_}, {"complete", false}, {"reason", std::string(reason)}};
    if (reason == "page") {
      tail["next_page_token"] = call_.TokenFor(next.position, call_.rows_before() + count_);
    }
    Close(piece, tail);
  }
  void Close(std::string* piece, const Json& tail) {
    *piece += "]," + Dump(tail).substr(1) + "\n";
    ended_ = true;
  }

  const Call call_;
  const List list_;
  const uint64_t limit_, rows_;
  uint64_t count_ = 0, bytes_ = 0;
  bool ended_ = false;
  std::optional<Problem> problem_;  // At the end.
};

}  // namespace

std::unique_ptr<RowSource> IndexedRows(const Call& call, size_t count,
                                       std::function<Json(size_t)> make) {
  return std::make_unique<IndexedSource>(call.number_of_position(), count, std::move(make));
}

Response PageOf(const Call& call, List list) {
  Response response{.headers = {{"Content-Type", std::string(kJsonType)}}};
  auto page = std::make_unique<PageStream>(call, std::move(list));
  if (call.request().in_process) {
    response.stream = std::move(page);  // However long.
    return response;
  }
  std::string piece;
  while (page->Next(&piece) == BodyStream::Event::kPiece) response.body += piece;
  return response;
}

Response LinesOf(const Call& call, List list) {
  return {
      .headers = {{"Content-Type", std::string(kJsonLinesType)}},
      .stream = std::make_unique<LineStream>(std::move(list), LimitOf(call), call.rows_before())};
}

}  // namespace varve::api
