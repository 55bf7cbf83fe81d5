// SPDX-License-Identifier: Apache-2.0
#include "webview/http/webview.h"

#include <set>

#include "core/base/try.h"
#include "core/fs/http/token_file.h"
#include "varve/db.h"
#include "varve/environment.h"
#include "webview/api/routing/router.h"
#include "webview/http/token.h"
#include "webview/http/transfer.h"
#include "webview/http/webview_state.h"

namespace varve {
namespace {

api::ServiceOptions OptionsOf(const WebViewOptions& options) {
  const Environment& env = NativeEnvironment();
  return {.file_system = env.file_system,
          .clock = env.clock,
          .records = options.records,
          .write = options.write,
          .plugins = options.plugins};
}

// Rights are to targets by their names.
Status CheckNames(const api::Service& service) {
  std::set<std::string> names;
  for (const auto& target : service.targets()) {
    if (names.insert(target->name()).second) continue;
    return Status::InvalidArgument("two targets have the name " + target->name() +
                                   ": with users, whose rights name targets, they must differ");
  }
  return Status::Ok();
}

}  // namespace

WebView::WebView(std::unique_ptr<State> state) : state_(std::move(state)) {}
WebView::~WebView() { Stop(); }

Result<std::unique_ptr<WebView>> WebView::Show(const std::vector<std::string>& paths,
                                               const WebViewOptions& options) {
  auto state = std::make_unique<State>(OptionsOf(options));
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN([[maybe_unused]] const auto target, state->service.Open(path));
  }
  return Serve(std::move(state), options);
}

Result<std::unique_ptr<WebView>> WebView::Start(DB& db, const WebViewOptions& options) {
  auto state = std::make_unique<State>(OptionsOf(options));
  state->live = std::make_unique<api::EngineLive>(db, *NativeEnvironment().clock);
  if (options.write) {
    state->live->TakeUploads(NativeEnvironment(),
                             {.bytes = options.upload_bytes,
                              .expiry_micros = options.upload_expiry_seconds * http::kSecond});
  }
  ASSIGN_OR_RETURN([[maybe_unused]] const auto target,
                   state->service.OpenLive(db.path(), state->live.get()));
  state->samples =
      std::make_unique<http::SampleThread>([live = state->live.get()] { live->Sample(); });
  return Serve(std::move(state), options);
}

Result<std::unique_ptr<WebView>> WebView::Serve(std::unique_ptr<State> state,
                                                const WebViewOptions& options) {
  if (options.users_file.empty()) {
    ASSIGN_OR_RETURN(state->token, options.token_file.empty() ? http::MakeToken()
                                                              : ReadTokenFile(options.token_file));
    state->access = std::make_unique<http::Access>(state->token);
  } else {
    RETURN_IF_ERROR(CheckNames(state->service));
    ASSIGN_OR_RETURN(state->access, http::Access::OfFile(options.users_file, options.note));
  }
  ASSIGN_OR_RETURN(http::Listener listener, http::Listener::Open(options.address, options.port));
  state->address = options.address;
  state->port = listener.port();
  state->access->SetPort(state->port);
  http::GuardRules rules{.hosts = http::AllowedHosts(options.address, state->port),
                         .access = state->access.get(),
                         .write = state->service.may_write()};
  http::AnswerSource source{.api = [service = &state->service](const api::Request& request) {
    return api::Handle(*service, request);
  }};
  state->jobs = std::make_unique<http::JobThreads>(state->service.jobs());
  state->server = http::Server::Start(std::move(listener), std::move(rules), std::move(source));
  return std::unique_ptr<WebView>(new WebView(std::move(state)));
}

void WebView::Stop() {
  state_->service.jobs().CancelAll();  // The server also waits for clients that watch a job.
  state_->server.reset();
  state_->jobs.reset();
  state_->samples.reset();
}
uint16_t WebView::port() const { return state_->port; }
const std::string& WebView::token() const { return state_->token; }

std::string WebView::url() const {
  std::string host = state_->address.empty() ? "127.0.0.1" : state_->address;
  if (host == "0.0.0.0" || host == "::") host = "127.0.0.1";
  if (host.find(':') != std::string::npos) host = "[" + host + "]";
  const std::string address = "http://" + host + ":" + std::to_string(state_->port) + "/";
  return state_->token.empty() ? address : address + "#token=" + state_->token;
}

}  // namespace varve
