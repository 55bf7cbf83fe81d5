// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/scan_reads?readahead=&entries=.
#include "core/inspect/explain/scan_reads.h"

#include "core/base/try.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr uint64_t kEntries = 1000, kEntriesMax = 1'000'000;

}  // namespace

Reply GetScanReads(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  const uint64_t entries = call.Number("entries").value_or(kEntries);
  if (entries > kEntriesMax) return Problem("bad_request", "entries: at most 1000000");
  const std::string readahead = call.Text("readahead").value_or("doubling");
  ReadaheadPolicy policy;
  policy.mode = readahead == "off" ? ScanReadahead::kOff : ScanReadahead::kDoubling;
  ASSIGN_OR_RETURN(const ScanReadsReport report,
                   ReportScanReads(call.target().fs(), file.path, policy, entries));
  Json json = call.Head();
  json["file"] = std::to_string(file.number);
  json["readahead"] = readahead;
  json["entries"] = report.entries;
  Json reads = Json::array();
  for (const ScanReadsReport::FileRead& read : report.reads) {
    reads.push_back({{"offset", read.offset}, {"size", read.size}});
  }
  json["reads"] = std::move(reads);
  return json;
}

Json ScanReadsSchema() {
  return Document("varve.scan_reads/1",
                  {{"file", U64()},
                   {"readahead", OneOf({"off", "doubling"})},
                   {"entries", Number()},
                   {"reads", ArrayOf(Object({{"offset", Number()}, {"size", Number()}}))}});
}

}  // namespace varve::api
