// SPDX-License-Identifier: Apache-2.0
// POST …/batch: puts, deletes, merges and range deletions, all or none.
#include <functional>

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

struct BatchBody {
  std::vector<LiveEngine::Operation> operations;
};

const Shape<BatchBody>& BatchShape() {
  static const auto shape = ObjectShape<BatchBody>("Batch")
                                .Member("ops", ListShape(OperationShape(), /*min=*/1),
                                        &BatchBody::operations, "all or none are done, in order")
                                .shape();
  return shape;
}

// Of the number of operations.
const Fields<size_t>& BatchFields() {
  static const auto fields =
      Fields<size_t>().Number("written", Unit::kCount, std::identity(), "operations, all of them");
  return fields;
}

Reply WriteBatchOf(const Call& call) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const BatchBody body, call.Body(BatchShape()));
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  for (size_t i = 0; i < body.operations.size(); ++i) {
    if (lsm->Find(body.operations[i].family) != nullptr) continue;
    return BodyProblem("cf_not_found", "/ops/" + std::to_string(i) + "/cf",
                       "names no column family of this database; nothing was written");
  }
  const Result<Sequence> sequence = live->Write(body.operations);
  if (!sequence.ok()) return Problem(sequence.status());
  Json json = call.HeadAt(*sequence);
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
