// SPDX-License-Identifier: Apache-2.0
#include "cli/command_output.h"

#include <algorithm>
#include <array>

#include "cli/commands/bench/schema_text.h"
#include "cli/output/command_documents.h"
#include "cli/output/listed_rows.h"
#include "webview/api/json/salvage_json.h"
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
Json CommandDocument(std::string_view name, const SchemaMembers& members) {
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

Json InputSchema() {
  return Object({{"name", Text()},
                 {"format", OneOf({"tsv", "csv", "jsonl", "dump", "nul", "sst"})},
                 {"format_is", Text()},
                 {"compression", OneOf({"none", "gzip", "zstd"})},
                 {"lines", Number()},
                 {"rejected", Number()}});
}

Json RejectionSchema() {
  return Object({{"input", Text()}, {"line", Number()}, {"reason", Text()}});
}

Json LoadSchema() {
  return CommandDocument(
      "varve.load/1",
      {{"target", Text()},
       {"records", Number()},
       {"lines", Number()},
       {"rejected", Number()},
       {"table_bytes", Number()},
       {"cfs", ArrayOf(Object({{"cf", Text()}, {"records", Number()}, {"table_bytes", Number()}}))},
       {"inputs", ArrayOf(InputSchema())},
       {"rejections", ArrayOf(RejectionSchema())}});
}

Json SstBuildSchema() {
  return CommandDocument("varve.sst_build/1", {{"file", Text()},
                                               {"records", Number()},
                                               {"lines", Number()},
                                               {"rejected", Number()},
                                               {"table_bytes", Number()},
                                               {"inputs", ArrayOf(InputSchema())},
                                               {"rejections", ArrayOf(RejectionSchema())}});
}

Json PutSchema() { return CommandDocument("varve.put/1", PutFields().Members()); }

Json DeleteSchema() { return CommandDocument("varve.delete/1", DeleteFields().Members()); }

Json BatchRunSchema() { return CommandDocument("varve.batch_run/1", BatchRunFields().Members()); }

Json FamilyListSchema() {
  return CommandDocument("varve.cf_list/1", {{"families", ArrayOf(ListedFamilyFields().Schema())}});
}

Json FamilyCreateSchema() {
  return CommandDocument("varve.cf_create/1",
                         {{"cf", Text(), kOptional},  // If one was given; likewise the id.
                          {"id", Number(), kOptional},
                          {"cfs", ArrayOf(Object({{"cf", Text()}, {"id", Number()}}))}});
}

Json FamilyDropSchema() {
  return CommandDocument(
      "varve.cf_drop/1",
      {{"cf", Text()}, {"id", Number()}, {"files", Number()}, {"bytes", Number()}});
}

Json IngestSchema() { return CommandDocument("varve.ingest/1", IngestFields().Members()); }

Json ApproxSizeSchema() {
  return CommandDocument("varve.approxsize/1", RangeSizeFields().Members());
}

Json RecompressSchema() {
  return CommandDocument(
      "varve.recompress/1",
      {{"file_bytes", Number()}, {"rows", ArrayOf(CompressionTrialFields().Schema())}});
}

Json CountSchema() {
  return CommandDocument("varve.count/1",
                         {{"count", Number()}, {"key_bytes", Number()}, {"value_bytes", Number()}});
}

Json DumpSchema() {
  return CommandDocument(
      "varve.dump/1",
      {{"rows", ArrayOf(Object({{"cf", Text()}, {"key", BytesRef()}, {"value", BytesRef()}}))},
       {"count", Number()},
       {"complete", Boolean()}});
}

Json CompactionSchema() {
  return CommandDocument("varve.compaction/1", CompactionFields().Members());
}

Json SetOptionsSchema() {
  return CommandDocument("varve.set_options/1", {{"cf", Text()}, {"stored", MapOf(Text())}});
}

Json CheckpointSchema() {
  return CommandDocument("varve.checkpoint/1", CheckpointFields().Members());
}

Json RepairSchema() {
  return CommandDocument(
      "varve.repair/1",
      {{"dry_run", Boolean()},
       {"complete", Boolean()},
       {"manifest_whole", Boolean()},
       {"manifest", Text()},
       {"cfs", ArrayOf(Text())},
       {"tables",
        ArrayOf(Object({{"name", Text()},
                        {"fate", OneOf({"kept", "salvaged", "merged", "lost", "obsolete"})},
                        {"cf", Text(), kOptional},
                        {"level", Number(), kOptional},
                        {"entries", Number(), kOptional},
                        {"why", Text(), kOptional},
                        {"entries_lost", Number(), kOptional},
                        {"losses", ArrayOf(SalvageLossFields().Schema()), kOptional}}))},
       {"blobs", ArrayOf(Text())},
       {"logs", ArrayOf(Text())},
       {"log_batches", Number()},
       {"log_losses",
        ArrayOf(Object(
            {{"file", Text()}, {"offset", Number()}, {"size", Number()}, {"what", Text()}}))},
       {"entries", Number()},
       {"verified", Boolean(), kOptional}});
}

Json OptionListSchema() {
  return CommandDocument("varve.option_list/1",
                         {{"options", ArrayOf(ListedOptionFields().Schema())}});
}

Json ConfigSchema() {
  return CommandDocument("varve.config/1",
                         {{"file", Text()}, {"settings", ArrayOf(SettingFields().Schema())}});
}

Json AboutSchema() {
  return CommandDocument("varve.about/1", {{"version", Text()},
                                           {"build", Text()},
                                           {"features", MapOf(Boolean())},
                                           {"reads_format_versions", ArrayOf(Number())},
                                           {"writes_format_versions", ArrayOf(Number())}});
}

Json CompletionSchema() {
  return CommandDocument("varve.completion/1",
                         {{"shell", OneOf({"bash", "zsh", "fish"})}, {"script", Text()}});
}

// Candidates for a word; if `files` is set, file names as well.
Json CandidatesSchema() {
  return CommandDocument("varve.candidates/1",
                         {{"files", Boolean()},
                          {"candidates", ArrayOf(Object({{"word", Text()}, {"help", Text()}}))}});
}

Json ServeSchema() {
  return CommandDocument("varve.serve/1", {{"url", Text()}, {"confined", Boolean()}});
}

Json HelpSchema() {
  const Json parameter = Object({{"name", Text()},
                                 {"positional", Boolean()},
                                 {"required", Boolean()},
                                 {"help", Text()},
                                 {"choices", ArrayOf(Text())}});
  return CommandDocument("varve.help/1",
                         {{"commands", ArrayOf(Object({{"name", Text()},
                                                       {"summary", Text()},
                                                       {"examples", Text()},
                                                       {"exit_codes", Text()},
                                                       {"schemas", ArrayOf(Text())},
                                                       {"formats", ArrayOf(Text())},
                                                       {"parameters", ArrayOf(parameter)}}))},
                          {"schemas", MapOf(Anything())}});
}

#ifdef VARVE_HAS_BENCH
Json WorkloadsSchema() {
  return CommandDocument("varve.bench-workloads/1",
                         {{"workloads", ArrayOf(WorkloadFields().Schema())}});
}

// One of the documents described in bench.schema.json, by the name of its definition there.
Json BenchSchema(std::string_view definition) {
  Json schema = Json::parse(bench::kSchemaText);
  schema.erase("oneOf");
  schema["$ref"] = "#/$defs/" + std::string(definition);
  return schema;
}
Json BenchRunSchema() { return BenchSchema("run"); }
Json BenchComparisonSchema() { return BenchSchema("comparison"); }
Json BenchClaimsSchema() { return BenchSchema("claims"); }
#endif

struct CommandSchema {
  std::string_view name;
  Json (*make)();
};

constexpr CommandSchema kSchemas[] = {
    {"varve.load/1", LoadSchema},
    {"varve.sst_build/1", SstBuildSchema},
    {"varve.put/1", PutSchema},
    {"varve.delete/1", DeleteSchema},
    {"varve.batch_run/1", BatchRunSchema},
    {"varve.count/1", CountSchema},
    {"varve.cf_list/1", FamilyListSchema},
    {"varve.cf_create/1", FamilyCreateSchema},
    {"varve.cf_drop/1", FamilyDropSchema},
    {"varve.ingest/1", IngestSchema},
    {"varve.approxsize/1", ApproxSizeSchema},
    {"varve.recompress/1", RecompressSchema},
    {"varve.dump/1", DumpSchema},
    {"varve.compaction/1", CompactionSchema},
    {"varve.checkpoint/1", CheckpointSchema},
    {"varve.set_options/1", SetOptionsSchema},
    {"varve.repair/1", RepairSchema},
    {"varve.option_list/1", OptionListSchema},
    {"varve.config/1", ConfigSchema},
    {"varve.about/1", AboutSchema},
    {"varve.completion/1", CompletionSchema},
    {"varve.candidates/1", CandidatesSchema},
    {"varve.serve/1", ServeSchema},
#ifdef VARVE_HAS_BENCH
    {"varve.bench-workloads/1", WorkloadsSchema},
    {"varve.bench/1", BenchRunSchema},
    {"varve.bench-comparison/1", BenchComparisonSchema},
    {"varve.bench-claims/1", BenchClaimsSchema},
#endif
    {"varve.help/1", HelpSchema},
    {"varve.problem/1", ProblemSchema},
};

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
  for (const CommandSchema& row : kSchemas) all[std::string(row.name)] = row.make();
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
