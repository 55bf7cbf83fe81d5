// SPDX-License-Identifier: Apache-2.0
// varve sst info, varve sst entries, varve sst build.
#include <algorithm>

#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/help/help.h"
#include "cli/input/external_sort.h"
#include "cli/input/input_run.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/record_writer.h"
#include "cli/process/leftovers.h"
#include "cli/table_series.h"
#include "core/base/text/abbreviate.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/target.h"

namespace varve::cli {

struct TableBuilt {
  std::string_view file;
  const TableSeries& series;
  const InputRun& run;

  uint64_t records() const { return series.records(); }
  uint64_t table_bytes() const { return series.bytes(); }
  const std::vector<TableMade>& tables() const { return series.tables(); }
  const InputRun& inputs() const { return run; }
};

namespace {

const api::Fields<TableMade>& TableMadeFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<TableMade>()
          .Text("file", &TableMade::file, "the table")
          .Number("records", Unit::kCount, &TableMade::records, "in it")
          .Number("table_bytes", Unit::kBytes, &TableMade::table_bytes, "of the file");
  return fields;
}

const api::Fields<TableBuilt>& SstBuildFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<TableBuilt>()
          .Text("file", &TableBuilt::file,
                "as given: the table; with --split, what the names of the tables are made of")
          .Number("records", Unit::kCount, &TableBuilt::records, "in all tables")
          .Include(&TableBuilt::inputs, InputCountFields())
          .Number("table_bytes", Unit::kBytes, &TableBuilt::table_bytes, "of all tables")
          .List("tables", &TableBuilt::tables, TableMadeFields(),
                "what was made, in the order of the keys: nothing if there are no records")
          .Include(&TableBuilt::inputs, InputListFields());
  return fields;
}

void Row(Sink& out, std::string name, const std::string& text) {
  if (name.size() < 20) name.append(20 - name.size(), ' ');
  out.Write(name + text + "\n");
}

std::string Bound(const std::optional<BoundReport>& bound) {
  if (!bound) return "none";
  return AbbreviateForDisplay(bound->key) + " @" + std::to_string(bound->sequence) + " " +
         bound->type;
}

// Of what the properties say, if there are any.
std::string IfKnown(const TableReport& report, const std::string& text) {
  return report.has_properties ? text : "unknown";
}

// "dense, 1.2 KiB", "none: keys of 8 and of 9 bytes"; empty: none was asked for.
std::string PointIndexText(const TableReport& report) {
  std::string text = report.point_index;
  if (report.point_index_bytes > 0) text += ", " + HumanBytes(report.point_index_bytes);
  if (!report.point_index_why.empty())
    return text + ": " + EscapeForDisplay(report.point_index_why);
  return report.point_index == "none" ? "" : text;
}

void PrintTable(Sink& out, const TableReport& report, bool all_properties) {
  Row(out, "table", report.path);
  Row(out, "size", HumanBytes(report.size) + " (" + std::to_string(report.size) + " bytes)");
  Row(out, "format",
      (report.leveldb ? std::string("LevelDB")
                      : "block-based, format_version " + std::to_string(report.format_version)) +
          ", checksum " + report.checksum);
  Row(out, "comparator", EscapeForDisplay(report.comparator));
  Row(out, "compression", IfKnown(report, report.codec));
  Row(out, "entries",
      IfKnown(report, HumanCount(report.entries) + " (" + Counted(report.deletions, "deletion") +
                          ", " + Counted(report.merges, "merge") + ", " +
                          Counted(report.range_deletions, "range deletion") + ")"));
  Row(out, "smallest", Bound(report.smallest));
  Row(out, "largest", Bound(report.largest));
  Row(out, "data",
      IfKnown(report, Counted(report.data_blocks, "block") + ", " + HumanBytes(report.data_bytes) +
                          " stored; raw keys " + HumanBytes(report.raw_key_bytes) +
                          ", raw values " + HumanBytes(report.raw_value_bytes)));
  Row(out, "index",
      report.index_kind + ", " + HumanBytes(report.index_bytes) +
          (report.index_partitions > 0 ? ", " + Counted(report.index_partitions, "partition")
                                       : "") +
          (report.index_keys_are_user_keys ? ", user keys" : ", internal keys") +
          (report.index_values_are_deltas ? ", delta-encoded" : ""));
  Row(out, "filter",
      report.filter_kind + (report.filter_partitioned ? ", partitioned" : "") +
          (report.filter_kind == "none" ? "" : ", " + HumanBytes(report.filter_bytes)));
  if (const std::string point = PointIndexText(report); !point.empty()) {
    Row(out, "point index", point);
  }
  if (report.global_seqno) Row(out, "global seqno", std::to_string(*report.global_seqno));
  if (!report.unique_id.empty()) Row(out, "unique id", report.unique_id);
  for (const auto& [name, handle] : report.metaindex_entries) {
    Row(out, "metaindex",
        name + " @" + std::to_string(handle.offset) + " +" + std::to_string(handle.size));
  }
  if (all_properties) {
    for (const TableReport::Property& property : report.properties) {
      Row(out, "property", property.name + " = " + property.text);
    }
  }
  for (const std::string& warning : report.warnings) Row(out, "WARNING", warning);
}

