// SPDX-License-Identifier: Apache-2.0
// varve load.
#include <map>
#include <span>

#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/input/external_sort.h"
#include "cli/input/input_run.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/process/leftovers.h"
#include "cli/table_loader.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::cli {

struct LoadedFamily {
  std::string name;
  uint64_t records, table_bytes;
};
struct LoadDone {
  std::string_view target;
  uint64_t records, table_bytes;
  const InputRun& run;
  std::span<const LoadedFamily> families;

  const InputRun& inputs() const { return run; }
};

namespace {

const api::Fields<LoadedFamily>& LoadedFamilyFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<LoadedFamily>()
          .Name("cf", &LoadedFamily::name, "name of the column family")
          .Number("records", Unit::kCount, &LoadedFamily::records, "loaded into it")
          .Number("table_bytes", Unit::kBytes, &LoadedFamily::table_bytes, "of its new tables");
  return fields;
}

const api::Fields<LoadDone>& LoadFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<LoadDone>()
          .Text("target", &LoadDone::target, "the database")
          .Number("records", Unit::kCount, &LoadDone::records, "loaded")
          .Include(&LoadDone::inputs, InputCountFields())
          .Number("table_bytes", Unit::kBytes, &LoadDone::table_bytes, "of the new tables")
          .List("cfs", &LoadDone::families, LoadedFamilyFields(),
                "column families that got records")
          .Include(&LoadDone::inputs, InputListFields());
  return fields;
}

// Records to be loaded into one column family.
struct Lane {
  ColumnFamilyOptions options;
  std::unique_ptr<TableLoader> tables;
  std::unique_ptr<ExternalSort> sort;  // Null with --sorted.
};

