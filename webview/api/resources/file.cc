// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}: one table file, as itself and as the MANIFEST describes it.
#include <algorithm>

#include "core/base/text.h"
#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

Json FileJson(const TableFile& file, const TableReport& report) {
  Json json = {{"id", std::to_string(file.number)}, {"name", file.name}};
  if (file.family != nullptr) {
    json["cf"] = file.family->name;
    json["cf_id"] = file.family->id;
    json["level"] = file.report->level;
  }
  json.update({{"size", report.size}, {"table_type", report.table_type}});
  if (report.smallest) json["smallest"] = BoundJson(*report.smallest);
  if (report.largest) json["largest"] = BoundJson(*report.largest);
  if (report.has_properties) {
    json.update({{"entries", report.entries},
                 {"deletions", report.deletions},
                 {"range_deletions", report.range_deletions},
                 {"merges", report.merges},
                 {"data_blocks", report.data_blocks},
                 {"raw_key_bytes", report.raw_key_bytes},
                 {"raw_value_bytes", report.raw_value_bytes},
                 {"data_bytes", report.data_bytes}});
  }
  json.update({{"codec", report.codec},
               {"checksum", report.checksum},
               {"format_version", report.format_version},
               {"leveldb", report.leveldb},
               {"comparator", report.comparator},
               {"unique_id", report.unique_id}});
  if (report.global_seqno) json["global_seqno"] = std::to_string(*report.global_seqno);
  json["index"] = {{"kind", report.index_kind},
                   {"partitions", report.index_partitions},
                   {"bytes", report.index_bytes},
                   {"user_keys", report.index_keys_are_user_keys},
                   {"delta_values", report.index_values_are_deltas},
                   {"handle", HandleJson(report.index)}};
  json["filter"] = {{"kind", report.filter_kind},
                    {"partitioned", report.filter_partitioned},
                    {"bytes", report.filter_bytes}};
  json["warnings"] = report.warnings;
  return json;
}

// Adds what `include` names, as …/properties and …/lineage answer it.
Answer<Done> Include(const Call& call, std::string_view names, Json* json) {
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    const std::string name(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
    if (name != "properties" && name != "lineage") {
      return Problem("bad_request", "include understands properties and lineage");
    }
    Reply reply = name == "properties" ? GetProperties(call) : GetLineage(call);
    if (const Problem* problem = std::get_if<Problem>(&reply.value())) return *problem;
    (*json)[name] = std::move(std::get<Json>(reply.value())[name]);
  }
  return Done();
}

// The member of that name of another document.
Json MemberOf(Json schema, const std::string& name) { return schema["properties"][name]; }

}  // namespace

Reply GetFile(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const TableReport report, ReportTable(call.target().fs(), file.path));
  Json json = call.Head();
  json["file"] = FileJson(file, report);
  RETURN_IF_PROBLEM(Include(call, call.Text("include").value_or(""), &json));
  return Reply(std::move(json)).WithExit(report.damaged ? 4 : 0);
}

Json FileSchema() {
  return Document("varve.file/1",
                  {{"properties", MemberOf(PropertiesSchema(), "properties"), kOptional},
                   {"lineage", MemberOf(LineageSchema(), "lineage"), kOptional},
                   {"file", Object("TableFile", {{"id", U64()},
                                                 {"name", Text()},
                                                 {"cf", Text(), kOptional},
                                                 {"cf_id", Number(), kOptional},
                                                 {"level", Number(), kOptional},
                                                 {"size", Number()},
                                                 {"table_type", Text()},
                                                 {"smallest", BoundRef(), kOptional},
                                                 {"largest", BoundRef(), kOptional},
                                                 {"entries", Number(), kOptional},
                                                 {"deletions", Number(), kOptional},
                                                 {"range_deletions", Number(), kOptional},
                                                 {"merges", Number(), kOptional},
                                                 {"data_blocks", Number(), kOptional},
                                                 {"raw_key_bytes", Number(), kOptional},
                                                 {"raw_value_bytes", Number(), kOptional},
                                                 {"data_bytes", Number(), kOptional},
                                                 {"codec", Text()},
                                                 {"checksum", Text()},
                                                 {"format_version", Number()},
                                                 {"leveldb", Boolean()},
                                                 {"comparator", Text()},
                                                 {"unique_id", Text()},
                                                 {"global_seqno", U64(), kOptional},
                                                 {"index", Object({{"kind", Text()},
                                                                   {"partitions", Number()},
                                                                   {"bytes", Number()},
                                                                   {"user_keys", Boolean()},
                                                                   {"delta_values", Boolean()},
                                                                   {"handle", HandleSchema()}})},
                                                 {"filter", Object({{"kind", Text()},
                                                                    {"partitioned", Boolean()},
                                                                    {"bytes", Number()}})},
                                                 {"warnings", ArrayOf(Text())}})}});
}

}  // namespace varve::api
