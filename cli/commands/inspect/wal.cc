// SPDX-License-Identifier: Apache-2.0
// varve wal segments, varve wal records.
#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/inspect/lsm_target.h"
#include "cli/output/api_output.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/target.h"
#include "core/inspect/wal/wal_report.h"
#include "varve/environment.h"
#include "webview/api/fields/wal_fields.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

constexpr uint64_t kNoLimit = ~uint64_t{0};
// Rows are printed in tables of this many, so that a large log needs no memory for all of them.
constexpr uint64_t kRowsAtATime = 1000;

class WalSegments : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
  }

  Result<ExitCode> Run(Console& console) override {
    FileSystem& fs = *NativeEnvironment().file_system;
    RETURN_IF_ERROR(RequireDatabase(fs, target_));
    if (IsData(console.format(Format::kTable))) return PrintResource(console, target_, "/wal");
    ASSIGN_OR_RETURN(const WalReport report, ReportWals(fs, target_));
    const Terminal terminal = TerminalOf(console);
    ReportColumns<WalSegment> table(terminal, api::WalSegmentFields());
    table.Show("name", "log")
        .Show("size")
        .Show("", Align::kLeft,
              [&](const WalSegment& segment) {
                return segment.live ? Tinted(terminal, Tint::kGreen, "live") : "obsolete";
              })
        .Show("batches")
        .Show("operations")
        .Show("first_seq")
        .Show("last_seq")
        .Show("notes", Align::kLeft, NotesOn);
    console.out().Write(table.Of(report.segments).Render());
    console.out().Write("logs below " + std::to_string(report.min_log_number) + " are obsolete\n");
    for (const WalSegment& segment : report.segments) {
      for (const std::string& damage : segment.damage) {
        console.out().Write(Tinted(terminal, Tint::kRed, "damage  ") + damage + "\n");
      }
    }
    const bool damaged =
        std::any_of(report.segments.begin(), report.segments.end(),
                    [](const WalSegment& segment) { return segment.damaged_bytes > 0; });
    if (damaged) return kCorrupt;
    RETURN_IF_ERROR(FailureOf(report));
    return kDone;
  }

 private:
  static std::string NotesOn(const WalSegment& segment) {
    if (segment.unfinished_bytes > 0) return HumanBytes(segment.unfinished_bytes) + " cut off";
    if (segment.damaged_bytes > 0) return HumanBytes(segment.damaged_bytes) + " damaged";
    return segment.recyclable ? "recyclable" : "";
  }

  std::string target_;
};

