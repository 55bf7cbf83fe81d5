// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/summaries.h"

#include <algorithm>
#include <functional>

#include "core/base/hash/hash.h"
#include "core/base/text/text.h"

namespace varve::api {
namespace {

// The members of a file before and after those of its family.
const Fields<FileReport>& FileNameFields() {
  static const auto fields = Fields<FileReport>()
                                 .Id("id", &FileReport::number, "number of the file")
                                 .Text("name", &FileReport::name, "of the file");
  return fields;
}

// The table's property, which is what scores count, has those of ranges in it as well.
uint64_t DeletionsOfKeys(const TableContents& table) {
  return table.deletions - std::min(table.deletions, table.range_deletions);
}

const Fields<TableContents>& ContentsFields() {
  static const auto fields =
      Fields<TableContents>()
          .Number("entries", Unit::kCount, &TableContents::entries,
                  "of the table, deletions and merge operands included")
          .Number("deletions", Unit::kCount, DeletionsOfKeys, "of single keys, among them")
          .Number("range_deletions", Unit::kCount, &TableContents::range_deletions, "among them")
          .Number("merges", Unit::kCount, &TableContents::merges, "merge operands, among them")
          .Number("raw_key_bytes", Unit::kBytes, &TableContents::raw_key_bytes,
                  "of internal keys, written out")
          .Number("raw_value_bytes", Unit::kBytes, &TableContents::raw_value_bytes,
                  "of values, uncompressed");
  return fields;
}

const Fields<FileReport>& FilePlaceFields() {
  static const auto fields =
      Fields<FileReport>()
          .Number("level", Unit::kNone, &FileReport::level, "that it is on")
          .Number("size", Unit::kBytes, &FileReport::size, "of the file")
          .Object("smallest", &FileReport::smallest, BoundFields(), "its first internal key")
          .Object("largest", &FileReport::largest, BoundFields(), "its last internal key")
          .Id("smallest_seq", &FileReport::smallest_sequence, "lowest sequence number in it")
          .Id("largest_seq", &FileReport::largest_sequence, "highest sequence number in it")
          .Id("epoch", &FileReport::epoch,
              "orders the files of level 0: the newest has the highest")
          .Number("creation_time_unix_s", Unit::kUnixSeconds, &FileReport::creation_time,
                  "when it was made; 0: unknown")
          .Number("oldest_ancestor_time_unix_s", Unit::kUnixSeconds,
                  &FileReport::oldest_ancestor_time,
                  "when the oldest of what is in it was flushed; 0: unknown")
          .Text("unique_id", &FileReport::unique_id, "hexadecimal; empty: not stored")
          .Number("path_id", Unit::kNone, &FileReport::path_id,
                  "which of db_paths or cf_paths it lies in")
          .Flag("marked_for_compaction", &FileReport::marked_for_compaction,
                "a compaction is wanted, whatever the scores say")
          .Flag("present", &FileReport::present, "in the directory")
          .Id("added_by_edit", &FileReport::added_by,
              "the edit that put it on this level; 0: unknown")
          .Object("overlap", &FileReport::overlap, OverlapFields(),
                  "what a compaction of it would read of the next level")
          .Include(&FileReport::contents, ContentsFields());
  return fields;
}

}  // namespace

const Fields<Target>& TargetSummaryFields() {
  static const auto fields =
      Fields<Target>("TargetSummary")
          .Text("id", &Target::id, "by which paths name it")
          .Text("name", &Target::name, "of the directory or file")
          .Choice(
              "kind", {"db", "sst", "manifest", "wal", "unknown"},
              [](const Target& target) { return TargetKindName(target.kind()); }, "what it is")
          .Flag(
              "live", [](const Target& target) { return target.live() != nullptr; },
              "this process has it open as a running database");
  return fields;
}

const Fields<BoundReport>& BoundFields() {
  static const auto fields = Fields<BoundReport>("Bound", BoundRef())
                                 .WholeBytes("key", &BoundReport::key, "the user key")
                                 .Id("seq", &BoundReport::sequence, "its sequence number")
                                 .Text("type", &BoundReport::type, "put, delete, merge, ...");
  return fields;
}

const Fields<HandleReport>& HandleFields() {
  static const auto fields =
      Fields<HandleReport>("BlockHandle")
          .Number("offset", Unit::kOffset, &HandleReport::offset, "where the block begins")
          .Number("size", Unit::kBytes, &HandleReport::size,
                  "of the block, without its trailer of 5 bytes");
  return fields;
}

const Fields<OverlapReport>& OverlapFields() {
  static const auto fields =
      Fields<OverlapReport>("Overlap")
          .Number("level", Unit::kNone, &OverlapReport::level, "the next level")
          .Number("files", Unit::kCount, &OverlapReport::files, "tables that would be read")
          .Number("bytes", Unit::kBytes, &OverlapReport::bytes, "of these tables");
  return fields;
}

const Fields<LevelReport>& LevelSummaryFields() {
  static const auto fields =
      Fields<LevelReport>("LevelSummary")
          .Number("level", Unit::kNone, &LevelReport::level, "its number")
          .Number(
              "files", Unit::kCount, [](const LevelReport& level) { return level.files.size(); },
              "tables on it")
          .Number("bytes", Unit::kBytes, &LevelReport::bytes, "of these tables")
          .Fraction("score", &LevelReport::score, "1 and above: it wants compaction");
  return fields;
}

const Fields<FamilyReport>& FamilySummaryFields() {
  static const auto fields =
      Fields<FamilyReport>("FamilySummary")
          .Name("cf", &FamilyReport::name, "name of the column family")
          .Number("cf_id", Unit::kNone, &FamilyReport::id, "its number")
          .WholeBytes("name", &FamilyReport::name, "the name, which may be any bytes")
          .Name("comparator", &FamilyReport::comparator, "name of the order of its keys")
          .Flag("comparator_known", &FamilyReport::comparator_known, "that order is known here")
          .Number("files", Unit::kCount, &FamilyReport::files, "tables")
          .Number("bytes", Unit::kBytes, &FamilyReport::bytes, "of these tables")
          .Number("blob_files", Unit::kCount, &FamilyReport::blob_files, "files of large values")
          .Id("log_number", &FamilyReport::log_number,
              "all its entries in logs below this number are in its tables")
          .List("levels", &FamilyReport::levels, LevelSummaryFields(),
                "all levels, empty ones included");
  return fields;
}

const Fields<FileReport>& FileOfLevelFields() {
  static const auto fields = Fields<FileReport>()
                                 .Include(std::identity(), FileNameFields())
                                 .Include(std::identity(), FilePlaceFields());
  return fields;
}

const Fields<FileOfFamily>& FileSummaryFields() {
  const auto file = [](const FileOfFamily& of) -> const FileReport& { return of.file; };
  static const auto fields =
      Fields<FileOfFamily>("FileSummary")
          .Include(file, FileNameFields())
          .Name(
              "cf", [](const FileOfFamily& of) { return of.family.name; },
              "name of the column family")
          .Number(
              "cf_id", Unit::kNone, [](const FileOfFamily& of) { return of.family.id; },
              "number of the column family")
          .Include(file, FilePlaceFields());
  return fields;
}

std::string FileIdentity(const TableReport& report) {
  if (!report.unique_id.empty()) return report.unique_id;
  std::string facts = std::to_string(report.size);
  for (const uint64_t fact : {report.index.offset, report.index.size, report.metaindex.offset,
                              report.entries, report.raw_key_bytes, report.raw_value_bytes}) {
    facts += "." + std::to_string(fact);
  }
  if (report.smallest) facts += report.smallest->key;
  if (report.largest) facts += report.largest->key;
  return Hex(Xxh3_64(facts), 16);
}

const Fields<EntryView>& EntryFields() {
  static const auto fields =
      Fields<EntryView>("Entry")
          .Bytes(
              "key", [](const EntryView& view) { return view.entry.key; },
              "the user key; of a range deletion: where it begins")
          .Id(
              "seq", [](const EntryView& view) { return view.entry.sequence; },
              "its sequence number")
          .Text(
              "type", [](const EntryView& view) { return view.entry.type; },
              "put, delete, merge, range_delete, ...")
          .Bytes(
              "value",
              [](const EntryView& view) {
                return view.keys_only ? std::nullopt : std::optional(view.entry.value);
              },
              "of a range deletion: its end, exclusive");
  return fields;
}

}  // namespace varve::api
