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
constexpr Parameter kOnlyFamily = {"cf", kText, "of this column family only"};
constexpr Parameter kEdit = {"edit", kNumber, "as after this edit; the newest if not given"};
constexpr Parameter kProperties = {"properties", kFlag, "open the tables: scores count deletions"};
constexpr Parameter kAllOptions = {"all", kFlag, "those at their defaults as well"};
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
                    {"order_by", kChoice, "level if not given", "level|size|number|age|overlap"},
                    kEdit,
                    {"properties", kFlag, "open the tables: entries and deletions too"}}},
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
     .pattern = "/targets/{t}/cfs/{cf}/levels",
     .handler = GetLevels,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kManifest,
     .schema = "varve.levels/1",
     .summary = "the levels of a family, with scores and overlaps",
     .parameters = {kEdit, kProperties}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/cfs/{cf}/options",
     .handler = ListFamilyOptions,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kManifest,
     .schema = "varve.options/1",
     .summary = "the options of a family and its tables that differ from the defaults",
     .parameters = {kAllOptions}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/options",
     .handler = ListDatabaseOptions,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kManifest,
     .schema = "varve.options/1",
     .summary = "the options of the database that differ from the defaults",
     .parameters = {kAllOptions}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/versions/{edit}",
     .handler = GetVersion,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kManifest,
     .schema = "varve.version/1",
     .summary = "the shape of the database after an edit, or \"newest\"",
     .parameters = {kProperties}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/versions:diff",
     .handler = DiffVersions,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kManifest,
     .schema = "varve.versions_diff/1",
     .summary = "what differs between two edits, or two databases",
     .parameters = {{"a", kNumber, "an edit; the newest if not given"},
                    {"b", kNumber, "another; the newest if not given"},
                    {"against", kText, "the target that b is an edit of; this one if not given"},
                    kOnlyFamily}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/manifest/edits",
     .handler = ListEdits,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kManifest,
     .schema = "varve.edits/1",
     .summary = "the edits of the MANIFEST",
     .parameters = {{"from", kNumber, "the first edit, counted from 1"},
                    {"to", kNumber, "the last edit"},
                    kOnlyFamily,
                    {"kind", kChoice, "edits of this kind only",
                     "snapshot|flush|ingestion|compaction|trivial_move|deletion|add_family|"
                     "drop_family|counters"}}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/history",
     .handler = ListJobsOfHistory,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kManifest,
     .schema = "varve.history/1",
     .summary = "flushes, compactions, moves and ingestions, oldest first",
     .parameters = {kOnlyFamily,
                    {"kind", kChoice, "jobs of this kind only",
                     "snapshot|flush|ingestion|compaction|trivial_move|deletion|drop_family"}}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/files/{n}/lineage",
     .handler = GetLineage,
     .auth = Auth::kRead,
     .max_rows = kNoRows,
     .cost = Cost::kManifest,
     .schema = "varve.lineage/1",
     .summary = "where a table came from and what became of it"},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/wal",
     .handler = ListWals,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kScan,
     .schema = "varve.wals/1",
     .summary = "the write-ahead logs"},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/wal/{n}/records",
     .handler = ListWalRecords,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kFile,
     .schema = "varve.wal_records/1",
     .summary = "the batches of a log, and its damage",
     .parameters = {{"from_offset", kNumber, "of the first record"},
                    {"headers", kFlag, "batches without their operations"},
                    kOnlyFamily}},
    {.method = Method::kGet,
     .pattern = "/targets/{t}/events",
     .handler = ListEvents,
     .auth = Auth::kRead,
     .max_rows = kPageRowsMax,
     .cost = Cost::kScan,
     .schema = "varve.events/1",
     .summary = "what RocksDB wrote into its LOG",
     .parameters = {{"types", kText, "of these types only, separated by commas"},
                    {"job", kNumber, "of this job only"}}},
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
    {"varve.root/1", RootSchema},
    {"varve.targets/1", TargetsSchema},
    {"varve.target/1", TargetSchema},
    {"varve.cfs/1", FamiliesSchema},
    {"varve.cf/1", FamilySchema},
    {"varve.files/1", FilesSchema},
    {"varve.file/1", FileSchema},
    {"varve.entries/1", EntriesSchema},
    {"varve.levels/1", LevelsSchema},
    {"varve.version/1", VersionSchema},
    {"varve.versions_diff/1", VersionsDiffSchema},
    {"varve.edits/1", EditsSchema},
    {"varve.history/1", HistorySchema},
    {"varve.lineage/1", LineageSchema},
    {"varve.wals/1", WalsSchema},
    {"varve.wal_records/1", WalRecordsSchema},
    {"varve.options/1", OptionsSchema},
    {"varve.events/1", EventsSchema},
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
