// SPDX-License-Identifier: Apache-2.0
// All resources. Each source file has the handlers of one, the documents that they reply with, and
// at its end the routes that lead to them; ../README.md describes how to add one.
//
// The order is that of "schemas" in GET /, and of the methods that a 405 allows.
#pragma once

#include <span>

#include "webview/api/routing/query.h"
#include "webview/api/routing/route.h"

namespace varve::api {

std::span<const Route> RootRoutes();         // /
std::span<const Route> TargetsRoutes();      // /targets
std::span<const Route> FamiliesRoutes();     // …/cfs
std::span<const Route> FilesRoutes();        // …/files
std::span<const Route> FileRoutes();         // …/files/{n}
std::span<const Route> PropertiesRoutes();   // …/files/{n}/properties, /footer
std::span<const Route> LayoutRoutes();       // …/layout of tables, logs and the MANIFEST
std::span<const Route> BlocksRoutes();       // …/files/{n}/blocks, /index
std::span<const Route> FilterRoutes();       // …/files/{n}/filter
std::span<const Route> ScanReadsRoutes();    // …/files/{n}/scan_reads
std::span<const Route> EntriesRoutes();      // …/files/{n}/entries
std::span<const Route> RangeDelsRoutes();    // …/files/{n}/range_dels
std::span<const Route> BytesRoutes();        // …/files/{n}/bytes, /hex
std::span<const Route> VersionsRoutes();     // …/levels, …/versions
std::span<const Route> ManifestRoutes();     // …/manifest/edits
std::span<const Route> HistoryRoutes();      // …/history, …/files/{n}/lineage
std::span<const Route> WalRoutes();          // …/wal
std::span<const Route> EventsRoutes();       // …/events
std::span<const Route> OptionsRoutes();      // …/options
std::span<const Route> StatsRoutes();        // …/stats
std::span<const Route> RecordsRoutes();      // …/get, :multiget, …/scan
std::span<const Route> ExplainRoutes();      // …/explain, :explain, …/locate
std::span<const Route> ExplainScanRoutes();  // …/explain/scan
std::span<const Route> LiveRoutes();         // PATCH …/options, :flush
std::span<const Route> BatchRoutes();        // …/batch
std::span<const Route> UploadsRoutes();      // …/uploads
std::span<const Route> JobsRoutes();         // …/jobs
std::span<const Route> AnalysesRoutes();     // …/analyses
std::span<const Route> PluginsRoutes();      // /plugins
std::span<const Route> SchemasRoutes();      // /schema, /openapi.json

inline constexpr std::span<const Route> (*kResources[])() = {
    RootRoutes,       TargetsRoutes,   FamiliesRoutes,    FilesRoutes,    FileRoutes,
    PropertiesRoutes, LayoutRoutes,    BlocksRoutes,      FilterRoutes,   ScanReadsRoutes,
    EntriesRoutes,    RangeDelsRoutes, BytesRoutes,       VersionsRoutes, ManifestRoutes,
    HistoryRoutes,    WalRoutes,       EventsRoutes,      OptionsRoutes,  StatsRoutes,
    RecordsRoutes,    ExplainRoutes,   ExplainScanRoutes, LiveRoutes,     BatchRoutes,
    UploadsRoutes,    JobsRoutes,      AnalysesRoutes,    PluginsRoutes,  SchemasRoutes,
};

}  // namespace varve::api
