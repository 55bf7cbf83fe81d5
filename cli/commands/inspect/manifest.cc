// SPDX-License-Identifier: Apache-2.0
// varve manifest edits, varve manifest show.
#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/inspect/lsm_target.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "varve/environment.h"
#include "webview/api/fields/manifest_fields.h"
#include "webview/api/json/summaries.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

constexpr uint64_t kNoEnd = ~uint64_t{0};

// "log 10, next 12, seq 500"
std::string CountersText(const VersionEdit& edit) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  if (edit.comparator) add("comparator " + EscapeForDisplay(*edit.comparator));
  if (edit.db_id) add("id " + EscapeForDisplay(*edit.db_id));
  if (edit.max_family) add("families to " + std::to_string(*edit.max_family));
  if (edit.log_number) add("log " + std::to_string(*edit.log_number));
  if (edit.min_log_number_to_keep) add("keep logs " + std::to_string(*edit.min_log_number_to_keep));
  if (edit.next_file_number) add("next " + std::to_string(*edit.next_file_number));
  if (edit.last_sequence) add("seq " + std::to_string(*edit.last_sequence));
  for (const auto& wal : edit.wal_additions) add("wal +" + std::to_string(wal.number));
  if (edit.wal_deleted_below) add("wals from " + std::to_string(*edit.wal_deleted_below));
  for (const auto& cursor : edit.compact_cursors) add("cursor L" + std::to_string(cursor.level));
  for (const uint32_t tag : edit.skipped_tags) add("unknown tag " + std::to_string(tag));
  return text;
}

// "-L0 11 13, +L1 20": by level, in the edit's order.
std::string FilesText(const VersionEdit& edit) {
  std::string text;
  const auto add = [&text](char sign, int level, FileNumber number, int* last) {
    if (level != *last) {
      text += (text.empty() ? "" : " ") + std::string(1, sign) + "L" + std::to_string(level);
    }
    *last = level;
    text += " " + std::to_string(number);
  };
  int last = -1;
  for (const auto& file : edit.deleted_files) add('-', file.level, file.number, &last);
  last = -1;
  for (const auto& file : edit.new_files) add('+', file.level, file.file.number, &last);
  for (const auto& blob : edit.blob_additions) text += " +blob " + std::to_string(blob.number);
  for (const auto& blob : edit.blob_garbage) {
    text += " blob " + std::to_string(blob.number) + " garbage " + HumanBytes(blob.bytes);
  }
  return text;
}

std::string ChangesText(const EditReport& report) {
  const std::string files = FilesText(report.edit), counters = CountersText(report.edit);
  return files + (files.empty() || counters.empty() ? "" : "; ") + counters;
}

class ManifestEdits : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory, or a MANIFEST");
    parameters.Option("cf", &family_, "edits of this column family only");
    parameters.Option("kind", &kind_, "edits of this kind only",
                      {kEditKindNames.begin(), kEditKindNames.end()});
    parameters.Option("edits", &edits_, "A..B: from the A-th to the B-th, counted from 1");
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
    std::pair<uint64_t, uint64_t> range = {1, kNoEnd};
    if (!edits_.empty()) {
      ASSIGN_OR_RETURN(range, ParseEditRange(edits_));
    }
    if (IsData(console.format(Format::kTable))) return PrintJson(console, kind, range);
    ASSIGN_OR_RETURN(ManifestTimeline timeline,
                     ManifestTimeline::Open(*NativeEnvironment().file_system, target_));
    const Terminal terminal = TerminalOf(console);
    ReportColumns<EditReport> columns(terminal, api::EditFields());
    columns.Show("edit")
        .Show("offset")
        .ShowExact("size")
        .Show("kind")
        .Show("family", Align::kLeft, Family)
        .Show("changes", Align::kLeft, ChangesText);
    TextTable table = columns.NewTable();
    Status read;
    uint64_t last = 0;
    while (true) {
      Result<std::optional<EditReport>> edit = timeline.Next();
      read = edit.status();
      if (!read.ok() || !*edit || (*edit)->number > range.second) break;
      last = (*edit)->number;
      if ((*edit)->number < range.first || !Wanted(**edit)) continue;
      table.Add(columns.Row(**edit));
    }
    const std::vector<std::string> named = timeline.Families();
    if (read.ok() && family_ && std::find(named.begin(), named.end(), *family_) == named.end()) {
      return NoSuchFamily(*family_, " in these edits", named);
    }
    if (read.ok() && last < range.first && last > 0) {
      return Status::InvalidArgument("there are " + std::to_string(last) + " edits: no edit " +
                                     std::to_string(range.first));
    }
    // What was readable is shown before the damage is.
    console.out().Write(table.empty() && read.ok() ? "no such edits\n" : table.Render());
    RETURN_IF_ERROR(read);
    if (timeline.torn_bytes() > 0) {
      console.out().Write("the last " + HumanCount(timeline.torn_bytes()) +
                          " bytes are an unfinished record, which no reader counts\n");
    }
    RETURN_IF_ERROR(CheckManifest(target_));
    return kDone;
  }

 private:
  Result<ExitCode> PrintJson(Console& console, TargetKind kind,
                             std::pair<uint64_t, uint64_t> range) const {
    ApiQuery query;
    if (!edits_.empty()) query.Number("from", range.first).Number("to", range.second);
    query.Name("cf", family_);
    if (!kind_.empty()) query.Text("kind", kind_);
    return PrintResource(console, {target_, kind}, "/manifest/edits" + query.str());
  }

  bool Wanted(const EditReport& edit) const {
    return (kind_.empty() || EditKindName(edit.kind) == kind_) &&
           (!family_ || edit.family == *family_);
  }
  static std::string Family(const EditReport& edit) {
    return edit.family.empty() ? std::to_string(edit.edit.family) : EscapeForDisplay(edit.family);
  }

  std::string target_, kind_, edits_;
  std::optional<std::string> family_;
};

