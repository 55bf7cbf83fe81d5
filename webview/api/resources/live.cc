// SPDX-License-Identifier: Apache-2.0
// What changes a running database: PATCH …/cfs/{cf}/options, POST …/cfs/{cf}:flush. Compaction
// takes its time and is a job (compact_job.cc).
#include "webview/api/resources/live.h"

#include "core/base/try.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

// An option's value as OPTIONS files have it.
Answer<std::string> OptionText(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return std::string(value.get<bool>() ? "true" : "false");
  if (value.is_number()) return value.dump();
  return Problem("bad_request", name + " must be a string, a number, true or false");
}

}  // namespace

Answer<LiveEngine*> LiveOf(const Call& call) {
  if (call.target().live() != nullptr) return call.target().live();
  return Problem("unsupported_feature", "no engine has this target open in this process")
      .With("feature", "live");
}

// A JSON merge patch, as far as options go: members are set, all or none.
Reply PatchOptions(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(const Json body, call.Body());
  std::vector<std::pair<std::string, std::string>> changes;
  for (auto member = body.begin(); member != body.end(); ++member) {
    ASSIGN_OR_RETURN(std::string text, OptionText(member.key(), member.value()));
    changes.emplace_back(member.key(), std::move(text));
  }
  const bool validate_only = call.Flag("validate_only");
  RETURN_IF_ERROR(live->SetOptions(family->name, changes, validate_only));
  Json json = call.Head();
  json["applied"] = !validate_only;
  json["options"] = Json::object();
  for (const auto& [name, text] : changes) json["options"][name] = text;
  return json;
}

Reply FlushFamily(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  RETURN_IF_ERROR(live->Flush(family->name));
  Json json = call.Head();
  json["flushed"] = true;
  return json;
}

Json OptionValuesBody() {
  Json values = MapOf({{"type", {"string", "number", "boolean"}}});
  values["title"] = "OptionValues";
  return values;
}

Json PatchedOptionsSchema() {
  return Document("varve.options_patch/1", {{"applied", Boolean()}, {"options", MapOf(Text())}});
}

Json FlushSchema() { return Document("varve.flush/1", {{"flushed", Boolean()}}); }

}  // namespace varve::api
