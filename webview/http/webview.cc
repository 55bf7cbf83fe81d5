// SPDX-License-Identifier: Apache-2.0
#include "webview/http/webview.h"

#include "core/base/try.h"
#include "varve/environment.h"
#include "webview/api/router.h"
#include "webview/http/token.h"
#include "webview/http/webview_state.h"

namespace varve {

WebView::WebView(std::unique_ptr<State> state) : state_(std::move(state)) {}
WebView::~WebView() { Stop(); }

Result<std::unique_ptr<WebView>> WebView::Show(const std::vector<std::string>& paths,
                                               const WebViewOptions& options) {
  const Environment& env = NativeEnvironment();
  auto state = std::make_unique<State>(api::ServiceOptions{
      .file_system = env.file_system, .clock = env.clock, .records = options.records});
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN([[maybe_unused]] const auto target, state->service.Open(path));
  }
  ASSIGN_OR_RETURN(state->token, options.token_file.empty()
                                     ? http::MakeToken()
                                     : http::TokenFromFile(options.token_file));
  ASSIGN_OR_RETURN(http::Listener listener, http::Listener::Open(options.address, options.port));
  state->address = options.address;
  state->port = listener.port();
  http::GuardRules rules{.hosts = http::AllowedHosts(options.address, state->port),
                         .token = state->token};
  http::AnswerSource source{.api = [service = &state->service](const api::Request& request) {
    return api::Handle(*service, request);
  }};
  state->jobs = std::make_unique<http::JobThread>(state->service.jobs());
  state->server = http::Server::Start(std::move(listener), std::move(rules), std::move(source));
  return std::unique_ptr<WebView>(new WebView(std::move(state)));
}

void WebView::Stop() {
  state_->server.reset();
  state_->jobs.reset();
}
uint16_t WebView::port() const { return state_->port; }
const std::string& WebView::token() const { return state_->token; }

std::string WebView::url() const {
  std::string host = state_->address.empty() ? "127.0.0.1" : state_->address;
  if (host == "0.0.0.0" || host == "::") host = "127.0.0.1";
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  return "http://" + host + ":" + std::to_string(state_->port) + "/#token=" + state_->token;
}

}  // namespace varve
