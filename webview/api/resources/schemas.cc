// SPDX-License-Identifier: Apache-2.0
// GET /schema/{name}/{version}, GET /openapi.json: the contract, made from the tables.
#include <algorithm>

#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/routing/route_table.h"
#include "webview/api/schema/openapi.h"

namespace varve::api {

Reply GetSchema(const Call& call) {
  const std::string wanted = call.Part("name") + "/" + call.Part("version");
  const auto rows = SchemaTable();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const SchemaRow& row) { return row.name == wanted; });
  if (found == rows.end()) {
    return Problem("schema_not_found", "there is no schema of that name; GET /api/v1/ lists them");
  }
  return found->make();
}

Reply GetOpenApi(const Call&) { return OpenApiJson(); }

}  // namespace varve::api
