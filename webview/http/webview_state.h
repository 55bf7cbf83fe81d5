// SPDX-License-Identifier: Apache-2.0
// What a WebView is made of. Of webview.cc and webview_live.cc only: the latter, which links the
// engine, is a library of its own (core/decisions/0004-inspection-links-no-engine.md).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "webview/api/service.h"
#include "webview/http/server.h"
#include "webview/http/webview.h"

namespace varve {

class WebView::State {
 public:
  State(const api::ServiceOptions& options) : service(options) {}

  // In the order in which they are needed; the server, which uses the others, ends first.
  std::unique_ptr<api::LiveEngine> live;  // Null: files only.
  api::Service service;
  std::function<std::string()> metrics;  // Null without a live engine.
  std::string token;
  std::string address;
  uint16_t port = 0;
  std::unique_ptr<http::Server> server;
};

}  // namespace varve
