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

// An option's value, in the syntax of OPTIONS files.
Shape<std::string> OptionTextShape() {
  return {{{{"type", {"string", "number", "boolean"}}}},
          [](const Json& value, const std::string& pointer) -> Answer<std::string> {
            if (value.is_string()) return value.get<std::string>();
            if (value.is_boolean()) return std::string(value.get<bool>() ? "true" : "false");
            if (value.is_number()) return value.dump();
            return BodyProblem("bad_request", pointer, "must be a string, a number, true or false");
          }};
}

using OptionValues = std::vector<std::pair<std::string, std::string>>;

const Shape<OptionValues>& OptionValuesShape() {
  static const auto shape = [] {
    Shape<OptionValues> values = MapShape(OptionTextShape());
    values.schema["title"] = "OptionValues";
    return values;
  }();
  return shape;
}

// Options by name, as they are set.
struct PatchedOptions {
  bool applied;
  OptionValues changes;

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

// A JSON merge patch for options: sets the given members, all or none.
Reply PatchOptions(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(OptionValues changes, call.Body(OptionValuesShape()));
  const PatchedOptions patched{.applied = !call.Flag("validate_only"),
                               .changes = std::move(changes)};
  RETURN_IF_ERROR(live->SetOptions(family->name, patched.changes, !patched.applied));
  Json json = call.Head();
  PatchedOptionsFields().AddTo(&json, patched);
  return json;
}

Reply FlushFamily(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  RETURN_IF_PROBLEM(call.Body(EmptyShape()));
  RETURN_IF_ERROR(live->Flush(family->name));
  Json json = call.Head();
  FlushFields().AddTo(&json, true);
  return json;
}

constexpr DocumentSchema kPatchedOptionsDocument = {
    .name = "varve.options_patch/1",
    .make = [](std::string_view name) { return Document(name, PatchedOptionsFields().Members()); }};

constexpr DocumentSchema kFlushDocument = {
    .name = "varve.flush/1",
    .make = [](std::string_view name) { return Document(name, FlushFields().Members()); }};

}  // namespace

Answer<LiveEngine*> LiveOf(const Call& call) {
  if (call.target().live() != nullptr) return call.target().live();
  return Problem("unsupported_feature", "no engine has this target open in this process")
      .With("feature", "live");
}

Answer<Uploads*> UploadsOf(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  if (live->uploads() != nullptr) return live->uploads();
  return Problem("unsupported_feature", "this server takes no uploads").With("feature", "uploads");
}

bool IsUploadFor(const Call& call, Access access, const UploadReport& upload) {
  return upload.user == call.caller().name || call.May(call.OnTarget(access));
}

Answer<UploadReport> UploadOf(const Call& call, Access access, const std::string& id) {
  ASSIGN_OR_RETURN(Uploads* const uploads, UploadsOf(call));
  ASSIGN_OR_RETURN(UploadReport upload, uploads->Find(id));
  if (IsUploadFor(call, access, upload)) return upload;
  return Uploads::NoUpload(id);
}

std::span<const Route> LiveRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kPatch,
       .pattern = "/targets/{t}/cfs/{cf}/options",
       .handler = PatchOptions,
       .auth = Auth::kWrite,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kPatchedOptionsDocument,
       .summary = "set options of a running database: {\"name\":value}",
       .parameters = {{"validate_only", kFlag, "only say whether they could be set"}},
       .body = BodyOf<OptionValuesShape>},
      {.method = Method::kPost,
       .pattern = "/targets/{t}/cfs/{cf}:flush",
       .handler = FlushFamily,
       .auth = Auth::kWrite,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kFlushDocument,
       .summary = "write the memtables of a running database to a table",
       .body = BodyOf<EmptyShape>},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
