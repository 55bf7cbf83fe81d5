// SPDX-License-Identifier: Apache-2.0
// varve ingest.
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/process/system_error.h"
#include "cli/upload.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/fs/http/token_file.h"
#include "varve/url.h"
#include "webview/api/json/json.h"

namespace varve::cli {

// What one family got.
struct FamilyIngested {
  std::string name;
  std::vector<std::string> paths;
  uint64_t bytes = 0;

  uint64_t files() const { return paths.size(); }
};

struct IngestDone {
  const std::vector<FamilyIngested>& ingested;
  uint64_t files, bytes;
  bool moved;
  std::optional<Sequence> sequence;  // Not of a server.

  const std::vector<FamilyIngested>& families() const { return ingested; }
  const std::string& first() const { return ingested.front().name; }
};

namespace {

// All files in one step, or none: DB::IngestFamilies verifies every entry of every file before the
// database is changed.
class Ingest : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters
        .Positional("target", &target_,
                    "database directory, or the URL of a server that has it open (varve serve "
                    "--write), to which the tables are uploaded")
        .may_be_server = true;
    parameters.Positional("file", &files_, "tables made by sst build or RocksDB's SstFileWriter");
    parameters
        .Option(
            "cf", &names_,
            "column family of the files; default: \"default\". Given several times, each is that "
            "of the files behind it")
        .places = &places_;
    parameters.Option("move", &options_.move_files,
                      "move the files into the database instead of copying them");
    parameters.Option("no-overlap", &no_overlap_, "refuse tables that overlap existing keys");
    parameters.Option("create", &create_, "create the database if it does not exist");
    parameters.Option("token-file", &token_file_,
                      "file with the token of the server, if its URL has none");
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(AssignFiles());
    RETURN_IF_ERROR(CheckFiles());
    if (IsUrl(target_)) return UploadTo(console);
    if (token_file_) return Status::InvalidArgument("--token-file is about servers");
    options_.allow_overlap = !no_overlap_;
    if (create_ && IsNew(target_)) {
      for (const FamilyIngested& family : families_) RETURN_IF_ERROR(CheckNewFamily(family.name));
    }
    ASSIGN_OR_RETURN(const auto db, OpenForWriting(console, target_, engine_, create_));
    std::vector<FamilyTables> tables;
    for (const FamilyIngested& family : families_) {
      ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyNamed(*db, family.name));
      tables.push_back({id, family.paths});
    }
    RETURN_IF_ERROR(Add(console, *db, tables));
    const Sequence sequence = db->Stats().last_sequence;
    RETURN_IF_ERROR(db->Close());
    Say(console, sequence);
    return kDone;
  }

 private:
  Result<ExitCode> UploadTo(Console& console) {
    if (options_.move_files || no_overlap_ || create_ || engine_.accept_loss ||
        !engine_.options.empty() || engine_.memory || engine_.cache) {
      return Status::InvalidArgument(
          target_.substr(0, target_.find('#')) +
          ": a server takes files as they are: no --move, --no-overlap, --create, --accept-loss or "
          "flag of the engine");
    }
    ASSIGN_OR_RETURN(ServerAddress server, ParseServer(target_));
    if (token_file_) {
      ASSIGN_OR_RETURN(server.token, ReadTokenFile(*token_file_));
    }
    std::vector<FamilyUpload> families;
    for (const FamilyIngested& family : families_) families.push_back({family.name, family.paths});
    Progress progress(console, "upload", "bytes", bytes_);
    uint64_t sent = 0;
    RETURN_IF_ERROR(
        UploadAndAdd(server, families, [&](uint64_t bytes) { progress.Look(sent += bytes); }));
    Say(console, std::nullopt);
    return kDone;
  }

  void Say(Console& console, std::optional<Sequence> sequence) const {
    if (WantsDocument(console)) {
      PrintReport(console, kIngestDocument,
                  {families_, files_.size(), bytes_, options_.move_files, sequence});
    }
    const std::string into = families_.size() == 1
                                 ? EscapeForDisplay(families_.front().name)
                                 : Counted(families_.size(), "column family", "column families");
    console.Note("ingested " + Counted(files_.size(), "table") + ", " + HumanBytes(bytes_) +
                 " into " + into);
  }

  // Verifying takes most of the time.
  Status Add(Console& console, DB& db, const std::vector<FamilyTables>& tables) {
    Progress progress(console, "ingest", "bytes", bytes_);
    uint64_t verified = 0;
    options_.verified = [&](uint64_t bytes) { progress.Look(verified += bytes); };
    Status added = db.IngestFamilies(options_, tables);
    options_.verified = nullptr;
    return added;
  }

  FamilyIngested& OfFamily(const std::string& name) {
    for (FamilyIngested& family : families_) {
      if (family.name == name) return family;
    }
    return families_.emplace_back(FamilyIngested{name, {}});
  }

  // Each file to its family.
  Status AssignFiles() {
    if (names_.size() <= 1) {
      OfFamily(names_.empty() ? "default" : names_.front()).paths = files_;
      return Status::Ok();
    }
    // The target is a positional, too.
    const auto files_before = [&](size_t i) {
      return i == names_.size() ? files_.size() : std::max<size_t>(places_[i], 1) - 1;
    };
    if (files_before(0) > 0) {
      return Status::InvalidArgument(files_.front() +
                                     " is before the first of several --cf: whose is it?");
    }
    for (size_t i = 0; i < names_.size(); ++i) {
      const size_t begin = files_before(i), end = files_before(i + 1);
      if (begin == end) {
        return Status::InvalidArgument("--cf " + EscapeForDisplay(names_[i]) +
                                       ": there is no file behind it");
      }
      std::vector<std::string>& paths = OfFamily(names_[i]).paths;
      for (size_t file = begin; file < end; ++file) paths.push_back(files_[file]);
    }
    return Status::Ok();
  }

  // Detects different names of one file, which the engine cannot.
  Status CheckFiles() {
    std::map<std::pair<dev_t, ino_t>, const std::string*> seen;
    for (FamilyIngested& family : families_) {
      for (const std::string& file : family.paths) {
        struct stat status = {};
        if (stat(file.c_str(), &status) != 0) return SystemError(file);
        family.bytes += static_cast<uint64_t>(status.st_size);
        const auto [other, fresh] = seen.try_emplace({status.st_dev, status.st_ino}, &file);
        if (fresh) continue;
        return Status::InvalidArgument(*other->second + " and " + file + " are the same file");
      }
      bytes_ += family.bytes;
    }
    return Status::Ok();
  }

  std::string target_;
  std::vector<std::string> files_, names_;
  std::vector<size_t> places_;  // Of names_ among the positionals.
  std::vector<FamilyIngested> families_;
  IngestOptions options_;
  bool no_overlap_ = false, create_ = false;
  uint64_t bytes_ = 0;
  std::optional<std::string> token_file_;
  EngineFlags engine_;
};

