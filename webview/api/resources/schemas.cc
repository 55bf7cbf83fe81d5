// SPDX-License-Identifier: Apache-2.0
// GET /schema/{name}/{version}, GET /openapi.json: the contract, made from the tables.
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/routing/route_table.h"
#include "webview/api/schema/openapi.h"

namespace varve::api {
namespace {

Reply GetSchema(const Call& call) {
  const std::string wanted = call.Part("name") + "/" + call.Part("version");
  const Json schema = SchemaNamed(wanted);
  if (!schema.is_null()) return schema;
  return Problem("schema_not_found", "there is no schema of that name; GET /api/v1/ lists them");
}

Reply GetOpenApi(const Call&) { return OpenApiJson(); }

}  // namespace

std::span<const Route> SchemasRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/schema/{name}/{version}",
       .handler = GetSchema,
       .auth = Auth::kRead,
       .part = Part::kServer,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = Documents::None(),
       .summary = "the JSON Schema of a document"},
      {.method = Method::kGet,
       .pattern = "/openapi.json",
       .handler = GetOpenApi,
       .auth = Auth::kRead,
       .part = Part::kServer,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = Documents::None(),
       .summary = "this API as OpenAPI 3.1"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
