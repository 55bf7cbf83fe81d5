// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/properties, GET …/files/{n}/footer: a table's metadata.
#include <string>
#include <utility>

#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/file_parts.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

const Fields<TableReport::Property>& PropertyFields() {
  static const auto fields = Fields<TableReport::Property>("TableProperty")
                                 .Text("name", &TableReport::Property::name, "of the property")
                                 .Bytes("raw", &TableReport::Property::raw, "as stored")
                                 .Text("decoded", &TableReport::Property::text, "for people");
  return fields;
}

using MetaindexEntry = std::pair<std::string, HandleReport>;

const Fields<MetaindexEntry>& MetaindexFields() {
  static const auto fields = Fields<MetaindexEntry>("MetaindexEntry")
                                 .Text("name", &MetaindexEntry::first, "of the meta block")
                                 .Include(&MetaindexEntry::second, HandleFields());
  return fields;
}

const Fields<TableReport>& TableFooterFields() {
  static const auto fields =
      Fields<TableReport>("TableFooter")
          .Text("table_type", &TableReport::table_type, "kind of table, by its magic number")
          .Number("format_version", Unit::kNone, &TableReport::format_version, "of the table")
          .Text("checksum", &TableReport::checksum, "kind that its blocks have: xxh3, crc32c, ...")
          .Hex32("base_context_checksum", &TableReport::base_context_checksum,
                 "that block checksums are mixed with, from format_version 6 on; else 0")
          .Object("metaindex", &TableReport::metaindex, HandleFields(),
                  "the block that names others")
          .Object("index", &TableReport::index, HandleFields(), "the index, or its top level");
  return fields;
}

// The table and its number.
struct NumberedTable {
  FileNumber number;
  const TableReport& report;
};

const Fields<NumberedTable>& PropertiesFields() {
  static const auto fields =
      Fields<NumberedTable>()
          .Id("file", &NumberedTable::number, "number of the table")
          .List(
              "properties", [](const NumberedTable& view) { return view.report.properties; },
              PropertyFields(), "all that it has, by name")
          .Texts(
              "warnings", [](const NumberedTable& view) { return view.report.warnings; },
              "what is wrong with it and does not keep it from being read");
  return fields;
}

const Fields<NumberedTable>& FooterFields() {
  static const auto fields =
      Fields<NumberedTable>()
          .Id("file", &NumberedTable::number, "number of the table")
          .Object(
              "footer", [](const NumberedTable& view) -> const TableReport& { return view.report; },
              TableFooterFields(), "its last bytes")
          .List(
              "metaindex", [](const NumberedTable& view) { return view.report.metaindex_entries; },
              MetaindexFields(), "the blocks that the metaindex names");
  return fields;
}

Reply GetFooter(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const TableReport report, ReportTable(call.target().fs(), file.path));
  Json json = call.Head();
  FooterFields().AddTo(&json, {file.number, report});
  return Reply(std::move(json)).Immutable(FileIdentity(report)).WithExit(report.damaged ? 4 : 0);
}

constexpr DocumentSchema kFooterDocument = {
    .name = "varve.footer/1",
    .make = [](std::string_view name) { return Document(name, FooterFields().Members()); }};

}  // namespace

Reply GetProperties(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const TableReport report, ReportTable(call.target().fs(), file.path));
  Json json = call.Head();
  PropertiesFields().AddTo(&json, {file.number, report}, {call.bytes()});
  return Reply(std::move(json)).Immutable(FileIdentity(report)).WithExit(report.damaged ? 4 : 0);
}

constexpr DocumentSchema kPropertiesDocument = {
    .name = "varve.properties/1",
    .make = [](std::string_view name) { return Document(name, PropertiesFields().Members()); }};

std::span<const Route> PropertiesRoutes() {
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/properties",
       .handler = GetProperties,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kPropertiesDocument,
       .summary = "every property of a table, as stored and decoded",
       .parameters = {query::kBytes}},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/footer",
       .handler = GetFooter,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kFooterDocument,
       .summary = "the footer of a table and its metaindex"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
