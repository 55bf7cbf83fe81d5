// SPDX-License-Identifier: Apache-2.0
// Service is the state behind all requests: the targets (opened by path during set-up, never by a
// request), the permissions, the running jobs, and page tokens too long for a URL.
//
// Thread-safe once targets are open: any number of threads may call Handle() with one Service.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "webview/api/jobs.h"
#include "webview/api/live_engine.h"
#include "webview/api/records.h"
#include "webview/api/routing/answer.h"
#include "webview/api/routing/page_tokens.h"
#include "webview/api/routing/request.h"
#include "webview/api/target.h"

namespace varve::api {

struct ServiceOptions {
  FileSystem* file_system = nullptr;  // Required. Only read from (target_fs.h).
  Clock* clock = nullptr;             // Required: for the start times of jobs.
  RecordOpener records = nullptr;     // Null: no …/get, …/scan, digests or differences.
  bool write = false;                 // Routes of Auth::kWrite exist.
  std::string plugins = {};           // A folder of plugins for the page; empty: none.
};

class Service {
 public:
  explicit Service(const ServiceOptions& options) : options_(options), jobs_(*options.clock) {}
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  const ServiceOptions& options() const { return options_; }
  bool may_write() const { return options_.write; }
  // read_only if this service may not.
  Answer<Done> RequireWrite() const;

  // Opens the object at `path` and names it "t1", "t2", … It is identified by its contents, unless
  // the caller has just done that: then `kind` is what it is.
  Result<std::shared_ptr<Target>> Open(const std::string& path,
                                       std::optional<TargetKind> kind = std::nullopt);
  // As Open(), for a database that this process has open: `engine` (which must outlive the target)
  // answers what files cannot.
  Result<std::shared_ptr<Target>> OpenLive(const std::string& path, LiveEngine* engine);
  bool Close(std::string_view id);

  std::vector<std::shared_ptr<Target>> targets() const;
  // Those of which the caller may see some.
  std::vector<std::shared_ptr<Target>> TargetsOf(const Caller& caller) const;
  Answer<std::shared_ptr<Target>> FindTarget(std::string_view id) const;
  static Problem NoSuchTarget();

  PageTokens& page_tokens() { return page_tokens_; }
  Jobs& jobs() { return jobs_; }

 private:
  Result<std::shared_ptr<Target>> Open(const std::string& path, LiveEngine* engine,
                                       std::optional<TargetKind> kind);

  ServiceOptions options_;
  mutable Mutex mu_;
  std::vector<std::shared_ptr<Target>> targets_ GUARDED_BY(mu_);
  int opened_ GUARDED_BY(mu_) = 0;
  PageTokens page_tokens_;
  Jobs jobs_;
};

}  // namespace varve::api
