// SPDX-License-Identifier: Apache-2.0
// varve cf list, varve cf create, varve cf drop.
#include <unistd.h>

#include <iostream>
#include <span>
#include <string_view>
#include <unordered_set>

#include "cli/commands/commands.h"
#include "cli/commands/inspect/lsm_target.h"
#include "cli/database.h"
#include "cli/help/help.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::cli {

struct ListedFamilies {
  std::span<const FamilyReport> families;
};
struct CreatedFamily {
  std::string name;
  ColumnFamilyId id;
};
struct FamiliesCreated {
  std::vector<CreatedFamily> families;

  const CreatedFamily* only() const { return families.size() == 1 ? &families[0] : nullptr; }
};
struct FamilyDropped {
  std::string name;
  ColumnFamilyId id;
  uint64_t files, bytes;
};

namespace {

using Align = TextTable::Align;

const api::Fields<FamilyReport>& ListedFamilyFields() {
  static const auto fields =
      api::Fields<FamilyReport>()
          .Name("name", &FamilyReport::name, "of the column family")
          .Number("id", api::Unit::kNone, &FamilyReport::id, "its number")
          .Number("files", api::Unit::kCount, &FamilyReport::files, "tables")
          .Number("bytes", api::Unit::kBytes, &FamilyReport::bytes, "of these tables")
          .Name("comparator", &FamilyReport::comparator, "name of the order of its keys")
          .Flag("comparator_known", &FamilyReport::comparator_known, "that order is known here");
  return fields;
}

const api::Fields<ListedFamilies>& FamilyListFields() {
  static const auto fields = api::Fields<ListedFamilies>().List(
      "families", &ListedFamilies::families, ListedFamilyFields(), "all that there are");
  return fields;
}

const api::Fields<CreatedFamily>& CreatedFamilyFields() {
  static const auto fields = api::Fields<CreatedFamily>()
                                 .Name("cf", &CreatedFamily::name, "its name")
                                 .Number("id", api::Unit::kNone, &CreatedFamily::id, "its number");
  return fields;
}

const api::Fields<FamiliesCreated>& FamilyCreateFields() {
  static const auto fields = api::Fields<FamiliesCreated>()
                                 .Include(&FamiliesCreated::only, CreatedFamilyFields())
                                 .List("cfs", &FamiliesCreated::families, CreatedFamilyFields(),
                                       "the new column families");
  return fields;
}

const api::Fields<FamilyDropped>& FamilyDropFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<FamilyDropped>()
          .Name("cf", &FamilyDropped::name, "name of the column family")
          .Number("id", Unit::kNone, &FamilyDropped::id, "its number")
          .Number("files", Unit::kCount, &FamilyDropped::files, "tables that it had")
          .Number("bytes", Unit::kBytes, &FamilyDropped::bytes, "of these tables");
  return fields;
}

class FamilyList : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const LsmReport report, ReadLsm(target_, {}));
    if (IsData(console.format(Format::kTable))) {
      PrintReport(console, kFamilyListDocument, {report.families});
      return kDone;
    }
    ReportColumns<FamilyReport> table(TerminalOf(console), ListedFamilyFields());
    table.Show("name", "column family")
        .Show("id")
        .Show("files")
        .Show("bytes", "size")
        .Show("order", Align::kLeft, [](const FamilyReport& family) {
          return EscapeForDisplay(family.comparator) +
                 (family.comparator_known ? "" : ", unknown here");
        });
    console.out().Write(table.Of(report.families).Render());
    return kDone;
  }

 private:
  std::string target_;
};

