// SPDX-License-Identifier: Apache-2.0
#include "cli/command_output.h"

#include <algorithm>
#include <functional>

#include "cli/output/command_documents.h"
#include "core/base/check.h"
#include "webview/api/routing/problem.h"
#include "webview/api/routing/route_table.h"
#include "webview/api/schema/schema.h"

namespace varve::cli {
namespace {

using namespace api;

constexpr std::string_view kEveryFormat[] = {"table", "text", "json", "jsonl", "csv", "tsv"};

// A document that a command prints: one of the API, by its name, or one of the command line alone
// (command_documents.h).
class PrintedDocument {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): rows of the table below name one or the other.
  PrintedDocument(const char* of_api) : name_(of_api) {}
  template <typename T>
  // NOLINTNEXTLINE(google-explicit-constructor)
  PrintedDocument(const CommandDocument<T>& document)
      : name_(document.name), described_([&document] { return Described(document); }) {}

  std::string_view name() const { return name_; }
  Json Schema() const;

 private:
  std::string_view name_;
  std::function<DescribedDocument()> described_;  // Null: of the API.
};

// The output of a command.
struct CommandOutput {
  std::string_view command;
  // What --json prints: the usual document first, then those for some targets or flags. None: the
  // command prints no document of its own.
  std::vector<PrintedDocument> documents;
  std::vector<std::string_view> more_formats = {};  // Besides kEveryFormat.
};

const std::vector<CommandOutput>& Outputs() {
  static const std::vector<CommandOutput> outputs = {
      {"load", {kLoadDocument}},
      {"get", {"varve.get/1", "varve.multiget/1"}, {"raw"}},
      {"multiget", {"varve.multiget/1"}, {"raw", "nul"}},
      {"put", {kPutDocument}},
      {"delete", {kDeleteDocument}},
      {"scan", {"varve.scan/1", "varve.entries/1"}, {"raw", "nul", "dump", "arrow"}},
      {"count", {kCountDocument}},
      {"dump", {kDumpDocument}, {"dump"}},
      {"batch", {kBatchRunDocument}},
      {"cf list", {kFamilyListDocument}},
      {"cf create", {kFamilyCreateDocument}},
      {"cf drop", {kFamilyDropDocument}},
      {"ingest", {kIngestDocument}},
      {"approxsize", {kRangeSizeDocument}},
      {"compact", {kCompactionDocument}},
      {"compact-worker", {kCompactWorkerDocument}},
      {"checkpoint", {kCheckpointDocument}},
      {"snapshot", {kSnapshotDocument}},
      {"diff", {"varve.diff/1"}},
      {"lsm show", {"varve.version/1", "varve.levels/1", "varve.versions_diff/1"}},
      {"lsm files", {"varve.files/1"}},
      {"lsm history", {"varve.history/1", "varve.lineage/1"}, {"trace"}},
      {"manifest edits", {"varve.edits/1"}},
      {"manifest show", {"varve.version/1"}},
      {"manifest layout", {"varve.layout/1"}},
      {"wal segments", {"varve.wals/1"}},
      {"wal records", {"varve.wal_records/1"}},
      {"wal layout", {"varve.layout/1"}},
      {"db options", {"varve.options/1"}},
      {"db set-options", {kSetOptionsDocument}},
      {"db events", {"varve.events/1"}},
      {"db info", {"varve.target/1", "varve.digest/1"}},
      {"db verify", {"varve.verify/1"}},
      {"db space",
       {"varve.space/1", "varve.tombstones/1", "varve.keyspace/1", "varve.filters/1",
        "varve.compression/1"}},
      {"db repair", {kRepairDocument}},
      {"sst info", {"varve.file/1", "varve.properties/1"}},
      {"sst entries", {"varve.entries/1"}, {"raw", "nul"}},
      {"sst build", {kSstBuildDocument}},
      {"sst verify", {"varve.verify/1"}},
      {"sst salvage", {"varve.salvage/1"}},
      {"sst layout", {"varve.layout/1"}},
      {"sst index", {"varve.index/1"}},
      {"sst filter", {"varve.filter/1"}},
      {"sst probe", {"varve.filter_probe/1"}},
      {"sst blocks", {"varve.blocks/1"}},
      {"sst block", {"varve.block_entries/1", "varve.block/1"}},
      {"sst hex", {"varve.hex/1"}},
      {"sst recompress", {kRecompressDocument}},
      {"explain get", {"varve.explain/1"}},
      {"explain multiget", {"varve.explain_reads/1"}},
      {"explain scan", {"varve.explain_scan/1"}},
      {"locate", {"varve.locate/1"}},
#ifdef VARVE_HAS_BENCH
      {"bench list", {kWorkloadsDocument}},
      {"bench run", {kBenchRunDocument}},
      {"bench compare", {kBenchComparisonDocument}},
      {"bench claims", {kBenchClaimsDocument}},
#endif
#ifdef VARVE_HAS_HTTP
      {"serve", {kServeDocument}},
      {"users add", {kUsersAddDocument}},
      {"users list", {kUsersListDocument}},
      {"users remove", {kUsersRemoveDocument}},
#endif
      {"shell", {}},
      {"ldb", {}},
      {"options", {kOptionListDocument}},
      {"config", {kConfigDocument}},
      {"help", {kHelpDocument}},
      {"completion", {kCompletionDocument, kCandidatesDocument}},
      {"version", {kAboutDocument}},
  };
  return outputs;
}

// A document of the command line: not bound to a state of a database, so without "as_of".
Json CommandSchema(std::string_view name, const SchemaMembers& members) {
  Json document = Document(name, members);
  document["properties"].erase("as_of");
  document["properties"].erase("sampled");
  Json required = Json::array();
  for (const Json& member : document["required"]) {
    if (member != "as_of") required.push_back(member);
  }
  document["required"] = std::move(required);
  return document;
}

Json PrintedDocument::Schema() const {
  if (!described_) {
    Json schema = SchemaNamed(name_);
    CHECK(!schema.is_null(), "a document is the API's, or described beside its command");
    return schema;
  }
  const DescribedDocument document = described_();
  return CommandSchema(document.name, document.members.Members());
}

const CommandOutput& OutputOf(const Command& command) {
  const auto& outputs = Outputs();
  const auto output = std::find_if(outputs.begin(), outputs.end(), [&](const auto& candidate) {
    return candidate.command == command.name;
  });
  CHECK(output != outputs.end(), "a command has a row in Outputs()");
  return *output;
}

}  // namespace

std::vector<std::string_view> SchemasOf(const Command& command) {
  std::vector<std::string_view> names;
  for (const PrintedDocument& document : OutputOf(command).documents)
    names.push_back(document.name());
  return names;
}

std::vector<std::string> FormatsOf(const Command& command) {
  const CommandOutput& output = OutputOf(command);
  if (output.documents.empty()) return {};
  std::vector<std::string> formats(std::begin(kEveryFormat), std::end(kEveryFormat));
  formats.insert(formats.end(), output.more_formats.begin(), output.more_formats.end());
  return formats;
}

bool PrintsFormat(const Command& command, std::string_view format) {
  const std::vector<std::string> formats = FormatsOf(command);
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

Json AllSchemas() {
  Json all = Json::object();
  all["varve.problem/1"] = ProblemSchema();
  for (const CommandOutput& output : Outputs()) {
    for (const PrintedDocument& document : output.documents) {
      const std::string name(document.name());
      if (!all.contains(name)) all[name] = document.Schema();
    }
  }
  // The service scans one family at a time, but rows of `scan --all-cfs` name their family.
  all["varve.scan/1"]["properties"]["rows"]["items"]["properties"]["cf"] = Text();
  return all;
}

}  // namespace varve::cli