// The database is not changed before all inputs were read: then missing families are created and
// the tables are ingested, one family after the other. A newly created database is removed again
// unless something was loaded.
class Load : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory; made if there is none");
    DeclareInput(parameters, &input_);
    parameters.Option("sorted", &sorted_, "the input is sorted by key: tables are built directly");
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    console_ = &console;
    ASSIGN_OR_RETURN(options_, MakeOptions(engine_));
    const LeftoverWatch watch;  // Before the database starts its threads.
    ASSIGN_OR_RETURN(const auto run, InputRun::Create(console, input_, "load"));
    const Status loaded = LoadAll(*run);
    const Status rejects = run->KeepRejects();
    lanes_.clear();
    work_ = TemporaryDirectory();
    if (db_ != nullptr) RETURN_IF_ERROR(db_->Close());
    made_.reset();  // Removes a new database if it is empty.
    RETURN_IF_ERROR(loaded);
    RETURN_IF_ERROR(rejects);
    Report(*run);
    return run->rejected() > 0 ? kPartial : kDone;
  }

 private:
  Status LoadAll(InputRun& run) {
    if (NativeEnvironment().file_system->Exists(target_ + "/CURRENT")) RETURN_IF_ERROR(Open());
    RETURN_IF_ERROR(run.Read(
        {.record = [this](const InputRecord& record,
                          std::string* rejected) { return Take(record, rejected); },
         .family = [this](const std::string& name,
                          const std::string& comparator) { return Name(name, comparator); }}));
    // Opened before loading, so that no rejected line is lost.
    RETURN_IF_ERROR(run.KeepRejects());
    // A dump of a database without records is loaded, too.
    if (run.families_named()) RETURN_IF_ERROR(Open());
    if (lanes_.empty() && !run.families_named()) return Status::Ok();
    RETURN_IF_ERROR(BuildTables());
    return Ingest();
  }

  Status Open() {
    if (db_ != nullptr) return Status::Ok();
    EngineFlags flags = engine_;
    const auto before = TemporaryPath::Before::Of(target_);
    const bool fresh = !NativeEnvironment().file_system->Exists(target_ + "/CURRENT");
    // If another process creates it first, it is not used.
    if (fresh) flags.options.push_back("error_if_exists=true");
    const auto order = named_.find("default");
    if (fresh && order != named_.end() && ComparatorByName(order->second) != nullptr) {
      flags.options.push_back("comparator=" + order->second);
    }
    ASSIGN_OR_RETURN(db_, OpenForWriting(*console_, target_, flags, /*create_if_missing=*/true));
    if (fresh) made_ = std::make_unique<TemporaryPath>(target_, before);
    // A directory that RocksDB ignores; a killed load leaves it behind.
    ASSIGN_OR_RETURN(work_, TemporaryDirectory::CreateAt(target_ + "/varve-load.tmp"));
    return Status::Ok();
  }

  // Declares that records of this family, if it does not exist, go into a new one with this
  // comparator.
  Status Name(const std::string& name, const std::string& comparator) {
    named_.insert_or_assign(name, comparator);
    return Status::Ok();
  }

  Status Take(const InputRecord& record, std::string* rejected) {
    ASSIGN_OR_RETURN(Lane* const lane, LaneOf(record.family));
    if (lane->sort != nullptr) return lane->sort->Add(record.key, record.value);
    Status added = lane->tables->Add(record.key, record.value);
    if (added.code() != Code::kInvalidArgument) return added;
    *rejected = "not after the key before it, though --sorted was given";
    return Status::Ok();
  }

  Result<Lane*> LaneOf(std::string_view name) {
    if (last_lane_ != nullptr && name == last_family_) return last_lane_;
    RETURN_IF_ERROR(Open());
    const std::string family(name);
    const auto [found, fresh] = lanes_.try_emplace(family);
    Lane& lane = found->second;
    if (fresh) {
      ASSIGN_OR_RETURN(lane.options, OptionsOf(family));
      const std::string place = work_.path() + "/" + std::to_string(lanes_.size());
      lane.tables = std::make_unique<TableLoader>(lane.options, options_.env, place + "-");
      if (!sorted_) {
        RETURN_IF_ERROR(options_.env.file_system->CreateDirectory(place));
        lane.sort = std::make_unique<ExternalSort>(
            *options_.env.file_system, place, *lane.options.comparator, engine_.memory_bytes() / 2);
      }
    }
    last_family_ = family;
    return last_lane_ = &lane;
  }

  Result<ColumnFamilyOptions> OptionsOf(const std::string& family) const {
    if (const auto id = db_->FindFamily(family)) {
      ASSIGN_OR_RETURN(ColumnFamilyOptions kept, db_->OptionsOf(*id));
      if (kept.comparator != nullptr) return kept;
    }
    ColumnFamilyOptions options = options_.family;
    const auto named = named_.find(family);
    if (named != named_.end()) options.comparator = ComparatorByName(named->second);
    if (named == named_.end() && options.comparator == nullptr) {
      options.comparator = BytewiseComparator();
    }
    if (options.comparator != nullptr) return options;
    return Status::NotSupported("the comparator '" + EscapeForDisplay(named->second) +
                                "' of column family '" + EscapeForDisplay(family) + "'");
  }

  Status BuildTables() {
    uint64_t added = 0;
    for (const auto& [name, lane] : lanes_) added += lane.sort != nullptr ? lane.sort->added() : 0;
    Progress progress(*console_, "load: building tables", "records", added);
    uint64_t done = 0;
    for (auto& [name, lane] : lanes_) {
      if (lane.sort != nullptr) {
        RETURN_IF_ERROR(
            lane.sort->Drain([&](std::string_view key, std::string_view value) -> Status {
              progress.Update(++done);
              return lane.tables->Add(key, value);
            }));
      }
      RETURN_IF_ERROR(lane.tables->Finish());
    }
    return Status::Ok();
  }

  Status Ingest() {
    if (made_ != nullptr) made_->Keep();
    ASSIGN_OR_RETURN(const auto ids, MakeFamilies());
    for (auto& [name, lane] : lanes_) {
      if (lane.tables->paths().empty()) continue;
      RETURN_IF_ERROR(db_->Ingest({.move_files = true}, lane.tables->paths(), ids.at(name)));
      records_ += lane.tables->records();
      bytes_ += lane.tables->bytes();
      families_.push_back({name, lane.tables->records(), lane.tables->bytes()});
    }
    return Status::Ok();
  }

  // Creates all missing families that records and dumps name.
  Result<std::map<std::string, ColumnFamilyId>> MakeFamilies() {
    std::map<std::string, ColumnFamilyId> ids;
    for (const FamilyInfo& family : db_->Families()) ids.emplace(family.name, family.id);
    std::vector<NewFamily> missing;
    const auto need = [&](const std::string& name) -> Status {
      if (!ids.try_emplace(name).second) return Status::Ok();
      ASSIGN_OR_RETURN(ColumnFamilyOptions options, OptionsOf(name));
      missing.push_back({name, std::move(options)});
      return Status::Ok();
    };
    for (const auto& [name, comparator] : named_) RETURN_IF_ERROR(need(name));
    for (const auto& [name, lane] : lanes_) {
      if (!lane.tables->paths().empty()) RETURN_IF_ERROR(need(name));
    }
    ASSIGN_OR_RETURN(const std::vector<ColumnFamilyId> made, db_->CreateColumnFamilies(missing));
    for (size_t i = 0; i < made.size(); ++i) ids[missing[i].name] = made[i];
    return ids;
  }

  void Report(const InputRun& run) {
    const double seconds = std::max(run.seconds(), 1e-3);
    const std::string lines =
        Counted(run.lines(), "line") + ", " + HumanCount(run.rejected()) + " rejected";
    if (records_ == 0 && !run.families_named()) {
      console_->Note("nothing was loaded (" + lines + "); nothing was changed");
    } else {
      console_->Note("loaded " + Counted(records_, "record") + " (" + lines + ") into " +
                     HumanBytes(bytes_) + " of tables; " +
                     HumanCount(static_cast<uint64_t>(static_cast<double>(run.lines()) / seconds)) +
                     " records/s");
    }
    if (!WantsDocument(*console_)) return;
    PrintReport(*console_, kLoadDocument, {target_, records_, bytes_, run, families_});
  }

  std::string target_;
  InputFlags input_;
  bool sorted_ = false;
  EngineFlags engine_;
  Options options_;
  Console* console_ = nullptr;
  std::unique_ptr<DB> db_;
  std::unique_ptr<TemporaryPath> made_;  // The database, if there was none.
  TemporaryDirectory work_;
  std::map<std::string, Lane> lanes_;
  std::map<std::string, std::string> named_;  // Families of dumps, and their orders.
  std::string last_family_;
  Lane* last_lane_ = nullptr;
  uint64_t records_ = 0, bytes_ = 0;
  std::vector<LoadedFamily> families_;
};

}  // namespace

const CommandDocument<LoadDone> kLoadDocument = {"varve.load/1", LoadFields};

const Command kLoad = {
    "load", "add records from files or standard input, all at once",
    "varve load ./db records.tsv                # key<TAB>value lines, escaped; CR LF ends a "
    "line,\n"
    "                                           # a value that ends in CR is written \\x0d\n"
    "varve load ./db data.csv.gz --key-column id --value-column name\n"
    "varve dump ./a | varve load ./b -\n"
    "varve load ./db records.arrows             # Arrow's columns key and value, without nulls\n"
    "varve load ./db rows.arrows --key-schema id:u64be,name:str # keys of columns: help scan\n"
    "varve load ./db new.jsonl --strict         # nothing, if one line is wrong\n"
    "varve load ./db --sorted sorted.tsv --option compression=zstd",
    "0 all loaded, 2 too many lines were rejected: nothing was changed, 7 some lines were rejected "
    "(named on standard error)",
    [] { return MakeInvocation<Load>(); }};

}  // namespace varve::cli
