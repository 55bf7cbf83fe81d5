// SPDX-License-Identifier: Apache-2.0
// varve ingest.
#include <sys/stat.h>

#include <map>
#include <utility>

#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/process/system_error.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {

struct IngestDone {
  std::string family;
  uint64_t files, bytes;
  bool moved;
  Sequence sequence;
};

namespace {

// All files in one step, or none: DB::Ingest verifies every entry of every file before the database
// is changed.
class Ingest : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("file", &files_, "tables made by sst build or RocksDB's SstFileWriter");
    parameters.Option("move", &options_.move_files,
                      "move the files into the database instead of copying them");
    parameters.Option("no-overlap", &no_overlap_, "refuse tables that overlap existing keys");
    DeclareFamily(parameters, &family_);
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(CheckFiles());
    options_.allow_overlap = !no_overlap_;
    ASSIGN_OR_RETURN(const auto db, OpenForWriting(console, target_, engine_, false));
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(*db, family_));
    RETURN_IF_ERROR(db->Ingest(options_, files_, family));
    const Sequence sequence = db->Stats().last_sequence;
    RETURN_IF_ERROR(db->Close());
    if (WantsDocument(console)) {
      PrintReport(console, kIngestDocument,
                  {family_, files_.size(), bytes_, options_.move_files, sequence});
    }
    console.Note("ingested " + Counted(files_.size(), "table") + ", " + HumanBytes(bytes_) +
                 " into " + EscapeForDisplay(family_));
    return kDone;
  }

 private:
  // Detects different names of one file, which the engine cannot.
  Status CheckFiles() {
    std::map<std::pair<dev_t, ino_t>, const std::string*> seen;
    for (const std::string& file : files_) {
      struct stat status = {};
      if (stat(file.c_str(), &status) != 0) return SystemError(file);
      bytes_ += static_cast<uint64_t>(status.st_size);
      const auto [other, fresh] = seen.try_emplace({status.st_dev, status.st_ino}, &file);
      if (!fresh)
        return Status::InvalidArgument(*other->second + " and " + file + " are the same file");
    }
    return Status::Ok();
  }

  std::string target_, family_ = "default";
  std::vector<std::string> files_;
  IngestOptions options_;
  bool no_overlap_ = false;
  uint64_t bytes_ = 0;
  EngineFlags engine_;
};

const api::Fields<IngestDone>& IngestFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<IngestDone>()
          .Name("cf", &IngestDone::family, "name of the column family")
          .Number("files", Unit::kCount, &IngestDone::files, "taken in")
          .Number("bytes", Unit::kBytes, &IngestDone::bytes, "of these")
          .Flag("moved", &IngestDone::moved, "the files are gone from where they were")
          .Id("seq", &IngestDone::sequence, "newest sequence number of the database");
  return fields;
}

}  // namespace

const CommandDocument<IngestDone> kIngestDocument = {"varve.ingest/1", IngestFields};

const Command kIngest = {
    "ingest", "add finished tables to a database, all or none",
    "varve ingest ./db a.sst b.sst\nvarve ingest ./db a.sst --cf users --move",
    "0 all were added, 2 a table cannot be added: nothing was changed, 4 a table is damaged",
    [] { return MakeInvocation<Ingest>(); }};

}  // namespace varve::cli