const api::Fields<FamilyIngested>& FamilyIngestedFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<FamilyIngested>()
          .Name("cf", &FamilyIngested::name, "name of the column family")
          .Number("files", Unit::kCount, &FamilyIngested::files, "that it got")
          .Number("bytes", Unit::kBytes, &FamilyIngested::bytes, "of these");
  return fields;
}

const api::Fields<IngestDone>& IngestFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<IngestDone>()
          .Name("cf", &IngestDone::first,
                "name of the column family; the first, if there are several")
          .Number("files", Unit::kCount, &IngestDone::files, "taken in")
          .Number("bytes", Unit::kBytes, &IngestDone::bytes, "of these")
          .Flag("moved", &IngestDone::moved, "the files are gone from where they were")
          .Id("seq", &IngestDone::sequence,
              "newest sequence number of the database; absent if a server has it open")
          .List("families", &IngestDone::families, FamilyIngestedFields(),
                "what each family got, in the order in which they were given");
  return fields;
}

}  // namespace

const CommandDocument<IngestDone> kIngestDocument = {"varve.ingest/1", IngestFields};

const Command kIngest = {
    "ingest", "add finished tables to a database, all or none",
    "varve ingest --create ./db a.sst b.sst\nvarve ingest ./db a.sst --cf users --move\n"
    "varve ingest ./db --cf users u1.sst u2.sst --cf orders o1.sst\n"
    "varve ingest http://10.0.0.7:8420 --token-file token a.sst b.sst",
    "0 all were added, 2 a table cannot be added: nothing was changed, 4 a table is damaged",
    [] { return MakeInvocation<Ingest>(); }};

}  // namespace varve::cli
