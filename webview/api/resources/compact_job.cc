// SPDX-License-Identifier: Apache-2.0
// The job that compacts a range of a running database.
#include <functional>

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
          .Name("cf", std::identity(), "name of the column family");
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
  bool lasting() const override { return true; }
  std::string_view schema() const override { return kCompactDocument.name; }
  Json ResultJson() const override { return CompactFields().ToJson(family_); }

 private:
  LiveEngine& live_;
  const std::string family_;
  const std::optional<std::string> from_, to_;
};

struct CompactBody {
  std::string family = "default";
  std::optional<std::string> from = {}, to = {};
};

Answer<std::vector<Right>> NeedsOfCompact(const Call& call, const CompactBody& body) {
  RETURN_IF_PROBLEM(call.service().RequireWrite());
  return std::vector{call.OnFamily(Access::kWrite, body.family)};
}

Answer<std::unique_ptr<JobTask>> MakeCompactJob(const Call& call, const CompactBody& body) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  if (lsm->Find(body.family) == nullptr) {
    return BodyProblem("cf_not_found", "/cf", "names no column family of this database");
  }
  return std::unique_ptr<JobTask>(
      std::make_unique<CompactTask>(live, body.family, body.from, body.to));
}

}  // namespace

JobKind CompactJob() {
  return NewJobKind<CompactBody>(
      "compact", "a range of a running database",
      ObjectShape<CompactBody>()
          .Name("cf", &CompactBody::family, "column family; default if not given", kOptional)
          .Key("from", &CompactBody::from, "first key, a literal; of all if not given")
          .Key("to", &CompactBody::to, "last key, a literal; of all if not given")
          .shape(),
      NeedsOfCompact, MakeCompactJob);
}

constexpr DocumentSchema kCompactDocument = {
    .name = "varve.compact/1",
    .make = [](std::string_view name) { return Document(name, CompactFields().Members()); }};

}  // namespace varve::api