struct FileOfEdit {
  const FileReport& file;
  bool added;
};

const api::Fields<FileOfEdit>& FileOfEditFields() {
  static const auto fields = api::Fields<FileOfEdit>().Include(
      [](const FileOfEdit& of) -> const FileReport& { return of.file; }, api::FileOfLevelFields());
  return fields;
}

// "a .. b, seq 1..9"
std::string ContentsText(const FileOfEdit& of) {
  if (!of.added) return "";
  return ShortKey(of.file.smallest.key, 24) + " .. " + ShortKey(of.file.largest.key, 24) +
         ", seq " + std::to_string(of.file.smallest_sequence) + ".." +
         std::to_string(of.file.largest_sequence);
}

class ManifestShow : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory, or a MANIFEST");
    parameters.Option("edit", &edit_, "this edit in full, and the counters after it");
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {target_, kind},
                           "/versions/" + (edit_ ? std::to_string(*edit_) : "newest"));
    }
    ASSIGN_OR_RETURN(const LsmReport shape, ReadLsm(target_, {.edit = edit_}));
    const Terminal terminal = TerminalOf(console);
    Sink& out = console.out();
    out.Write(Tinted(terminal, Tint::kBold, shape.manifest) + "  " +
              HumanBytes(shape.manifest_bytes) + ", " + Counted(shape.manifest_edits, "edit") +
              "; the state after edit " + HumanCount(shape.edit) + "\n");
    if (edit_ && *edit_ > 0) RETURN_IF_ERROR(PrintEdit(out, terminal));
    out.Write("\nnext file " + std::to_string(shape.next_file_number) + ", last sequence " +
              std::to_string(shape.last_sequence) +
              (shape.db_id.empty() ? "" : ", id " + EscapeForDisplay(shape.db_id)) + "\n");
    ReportColumns<FamilyReport> table(terminal, api::FamilySummaryFields());
    table.Show("cf_id", "id")
        .Show("cf", "family")
        .Show("files")
        .Show("bytes", "size")
        .Show("log_number", "logs from")
        .Show("levels", Align::kLeft, LevelsText)
        .Show("comparator");
    out.Write(table.Of(shape.families).Render());
    for (const std::string& name : shape.missing) out.Write("missing " + name + "\n");
    for (const std::string& text : shape.wrong_size) out.Write("damaged " + text + "\n");
    return shape.has_all_files() ? kDone : kCorrupt;
  }

 private:
  // "L0:4 L6:1"
  static std::string LevelsText(const FamilyReport& family) {
    std::string levels;
    for (const LevelReport& level : family.levels) {
      if (level.files.empty()) continue;
      levels += (levels.empty() ? "L" : " L") + std::to_string(level.level) + ":" +
                std::to_string(level.files.size());
    }
    return levels;
  }
  Status PrintEdit(Sink& out, const Terminal& terminal) const {
    ASSIGN_OR_RETURN(ManifestTimeline timeline,
                     ManifestTimeline::Open(*NativeEnvironment().file_system, target_));
    std::optional<EditReport> edit;
    do {
      ASSIGN_OR_RETURN(edit, timeline.Next());
    } while (edit && edit->number < *edit_);
    if (!edit) return Status::Ok();
    out.Write("\nedit " + std::to_string(edit->number) + "  " +
              std::string(EditKindName(edit->kind)) + " of " + EscapeForDisplay(edit->family) +
              ", " + std::to_string(edit->size) + " bytes at " + std::to_string(edit->offset));
    if (edit->edit.atomic_group_remaining) {
      out.Write(", of an atomic group with " + std::to_string(*edit->edit.atomic_group_remaining) +
                " to come");
    }
    out.Write("\n  " + CountersText(edit->edit) + "\n");
    // An edit names a deleted file by its level and number, and says nothing else of it.
    std::vector<FileReport> deleted;
    for (const auto& file : edit->edit.deleted_files) {
      deleted.emplace_back();
      deleted.back().number = file.number;
      deleted.back().level = file.level;
    }
    std::vector<FileOfEdit> files;
    for (const FileReport& file : deleted) files.push_back({file, /*added=*/false});
    for (const FileReport& file : edit->added) files.push_back({file, /*added=*/true});
    ReportColumns<FileOfEdit> columns(terminal, FileOfEditFields());
    columns.Show("", Align::kLeft, [](const auto& of) { return of.added ? "+" : "-"; })
        .Show("", Align::kLeft, [](const auto& of) { return "L" + std::to_string(of.file.level); })
        .Show("id")
        .ShowUnlessZero("size")
        .Show("", Align::kLeft, ContentsText)
        .WithoutHeaders();
    out.Write(columns.Of(files).Render(2));
    return Status::Ok();
  }

  std::string target_;
  std::optional<uint64_t> edit_;
};

}  // namespace

const Command kManifestEdits = {
    "manifest edits", "the edits of a MANIFEST: what each one added, deleted and counted",
    "varve manifest edits ./db\nvarve manifest edits ./db --kind compaction\n"
    "varve manifest edits ./db/MANIFEST-000005 --edits 10..20",
    "0 shown, 4 damaged (what comes before the damage is shown)",
    [] { return MakeInvocation<ManifestEdits>(); }};

const Command kManifestShow = {"manifest show",
                               "counters and families as the MANIFEST says, now or after any edit",
                               "varve manifest show ./db\nvarve manifest show ./db --edit 17",
                               "0 shown, 4 damaged", [] { return MakeInvocation<ManifestShow>(); }};

}  // namespace varve::cli
