// SPDX-License-Identifier: Apache-2.0
#include "webview/api/service.h"

#include <algorithm>

#include "core/base/try.h"

namespace varve::api {

Result<std::shared_ptr<Target>> Service::Open(const std::string& path,
                                              std::optional<TargetKind> kind) {
  return Open(path, nullptr, kind);
}

Result<std::shared_ptr<Target>> Service::OpenLive(const std::string& path, LiveEngine* engine) {
  return Open(path, engine, std::nullopt);
}

Result<std::shared_ptr<Target>> Service::Open(const std::string& path, LiveEngine* engine,
                                              std::optional<TargetKind> kind) {
  std::string id;
  {
    MutexLock lock(mu_);
    id = "t" + std::to_string(++opened_);
  }
  ASSIGN_OR_RETURN(std::shared_ptr<Target> target,
                   Target::Open(*options_.file_system, path, std::move(id), engine, kind));
  MutexLock lock(mu_);
  targets_.push_back(target);
  return target;
}

Answer<Done> Service::RequireWrite() const {
  if (!may_write()) {
    return Problem("read_only", "this server only reads; it was started without --write");
  }
  return Done();
}

bool Service::Close(std::string_view id) {
  std::shared_ptr<Target> closed;
  {
    MutexLock lock(mu_);
    const auto found = std::find_if(targets_.begin(), targets_.end(),
                                    [&](const auto& target) { return target->id() == id; });
    if (found == targets_.end()) return false;
    closed = *found;
    targets_.erase(found);
  }
  jobs_.ForgetTarget(*closed);
  return true;
}

std::vector<std::shared_ptr<Target>> Service::targets() const {
  MutexLock lock(mu_);
  return targets_;
}

std::vector<std::shared_ptr<Target>> Service::TargetsOf(const Caller& caller) const {
  std::vector<std::shared_ptr<Target>> seen = targets();
  std::erase_if(seen, [&](const std::shared_ptr<Target>& target) {
    return !caller.rights.HaveSomeOf(Access::kRead, target->name());
  });
  return seen;
}

Answer<std::shared_ptr<Target>> Service::FindTarget(std::string_view id) const {
  MutexLock lock(mu_);
  for (const std::shared_ptr<Target>& target : targets_) {
    if (target->id() == id) return target;
  }
  return NoSuchTarget();
}

Problem Service::NoSuchTarget() { return {"target_not_found", "there is no target of that name"}; }

}  // namespace varve::api
