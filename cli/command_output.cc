// SPDX-License-Identifier: Apache-2.0
#include "cli/command_output.h"

#include <algorithm>

#include "cli/output/command_documents.h"
#include "webview/api/routing/problem.h"
#include "webview/api/routing/route_table.h"
#include "webview/api/schema/schema.h"

namespace varve::cli {
namespace {

using namespace api;

constexpr std::string_view kEveryFormat = "table text json jsonl csv tsv";

constexpr CommandOutput kOutputs[] = {
    {"load", "varve.load/1"},
    {"get", "varve.get/1 varve.multiget/1", "raw"},
    {"multiget", "varve.multiget/1", "raw nul"},
    {"put", "varve.put/1"},
    {"delete", "varve.delete/1"},
    {"scan", "varve.scan/1 varve.entries/1", "raw nul dump"},
    {"count", "varve.count/1"},
    {"dump", "varve.dump/1", "dump"},
    {"batch", "varve.batch_run/1"},
    {"cf list", "varve.cf_list/1"},
    {"cf create", "varve.cf_create/1"},
    {"cf drop", "varve.cf_drop/1"},
    {"ingest", "varve.ingest/1"},
    {"approxsize", "varve.approxsize/1"},
    {"compact", "varve.compaction/1"},
    {"checkpoint", "varve.checkpoint/1"},
    {"diff", "varve.diff/1"},
    {"lsm show", "varve.version/1 varve.levels/1 varve.versions_diff/1"},
    {"lsm files", "varve.files/1"},
    {"lsm history", "varve.history/1 varve.lineage/1"},
    {"manifest edits", "varve.edits/1"},
    {"manifest show", "varve.version/1"},
    {"manifest layout", "varve.layout/1"},
    {"wal segments", "varve.wals/1"},
    {"wal records", "varve.wal_records/1"},
    {"wal layout", "varve.layout/1"},
    {"db options", "varve.options/1"},
    {"db set-options", "varve.set_options/1"},
    {"db events", "varve.events/1"},
    {"db info", "varve.target/1 varve.digest/1"},
    {"db verify", "varve.verify/1"},
    {"db space",
     "varve.space/1 varve.tombstones/1 varve.keyspace/1 varve.filters/1 varve.compression/1"},
    {"db repair", "varve.repair/1"},
    {"sst info", "varve.file/1 varve.properties/1"},
    {"sst entries", "varve.entries/1", "raw nul"},
    {"sst build", "varve.sst_build/1"},
    {"sst verify", "varve.verify/1"},
    {"sst salvage", "varve.salvage/1"},
    {"sst layout", "varve.layout/1"},
    {"sst index", "varve.index/1"},
    {"sst filter", "varve.filter/1"},
    {"sst probe", "varve.filter_probe/1"},
    {"sst blocks", "varve.blocks/1"},
    {"sst block", "varve.block_entries/1"},
    {"sst hex", "varve.hex/1"},
    {"sst recompress", "varve.recompress/1"},
    {"explain get", "varve.explain/1"},
    {"explain multiget", "varve.explain_reads/1"},
    {"explain scan", "varve.explain_scan/1"},
    {"locate", "varve.locate/1"},
    {"bench list", "varve.bench-workloads/1"},
    {"bench run", "varve.bench/1"},
    {"bench compare", "varve.bench-comparison/1"},
    {"bench claims", "varve.bench-claims/1"},
    {"serve", "varve.serve/1"},
    {"shell", ""},
    {"options", "varve.option_list/1"},
    {"config", "varve.config/1"},
    {"help", "varve.help/1"},
    {"completion", "varve.completion/1 varve.candidates/1"},
    {"version", "varve.about/1"},
};

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

// The documents of the command line alone.
std::vector<DescribedDocument> CommandDocuments() {
  return {
      Described(kLoadDocument),
      Described(kSstBuildDocument),
      Described(kPutDocument),
      Described(kDeleteDocument),
      Described(kBatchRunDocument),
      Described(kCountDocument),
      Described(kFamilyListDocument),
      Described(kFamilyCreateDocument),
      Described(kFamilyDropDocument),
      Described(kIngestDocument),
      Described(kRangeSizeDocument),
      Described(kRecompressDocument),
      Described(kDumpDocument),
      Described(kCompactionDocument),
      Described(kCheckpointDocument),
      Described(kSetOptionsDocument),
      Described(kRepairDocument),
      Described(kOptionListDocument),
      Described(kConfigDocument),
      Described(kAboutDocument),
      Described(kCompletionDocument),
      Described(kCandidatesDocument),
#ifdef VARVE_HAS_HTTP
      Described(kServeDocument),
#endif
#ifdef VARVE_HAS_BENCH
      Described(kWorkloadsDocument),
      Described(kBenchRunDocument),
      Described(kBenchComparisonDocument),
      Described(kBenchClaimsDocument),
#endif
      Described(kHelpDocument),
  };
}

// Null for a command without a row, which a test excludes.
const CommandOutput* OutputOf(const Command& command) {
  for (const CommandOutput& output : kOutputs) {
    if (output.command == command.name) return &output;
  }
  return nullptr;
}

bool HasWord(std::string_view words, std::string_view word) {
  const auto list = WordsOf(words);
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = text.find(' ');
    if (end != 0) words.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
  }
  return words;
}

std::string_view SchemasOf(const Command& command) {
  const CommandOutput* output = OutputOf(command);
  return output == nullptr ? std::string_view() : output->schemas;
}

std::string FormatsOf(const Command& command) {
  const CommandOutput* output = OutputOf(command);
  if (output == nullptr) return std::string(kEveryFormat);
  if (output->schemas.empty()) return "";
  std::string formats(kEveryFormat);
  if (!output->formats.empty()) formats += " " + std::string(output->formats);
  return formats;
}

bool PrintsFormat(const Command& command, std::string_view format) {
  return HasWord(FormatsOf(command), format);
}

Json AllSchemas() {
  Json all = Json::object();
  for (const DescribedDocument& document : CommandDocuments()) {
    all[std::string(document.name)] = CommandSchema(document.name, document.members.Members());
  }
  all["varve.problem/1"] = ProblemSchema();
  for (const DocumentSchema* document : DocumentTable()) {
    for (const CommandOutput& output : kOutputs) {
      if (!HasWord(output.schemas, document->name)) continue;
      all[std::string(document->name)] = document->make(document->name);
    }
  }
  // The service scans one family at a time, but rows of `scan --all-cfs` name their family.
  all["varve.scan/1"]["properties"]["rows"]["items"]["properties"]["cf"] = Text();
  return all;
}

}  // namespace varve::cli
