// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/scan_reads?readahead=&entries=.
#include "core/inspect/explain/scan_reads.h"

#include "core/base/try.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

constexpr uint64_t kEntries = 1000, kEntriesMax = 1'000'000;

using FileRead = ScanReadsReport::FileRead;

const Fields<FileRead>& FileReadFields() {
  static const auto fields = Fields<FileRead>("FileRead")
                                 .Number("offset", Unit::kOffset, &FileRead::offset, "in the table")
                                 .Number("size", Unit::kBytes, &FileRead::size, "asked for")
                                 .Flag("ahead", IfSet(&FileRead::ahead),
                                       "started in the background, before the scan needs it");
  return fields;
}

// The request and its answer.
struct ScanReadsView {
  FileNumber file;
  std::string readahead;
  const ScanReadsReport& report;
};

const Fields<ScanReadsView>& ScanReadsFields() {
  static const auto fields =
      Fields<ScanReadsView>()
          .Id("file", &ScanReadsView::file, "number of the table")
          .Choice("readahead", {"off", "doubling", "adaptive"}, &ScanReadsView::readahead,
                  "how the scan reads ahead")
          .Number(
              "entries", Unit::kCount,
              [](const ScanReadsView& view) { return view.report.entries; }, "stepped over")
          .List(
              "reads", [](const ScanReadsView& view) { return view.report.reads; },
              FileReadFields(), "in order, without those that opened the table");
  return fields;
}

Reply GetScanReads(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  const uint64_t entries = call.Number("entries").value_or(kEntries);
  if (entries > kEntriesMax) return Problem("bad_request", "entries: at most 1000000");
  const std::string readahead = call.Text("readahead").value_or("doubling");
  ReadaheadPolicy policy;
  policy.mode = readahead == "off"        ? ScanReadahead::kOff
                : readahead == "doubling" ? ScanReadahead::kDoubling
                                          : ScanReadahead::kAdaptive;
  ASSIGN_OR_RETURN(const ScanReadsReport report,
                   ReportScanReads(call.target().fs(), file.path, policy, entries));
  Json json = call.Head();
  ScanReadsFields().AddTo(&json, {file.number, readahead, report});
  return json;
}

constexpr DocumentSchema kScanReadsDocument = {
    .name = "varve.scan_reads/1",
    .make = [](std::string_view name) { return Document(name, ScanReadsFields().Members()); }};

}  // namespace

std::span<const Route> ScanReadsRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/scan_reads",
       .handler = GetScanReads,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kScanReadsDocument,
       .summary =
           "which bytes of a table a scan from its beginning reads, one read after the other",
       .parameters = {{"readahead", kChoice, "doubling if not given", "off|doubling|adaptive"},
                      {"entries", kNumber, "to step over at most; 1000 if not given"}}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
