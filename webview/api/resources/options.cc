// SPDX-License-Identifier: Apache-2.0
// GET …/options, GET …/cfs/{cf}/options: what differs from RocksDB's defaults, or everything.
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/options/rocksdb_options.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

std::string_view ScopeName(OptionScope scope) {
  switch (scope) {
    case OptionScope::kDatabase:
      return "db";
    case OptionScope::kColumnFamily:
      return "cf";
    case OptionScope::kTable:
      break;
  }
  return "table";
}

Json OptionJson(const OptionReport& option, const std::string& file) {
  Json json = {{"scope", std::string(ScopeName(option.scope))},
               {"name", option.name},
               {"value", EscapeForDisplay(option.value)}};
  if (option.default_value) json["default"] = *option.default_value;
  json["source"] = option.from_file ? file : "default";
  json["differs"] = option.differs;
  json["mutable"] = option.is_mutable;
  return json;
}

Reply ListOptions(const Call& call, const OptionsReport& report,
                  std::vector<OptionReport> options) {
  if (!call.Flag("all")) {
    // An option that has no default to compare with is worth showing, too.
    std::erase_if(options,
                  [](const OptionReport& o) { return !o.differs && o.default_value.has_value(); });
  }
  Json head = call.Head();
  head["options_file"] = report.file;
  head["rocksdb_version"] = report.rocksdb_version;
  head["defaults_of"] = std::string(kRocksDbDefaultsVersion);
  const size_t count = options.size();
  return List{std::move(head), "options",
              IndexedRows(call, count,
                          [options = std::move(options), file = report.file](size_t i) {
                            return OptionJson(options[i], file);
                          }),
              /*partial=*/false, call.damage()};
}

}  // namespace

Reply ListDatabaseOptions(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(const OptionsReport report,
                   ReportOptions(call.target().fs(), call.target().path()));
  return ListOptions(call, report, report.DatabaseOptions());
}

Reply ListFamilyOptions(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(const OptionsReport report,
                   ReportOptions(call.target().fs(), call.target().path()));
  // A family that the file does not mention has its defaults.
  return ListOptions(call, report,
                     report.FamilyOptions(family->name).value_or(std::vector<OptionReport>()));
}

Json OptionsSchema() {
  return ListDocument(
      "varve.options/1",
      {{"options_file", Text()}, {"rocksdb_version", Text()}, {"defaults_of", Text()}}, "options",
      Object("Option", {{"scope", OneOf({"db", "cf", "table"})},
                        {"name", Text()},
                        {"value", Text()},
                        {"default", Text(), kOptional},
                        {"source", Text()},
                        {"differs", Boolean()},
                        {"mutable", Boolean()}}));
}

}  // namespace varve::api
