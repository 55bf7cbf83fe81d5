// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}: one table file, from its own metadata and as described in the MANIFEST.
#include <algorithm>
#include <functional>

#include "core/base/try.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/file_parts.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

// A table, and the database's information about it.
struct TableView {
  const TableFile& file;
  const TableReport& report;
};

const Fields<TableReport>& TableIndexFields() {
  static const auto fields =
      Fields<TableReport>("TableIndex")
          .Text("kind", &TableReport::index_kind, "binary, hash, two_level, first_key")
          .Number("partitions", Unit::kCount, &TableReport::index_partitions,
                  "blocks of a lower level; 0: it has one level")
          .Number("bytes", Unit::kBytes, &TableReport::index_bytes, "of all its blocks")
          .Flag("user_keys", &TableReport::index_keys_are_user_keys,
                "its keys have no sequence numbers")
          .Flag("delta_values", &TableReport::index_values_are_deltas,
                "places are stored as differences from the one before")
          .Object("handle", &TableReport::index, HandleFields(), "of its only or top block");
  return fields;
}

const Fields<TableReport>& FilterSummaryFields() {
  static const auto fields =
      Fields<TableReport>("TableFilterSummary")
          .Text("kind", &TableReport::filter_kind, "none, bloom, legacy_bloom, ribbon, leveldb")
          .Flag("partitioned", &TableReport::filter_partitioned,
                "one filter for each part of the keys")
          .Number("bytes", Unit::kBytes, &TableReport::filter_bytes, "of all its blocks");
  return fields;
}

const Fields<TableReport>& PointIndexFields() {
  static const auto fields =
      Fields<TableReport>("TablePointIndex")
          .Text("kind", &TableReport::point_index,
                "none, all_one, dense, piecewise, hash, unusable")
          .Number("bytes", Unit::kBytes, &TableReport::point_index_bytes, "of its block")
          .Text(
              "why", &TableReport::point_index_why,
              "why there is none, or why it cannot be used; empty: nobody asked for one, or it is "
              "used");
  return fields;
}

// The table's own metadata; without properties its counts are unknown.
const Fields<TableReport>& ReportFields() {
  static const auto fields =
      Fields<TableReport>()
          .Number("size", Unit::kBytes, &TableReport::size, "of the file")
          .Text("table_type", &TableReport::table_type, "kind of table, by its magic number")
          .Object("smallest", &TableReport::smallest, BoundFields(),
                  "its first internal key, range deletions aside")
          .Object("largest", &TableReport::largest, BoundFields(),
                  "its last internal key, range deletions aside")
          .Number("entries", Unit::kCount,
                  When(&TableReport::has_properties, &TableReport::entries),
                  "deletions and merge operands included")
          .Number("deletions", Unit::kCount,
                  When(&TableReport::has_properties, &TableReport::deletions),
                  "of single keys, among them")
          .Number("range_deletions", Unit::kCount,
                  When(&TableReport::has_properties, &TableReport::range_deletions), "in the table")
          .Number("merges", Unit::kCount, When(&TableReport::has_properties, &TableReport::merges),
                  "merge operands, among the entries")
          .Number("data_blocks", Unit::kCount,
                  When(&TableReport::has_properties, &TableReport::data_blocks), "in the table")
          .Number("raw_key_bytes", Unit::kBytes,
                  When(&TableReport::has_properties, &TableReport::raw_key_bytes),
                  "of internal keys, written out")
          .Number("raw_value_bytes", Unit::kBytes,
                  When(&TableReport::has_properties, &TableReport::raw_value_bytes),
                  "of values, uncompressed")
          .Number("data_bytes", Unit::kBytes,
                  When(&TableReport::has_properties, &TableReport::data_bytes),
                  "of data blocks, as stored")
          .Text("codec", &TableReport::codec, "how blocks are compressed, as the properties say")
          .Text("checksum", &TableReport::checksum, "kind that its blocks have: xxh3, crc32c, ...")
          .Number("format_version", Unit::kNone, &TableReport::format_version, "of the table")
          .Flag("leveldb", &TableReport::leveldb, "in LevelDB's format")
          .Name("comparator", &TableReport::comparator, "name of the order of its keys")
          .Text("unique_id", &TableReport::unique_id, "hexadecimal; empty: it has none")
          .Id("global_seqno", &TableReport::global_seqno,
              "sequence number of all its entries, which ingestion gave it")
          .Object("index", std::identity(), TableIndexFields(), "its index")
          .Object("filter", std::identity(), FilterSummaryFields(), "its filter")
          .Object("point_index", std::identity(), PointIndexFields(),
                  "what Get and MultiGet use instead of the filter")
          .Texts("warnings", &TableReport::warnings,
                 "what is wrong with it and does not keep it from being read");
  return fields;
}

