// SPDX-License-Identifier: Apache-2.0
// varve load.
#include <map>

#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/external_sort.h"
#include "cli/input_flags.h"
#include "cli/progress.h"
#include "cli/table_loader.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/table_report.h"
#include "core/inspect/target.h"

namespace varve::cli {
namespace {

// Records of one column family on their way into it.
struct Lane {
  std::unique_ptr<TableLoader> tables;
  std::unique_ptr<ExternalSort> sort;  // Null with --sorted.
  const Comparator* order = nullptr;
};

class Load : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory; made if there is none");
    DeclareInput(parameters, &input_);
    parameters.Option("sorted", &sorted_, "the input is sorted by key: tables are built directly");
    DeclareEngine(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    FileSystem& fs = *NativeEnvironment().file_system;
    ASSIGN_OR_RETURN(options_, MakeOptions(engine_));
    ASSIGN_OR_RETURN(db_, OpenForWriting(console, target_, engine_, /*create_if_missing=*/true));
    // A directory that RocksDB leaves alone; a killed load leaves it behind, the next one clears
    // it.
    work_ = target_ + "/varve-load.tmp";
    RETURN_IF_ERROR(ClearWork(fs));
    RETURN_IF_ERROR(fs.CreateDirectory(work_));
    Rejections rejections(console);
    const Status loaded = LoadAll(console, fs, &rejections);
    lanes_.clear();
    ClearWork(fs).Ignore("temporary files; the next load clears them");
    RETURN_IF_ERROR(loaded);
    RETURN_IF_ERROR(db_->Close());
    return rejections.count() > 0 ? kPartial : kDone;
  }

 private:
  Status LoadAll(Console& console, FileSystem& fs, Rejections* rejections) {
    Progress progress(console, "load", "records", 0);
    for (const std::string& input : input_.inputs) {
      RETURN_IF_ERROR(LoadInput(fs, input, rejections, progress));
    }
    uint64_t records = 0, bytes = 0;
    for (auto& [name, lane] : lanes_) {
      if (lane.sort != nullptr) {
        RETURN_IF_ERROR(
            lane.sort->Drain([&](std::string_view key, std::string_view value) -> Status {
              progress.Update(lane.tables->records());
              return lane.tables->Add(key, value);
            }));
      }
      RETURN_IF_ERROR(lane.tables->Finish());
      records += lane.tables->records();
      bytes += lane.tables->bytes();
    }
    const double seconds = std::max(progress.seconds(), 1e-3);
    console.Note(
        "loaded " + HumanCount(records) + " records (" + HumanCount(seen_) + " lines, " +
        HumanCount(rejections->count()) + " rejected) into " + HumanBytes(bytes) + " of tables; " +
        HumanCount(static_cast<uint64_t>(static_cast<double>(seen_) / seconds)) + " records/s");
    return Status::Ok();
  }

  Status LoadInput(FileSystem& fs, const std::string& input, Rejections* rejections,
                   Progress& progress) {
    if (input != "-") {
      ASSIGN_OR_RETURN(const TargetKind kind, IdentifyTarget(fs, input));
      if (kind == TargetKind::kTable) return LoadTable(fs, input, rejections, progress);
    }
    ASSIGN_OR_RETURN(const auto reader, RecordReader::Open(input, MakeInputOptions(input_)));
    InputRecord record;
    for (;;) {
      const RecordReader::Event event = reader->Next(&record);
      if (event == RecordReader::Event::kEnd) return Status::Ok();
      if (event == RecordReader::Event::kFailed) return reader->status();
      progress.Update(++seen_);
      if (event == RecordReader::Event::kRejected) {
        rejections->Add(input, reader->line(), reader->reason());
        continue;
      }
      RETURN_IF_ERROR(
          Take(input, reader->line(), record.family, record.key, record.value, rejections));
    }
  }