class FamilyCreate : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("name", &names_, "name of the new column family; may be several").names =
        Names::kNewFamily;
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const Options options, MakeOptions(engine_));
    ASSIGN_OR_RETURN(const auto db, OpenForWriting(console, target_, engine_, false));
    std::vector<NewFamily> families;
    std::unordered_set<std::string_view> given;
    for (const std::string& name : names_) {
      if (!given.insert(name).second) {
        return Status::InvalidArgument("'" + EscapeForDisplay(name) + "' is given twice");
      }
      if (db->FindFamily(name)) {
        return Refuse(console, "varve cf create", "already_exists",
                      "the column family " + EscapeForDisplay(name) + " exists already");
      }
      families.push_back({name, options.family});
    }
    ASSIGN_OR_RETURN(const std::vector<ColumnFamilyId> ids, db->CreateColumnFamilies(families));
    RETURN_IF_ERROR(db->Close());
    if (WantsDocument(console)) PrintCreated(console, ids);
    for (size_t i = 0; i < ids.size(); ++i) {
      console.Note("created column family " + EscapeForDisplay(names_[i]) + ", id " +
                   std::to_string(ids[i]));
    }
    return kDone;
  }

 private:
  void PrintCreated(Console& console, const std::vector<ColumnFamilyId>& ids) const {
    FamiliesCreated created;
    for (size_t i = 0; i < ids.size(); ++i) {
      created.families.push_back({names_[i], ids[i]});
    }
    PrintReport(console, kFamilyCreateDocument, created);
  }

  std::string target_;
  std::vector<std::string> names_;
  EngineFlags engine_;
};

class FamilyDrop : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("name", &name_, "name of the column family").names = Names::kFamily;
    parameters.Option("yes", &yes_, "do not ask; all its records are deleted permanently");
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const auto db, OpenForWriting(console, target_, engine_, false));
    ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyNamed(*db, name_));
    if (id == kDefaultColumnFamilyId) {
      return Refuse(console, "varve cf drop", "forbidden",
                    "the column family default cannot be dropped: every database has it");
    }
    uint64_t files = 0, bytes = 0;
    for (const LevelInfo& level : db->Levels(id)) {
      files += level.files;
      bytes += level.bytes;
    }
    const std::string what = "column family " + EscapeForDisplay(name_) + " with " +
                             Counted(files, "table") + ", " + HumanBytes(bytes);
    if (!yes_ && !Confirmed(console, what)) {
      return Refuse(console, "varve cf drop", "confirm_required", "add --yes to drop " + what);
    }
    RETURN_IF_ERROR(db->DropColumnFamily(id));
    RETURN_IF_ERROR(db->Close());
    if (WantsDocument(console)) {
      PrintReport(console, kFamilyDropDocument, {name_, id, files, bytes});
    }
    console.Note("dropped " + what);
    return kDone;
  }

 private:
  static bool Confirmed(const Console& console, const std::string& what) {
    if (isatty(STDIN_FILENO) != 1 || !console.err_is_terminal()) return false;
    std::cerr << "drop " << what << " for good? [y/N] " << std::flush;
    std::string answer;
    return std::getline(std::cin, answer) && (answer == "y" || answer == "yes");
  }

  std::string target_, name_;
  bool yes_ = false;
  EngineFlags engine_;
};

}  // namespace

const CommandDocument<ListedFamilies> kFamilyListDocument = {"varve.cf_list/1", FamilyListFields,
                                                             "families"};
const CommandDocument<FamiliesCreated> kFamilyCreateDocument = {"varve.cf_create/1",
                                                                FamilyCreateFields};
const CommandDocument<FamilyDropped> kFamilyDropDocument = {"varve.cf_drop/1", FamilyDropFields};

const Command kFamilyList = {"cf list", "the column families of a database",
                             "varve cf list ./db\nvarve cf list ./db --json",
                             "0 listed; lines are name, id, tables, bytes, comparator",
                             [] { return MakeInvocation<FamilyList>(); }};

const Command kFamilyCreate = {
    "cf create", "add column families",
    "varve cf create ./db users\nvarve cf create ./db logs metrics --option compression=zstd",
    "0 all created, 8 one of the names exists: none was created",
    [] { return MakeInvocation<FamilyCreate>(); }};

const Command kFamilyDrop = {"cf drop", "delete a column family and all its records",
                             "varve cf drop ./db users --yes",
                             "0 dropped, 8 not confirmed, or it is the default column family",
                             [] { return MakeInvocation<FamilyDrop>(); }};

}  // namespace varve::cli