const Fields<TableView>& FileFields() {
  static const auto fields =
      Fields<TableView>("TableFile")
          .Id(
              "id", [](const TableView& view) { return view.file.number; }, "number of the file")
          .Text(
              "name", [](const TableView& view) { return view.file.name; }, "of the file")
          .Name(
              "cf",
              [](const TableView& view) {
                return view.file.family == nullptr ? nullptr : &view.file.family->name;
              },
              "name of the column family that it belongs to")
          .Number(
              "cf_id", Unit::kNone,
              [](const TableView& view) {
                return view.file.family == nullptr ? nullptr : &view.file.family->id;
              },
              "number of that column family")
          .Number(
              "level", Unit::kNone,
              [](const TableView& view) {
                return view.file.family == nullptr ? nullptr : &view.file.report->level;
              },
              "that it is on")
          .Include([](const TableView& view) -> const TableReport& { return view.report; },
                   ReportFields());
  return fields;
}

// The member of that name of another document.
Json MemberOf(const DocumentSchema& document, const char* name) {
  return document.make(document.name)["properties"][name];
}

// A table, and what was asked for with it, as …/properties and …/lineage return it.
struct FileDocumentView {
  TableView table;
  std::optional<Json> properties = {}, lineage = {};
};

const Fields<FileDocumentView>& FileDocumentFields() {
  static const auto fields =
      Fields<FileDocumentView>()
          .Object("file", &FileDocumentView::table, FileFields(), "the table")
          .Other("properties", MemberOf(kPropertiesDocument, "properties"),
                 &FileDocumentView::properties, "")
          .Other("lineage", MemberOf(kLineageDocument, "lineage"), &FileDocumentView::lineage, "");
  return fields;
}

Answer<Done> Include(const Call& call, std::string_view names, FileDocumentView* view) {
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    const std::string name(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
    if (name != "properties" && name != "lineage") {
      return Problem("bad_request", "include must be properties or lineage");
    }
    if (name == "lineage") RETURN_IF_PROBLEM(call.Require(call.OnTarget(Access::kRead)));
    Reply reply = name == "properties" ? GetProperties(call) : GetLineage(call);
    if (const Problem* problem = std::get_if<Problem>(&reply.value())) return *problem;
    (name == "properties" ? view->properties : view->lineage) =
        std::move(std::get<Json>(reply.value())[name]);
  }
  return Done();
}

Reply GetFile(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(const TableReport report, ReportTable(call.target().fs(), file.path));
  FileDocumentView view{{file, report}};
  RETURN_IF_PROBLEM(Include(call, call.Text("include").value_or(""), &view));
  Json json = call.Head();
  FileDocumentFields().AddTo(&json, view);
  return Reply(std::move(json)).WithExit(report.damaged ? 4 : 0);
}

constexpr DocumentSchema kFileDocument = {
    .name = "varve.file/1",
    .make = [](std::string_view name) { return Document(name, FileDocumentFields().Members()); }};

}  // namespace

std::span<const Route> FileRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}",
       .handler = GetFile,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kFileDocument,
       .summary = "one table file",
       .parameters = {{"include", kText, "properties, lineage or both, separated by a comma"}}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
