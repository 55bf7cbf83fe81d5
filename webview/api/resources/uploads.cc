// SPDX-License-Identifier: Apache-2.0
// …/uploads: tables that clients bring to a running database, before a job of the kind "ingest"
// adds them. Their names are the server's.
#include "webview/api/uploads.h"

#include "core/base/hash/sha256.h"
#include "core/base/try.h"
#include "webview/api/resources/live.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

const Fields<UploadedTable>& UploadedTableFields() {
  static const auto fields =
      Fields<UploadedTable>("UploadedTable")
          .Text("name", &UploadedTable::name, "of the file, for the job that adds it")
          .Number("size", Unit::kBytes, &UploadedTable::size, "of the file")
          .Text("sha256", &UploadedTable::sha256, "of its bytes, in hex");
  return fields;
}

const Fields<UploadReport>& UploadFields() {
  static const auto fields =
      Fields<UploadReport>("Upload")
          .Text("id", &UploadReport::id, "of the upload")
          .List("tables", &UploadReport::tables, UploadedTableFields(), "those that are complete")
          .Number("bytes", Unit::kBytes, &UploadReport::bytes, "of these");
  return fields;
}

struct UploadView {
  const UploadReport& upload;
  const UploadLimits& limits;

  const UploadReport& Report() const { return upload; }
  uint64_t BytesMax() const { return limits.bytes; }
  uint64_t Expiry() const { return limits.expiry_micros / 1'000'000; }
  static uint64_t TablesMax() { return Uploads::kTablesMax; }
};

const Fields<UploadView>& UploadDocumentFields() {
  static const auto fields =
      Fields<UploadView>()
          .Object("upload", &UploadView::Report, UploadFields(), "as it is now")
          .Number("bytes_max", Unit::kBytes, &UploadView::BytesMax,
                  "that all uploads together may have")
          .Number(
              "tables_max", Unit::kCount, [](const UploadView&) { return UploadView::TablesMax(); },
              "that an upload may have")
          .Number("expiry_seconds", Unit::kNone, &UploadView::Expiry,
                  "after so many without a request about it, it is removed");
  return fields;
}

const Fields<UploadedTable>& AddedTableFields() {
  static const auto fields = Fields<UploadedTable>().Object(
      "table", [](const UploadedTable& table) -> const UploadedTable& { return table; },
      UploadedTableFields(), "as it is stored");
  return fields;
}

Json UploadDocument(const Call& call, const Uploads& uploads, const UploadReport& report) {
  Json json = call.Head();
  UploadDocumentFields().AddTo(&json, {report, uploads.limits()});
  return json;
}

Reply ListUploads(const Call& call) {
  ASSIGN_OR_RETURN(Uploads* const uploads, UploadsOf(call));
  const auto all = std::make_shared<std::vector<UploadReport>>(uploads->All());
  std::erase_if(
      *all, [&](const UploadReport& upload) { return !IsUploadFor(call, Access::kRead, upload); });
  return List{call.Head(), "uploads", IndexedRows(call, all->size(), [all](size_t i) {
                return UploadFields().ToJson((*all)[i]);
              })};
}

Reply BeginUpload(const Call& call) {
  RETURN_IF_PROBLEM(call.Body(EmptyShape()));
  ASSIGN_OR_RETURN(Uploads* const uploads, UploadsOf(call));
  ASSIGN_OR_RETURN(const UploadReport report, uploads->Begin(call.caller().name));
  return Reply(UploadDocument(call, *uploads, report)).WithStatus(201);
}

Reply GetUpload(const Call& call) {
  ASSIGN_OR_RETURN(Uploads* const uploads, UploadsOf(call));
  ASSIGN_OR_RETURN(const UploadReport report, UploadOf(call, Access::kRead, call.Part("u")));
  return UploadDocument(call, *uploads, report);
}

Reply AbortUpload(const Call& call) {
  ASSIGN_OR_RETURN(Uploads* const uploads, UploadsOf(call));
  RETURN_IF_PROBLEM(UploadOf(call, Access::kWrite, call.Part("u")));
  ASSIGN_OR_RETURN(const UploadReport report, uploads->Abort(call.Part("u")));
  return UploadDocument(call, *uploads, report);
}

Reply AddUploadedTable(const Call& call) {
  ASSIGN_OR_RETURN(Uploads* const uploads, UploadsOf(call));
  const std::string sha256 = *call.Text("sha256");
  if (!IsSha256(sha256)) {
    return Problem("bad_request", "sha256 is not 64 hex digits in lower case");
  }
  RETURN_IF_PROBLEM(UploadOf(call, Access::kWrite, call.Part("u")));
  ASSIGN_OR_RETURN(const UploadedTable table, uploads->Add(call.Part("u"), call.Bytes(), sha256));
  Json json = call.Head();
  AddedTableFields().AddTo(&json, table);
  return Reply(std::move(json)).WithStatus(201);
}

constexpr DocumentSchema kUploadsDocument = {
    .name = "varve.uploads/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "uploads", UploadFields().Schema());
    }};

constexpr DocumentSchema kUploadDocument = {
    .name = "varve.upload/1",
    .make = [](std::string_view name) { return Document(name, UploadDocumentFields().Members()); }};

constexpr DocumentSchema kUploadedTableDocument = {
    .name = "varve.uploaded_table/1",
    .make = [](std::string_view name) { return Document(name, AddedTableFields().Members()); }};

}  // namespace

std::span<const Route> UploadsRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/uploads",
       .handler = ListUploads,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kPageRowsMax,
       .cost = Cost::kMemory,
       .documents = kUploadsDocument,
       .summary = "what clients have brought to a running database and not added yet"},
      {.method = Method::kPost,
       .pattern = "/targets/{t}/uploads",
       .handler = BeginUpload,
       .auth = Auth::kWrite,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kUploadDocument,
       .summary = "begin to bring tables; a job of the kind \"ingest\" adds them",
       .body = BodyOf<EmptyShape>},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/uploads/{u}",
       .handler = GetUpload,
       .auth = Auth::kRead,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kUploadDocument,
       .summary = "an upload and its tables"},
      {.method = Method::kDelete,
       .pattern = "/targets/{t}/uploads/{u}",
       .handler = AbortUpload,
       .auth = Auth::kWrite,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kUploadDocument,
       .summary = "remove an upload and its tables"},
      {.method = Method::kPost,
       .pattern = "/targets/{t}/uploads/{u}/tables",
       .handler = AddUploadedTable,
       .auth = Auth::kWrite,
       .part = Part::kSome,
       .max_rows = kNoRows,
       .cost = Cost::kMemory,
       .documents = kUploadedTableDocument,
       .summary = "bring a table, whose bytes are the body; the server names it",
       .parameters = {{"sha256", kText, "of the body: 64 hex digits in lower case", "", true}},
       .takes_bytes = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
