// SPDX-License-Identifier: Apache-2.0
// All resources: their handlers and the schemas of their results, one source file each.
// route_table.cc lists them; ../README.md describes how to add one.
#pragma once

#include "webview/api/routing/reply.h"
#include "webview/api/schema/schema.h"

namespace varve::api {

class Call;

// root.cc
Reply GetRoot(const Call& call);
Json RootSchema();

// targets.cc
Reply ListTargets(const Call& call);
Reply GetTarget(const Call& call);
Json TargetsSchema();
Json TargetSchema();

// families.cc
Reply ListFamilies(const Call& call);
Reply GetFamily(const Call& call);
Json FamiliesSchema();
Json FamilySchema();

// files.cc
Reply ListFiles(const Call& call);
Json FilesSchema();

// file.cc
Reply GetFile(const Call& call);
Json FileSchema();

// properties.cc
Reply GetProperties(const Call& call);
Reply GetFooter(const Call& call);
Json PropertiesSchema();
Json FooterSchema();

// range_dels.cc
Reply ListRangeDeletions(const Call& call);
Json RangeDeletionsSchema();

// bytes.cc
Reply GetBytes(const Call& call);

// stats.cc
Reply GetStats(const Call& call);
Reply GetStatsHistory(const Call& call);
Json StatsSchema();
Json StatsHistorySchema();

// explain.cc
Reply ExplainRead(const Call& call);
Reply ExplainReads(const Call& call);
Reply ExplainScanned(const Call& call);
Reply ListTableLayout(const Call& call);
Reply ListWalLayout(const Call& call);
Reply ListManifestLayout(const Call& call);
Reply ListIndex(const Call& call);
Reply GetHex(const Call& call);
Reply GetFilter(const Call& call);
Reply GetScanReads(const Call& call);
Reply ProbeFilter(const Call& call);
Reply ListBlocks(const Call& call);
Reply GetBlock(const Call& call);
Reply ListBlockEntries(const Call& call);
Reply Locate(const Call& call);
Json ExplainSchema();
Json ExplainReadsSchema();
Json ExplainScanSchema();
Json LayoutSchema();
Json IndexSchema();
Json HexSchema();
Json FilterSchema();
Json ScanReadsSchema();
Json FilterProbeSchema();
Json BlocksSchema();
Json BlockSchema();
Json BlockEntriesSchema();
Json LocateSchema();

// live.cc
Reply PatchOptions(const Call& call);
Reply FlushFamily(const Call& call);
Reply WriteBatchOf(const Call& call);
Json OptionValuesBody();
Json PatchedOptionsSchema();
Json FlushSchema();
Json BatchBody();
Json BatchSchema();

// entries.cc
Reply ListEntries(const Call& call);
Json EntriesSchema();

// versions.cc
Reply GetLevels(const Call& call);
Reply GetVersion(const Call& call);
Reply DiffVersions(const Call& call);
Json LevelsSchema();
Json VersionSchema();
Json VersionsDiffSchema();

// manifest.cc
Reply ListEdits(const Call& call);
Json EditsSchema();

// history.cc
Reply ListJobsOfHistory(const Call& call);
Reply GetLineage(const Call& call);
Json HistorySchema();
Json LineageSchema();

// wal.cc
Reply ListWals(const Call& call);
Reply ListWalRecords(const Call& call);
Json WalsSchema();
Json WalRecordsSchema();

// options.cc
Reply ListDatabaseOptions(const Call& call);
Reply ListFamilyOptions(const Call& call);
Json OptionsSchema();

// events.cc
Reply ListEvents(const Call& call);
Json EventsSchema();
// records.cc
Reply GetRecord(const Call& call);
Reply MultiGet(const Call& call);
Reply ScanRecords(const Call& call);
Json GetRecordSchema();
Json KeysBody();
Json MultiGetSchema();
Json ScanSchema();

// jobs.cc
Reply ListJobs(const Call& call);
Reply StartJob(const Call& call);
Reply GetJob(const Call& call);
Reply DeleteJob(const Call& call);
Reply GetJobResult(const Call& call);
Reply ListJobFindings(const Call& call);
Json JobsSchema();
Json StartedJobSchema();
Json FindingsSchema();

// analyses.cc
Reply GetAnalysis(const Call& call);

// schemas.cc
Reply GetSchema(const Call& call);
Reply GetOpenApi(const Call& call);

}  // namespace varve::api
