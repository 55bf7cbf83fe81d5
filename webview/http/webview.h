// SPDX-License-Identifier: Apache-2.0
// WebView is the inspector as a web page: an HTTP server on this machine that shows databases, for
// the person who started the program and for nobody else.
//
//   auto view = WebView::Show({"/data/db"}, {});
//   std::puts((*view)->url().c_str());          // Open this in a browser.
//
// It listens on 127.0.0.1 and ::1 unless told otherwise and answers only to who knows the token,
// which is new at each start and part of the URL behind '#' (browsers do not send that part, so it
// reaches no log). It changes nothing, unless it shows a running engine and `write` says so.
// Thread-safe.
//
// A program that has a database open shows it with
//
//   auto view = WebView::Start(*db, {.port = 8420});   // Levels, caches, stalls, latencies,
//   /metrics. …
//   (*view)->Stop();                                   // Before the database is closed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "varve/result.h"
#include "webview/api/records.h"

namespace varve {

struct WebViewOptions {
  uint16_t port = 0;         // 0: any that is free.
  std::string address = {};  // A numeric one to listen on instead; empty: this machine only.
  // A file whose first line is the token, readable by its owner alone; empty: a new token.
  std::string token_file = {};
  api::RecordOpener records = nullptr;  // Null: files are shown, records are not (ServiceOptions).
  bool write = false;                   // Of a running engine: options, flush, compaction, batches.
};

class DB;

class WebView {
 public:
  // Each of `paths` a database directory or a single table, MANIFEST or log; never written to.
  // InvalidArgument, Busy (the port is taken), IoError.
  static Result<std::unique_ptr<WebView>> Show(const std::vector<std::string>& paths,
                                               const WebViewOptions& options);
  // The database `db` of this process, which must outlive the WebView or its Stop(). As Show().
  static Result<std::unique_ptr<WebView>> Start(DB& db, const WebViewOptions& options);
  ~WebView();
  WebView(const WebView&) = delete;
  WebView& operator=(const WebView&) = delete;

  // Connections are closed, requests in work are finished; nothing is served any more.
  void Stop();

  uint16_t port() const;
  const std::string& token() const;
  std::string url() const;  // "http://127.0.0.1:8420/#token=…"

 private:
  class State;
  explicit WebView(std::unique_ptr<State> state);
  static Result<std::unique_ptr<WebView>> Serve(std::unique_ptr<State> state,
                                                const WebViewOptions& options);
  std::unique_ptr<State> state_;
};

}  // namespace varve
