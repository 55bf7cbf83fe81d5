// SPDX-License-Identifier: Apache-2.0
// The documents that only the command line has, not the API: what commands answer that change
// something, or that are about varve itself. Each is described once (webview/api/schema/fields.h),
// beside its command: the description gives its JSON, its csv, and its schema in `help --json`.
//
//   struct PutDone {                               // write.cc
//     std::string_view family;
//     Sequence sequence;
//   };
//   const CommandDocument<PutDone> kPutDocument = {"varve.put/1", PutFields};
//   ...
//   if (WantsDocument(console)) PrintReport(console, kPutDocument, {family, sequence});
//
// A new one needs a line here, and to be in the row of its command in Outputs()
// (cli/command_output.cc).
#pragma once

#include <string>
#include <string_view>

#include "cli/output/api_output.h"
#include "webview/api/schema/fields.h"

namespace varve::cli {
namespace bench {
struct RunResult;
}

template <typename T>
struct CommandDocument {
  std::string_view name;
  const api::Fields<T>& (*fields)();  // Of its members, without "schema".
  // The member with the rows of jsonl, csv and tsv, where all else is left out; empty: none has.
  std::string_view rows = {};
};

// The same with the type of the report erased.
struct DescribedDocument {
  std::string_view name;
  const api::FieldList& members;
  std::string_view rows;
};
template <typename T>
DescribedDocument Described(const CommandDocument<T>& document) {
  return {document.name, document.fields(), document.rows};
}

template <typename T>
api::Json DocumentJson(const CommandDocument<T>& document, const T& report) {
  api::Json json = {{"schema", std::string(document.name)}};
  document.fields().AddTo(&json, report);
  return json;
}

// In the format given with -F.
void PrintDescribed(Console& console, const DescribedDocument& document, const api::Json& json);
template <typename T>
void PrintReport(Console& console, const CommandDocument<T>& document, const T& report) {
  PrintDescribed(console, Described(document), DocumentJson(document, report));
}

// commands/data
extern const CommandDocument<struct LoadDone> kLoadDocument;
extern const CommandDocument<struct PutDone> kPutDocument;
extern const CommandDocument<struct DeleteDone> kDeleteDocument;
extern const CommandDocument<struct BatchesDone> kBatchRunDocument;
extern const CommandDocument<struct CountedRecords> kCountDocument;
extern const CommandDocument<struct RecordList> kDumpDocument;
extern const CommandDocument<struct IngestDone> kIngestDocument;
extern const CommandDocument<struct RangeSize> kRangeSizeDocument;
extern const CommandDocument<struct ListedFamilies> kFamilyListDocument;
extern const CommandDocument<struct FamiliesCreated> kFamilyCreateDocument;
extern const CommandDocument<struct FamilyDropped> kFamilyDropDocument;
// commands/inspect
extern const CommandDocument<struct TableBuilt> kSstBuildDocument;
// commands/maintain
extern const CommandDocument<struct CompactDone> kCompactionDocument;
extern const CommandDocument<struct JobsDone> kCompactWorkerDocument;
extern const CommandDocument<struct CheckpointDone> kCheckpointDocument;
extern const CommandDocument<struct SnapshotDone> kSnapshotDocument;
extern const CommandDocument<struct OptionsStored> kSetOptionsDocument;
extern const CommandDocument<struct RepairDone> kRepairDocument;
extern const CommandDocument<struct CompressionTrials> kRecompressDocument;
// commands/program
extern const CommandDocument<struct ListedOptions> kOptionListDocument;
extern const CommandDocument<struct Configured> kConfigDocument;
extern const CommandDocument<struct CompletionText> kCompletionDocument;
extern const CommandDocument<struct Candidates> kCandidatesDocument;
extern const CommandDocument<struct About> kAboutDocument;
extern const CommandDocument<struct Served> kServeDocument;
extern const CommandDocument<struct AddedUser> kUsersAddDocument;
extern const CommandDocument<struct ListedUsers> kUsersListDocument;
extern const CommandDocument<struct RemovedUser> kUsersRemoveDocument;
extern const CommandDocument<struct HelpOfCommands> kHelpDocument;
// commands/bench
extern const CommandDocument<struct ListedWorkloads> kWorkloadsDocument;
extern const CommandDocument<bench::RunResult> kBenchRunDocument;
extern const CommandDocument<struct Comparisons> kBenchComparisonDocument;
extern const CommandDocument<struct ClaimsReport> kBenchClaimsDocument;

}  // namespace varve::cli
