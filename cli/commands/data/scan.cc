// SPDX-License-Identifier: Apache-2.0
// varve scan, varve count.
#include <map>
#include <type_traits>

#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/input/dump_format.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/output/record_writer.h"
#include "cli/unordered_records.h"
#include "core/arrow/ipc_writer.h"
#include "core/arrow/record_columns.h"
#include "core/base/hash/content_digest.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/try.h"
#include "core/inspect/stored_order.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/target.h"
#include "webview/api/json/json.h"
#include "webview/api/json/recovery_json.h"

namespace varve::cli {

struct CountedRecords {
  uint64_t records, key_bytes, value_bytes;
  bool partial;

  std::optional<bool> complete() const { return partial ? std::optional(false) : std::nullopt; }
};

namespace {

const api::Fields<CountedRecords>& CountFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<CountedRecords>()
          .Number("count", Unit::kCount, &CountedRecords::records, "records")
          .Number("key_bytes", Unit::kBytes, &CountedRecords::key_bytes, "of their keys")
          .Number("value_bytes", Unit::kBytes, &CountedRecords::value_bytes, "of their values")
          .Flag("complete", &CountedRecords::complete,
                "false: without what damage in a log hides; else absent");
  return fields;
}

struct ScanFlags {
  std::string target;
  RangeFlags range;
  std::optional<std::string> chosen_family;
  EngineFlags engine;

