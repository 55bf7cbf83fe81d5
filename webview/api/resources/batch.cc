// SPDX-License-Identifier: Apache-2.0
// POST …/batch: puts, deletes, merges and range deletions, all or none.
#include <functional>

#include "core/base/literal.h"
#include "core/base/try.h"
#include "webview/api/resources/live.h"
#include "webview/api/resources/resources.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

using Kind = LiveEngine::Operation::Kind;

struct KindRow {
  std::string_view name;
  Kind kind;
  const char* second;  // The member besides "key"; null: there is none.
};

constexpr KindRow kKinds[] = {{"put", Kind::kPut, "value"},
                              {"delete", Kind::kDelete, nullptr},
                              {"single_delete", Kind::kSingleDelete, nullptr},
                              {"merge", Kind::kMerge, "value"},
                              {"range_delete", Kind::kDeleteRange, "to"}};

// A string member as a literal of the command line.
Answer<std::string> LiteralOf(const Json& operation, const char* member) {
  const auto found = operation.find(member);
  if (found == operation.end() || !found->is_string()) {
    return Problem("bad_request", "an operation needs \"" + std::string(member) + "\", a literal");
  }
  Result<std::string> bytes = DecodeLiteral(found->get<std::string>(), Encoding::kUtf8);
  if (bytes.ok()) return *std::move(bytes);
  return Problem("bad_key_literal",
                 std::string(member) + ": " + std::string(bytes.status().message()));
}

Answer<LiveEngine::Operation> OperationOf(const Json& json) {
  const auto named = json.is_object() ? json.find("op") : json.end();
  if (!json.is_object() || named == json.end() || !named->is_string()) {
    return Problem("bad_request", "each operation is an object with \"op\" and \"key\"");
  }
  for (const KindRow& row : kKinds) {
    if (*named != std::string(row.name)) continue;
    LiveEngine::Operation operation{.kind = row.kind};
    const char* const key = row.kind == Kind::kDeleteRange ? "from" : "key";
    for (const auto& [member, value] : json.items()) {
      const bool known = member == "op" || member == "cf" || member == key ||
                         (row.second != nullptr && member == row.second);
      if (!known) return Problem("bad_request", "an operation has no member \"" + member + "\"");
    }
    ASSIGN_OR_RETURN(operation.key, LiteralOf(json, key));
    if (row.second != nullptr) {
      ASSIGN_OR_RETURN(operation.value, LiteralOf(json, row.second));
    }
    if (const auto family = json.find("cf"); family != json.end()) {
      if (!family->is_string()) return Problem("bad_request", "cf must be a string");
      operation.family = family->get<std::string>();
    }
    return operation;
  }
  return Problem("bad_request",
                 "op must be one of put, delete, single_delete, merge and range_delete");
}

// Of the number of operations.
const Fields<size_t>& BatchFields() {
  static const auto fields =
      Fields<size_t>().Number("written", Unit::kCount, std::identity(), "operations, all of them");
  return fields;
}

}  // namespace

Reply WriteBatchOf(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const Json body, call.Body());
  const auto listed = body.find("ops");
  if (listed == body.end() || !listed->is_array() || listed->empty()) {
    return Problem("bad_request", "the body must have \"ops\", an array of operations");
  }
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  std::vector<LiveEngine::Operation> operations;
  for (const Json& json : *listed) {
    ASSIGN_OR_RETURN(LiveEngine::Operation operation, OperationOf(json));
    if (lsm->Find(operation.family) == nullptr) {
      return Problem("cf_not_found", "there is no such column family; nothing was written");
    }
    operations.push_back(std::move(operation));
  }
  const Result<Sequence> sequence = live->Write(operations);
  if (!sequence.ok()) return Problem(sequence.status());
  Json json = call.Head();
  json["as_of"]["seq"] = std::to_string(*sequence);
  BatchFields().AddTo(&json, operations.size());
  return json;
}

Json BatchBody() {
  Json kinds = {{"type", "string"}, {"enum", Json::array()}};
  for (const KindRow& row : kKinds) kinds["enum"].push_back(std::string(row.name));
  return Object("Batch", {{"ops", ArrayOf(Object({{"op", std::move(kinds)},
                                                  {"cf", Text(), kOptional},
                                                  {"key", Text(), kOptional},
                                                  {"value", Text(), kOptional},
                                                  {"from", Text(), kOptional},
                                                  {"to", Text(), kOptional}}))}});
}

Json BatchSchema() { return Document("varve.batch/1", BatchFields().Members()); }

}  // namespace varve::api
