// SPDX-License-Identifier: Apache-2.0
// The job that adds finished tables to a running database. A request names files, never paths: they
// are in an upload (uploads.cc), or in the folder "ingest" of the database's own directory, where
// only those can put something who have access to the database's files anyway.
#include <set>
#include <string_view>
#include <utility>

#include "core/base/out_of_memory.h"
#include "core/base/try.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/live.h"
#include "webview/api/schema/fields.h"
#include "webview/api/uploads.h"

namespace varve::api {
namespace {

using StagedTables = LiveEngine::StagedTables;

struct Ingested {
  uint64_t files;
  bool moved;
};

const Fields<Ingested>& IngestedFields() {
  static const auto fields =
      Fields<Ingested>()
          .Number("files", Unit::kCount, &Ingested::files, "tables that were added, all of them")
          .Flag("moved", &Ingested::moved, "they are gone from the folder");
  return fields;
}

// A single step: all tables are added, or none.
class IngestTask : public JobTask {
 public:
  IngestTask(LiveEngine* live, std::vector<StagedTables> tables, std::string upload, bool move)
      : live_(*live), tables_(std::move(tables)), upload_(std::move(upload)), move_(move) {}

  Result<bool> Step(JobControl&) override {
    RETURN_IF_ERROR(upload_.empty() ? live_.Ingest(std::string(kStagingFolder), tables_, move_)
                                    : AddUpload(*live_.uploads()));
    return true;
  }
  bool lasting() const override { return true; }
  std::string_view schema() const override { return kIngestedDocument.name; }
  Json ResultJson() const override {
    uint64_t files = 0;
    for (const StagedTables& of_family : tables_) files += of_family.files.size();
    return IngestedFields().ToJson({files, move_});
  }

 private:
  Status AddUpload(Uploads& uploads) {
    const OutOfMemoryEnds ends;  // Or the upload would stay sealed.
    RETURN_IF_ERROR(uploads.Seal(upload_));
    Status added = live_.Ingest(Uploads::FolderOf(upload_), tables_, move_);
    uploads.Unseal(upload_, added.ok());
    return added;
  }

  LiveEngine& live_;
  const std::vector<StagedTables> tables_;
  const std::string upload_;  // Or "".
  const bool move_;
};

Shape<std::string> FileNameShape() {
  Json schema = {{"type", "string"}, {"pattern", "^[^/]+$"}};
  return {{std::move(schema)},
          [](const Json& value, const std::string& pointer) -> Answer<std::string> {
            if (value.is_string() && IsStagedName(value.get<std::string>())) {
              return value.get<std::string>();
            }
            return BodyProblem("bad_request", pointer,
                               "must be the name of a file, without a path");
          }};
}

Shape<StagedTables> TablesShape() {
  return ObjectShape<StagedTables>()
      .Name("cf", &StagedTables::family, "column family; default if not given", kOptional)
      .Member("files", ListShape(FileNameShape(), /*min=*/1), &StagedTables::files,
              "names of files of the upload, or in the database's folder \"ingest\"")
      .shape();
}

struct IngestBody {
  std::vector<StagedTables> tables;
  std::string upload;
  bool move = false;
};

// Whether each of the files is one that was brought.
Answer<Done> CheckUpload(const Call& call, const IngestBody& body) {
  ASSIGN_OR_RETURN(const UploadReport upload, UploadOf(call, Access::kWrite, body.upload));
  std::set<std::string_view> names;
  for (const UploadedTable& table : upload.tables) names.insert(table.name);
  for (size_t i = 0; i < body.tables.size(); ++i) {
    for (size_t j = 0; j < body.tables[i].files.size(); ++j) {
      if (names.erase(body.tables[i].files[j]) > 0) continue;
      return BodyProblem("bad_request",
                         "/tables/" + std::to_string(i) + "/files/" + std::to_string(j),
                         "names no table of the upload, or one for the second time");
    }
  }
  return Done();
}

// The folder "ingest" is everybody's; an upload is of who brought it.
Answer<std::vector<Right>> NeedsOfIngest(const Call& call, const IngestBody& body) {
  RETURN_IF_PROBLEM(call.service().RequireWrite());
  if (body.upload.empty()) return std::vector{call.OnTarget(Access::kWrite)};
  std::vector<Right> needs;
  for (const StagedTables& tables : body.tables) {
    needs.push_back(call.OnFamily(Access::kWrite, tables.family));
  }
  return needs;
}

Answer<std::unique_ptr<JobTask>> MakeIngestJob(const Call& call, const IngestBody& body) {
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  for (size_t i = 0; i < body.tables.size(); ++i) {
    if (lsm->Find(body.tables[i].family) != nullptr) continue;
    return BodyProblem("cf_not_found", "/tables/" + std::to_string(i) + "/cf",
                       "names no column family of this database");
  }
  if (!body.upload.empty()) RETURN_IF_PROBLEM(CheckUpload(call, body));
  return std::unique_ptr<JobTask>(std::make_unique<IngestTask>(live, body.tables, body.upload,
                                                               body.move || !body.upload.empty()));
}

}  // namespace

JobKind IngestJob() {
  return NewJobKind<IngestBody>(
      "ingest", "finished tables into a running database, all or none",
      ObjectShape<IngestBody>()
          .Member("tables", ListShape(TablesShape(), /*min=*/1), &IngestBody::tables,
                  "each family once; they are added in one step")
          .Text("upload", &IngestBody::upload,
                "the upload that the files are in, all of which is gone afterwards; if not given, "
                "they are in the folder \"ingest\"",
                kOptional)
          .Flag("move", &IngestBody::move,
                "move the files instead of copying them; those of an upload always are", kOptional)
          .shape(),
      NeedsOfIngest, MakeIngestJob);
}

constexpr DocumentSchema kIngestedDocument = {
    .name = "varve.ingested/1",
    .make = [](std::string_view name) { return Document(name, IngestedFields().Members()); }};

}  // namespace varve::api