class WalRecords : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "a log, or a database directory");
    parameters.OptionalPositional("number", &number_,
                                  "number of the log, if the database has several");
    parameters.Option("limit", &limit_, "at most this many batches");
    parameters.Option("cf", &family_, "operations of this column family only");
    parameters.Option("headers", &headers_, "batches without their operations");
  }

  Result<ExitCode> Run(Console& console) override {
    FileSystem& fs = *NativeEnvironment().file_system;
    // Of unknown kind: perhaps damaged where it begins.
    ASSIGN_OR_RETURN(const TargetKind kind,
                     RequireKind(fs, target_, "not a log",
                                 {TargetKind::kDatabase, TargetKind::kWal, TargetKind::kUnknown}));
    ASSIGN_OR_RETURN(const WalPlace place, FindWal(fs, target_, number_));
    RETURN_IF_ERROR(CheckFamily(place));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {target_, kind},
                           "/wal/" + std::to_string(place.number) + "/records" +
                               ApiQuery()
                                   .Number("limit", limit_)
                                   .Flag("headers", headers_)
                                   .Name("cf", family_)
                                   .str());
    }
    ASSIGN_OR_RETURN(WalStream stream,
                     WalStream::Open(fs, place.path, place.number, place.families));
    const Terminal terminal = TerminalOf(console);
    TextTable table = NewTable(terminal);
    const uint64_t limit = limit_.value_or(kNoLimit);
    uint64_t batches = 0, rows = 0;
    bool damaged = false;
    WalRecord record;
    while (batches < limit && stream.Next(&record)) {
      damaged |= !record.damage.empty() && !record.unfinished;
      batches += record.damage.empty() ? 1 : 0;
      rows += AddRecord(place, record, &table);
      if (rows < kRowsAtATime) continue;
      console.out().Write(table.Render());
      table = NewTable(terminal);
      rows = 0;
    }
    if (!table.empty()) console.out().Write(table.Render());
    RETURN_IF_ERROR(stream.status());
    if (batches == 0 && limit > 0 && !damaged) console.Note(place.path + " has no batches");
    if (damaged) return kCorrupt;
    RETURN_IF_ERROR(CheckManifestBeside(target_));
    return kDone;
  }

 private:
  // Not the columns of one description: a batch, its operations and damage, which are different
  // reports, share this table, and a batch the row of its first operation.
  static TextTable NewTable(const Terminal& terminal) {
    return TextTable(terminal, {{"offset", Align::kRight},
                                {"size", Align::kRight},
                                {"crc", Align::kLeft},
                                {"seq", Align::kRight},
                                {"count", Align::kRight},
                                {"family", Align::kLeft},
                                {"operation", Align::kLeft},
                                {"key", Align::kLeft},
                                {"value", Align::kLeft}});
  }

  // Of a log on its own, whatever is asked for may be in it.
  Status CheckFamily(const WalPlace& place) const {
    std::vector<std::string> names;
    for (const auto& [id, family] : place.families) names.push_back(family.name);
    const bool known =
        names.empty() || !family_ || std::find(names.begin(), names.end(), *family_) != names.end();
    return known ? Status::Ok() : NoSuchFamily(*family_, "", names);
  }

  static std::string FamilyName(const WalPlace& place, ColumnFamilyId id) {
    const auto it = place.families.find(id);
    return it == place.families.end() ? std::to_string(id) : EscapeForDisplay(it->second.name);
  }

  // Returns the rows added.
  uint64_t AddRecord(const WalPlace& place, const WalRecord& record, TextTable* table) const {
    if (!record.damage.empty()) {
      table->Add({std::to_string(record.offset), std::to_string(record.size), "", "", "", "",
                  record.unfinished ? "CUT OFF" : "DAMAGED", record.damage, ""});
      return 1;
    }
    // The batch and its first operation share a row.
    std::vector<std::string> row = {std::to_string(record.offset), std::to_string(record.size),
                                    Hex(record.stored_crc, 8), std::to_string(record.sequence),
                                    std::to_string(record.count)};
    uint64_t rows = 0;
    const auto add = [&](std::vector<std::string> cells) {
      row.insert(row.end(), std::make_move_iterator(cells.begin()),
                 std::make_move_iterator(cells.end()));
      table->Add(std::move(row));
      rows++;
    };
    for (const WalOperation& operation : record.operations) {
      if (headers_) break;
      const std::string family = FamilyName(place, operation.family);
      if (family_ && family != EscapeForDisplay(*family_)) continue;
      if (rows > 0) {
        row = {"", "", "", operation.sequence ? std::to_string(*operation.sequence) : "", ""};
      }
      const bool flushed = operation.live == false;
      add({place.families.size() == 1 ? "" : family, operation.type + (flushed ? ", flushed" : ""),
           ShortKey(operation.key, 48), ShortKey(operation.value, 80)});
    }
    if (rows == 0) add({"", "", "", ""});
    return rows;
  }

  std::string target_;
  std::optional<uint64_t> number_, limit_;
  std::optional<std::string> family_;
  bool headers_ = false;
};

}  // namespace

const Command kWalSegments = {
    "wal segments", "the write-ahead logs: sizes, sequences, live or obsolete, damage",
    "varve wal segments ./db", "0 shown, 3 a log cannot be read, 4 a log is damaged (with offsets)",
    [] { return MakeInvocation<WalSegments>(); }};

const Command kWalRecords = {
    "wal records", "the batches of a log and what they do, with offsets and checksums",
    "varve wal records ./db/000012.log\nvarve wal records ./db 12 --limit 10",
    "0 shown, 4 damaged (with offsets; what follows is shown)",
    [] { return MakeInvocation<WalRecords>(); }};

}  // namespace varve::cli
