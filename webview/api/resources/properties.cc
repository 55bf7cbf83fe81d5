// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/properties, GET …/files/{n}/footer: what a table says about itself.
#include "core/base/text.h"
#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
Reply GetProperties(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const TableReport report, ReportTable(call.target().fs(), file.path));
  Json json = call.Head();
  json["file"] = std::to_string(file.number);
  json["properties"] = Json::array();
  for (const TableReport::Property& property : report.properties) {
    json["properties"].push_back({{"name", property.name},
                                  {"raw", BytesJson(property.raw, call.bytes(), "")},
                                  {"decoded", property.text}});
  }
  json["warnings"] = report.warnings;
  return Reply(std::move(json)).Immutable(FileIdentity(report));
}

Reply GetFooter(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const TableReport report, ReportTable(call.target().fs(), file.path));
  Json metaindex = Json::array();
  for (const auto& [name, handle] : report.metaindex_entries) {
    metaindex.push_back({{"name", name}, {"offset", handle.offset}, {"size", handle.size}});
  }
  Json json = call.Head();
  json["file"] = std::to_string(file.number);
  json["footer"] = {{"table_type", report.table_type},
                    {"format_version", report.format_version},
                    {"checksum", report.checksum},
                    {"base_context_checksum", "0x" + Hex(report.base_context_checksum, 8)},
                    {"metaindex", HandleJson(report.metaindex)},
                    {"index", HandleJson(report.index)}};
  json["metaindex"] = std::move(metaindex);
  return Reply(std::move(json)).Immutable(FileIdentity(report));
}

Json PropertiesSchema() {
  return Document("varve.properties/1",
                  {{"file", U64()},
                   {"properties",
                    ArrayOf(Object("TableProperty",
                                   {{"name", Text()}, {"raw", BytesRef()}, {"decoded", Text()}}))},
                   {"warnings", ArrayOf(Text())}});
}

Json FooterSchema() {
  return Document(
      "varve.footer/1",
      {{"file", U64()},
       {"footer", Object({{"table_type", Text()},
                          {"format_version", Number()},
                          {"checksum", Text()},
                          {"base_context_checksum", HexText()},
                          {"metaindex", HandleSchema()},
                          {"index", HandleSchema()}})},
       {"metaindex",
        ArrayOf(Object({{"name", Text()}, {"offset", Number()}, {"size", Number()}}))}});
}

}  // namespace varve::api