  void Declare(Parameters& parameters) {
    parameters.Positional("target", &target, "database directory, or a table file");
    DeclareRange(parameters, &range, &chosen_family);
    DeclareEngine(parameters, &engine);
  }
  // Combinations that have no effect are refused.
  Status Check(bool is_table) {
    RETURN_IF_ERROR(CheckFamilyFlags(chosen_family, range.all_families));
    if (is_table && (chosen_family || range.all_families)) {
      return Status::InvalidArgument(
          target +
          " is a table, which belongs to one column family: --cf and --all-cfs need a database");
    }
    if (range.versions && range.all_families) {
      return Status::InvalidArgument("--versions shows one column family (--cf), not --all-cfs");
    }
    if (chosen_family) range.family = *chosen_family;
    return Status::Ok();
  }
};

// Calls use(family, key, value) for every visible record until the limit is reached, or until it
// returns false, if it returns anything; true if the end was reached. `any_order`: families with an
// unknown comparator may be listed in byte order.
template <typename Use>
Result<bool> WalkDatabase(Console& console, const ScanFlags& flags, const ScanRange& range,
                          bool any_order, Use use) {
  ASSIGN_OR_RETURN(const auto db, OpenForReading(console, flags.target, flags.engine));
  ASSIGN_OR_RETURN(const Snapshot snapshot, SnapshotFor(*db, flags.range.at_sequence));
  std::vector<FamilyInfo> families = db->Families();
  if (!flags.range.all_families) {
    ASSIGN_OR_RETURN(const ColumnFamilyId wanted, FamilyNamed(*db, flags.range.family));
    std::erase_if(families, [&](const FamilyInfo& family) { return family.id != wanted; });
  }
  uint64_t left = range.limit;
  for (const FamilyInfo& family : families) {
    if (!any_order && ComparatorByName(family.comparator) == nullptr) {
      return UnknownOrder("column family " + EscapeForDisplay(family.name), family.comparator);
    }
    bool all = true;
    RETURN_IF_ERROR(WalkFamily(*db, flags.target, snapshot, family, range, flags.range.reverse,
                               flags.engine.memory_bytes() / 2,
                               [&](std::string_view key, std::string_view value) {
                                 all = left != 0;
                                 if (!all) return false;
                                 --left;
                                 if constexpr (std::is_void_v<decltype(use("", key, value))>) {
                                   use(family.name, key, value);
                                   return true;
                                 } else {
                                   all = use(family.name, key, value);
                                   return all;
                                 }
                               }));
    if (!all) return false;
  }
  return true;
}

// The same for stored entries: use(entry) for all of them in range.
template <typename Use>
Result<bool> WalkEntries(const ScanFlags& flags, const ScanRange& range, Use use) {
  if (flags.range.reverse || flags.range.at_sequence) {
    return Status::InvalidArgument(
        "--versions and table files are only read forward and completely: without --reverse and "
        "--at-seq");
  }
  FileSystem& fs = *NativeEnvironment().file_system;
  const EntryRange entries{.from = range.from, .to = range.to, .prefix = range.prefix};
  ASSIGN_OR_RETURN(const TargetKind kind, IdentifyTarget(fs, flags.target));
  ASSIGN_OR_RETURN(EntryStream stream,
                   kind == TargetKind::kTable
                       ? EntryStream::OpenTable(fs, flags.target, entries)
                       : EntryStream::OpenDatabase(fs, flags.target, flags.range.family, entries));
  uint64_t left = range.limit;
  StoredEntry entry;
  while (stream.Next(&entry)) {
    if (left == 0) return false;
    --left;
    use(entry);
  }
  RETURN_IF_ERROR(stream.status());
  return true;
}

// The approximate number of entries of a full walk; 0 if only a part is requested, whose share is
// unknown.
uint64_t EntriesToWalk(const ScanFlags& flags) {
  const RangeFlags& range = flags.range;
  if (range.from || range.to || range.prefix) return 0;
  const uint64_t entries = EntriesIn(flags.target, range.all_families ? "" : range.family);
  return std::min(entries, range.limit.value_or(entries));
}

// Everything stored, in physical order.
template <typename Use>
Result<bool> WalkStored(const ScanFlags& flags, const ScanRange& range, Use use) {
  if (range.from || range.to || flags.range.reverse || flags.range.at_sequence ||
      flags.range.all_families) {
    return Status::InvalidArgument(
        "--stored-order can only be combined with --cf, --prefix and --limit: it has "
        "no bounds and reads forward");
  }
  ASSIGN_OR_RETURN(StoredOrder stored, StoredOrder::Open(*NativeEnvironment().file_system,
                                                         flags.target, flags.range.family));
  uint64_t left = range.limit;
  StoredEntry entry;
  while (stored.Next(&entry)) {
    if (range.prefix && !entry.key.starts_with(*range.prefix)) continue;
    if (left == 0) return false;
    --left;
    use(entry);
  }
  RETURN_IF_ERROR(stored.status());
  return true;
}

Result<bool> IsTable(const std::string& target) {
  ASSIGN_OR_RETURN(const TargetKind kind, IdentifyTarget(*NativeEnvironment().file_system, target));
  return kind == TargetKind::kTable;
}

arrow::BodyCodec BodyCodecByName(std::string_view name) {
  if (name == "zstd") return arrow::BodyCodec::kZstd;
  return name == "lz4" ? arrow::BodyCodec::kLz4Frame : arrow::BodyCodec::kNone;
}

class Scan : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    flags_.Declare(parameters);
    parameters.Option("reverse", &flags_.range.reverse, "from the last to the first");
    parameters.Option("keys-only", &flags_.range.keys_only, "no values");
    parameters.Option(
        "stored-order", &stored_order_,
        "every stored version in physical order, log by log and table by table; works for "
        "unknown comparators");
    parameters.Option("key-schema", &key_schema_,
                      "-F arrow: what keys consist of; each part is a column: 'id:u64be,name:str'");
    parameters.Option("value-schema", &value_schema_, "-F arrow: the same for values");
    parameters.Option("compression", &compression_,
                      "-F arrow: how batches are compressed (default: none)",
                      {"none", "zstd", "lz4"});
    parameters.Option(
        "mismatch", &mismatch_,
        "what is done with a key or value that does not fit its schema (default: stop)",
        {"stop", "null"});
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const ScanRange range, ParseRange(flags_.range));
    ASSIGN_OR_RETURN(const bool is_table, IsTable(flags_.target));
    RETURN_IF_ERROR(flags_.Check(is_table));
    RETURN_IF_ERROR(CheckArrowFlags(console));
    stored_order_ = stored_order_ && !is_table;  // A table is always walked this way.
    if (IsJson(console.format(Format::kText)) && !flags_.range.all_families && !stored_order_) {
      return PrintJson(console, range, is_table);
    }
    if (console.format(Format::kText) == Format::kDump) return PrintDump(console, range, is_table);
    if (console.format(Format::kText) == Format::kArrow) {
      return PrintArrow(console, range, is_table);
    }
    RecordWriter out(console, console.format(Format::kText), "varve.scan/1",
                     {.keys_only = flags_.range.keys_only,
                      .with_family = flags_.range.all_families,
                      .with_moment = true,
                      .entries = stored_order_ || is_table || flags_.range.versions});
    bool complete = false;
    if (flags_.range.versions || stored_order_) NoteRecovery(console, flags_.target);
    if (stored_order_) {
      ASSIGN_OR_RETURN(complete, WalkStored(flags_, range, [&](const StoredEntry& entry) {
                         out.WriteEntry(entry);
                       }));
    } else if (is_table || flags_.range.versions) {
      ASSIGN_OR_RETURN(complete, WalkEntries(flags_, range, [&](const StoredEntry& entry) {
                         out.WriteEntry(entry);
                       }));
    } else {
      ASSIGN_OR_RETURN(
          complete, WalkDatabase(console, flags_, range, /*any_order=*/false,
                                 [&](std::string_view family, std::string_view key,
                                     std::string_view value) { out.Write(family, key, value); }));
    }
    out.Finish(complete);
    return kDone;
  }

 private:
  // Prints these records in the format of `varve dump`, for `varve load`.
  Result<ExitCode> PrintDump(Console& console, const ScanRange& range, bool is_table) {
    const RangeFlags& flags = flags_.range;
    if (is_table || flags.versions || flags.keys_only || flags.reverse) {
      return Status::InvalidArgument(
          "-F dump prints the records of a database, with their values and in key order");
    }
    console.out().WriteData(std::string(kDumpMagic) + "\n");
    ContentDigest digest;
    std::optional<std::string> family_so_far;
    ASSIGN_OR_RETURN(const auto comparators, ComparatorsOf(console));
    ASSIGN_OR_RETURN(
        [[maybe_unused]] const bool complete,
        WalkDatabase(console, flags_, range, /*any_order=*/true,
                     [&](std::string_view family, std::string_view key, std::string_view value) {
                       if (family_so_far != family) {
                         family_so_far = std::string(family);
                         console.out().WriteData(
                             DumpFamily(family, comparators.find(*family_so_far)->second));
                       }
                       WriteDumpRecord(console.out(), key, value);
                       digest.Add(family, key, value);
                     }));
    console.out().WriteData(DumpTrailer(digest));
    return kDone;
  }

  Status CheckArrowFlags(Console& console) const {
    if (compression_ && console.format(Format::kText) != Format::kArrow) {
      return Status::InvalidArgument("--compression is for -F arrow");
    }
    if (!key_schema_ && !value_schema_) {
      return mismatch_ ? Status::InvalidArgument("--mismatch needs --key-schema or --value-schema")
                       : Status::Ok();
    }
    if (console.format(Format::kText) != Format::kArrow) {
      return Status::InvalidArgument("--key-schema and --value-schema are for -F arrow");
    }
    if (value_schema_ && flags_.range.keys_only) {
      return Status::InvalidArgument("--value-schema does nothing with --keys-only");
    }
    return Status::Ok();
  }

  // Prints these records as a stream of Arrow. Unless all could be read, it has no end: no program
  // takes it for complete.
  Result<ExitCode> PrintArrow(Console& console, const ScanRange& range, bool is_table) {
    const RangeFlags& flags = flags_.range;
    if (is_table || flags.versions || stored_order_ || flags.all_families) {
      return Status::InvalidArgument(
          "-F arrow prints the records of one column family of a database");
    }
    if (console.out_is_terminal()) {
      return Status::InvalidArgument("-F arrow is not for a terminal: use -o FILE or a pipe");
    }
    ASSIGN_OR_RETURN(arrow::RecordShape shape,
                     arrow::MakeRecordShape(key_schema_.value_or(""), value_schema_.value_or("")));
    shape.has_values = !flags.keys_only;
    shape.null_if_unfit = mismatch_ == "null";
    std::optional<arrow::IpcWriter> out;  // Nothing is printed if the database cannot be opened.
    arrow::RecordColumns records(shape);
    Status fits;
    const auto print = [&] {
      if (!out) {
        out.emplace(
            shape.Fields(), [&](std::string_view part) { console.out().WriteData(part); },
            BodyCodecByName(compression_.value_or("none")));
      }
      if (records.rows() > 0) out->WriteBatch(records);
      records.Clear();
    };
    Result<bool> walked =
        WalkDatabase(console, flags_, range, /*any_order=*/false,
                     [&](std::string_view, std::string_view key, std::string_view value) {
                       fits = records.Append(key, value);
                       if (records.full()) print();
                       return fits.ok();
                     });
    if (walked.ok() && !fits.ok()) walked = fits;
    if (walked.ok() || records.rows() > 0) print();
    if (out) walked.ok() ? out->Finish() : out->Break();
    RETURN_IF_ERROR(walked.status());
    return kDone;
  }

  Result<std::map<std::string, std::string>> ComparatorsOf(Console& console) const {
    ASSIGN_OR_RETURN(const auto db, OpenForReading(console, flags_.target, flags_.engine));
    std::map<std::string, std::string> comparators;
    for (const FamilyInfo& family : db->Families()) comparators[family.name] = family.comparator;
    return comparators;
  }

  Result<ExitCode> PrintJson(Console& console, const ScanRange& range, bool is_table) {
    const RangeFlags& flags = flags_.range;
    ASSIGN_OR_RETURN(const Options options, MakeOptions(flags_.engine));
    if (!is_table) RETURN_IF_ERROR(RequireDatabase(*options.env.file_system, flags_.target));
    return PrintResource(
        console, flags_.target,
        (is_table ? "/files/{file}/entries" : FamilyResource(flags.family, "/scan")) +
            ApiQuery()
                .Key("from", range.from)
                .Key("to", range.to)
                .Key("prefix", range.prefix)
                .Number("limit", flags.limit)
                .Number("at_seq", flags.at_sequence)
                .Flag("reverse", flags.reverse)
                .Flag("keys_only", flags.keys_only)
                .Flag("versions", flags.versions && !is_table)
                .str(),
        options);
  }

  ScanFlags flags_;
  bool stored_order_ = false;
  std::optional<std::string> key_schema_, value_schema_, mismatch_, compression_;
};