class SstInfo : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("properties", &properties_, "every property as well");
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(*NativeEnvironment().file_system, path_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {path_, kind},
                           properties_ ? "/files/{file}/properties" : "/files/{file}");
    }
    ASSIGN_OR_RETURN(const TableReport report,
                     ReportTable(*NativeEnvironment().file_system, path_));
    PrintTable(console.out(), report, properties_);
    return report.damaged ? kCorrupt : kDone;
  }

 private:
  std::string path_;
  bool properties_ = false;
};

class SstEntries : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("from", &flags_.from, "first key");
    parameters.Option("to", &flags_.to, "exclusive end of the range");
    parameters.Option("limit", &flags_.limit, "at most this many");
    parameters.Option("keys-only", &flags_.keys_only, "no values");
    DeclareKeyEncoding(parameters, &flags_.key_encoding);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const ScanRange range, ParseRange(flags_));
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(*NativeEnvironment().file_system, path_));
    if (IsJson(console.format(Format::kText))) {
      return PrintResource(console, {path_, kind},
                           "/files/{file}/entries" + ApiQuery()
                                                         .Key("from", range.from)
                                                         .Key("to", range.to)
                                                         .Number("limit", flags_.limit)
                                                         .Flag("keys_only", flags_.keys_only)
                                                         .str());
    }
    ASSIGN_OR_RETURN(EntryStream stream,
                     EntryStream::OpenTable(*NativeEnvironment().file_system, path_,
                                            {.from = range.from, .to = range.to}));
    RecordWriter out(console, console.format(Format::kText), "varve.entries/1",
                     {.keys_only = flags_.keys_only, .entries = true});
    StoredEntry entry;
    bool complete = true;
    while (stream.Next(&entry)) {
      if (out.count() == range.limit) {
        complete = false;
        break;
      }
      out.WriteEntry(entry);
    }
    RETURN_IF_ERROR(stream.status());
    out.Finish(complete);
    return kDone;
  }

 private:
  std::string path_;
  RangeFlags flags_;
};

// Is it what a killed build left, which may be removed? Anything else of that name is the user's.
bool IsUnfinishedBuild(FileSystem& fs, const std::string& path) {
  const auto entries = fs.List(path);
  return entries.ok() &&
         std::all_of(entries->begin(), entries->end(), [](const DirectoryEntry& entry) {
           return !entry.is_directory &&
                  (entry.name.starts_with("table-") || entry.name.starts_with("run-"));
         });
}

