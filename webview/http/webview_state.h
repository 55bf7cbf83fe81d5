// SPDX-License-Identifier: Apache-2.0
// The state of a WebView. Used by webview.cc only.
#pragma once

#include <memory>
#include <string>

#include "webview/api/engine/engine_live.h"
#include "webview/api/service.h"
#include "webview/http/access.h"
#include "webview/http/job_threads.h"
#include "webview/http/sample_thread.h"
#include "webview/http/server.h"
#include "webview/http/webview.h"

namespace varve {

class WebView::State {
 public:
  State(const api::ServiceOptions& options) : service(options) {}

  // In order of dependency; the server, which uses the others, is destroyed first.
  std::unique_ptr<api::EngineLive> live;  // Null: only files are shown.
  api::Service service;
  std::unique_ptr<http::SampleThread> samples;
  std::unique_ptr<http::JobThreads> jobs;
  std::string token;
  std::unique_ptr<http::Access> access;
  std::string address;
  uint16_t port = 0;
  std::unique_ptr<http::Server> server;
};

}  // namespace varve
