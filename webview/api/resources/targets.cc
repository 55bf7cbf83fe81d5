// SPDX-License-Identifier: Apache-2.0
// GET /targets, GET /targets/{t}.
#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

Json ShapeJson(const LsmReport& report) {
  Json families = Json::array();
  for (const FamilyReport& family : report.families) {
    families.push_back(FamilySummaryJson(family));
  }
  Json wals = Json::array();
  for (const WalFileReport& wal : report.wals) {
    wals.push_back({{"id", std::to_string(wal.number)}, {"size", wal.size}, {"live", wal.live}});
  }
  return {{"kind", report.leveldb ? "leveldb" : "rocksdb"},
          {"id", report.db_id},
          {"manifest", report.manifest},
          {"manifest_bytes", report.manifest_bytes},
          {"next_file_number", std::to_string(report.next_file_number)},
          {"cfs", std::move(families)},
          {"wals", std::move(wals)},
          {"orphans", report.orphans},
          {"missing", report.missing}};
}

Json ShapeSchema() {
  return Object(
      "Database",
      {{"kind", OneOf({"rocksdb", "leveldb"})},
       {"id", Text()},
       {"manifest", Text()},
       {"manifest_bytes", Number()},
       {"next_file_number", U64()},
       {"cfs", ArrayOf(FamilySummarySchema())},
       {"wals", ArrayOf(Object({{"id", U64()}, {"size", Number()}, {"live", Boolean()}}))},
       {"orphans", ArrayOf(Text())},
       {"missing", ArrayOf(Text())},
       {"digest", Anything(), kOptional}});
}

}  // namespace

Reply ListTargets(const Call& call) {
  const auto targets = call.service().targets();
  return List{call.Head(), "targets", IndexedRows(call, targets.size(), [targets](size_t i) {
                return TargetSummaryJson(*targets[i]);
              })};
}

Reply GetTarget(const Call& call) {
  Target& target = call.target();
  int exit = 0;
  Json json = call.Head();
  json["target"] = TargetSummaryJson(target);
  if (target.kind() == TargetKind::kDatabase) {
    // Read anew: files go missing, and others are left over, without any edit of the MANIFEST.
    ASSIGN_OR_RETURN(const LsmReport lsm, ReportLsm(target.fs(), target.path()));
    json["db"] = ShapeJson(lsm);
    if (!lsm.missing.empty()) exit = 4;
  } else {
    ASSIGN_OR_RETURN(const uint64_t size, target.fs().FileSize(target.path()));
    json["size"] = size;
  }
  return Reply(std::move(json)).WithExit(exit);
}

Json TargetsSchema() {
  return ListDocument("varve.targets/1", {}, "targets", TargetSummarySchema());
}

Json TargetSchema() {
  return Document("varve.target/1", {{"target", TargetSummarySchema()},
                                     {"db", ShapeSchema(), kOptional},
                                     {"size", Number(), kOptional}});
}

}  // namespace varve::api
