// SPDX-License-Identifier: Apache-2.0
// The job that adds finished tables to a running database. A request names files, never paths: they
// are in the folder "ingest" of the database's own directory, where only those can put something
// who have access to the database's files anyway.
#include <utility>

#include "core/base/try.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/resources/live.h"
#include "webview/api/schema/fields.h"

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
  IngestTask(LiveEngine* live, std::vector<StagedTables> tables, bool move)
      : live_(*live), tables_(std::move(tables)), move_(move) {}

  Result<bool> Step(JobControl&) override {
    RETURN_IF_ERROR(live_.Ingest(tables_, move_));
    return true;
  }
  std::string_view schema() const override { return kIngestedDocument.name; }
  Json ResultJson() const override {
    uint64_t files = 0;
    for (const StagedTables& of_family : tables_) files += of_family.files.size();
    return IngestedFields().ToJson({files, move_});
  }

 private:
  LiveEngine& live_;
  const std::vector<StagedTables> tables_;
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
                               "must be the name of a file in the database's folder \"ingest\"");
          }};
}

Shape<StagedTables> TablesShape() {
  return ObjectShape<StagedTables>()
      .Name("cf", &StagedTables::family, "column family; default if not given", kOptional)
      .Member("files", ListShape(FileNameShape(), /*min=*/1), &StagedTables::files,
              "names of files in the database's folder \"ingest\"")
      .shape();
}

struct IngestBody {
  std::vector<StagedTables> tables;
  bool move = false;
};

Answer<std::unique_ptr<JobTask>> MakeIngestJob(const Call& call, const IngestBody& body) {
  if (!call.service().may_write()) {
    return Problem("read_only", "this server only reads; it was started without --write");
  }
  ASSIGN_OR_RETURN(LiveEngine* const live, LiveOf(call));
  ASSIGN_OR_RETURN(const auto lsm, call.Lsm());
  for (size_t i = 0; i < body.tables.size(); ++i) {
    if (lsm->Find(body.tables[i].family) != nullptr) continue;
    return BodyProblem("cf_not_found", "/tables/" + std::to_string(i) + "/cf",
                       "names no column family of this database");
  }
  return std::unique_ptr<JobTask>(std::make_unique<IngestTask>(live, body.tables, body.move));
}

}  // namespace

JobKind IngestJob() {
  return NewJobKind<IngestBody>(
      "ingest", "finished tables into a running database, all or none",
      ObjectShape<IngestBody>()
          .Member("tables", ListShape(TablesShape(), /*min=*/1), &IngestBody::tables,
                  "each family once; they are added in one step")
          .Flag("move", &IngestBody::move, "move the files instead of copying them", kOptional)
          .shape(),
      MakeIngestJob);
}

constexpr DocumentSchema kIngestedDocument = {
    .name = "varve.ingested/1",
    .make = [](std::string_view name) { return Document(name, IngestedFields().Members()); }};

}  // namespace varve::api
