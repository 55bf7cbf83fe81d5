// SPDX-License-Identifier: Apache-2.0
// What a WebView is made of. Of webview.cc only.
#pragma once

#include <memory>
#include <string>

#include "webview/api/engine/engine_live.h"
#include "webview/api/service.h"
#include "webview/http/job_thread.h"
#include "webview/http/sample_thread.h"
#include "webview/http/server.h"
#include "webview/http/webview.h"

namespace varve {

class WebView::State {
 public:
  State(const api::ServiceOptions& options) : service(options) {}

  // In the order in which they are needed; the server, which uses the others, ends first.
  std::unique_ptr<api::EngineLive> live;  // Null: files are shown.
  api::Service service;
  std::unique_ptr<http::SampleThread> samples;
  std::unique_ptr<http::JobThread> jobs;
  std::string token;
  std::string address;
  uint16_t port = 0;
  std::unique_ptr<http::Server> server;
};

}  // namespace varve
