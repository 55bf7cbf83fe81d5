// SPDX-License-Identifier: Apache-2.0
#include "webview/api/route_table.h"

#include <algorithm>
#include <array>

#include "webview/api/bytes_json.h"
#include "webview/api/resources/resources.h"

namespace varve::api {
namespace {

using enum ParameterType;

constexpr ParameterList kListParameters = {
    {"page_size", kNumber, "rows of a page; 100 if not given"},
    {"page_token", kText, "next_page_token of the page before"},
    {"limit", kNumber, "at most so many rows of a page or stream"},
    {"bytes", kChoice, "how keys and values are shown", kBytesChoices},
};

constexpr Parameter kFamily = {"cf", kText,
                               "column family, by name or id; \"default\" if not given"};
constexpr Parameter kFrom = {"from", kKey, "first key"};
constexpr Parameter kTo = {"to", kKey, "key to stop before"};

constexpr Route kRoutes[] = {
    {.method = Method::kGet,
     .pattern = "/",
     .handler = GetRoot,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kMemory,
     .schema = "varve.root/1",
     .summary = "what this server is and can do"},
    {.method = Method::kGet,
     .pattern = "/targets",
     .handler = ListTargets,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kMemory,
     .schema = "varve.targets/1",
     .summary = "what is open"},
    {.method = Method::kGet,
     .pattern = "/targets/{t}",
     .handler = GetTarget,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kManifest,
     .schema = "varve.target/1",
     .summary = "a target at a glance"},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/cfs",
     .handler = ListFamilies,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kManifest,
     .schema = "varve.cfs/1",
     .summary = "the column families"},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/cfs/{cf}",
     .handler = GetFamily,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kManifest,
     .schema = "varve.cf/1",
     .summary = "one column family"},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/files",
     .handler = ListFiles,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kManifest,
     .schema = "varve.files/1",
     .summary = "the table files, by level",
     .parameters = {kFamily,
                    {"level", kNumber, "of this level only"},
                    {"overlaps_from", kKey, "that may hold this key or a later one"},
                    {"overlaps_to", kKey, "that may hold a key before this one"},
                    {"order_by", kChoice, "level if not given", "level|size|number"}}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/files/{n}",
     .handler = GetFile,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kFile,
     .schema = "varve.file/1",
     .summary = "one table file"},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/files/{n}/entries",
     .handler = ListEntries,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kFile,
     .schema = "varve.entries/1",
     .summary = "the entries of a table as stored, range deletions last",
     .parameters = {kFrom, kTo, {"keys_only", kFlag, "no values"}}},
    {.method = Method::kGet,
     .pattern = "/schema/{name}/{version}",
     .handler = GetSchema,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kMemory,
     .schema = "",
     .summary = "the JSON Schema of a document"},
    {.method = Method::kGet,
     .pattern = "/openapi.json",
     .handler = GetOpenApi,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kMemory,
     .schema = "",
     .summary = "this API as OpenAPI 3.1"},
};

constexpr SchemaRow kSchemas[] = {
    {"varve.root/1", RootSchema},       {"varve.targets/1", TargetsSchema},
    {"varve.target/1", TargetSchema},   {"varve.cfs/1", FamiliesSchema},
    {"varve.cf/1", FamilySchema},       {"varve.files/1", FilesSchema},
    {"varve.file/1", FileSchema},       {"varve.entries/1", EntriesSchema},
    {"varve.problem/1", ProblemSchema},
};

// Promises that every row keeps, checked while compiling.
consteval bool RowsAreSound() {
  for (const Route& route : kRoutes) {
    if (!route.pattern.value.starts_with('/') || route.summary.value.empty()) return false;
    if (route.max_rows > kPageRowsMax) return false;
    if ((route.auth.value == Auth::kRead) != (route.method.value == Method::kGet)) return false;
    const bool described =
        std::any_of(std::begin(kSchemas), std::end(kSchemas),
                    [&](const SchemaRow& schema) { return schema.name == route.schema.value; });
    if (!route.schema.value.empty() && !described) return false;
    for (const Route& other : kRoutes) {
      if (&other != &route && other.method.value == route.method.value &&
          other.pattern.value == route.pattern.value) {
        return false;
      }
    }
  }
  return true;
}
static_assert(RowsAreSound(), "a pattern is doubled, or a schema is not in the table, or …");

}  // namespace

std::span<const Route> RouteTable() { return kRoutes; }
std::span<const SchemaRow> SchemaTable() { return kSchemas; }
std::span<const Parameter> ListParameters() { return kListParameters; }

}  // namespace varve::api