class Count : public Invocation {
 public:
  void Declare(Parameters& parameters) override { flags_.Declare(parameters); }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const ScanRange range, ParseRange(flags_.range));
    ASSIGN_OR_RETURN(const bool is_table, IsTable(flags_.target));
    RETURN_IF_ERROR(flags_.Check(is_table));
    uint64_t records = 0, key_bytes = 0, value_bytes = 0;
    Progress progress(console, "count", "records", [&] { return EntriesToWalk(flags_); });
    const auto add = [&](std::string_view key, std::string_view value) {
      ++records;
      key_bytes += key.size();
      value_bytes += value.size();
      progress.Update(records);
    };
    if (flags_.range.versions) NoteRecovery(console, flags_.target);
    if (is_table || flags_.range.versions) {
      ASSIGN_OR_RETURN(
          [[maybe_unused]] const bool complete,
          WalkEntries(flags_, range, [&](const StoredEntry& e) { add(e.key, e.value); }));
    } else {
      ASSIGN_OR_RETURN([[maybe_unused]] const bool complete,
                       WalkDatabase(console, flags_, range, /*any_order=*/true,
                                    [&](std::string_view, std::string_view key,
                                        std::string_view value) { add(key, value); }));
    }
    if (WantsDocument(console)) {
      api::Json json =
          DocumentJson(kCountDocument, {records, key_bytes, value_bytes, console.partial()});
      if (console.partial()) api::MarkPartial(console.recovery(), &json);
      PrintDocument(console, json);
    } else {
      console.out().Write(std::to_string(records) + "\n");
      console.Note(HumanBytes(key_bytes) + " of keys, " + HumanBytes(value_bytes) + " of values");
    }
    return kDone;
  }

 private:
  ScanFlags flags_;
};

}  // namespace

