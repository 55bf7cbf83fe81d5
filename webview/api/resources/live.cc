// SPDX-License-Identifier: Apache-2.0
// Changes of a running database: PATCH …/cfs/{cf}/options, POST …/cfs/{cf}:flush. Compaction takes
// longer and is a job (compact_job.cc).
#include "webview/api/resources/live.h"

#include <functional>

#include "core/base/try.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

// An option's value in the syntax of OPTIONS files.
Answer<std::string> OptionText(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return std::string(value.get<bool>() ? "true" : "false");
  if (value.is_number()) return value.dump();
  return Problem("bad_request", name + " must be a string, a number, true or false");
}

// Options by name, as they are set.
struct PatchedOptions {
  bool applied;
  std::vector<std::pair<std::string, std::string>> changes;

  Json options() const {
    Json json = Json::object();
    for (const auto& [name, text] : changes) json[name] = text;
    return json;
  }
};

const Fields<PatchedOptions>& PatchedOptionsFields() {
  static const auto fields =
      Fields<PatchedOptions>()
          .Flag("applied", &PatchedOptions::applied, "they are set; else they were only checked")
          .Other("options", MapOf(Text()), &PatchedOptions::options, "the new values, by name");
  return fields;
}

// Of type bool: whether a flush was done.
const Fields<bool>& FlushFields() {
  static const auto fields =
      Fields<bool>().Flag("flushed", std::identity(), "its memtable is in tables now");
  return fields;
}

}  // namespace

Answer<LiveEngine*> LiveOf(const Call& call) {
  if (call.target().live() != nullptr) return call.target().live();
  return Problem("unsupported_feature", "no engine has this target open in this process")
      .With("feature", "live");
}

// A JSON merge patch for options: sets the given members, all or none.
Reply PatchOptions(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(const Json body, call.Body());
  PatchedOptions patched{.applied = !call.Flag("validate_only"), .changes = {}};
  for (auto member = body.begin(); member != body.end(); ++member) {
    ASSIGN_OR_RETURN(std::string text, OptionText(member.key(), member.value()));
    patched.changes.emplace_back(member.key(), std::move(text));
  }
  RETURN_IF_ERROR(live->SetOptions(family->name, patched.changes, !patched.applied));
  Json json = call.Head();
  PatchedOptionsFields().AddTo(&json, patched);
  return json;
}

Reply FlushFamily(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  RETURN_IF_ERROR(live->Flush(family->name));
  Json json = call.Head();
  FlushFields().AddTo(&json, true);
  return json;
}

Json OptionValuesBody() {
  Json values = MapOf({{"type", {"string", "number", "boolean"}}});
  values["title"] = "OptionValues";
  return values;
}

Json PatchedOptionsSchema() {
  return Document("varve.options_patch/1", PatchedOptionsFields().Members());
}

Json FlushSchema() { return Document("varve.flush/1", FlushFields().Members()); }

}  // namespace varve::api
