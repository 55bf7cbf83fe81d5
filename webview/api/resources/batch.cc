// SPDX-License-Identifier: Apache-2.0
// POST …/batch: puts, deletes, merges and range deletions, all or none; if wanted, only while keys
// have the values that they were read with.
#include <functional>

#include "core/base/hash/sha256.h"
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
  std::string_view key;
  std::string_view second;  // The member besides the key; empty: there is none.
};

constexpr KindRow kKinds[] = {{"put", Kind::kPut, "key", "value"},
                              {"delete", Kind::kDelete, "key", ""},
                              {"single_delete", Kind::kSingleDelete, "key", ""},
                              {"merge", Kind::kMerge, "key", "value"},
                              {"range_delete", Kind::kDeleteRange, "from", "to"}};

Shape<LiveEngine::Operation> OperationShape() {
  using Operation = LiveEngine::Operation;
  TaggedShape<Operation> any("op");
  for (const KindRow& row : kKinds) {
    ObjectShape<Operation> one({}, Operation{.kind = row.kind});
    one.Name("cf", &Operation::family, "column family; default if not given", kOptional)
        .Key(row.key, &Operation::key, "a literal of bytes");
    if (!row.second.empty()) one.Key(row.second, &Operation::value, "a literal of bytes");
    any.Add(row.name, one.shape());
  }
  return any.shape();
}

Shape<std::string> DigestShape() {
  return {{{{"type", "string"}, {"pattern", "^[0-9a-f]{64}$"}}},
          [](const Json& json, const std::string& pointer) -> Answer<std::string> {
            if (json.is_string() && IsSha256(json.get_ref<const std::string&>())) {
              return json.get<std::string>();
            }
            return BodyProblem("bad_request", pointer, "must be 64 hex digits in lower case");
          }};
}

Shape<LiveEngine::Expectation> ExpectationShape() {
  using Expectation = LiveEngine::Expectation;
  return ObjectShape<Expectation>("Expectation")
      .Name("cf", &Expectation::family, "column family; default if not given", kOptional)
      .Key("key", &Expectation::key, "a literal of bytes")
      .Member("sha256", DigestShape(), &Expectation::sha256,
              "of its value, as …/get?digest=true says it; the key must not be there if not given")
      .shape();
}

struct BatchBody {
  std::vector<LiveEngine::Operation> operations;
  std::vector<LiveEngine::Expectation> expected;
};

const Shape<BatchBody>& BatchShape() {
  static const auto shape =
      ObjectShape<BatchBody>("Batch")
          .Member("ops", ListShape(OperationShape(), /*min=*/1), &BatchBody::operations,
                  "all or none are done, in order")
          .Member("expect", ListShape(ExpectationShape()), &BatchBody::expected,
                  "what must still hold, or nothing is written", kOptional)
          .shape();
  return shape;
}

// Of the number of operations.
const Fields<size_t>& BatchFields() {
  static const auto fields =
      Fields<size_t>().Number("written", Unit::kCount, std::identity(), "operations, all of them");
  return fields;
}

// Each of `list` names a family, and the caller may do that to it.
template <typename T>
Answer<Done> CheckFamilies(const Call& call, const LsmReport& lsm, Access access,
                           const std::string& pointer, const std::vector<T>& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    RETURN_IF_PROBLEM(call.Require({access, call.target().name(), list[i].family}));
    if (lsm.Find(list[i].family) != nullptr) continue;
    return BodyProblem("cf_not_found", pointer + std::to_string(i) + "/cf",
                       "names no column family of this database; nothing was written");
  }
  return Done();
}

Reply WriteBatchOf(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const BatchBody body, call.Body(BatchShape()));
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  RETURN_IF_PROBLEM(CheckFamilies(call, *lsm, Access::kWrite, "/ops/", body.operations));
  RETURN_IF_PROBLEM(CheckFamilies(call, *lsm, Access::kRead, "/expect/", body.expected));
  const Result<LiveEngine::Written> written = live->Write(body.operations, body.expected);
  if (!written.ok()) return Problem(written.status());
  if (written->unmet) {
    return BodyProblem("precondition_failed", "/expect/" + std::to_string(*written->unmet),
                       "does not hold: the key has another value by now; nothing was written");
  }
  Json json = call.HeadAt(written->sequence);
  BatchFields().AddTo(&json, body.operations.size());
  return json;
}

constexpr DocumentSchema kBatchDocument = {
    .name = "varve.batch/1",
    .make = [](std::string_view name) { return Document(name, BatchFields().Members()); }};

}  // namespace

std::span<const Route> BatchRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kPost,
       .pattern = "/targets/{t}/batch",
       .handler = WriteBatchOf,
       .auth = Auth::kWrite,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kBatchDocument,
       .summary = "write to a running database, all or nothing: {\"ops\":[{\"op\":\"put\",…}]}",
       .body = BodyOf<BatchShape>},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
