// SPDX-License-Identifier: Apache-2.0
// WebView is the inspector as a web page: an HTTP server on this machine that shows databases to
// the user who started the program, and to nobody else.
//
//   auto view = WebView::Show({"/data/db"}, {});
//   std::puts((*view)->url().c_str());          // Open this in a browser.
//
// It listens on 127.0.0.1 and ::1 by default and requires a token, which is new at each start and
// part of the URL behind '#' (browsers do not send that part, so it appears in no log). It changes
// nothing, unless it shows a running engine and `write` allows it. Thread-safe.
//
// A program that has a database open shows it with
//
//   auto view = WebView::Start(*db, {.port = 8420});   // Levels, caches, latencies, /metrics.
//   (*view)->Stop();                                   // Before the database is closed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "varve/result.h"
#include "webview/api/records.h"

namespace varve {

struct WebViewOptions {
  uint16_t port = 0;         // 0: any free one.
  std::string address = {};  // A numeric address to listen on instead; empty: this machine only.
  // A file whose first line is the token, readable only by its owner; empty: a new token.
  std::string token_file = {};
  // A file of users, each with rights and a token or a password (users.h), instead of one token.
  // Read again when it changes; what is wrong with it then, `note` is told, from any thread.
  std::string users_file = {};
  std::function<void(const std::string&)> note = nullptr;
  // A folder whose files *.js are plugins that the page offers; empty: none.
  std::string plugins = {};
  api::RecordOpener records = nullptr;  // Null: no access to records (ServiceOptions).
  // For a running engine: allow changes of options, flush, compaction, batches, new tables.
  bool write = false;
  // With `write`, of tables that clients upload: bytes of all that are not added yet, and after how
  // many seconds without a request about them they are removed.
  uint64_t upload_bytes = uint64_t{64} << 30;
  uint64_t upload_expiry_seconds = 3600;
};

class DB;

class WebView {
 public:
  // Each of `paths` is a database directory or a single table, MANIFEST or log; never written to.
  // InvalidArgument, Busy (the port is in use), IoError.
  static Result<std::unique_ptr<WebView>> Show(const std::vector<std::string>& paths,
                                               const WebViewOptions& options);
  // Shows the database `db` of this process, which must outlive the WebView or its Stop(). Errors
  // as of Show().
  static Result<std::unique_ptr<WebView>> Start(DB& db, const WebViewOptions& options);
  ~WebView();
  WebView(const WebView&) = delete;
  WebView& operator=(const WebView&) = delete;

  // Closes connections and finishes running requests; nothing is served afterwards.
  void Stop();

  uint16_t port() const;
  const std::string& token() const;  // Empty if there are users, who have tokens of their own.
  std::string url() const;           // "http://127.0.0.1:8420/#token=…"; of users without it.

 private:
  class State;
  explicit WebView(std::unique_ptr<State> state);
  static Result<std::unique_ptr<WebView>> Serve(std::unique_ptr<State> state,
                                                const WebViewOptions& options);
  std::unique_ptr<State> state_;
};

}  // namespace varve
