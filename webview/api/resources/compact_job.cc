// SPDX-License-Identifier: Apache-2.0
// The job that compacts a range of a running database.
#include <functional>

#include "core/base/literal.h"
#include "core/base/try.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/live.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

// Of the family's name.
const Fields<std::string>& CompactFields() {
  static const auto fields =
      Fields<std::string>()
          .Flag(
              "compacted", [](const std::string&) { return true; }, "the range was compacted")
          .Text("cf", std::identity(), "name of the column family");
  return fields;
}

// A single step: the engine's compaction cannot be interrupted.
class CompactTask : public JobTask {
 public:
  CompactTask(LiveEngine* live, std::string family, std::optional<std::string> from,
              std::optional<std::string> to)
      : live_(*live), family_(std::move(family)), from_(std::move(from)), to_(std::move(to)) {}

  Result<bool> Step(JobControl&) override {
    RETURN_IF_ERROR(live_.Compact(family_, from_, to_));
    return true;
  }
  std::string_view schema() const override { return "varve.compact/1"; }
  Json ResultJson() const override { return CompactFields().ToJson(family_); }

 private:
  LiveEngine& live_;
  const std::string family_;
  const std::optional<std::string> from_, to_;
};

// A key literal of the body; nullopt if the member is missing.
Answer<std::optional<std::string>> KeyOf(const Json& body, const char* member) {
  const auto found = body.find(member);
  if (found == body.end()) return std::optional<std::string>();
  if (!found->is_string())
    return Problem("bad_key_literal", std::string(member) + " is not a string");
  Result<std::string> key = DecodeLiteral(found->get<std::string>(), Encoding::kUtf8);
  if (!key.ok()) return Problem("bad_key_literal", std::string(key.status().message()));
  return std::optional<std::string>(*std::move(key));
}

}  // namespace

Answer<std::unique_ptr<JobTask>> MakeCompactJob(const Call& call, const Json& body) {
  if (!call.service().may_write()) {
    return Problem("read_only", "this server only reads; it was started without --write");
  }
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(auto from, KeyOf(body, "from"));
  ASSIGN_OR_RETURN(auto to, KeyOf(body, "to"));
  std::string family = "default";
  if (const auto cf = body.find("cf"); cf != body.end()) {
    if (!cf->is_string()) return Problem("bad_request", "cf must be a string");
    family = cf->get<std::string>();
  }
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  if (lsm->Find(family) == nullptr) return Problem("cf_not_found", "there is no such family");
  return std::unique_ptr<JobTask>(
      std::make_unique<CompactTask>(live, std::move(family), std::move(from), std::move(to)));
}

Json CompactSchema() { return Document("varve.compact/1", CompactFields().Members()); }

}  // namespace varve::api