  // The visible records of a table made by whatever engine.
  Status LoadTable(FileSystem& fs, const std::string& input, Rejections* rejections,
                   Progress& progress) {
    ASSIGN_OR_RETURN(EntryStream stream, EntryStream::OpenTable(fs, input, {}));
    StoredEntry entry;
    std::string last_key;
    bool any = false;
    uint64_t number = 0;
    while (stream.Next(&entry)) {
      ++number;
      if (any && entry.key == last_key) continue;  // An older version.
      any = true;
      last_key = entry.key;
      if (entry.type == "put") {
        progress.Update(++seen_);
        RETURN_IF_ERROR(Take(input, number, input_.family, entry.key, entry.value, rejections));
      } else if (entry.type != "delete" && entry.type != "single_delete") {
        rejections->Add(input, number,
                        "a " + std::string(entry.type) + " entry cannot be loaded as a record");
      }
    }
    return stream.status();
  }

  Status Take(const std::string& input, uint64_t line, std::string_view family,
              std::string_view key, std::string_view value, Rejections* rejections) {
    ASSIGN_OR_RETURN(Lane* const lane, LaneOf(family));
    if (lane->sort != nullptr) return lane->sort->Add(key, value);
    const Status added = lane->tables->Add(key, value);
    if (added.code() != Code::kInvalidArgument) return added;
    rejections->Add(input, line, "not after the key before it, though --sorted was given");
    return Status::Ok();
  }

  Result<Lane*> LaneOf(std::string_view name) {
    if (last_lane_ != nullptr && name == last_family_) return last_lane_;
    const std::string family(name);
    const auto [found, fresh] = lanes_.try_emplace(family);
    Lane& lane = found->second;
    if (fresh) {
      ColumnFamilyId id = 0;
      if (const auto existing = db_->FindFamily(family)) {
        id = *existing;
      } else {
        ASSIGN_OR_RETURN(id, db_->CreateColumnFamily(family, options_.family));
      }
      ColumnFamilyOptions family_options = options_.family;
      for (const FamilyInfo& info : db_->Families()) {
        if (info.id == id) family_options.comparator = ComparatorByName(info.comparator);
      }
      if (family_options.comparator == nullptr) {
        return Status::NotSupported("the comparator of column family '" + EscapeForDisplay(family) +
                                    "'");
      }
      lane.order = family_options.comparator;
      lane.tables = std::make_unique<TableLoader>(*db_, id, family_options, options_.env, work_);
      if (!sorted_) {
        const std::string runs = work_ + "/" + std::to_string(id);
        RETURN_IF_ERROR(options_.env.file_system->CreateDirectory(runs));
        lane.sort = std::make_unique<ExternalSort>(*options_.env.file_system, runs, *lane.order,
                                                   engine_.memory / 2);
      }
    }
    last_family_ = family;
    return last_lane_ = &lane;
  }

  Status ClearWork(FileSystem& fs) {
    if (!fs.Exists(work_)) return Status::Ok();
    ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(work_));
    for (const DirectoryEntry& entry : entries) {
      const std::string path = work_ + "/" + entry.name;
      if (!entry.is_directory) {
        RETURN_IF_ERROR(fs.Remove(path));
        continue;
      }
      ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> runs, fs.List(path));
      for (const DirectoryEntry& run : runs) RETURN_IF_ERROR(fs.Remove(path + "/" + run.name));
      RETURN_IF_ERROR(fs.RemoveDirectory(path));
    }
    return fs.RemoveDirectory(work_);
  }

  std::string target_;
  InputFlags input_;
  bool sorted_ = false;
  EngineFlags engine_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::string work_;
  std::map<std::string, Lane> lanes_;
  std::string last_family_;
  Lane* last_lane_ = nullptr;
  uint64_t seen_ = 0;
};

}  // namespace

const Command kLoad = {
    "load", "add records from files or standard input, all at once",
    "varve load ./db records.tsv                  key<TAB>value lines, escaped\n"
    "varve load ./db data.csv.gz --input-format csv --key-column id --value-column name\n"
    "varve dump ./a | varve load ./b -\n"
    "varve load ./db --sorted sorted.tsv --option compression=zstd",
    "0 all loaded, 7 some lines were rejected (named on standard error)",
    [] { return MakeInvocation<Load>(); }};

}  // namespace varve::cli
