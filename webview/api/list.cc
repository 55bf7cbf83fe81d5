// SPDX-License-Identifier: Apache-2.0
#include "webview/api/list.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "webview/api/call.h"

namespace varve::api {
namespace {

constexpr size_t kLinesPieceBytes = 64 << 10;

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
  LineStream(std::unique_ptr<RowSource> source, uint64_t limit)
      : source_(std::move(source)), limit_(limit) {}

  Event Next(std::string* piece) override {
    if (ended_) return Event::kEnd;
    piece->clear();
    Row row;
    while (piece->size() < kLinesPieceBytes) {
      if (!source_->Next(&row)) {
        Finish(piece, source_->status());
        return Event::kPiece;
      }
      if (count_ == limit_) {
        more_ = true;
        Finish(piece, Status::Ok());
        return Event::kPiece;
      }
      *piece += Dump(row.json) + "\n";
      ++count_;
    }
    return Event::kPiece;
  }

 private:
  void Finish(std::string* piece, const Status& status) {
    Json end = EndOfStreamJson(count_, status.ok() && !more_);
    if (!status.ok()) end["problem"] = Problem(status).ToJson();
    *piece += Dump(end) + "\n";
    ended_ = true;
  }

  const std::unique_ptr<RowSource> source_;
  const uint64_t limit_;
  uint64_t count_ = 0;
  bool more_ = false, ended_ = false;
};

// A document written as its rows come: head without its closing brace, rows, tail.
class PageWriter {
 public:
  PageWriter(const Call& call, List list) : call_(call), list_(std::move(list)) {
    text_ = Dump(list_.head);
    text_.pop_back();
    text_ += (list_.head.empty() ? "\"" : ",\"") + list_.rows + "\":[";
  }

  std::string Finished() && {
    const uint64_t limit = LimitOf(call_), rows = PageRowsOf(call_);
    const bool bounded = !call_.request().in_process;
    Row row;
    for (;;) {
      if (!list_.source->Next(&row)) {
        return Close(list_.source->status());
      }
      if (count_ == limit) return Close("limit", row);
      if (count_ == rows) return Close("page", row);
      const std::string line = Dump(row.json);
      // A row that fills a page on its own is still a page.
      if (bounded && count_ > 0 && text_.size() + line.size() > kPageBytesMax) {
        return Close("page", row);
      }
      if (count_++ > 0) text_ += ',';
      text_ += line;
    }
  }

 private:
  std::string Close(const Status& status) {
    Json tail = {{"count", count_}, {"complete", status.ok()}};
    if (!status.ok()) {
      tail["reason"] = "problem";
      tail["problem"] = Problem(status).ToJson();
    }
    return Close(std::move(tail));
  }
  std::string Close(const char* reason, const Row& next) {
    Json tail = {{"count", count_}, {"complete", false}, {"reason", reason}};
    if (std::string_view(reason) == "page") {
      tail["next_page_token"] = call_.TokenFor(next.position);
    }
    return Close(std::move(tail));
  }
  std::string Close(const Json& tail) {
    text_ += "]," + Dump(tail).substr(1);
    return std::move(text_);
  }

  const Call& call_;
  List list_;
  std::string text_;
  uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> IndexedRows(const Call& call, size_t count,
                                       std::function<Json(size_t)> make) {
  size_t begin = 0;
  const std::string& position = call.position();
  std::from_chars(position.data(), position.data() + position.size(), begin);
  return std::make_unique<IndexedSource>(begin, count, std::move(make));
}

Response PageOf(const Call& call, List list) {
  return {.headers = {{"Content-Type", std::string(kJsonType)}},
          .body = PageWriter(call, std::move(list)).Finished() + "\n"};
}

Response LinesOf(const Call& call, List list) {
  return {.headers = {{"Content-Type", std::string(kJsonLinesType)}},
          .stream = std::make_unique<LineStream>(std::move(list.source), LimitOf(call))};
}

}  // namespace varve::api