const CommandDocument<CountedRecords> kCountDocument = {"varve.count/1", CountFields};

const Command kScan = {
    "scan", "print records in key order",
    "varve scan ./db --prefix user: --limit 10\nvarve scan ./db --from a --to b -F jsonl\n"
    "varve scan ./db --versions\nvarve scan ./db/000012.sst\n"
    "varve scan ./db -F arrow -o records.arrows # record batches with columns key and value\n"
    "varve scan ./db -F arrow --key-schema id:u64be,name:str --value-schema n:u64le -o a.arrows\n"
    "                                           # a column for each part of a key or value. Types:\n"
    "                                           # u8 u16be u32be u64be, i8 ... i64be (they sort as\n"
    "                                           # numbers: sign bit flipped), u16le ... i64le f32le\n"
    "                                           # f64le, fixed(N): N bytes; str0 bytes0: up to a NUL;\n"
    "                                           # str bytes: the rest; and FoundationDB's tuples,\n"
    "                                           # element by element: tuple.int tuple.uint tuple.str\n"
    "                                           # tuple.bytes tuple.f32 tuple.f64 tuple.bool tuple.uuid\n"
    "varve scan ./db --stored-order             # any comparator",
    "0 printed (possibly nothing), 2 a key or value does not fit its schema, 7 partial: a damaged "
    "log hides records",
    [] { return MakeInvocation<Scan>(); }};

const Command kCount = {"count", "count records", "varve count ./db --prefix user:",
                        "0 counted, 7 partial: a damaged log hides records",
                        [] { return MakeInvocation<Count>(); }};

}  // namespace varve::cli