class SstBuild : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "the table to make; must not exist");
    DeclareInput(parameters, &input_);
    parameters.Option("sorted", &sorted_, "the input is sorted by key");
    parameters.Size("split", &split_,
                    "make tables of at most so many bytes, named <file>-00001 and so on");
    DeclareEngine(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(Options options, MakeOptions(engine_));
    FileSystem& fs = *options.env.file_system;
    RETURN_IF_ERROR(CheckNotInLevelDb(fs, path_));
    constexpr uint64_t kSplitMin = 64 << 10;
    if (split_ && *split_ < kSplitMin) {
      return Status::InvalidArgument("--split: a table needs some KiB itself; give at least 64K");
    }
    const std::string first = TableSeries::NameOf(path_, split_.has_value(), 0);
    if (fs.Exists(first)) {
      return Refuse(console, "varve sst build", "already_exists", first + " exists");
    }
    if (IsNameOfDatabaseFile(path_)) {
      return Refuse(
          console, "varve sst build", "read_only",
          path_ + " is a name that the database in that directory uses for its own files");
    }
    if (options.family.comparator == nullptr) options.family.comparator = BytewiseComparator();
    // The table is made in it, too, and gets its name when it is whole.
    const std::string place = path_ + ".tmp";
    if (fs.Exists(place) && !IsUnfinishedBuild(fs, place)) {
      return Refuse(console, "varve sst build", "already_exists",
                    place + " exists, and the table would be built there");
    }
    ASSIGN_OR_RETURN(const TemporaryDirectory work, TemporaryDirectory::CreateAt(place));
    ASSIGN_OR_RETURN(const auto run, InputRun::Create(console, input_, "build"));
    TableSeries series(options, work.path(), path_, split_);
    const Status read = sorted_ ? ReadSorted(*run, series)
                                : Sort(*run, fs, work.path(), *options.family.comparator, series);
    RETURN_IF_ERROR(run->KeepRejects());
    RETURN_IF_ERROR(read);
    RETURN_IF_ERROR(series.Finish());
    console.Note(Summary(series));
    if (WantsDocument(console)) {
      PrintReport(console, kSstBuildDocument, {.file = path_, .series = series, .run = *run});
    }
    return run->rejected() > 0 ? kPartial : kDone;
  }

 private:
  std::string Summary(const TableSeries& series) const {
    const std::vector<TableMade>& tables = series.tables();
    if (tables.empty()) return "the input has no records: " + path_ + " was not made";
    const std::string what = CountedEntries(series.records()) + ", " + HumanBytes(series.bytes());
    if (tables.size() == 1) return "built " + tables.front().file + ": " + what;
    return "built " + Counted(tables.size(), "table") + ", " + tables.front().file + " to " +
           tables.back().file + ": " + what;
  }

  static Status NoFamily(const std::string&, const std::string&) { return Status::Ok(); }

  static Status ReadSorted(InputRun& run, TableSeries& series) {
    const auto put = [&](const InputRecord& record, std::string* rejected) -> Status {
      Status added = series.Put(record.key, record.value);
      if (added.code() != Code::kInvalidArgument) return added;
      *rejected = "not after the key before it, though --sorted was given";
      return Status::Ok();
    };
    return run.Read({.record = put, .family = NoFamily});
  }

  Status Sort(InputRun& run, FileSystem& fs, const std::string& runs, const Comparator& order,
              TableSeries& series) const {
    ExternalSort sort(fs, runs, order, engine_.memory_bytes() / 2);
    const auto add = [&](const InputRecord& record, std::string*) -> Status {
      return sort.Add(record.key, record.value);
    };
    RETURN_IF_ERROR(run.Read({.record = add, .family = NoFamily}));
    return sort.Drain([&](std::string_view key, std::string_view value) -> Status {
      return series.Put(key, value);
    });
  }

  std::string path_;
  InputFlags input_;
  bool sorted_ = false;
  std::optional<uint64_t> split_;
  EngineFlags engine_;
};

}  // namespace

const CommandDocument<TableBuilt> kSstBuildDocument = {"varve.sst_build/1", SstBuildFields};

const Command kSstInfo = {"sst info", "format, counts and properties of a table",
                          "varve sst info 000012.sst\nvarve sst info 000012.sst --json",
                          "0 shown, 4 damaged", [] { return MakeInvocation<SstInfo>(); }};

const Command kSstEntries = {
    "sst entries", "print the entries of a table as stored, range deletions last",
    "varve sst entries 000012.sst --limit 10\nvarve sst entries 000012.sst -F jsonl", "0 printed",
    [] { return MakeInvocation<SstEntries>(); }};

const Command kSstBuild = {
    "sst build", "make a table file that RocksDB or varve can ingest",
    "varve sst build out.sst records.tsv --option format_version=5 --option compression=zstd\n"
    "varve sst build part.sst records.tsv --sorted --split 256M",
    "0 built, 7 some lines were rejected, 8 the file exists",
    [] { return MakeInvocation<SstBuild>(); }};

}  // namespace varve::cli
