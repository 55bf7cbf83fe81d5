// SPDX-License-Identifier: Apache-2.0
// varve lsm show, varve lsm files.
#include <algorithm>

#include "cli/arguments/literal.h"
#include "cli/commands/commands.h"
#include "cli/commands/inspect/lsm_target.h"
#include "cli/output/api_output.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_diff.h"
#include "core/inspect/lsm/lsm_report.h"
#include "varve/environment.h"
#include "webview/api/fields/version_fields.h"
#include "webview/api/json/summaries.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

constexpr size_t kBarWidth = 12;

std::string ScoreText(const Terminal& terminal, double score) {
  if (score == 0) return "";
  return Tinted(terminal, score >= 1 ? Tint::kYellow : Tint::kNone, HumanRatio(score));
}

std::string TargetText(const FamilyReport& family, const LevelReport& level) {
  if (level.target_bytes) return HumanBytes(*level.target_bytes);
  return family.compaction_style == "level" && level.level == 0
             ? HumanCount(static_cast<uint64_t>(family.level0_trigger)) + " files"
             : "";
}

std::string StyleText(const FamilyReport& family) {
  std::string text = "compaction " + family.compaction_style;
  if (family.compaction_style == "level") {
    text += std::string(family.dynamic_level_bytes ? ", dynamic targets" : "") + ", L0 goes to L" +
            std::to_string(family.base_level);
  }
  if (!family.options_known) text += "; no options are stored: RocksDB's defaults";
  return text;
}

std::string FamilyTitle(const Terminal& terminal, const FamilyReport& family) {
  return Tinted(terminal, Tint::kBold, EscapeForDisplay(family.name)) + "  " +
         HumanCount(family.files) + (family.files == 1 ? " file, " : " files, ") +
         HumanBytes(family.bytes) + "; " + StyleText(family) +
         (family.comparator_known
              ? ""
              : "\n  keys in an unknown order, " + EscapeForDisplay(family.comparator)) +
         "\n";
}

KeyAxis AxisOf(const FamilyReport& family) {
  std::vector<std::string_view> boundaries;
  for (const LevelReport& level : family.levels) {
    for (const FileReport& file : level.files) {
      boundaries.push_back(file.smallest.key);
      boundaries.push_back(file.largest.key);
    }
  }
  return KeyAxis(OrderOf(family), std::move(boundaries));
}

void PrintLevels(Sink& out, const Terminal& terminal, const FamilyReport& family) {
  out.Write("\n" + FamilyTitle(terminal, family));
  if (family.blob_files > 0) out.Write("  " + HumanCount(family.blob_files) + " blob files\n");
  if (family.files == 0) return;
  const KeyAxis axis = AxisOf(family);
  uint64_t largest = 0;
  for (const LevelReport& level : family.levels) largest = std::max(largest, level.bytes);
  constexpr size_t kFixed = 2 + 3 + 2 + 7 + 2 + 10 + 2 + 10 + 2 + 6 + 2 + kBarWidth + 2;
  const size_t strip = terminal.width > kFixed + 8 ? terminal.width - kFixed : 0;
  // As wide as that, so that the pictures of all families stand below one another.
  ReportColumns<LevelReport> columns(terminal, api::LevelSummaryFields());
  columns
      .Show("", Align::kLeft,
            [](const LevelReport& level) { return "L" + std::to_string(level.level) + " "; })
      .Show("files", "  files")
      .Show("bytes", "      size")
      .Show("    target", Align::kRight,
            [&](const LevelReport& level) { return TargetText(family, level); })
      .Show(" score", Align::kRight,
            [&](const LevelReport& level) { return ScoreText(terminal, level.score); })
      .Show(std::string(kBarWidth, ' '), Align::kLeft,
            [&](const LevelReport& level) {
              return Bar(terminal, static_cast<double>(level.bytes) / static_cast<double>(largest),
                         kBarWidth);
            })
      .Show("keys", Align::kLeft, [&](const LevelReport& level) {
        std::vector<KeyAxis::Range> ranges;
        for (const FileReport& file : level.files) {
          ranges.emplace_back(file.smallest.key, file.largest.key);
        }
        return axis.Strip(terminal, ranges, strip);
      });
  TextTable table = columns.NewTable();
  for (const LevelReport& level : family.levels) {
    if (!level.files.empty()) table.Add(columns.Row(level));
  }
  out.Write(table.Render(2));
  if (axis.empty()) return;
  const size_t half = (terminal.width - 16) / 2;
  out.Write("  keys run from " + ShortKey(axis.first(), half) + " to " +
            ShortKey(axis.last(), half) + "\n");
}

void PrintHeader(Sink& out, const Terminal& terminal, const LsmReport& report) {
  uint64_t files = 0, bytes = 0;
  for (const FamilyReport& family : report.families) {
    files += family.files;
    bytes += family.bytes;
  }
  out.Write(Tinted(terminal, Tint::kBold, report.path) + "  " + report.manifest + ", edit " +
            HumanCount(report.edit) + " of " + HumanCount(report.manifest_edits) + "; " +
            HumanCount(files) + (files == 1 ? " file, " : " files, ") + HumanBytes(bytes) +
            "; sequence " + HumanCount(report.last_sequence) + "\n");
  if (!report.options_file.empty()) {
    out.Write("scores with the options of " + report.options_file + "\n");
  } else if (report.leveldb) {
    out.Write("a LevelDB database: targets and scores are those that LevelDB computes\n");
  } else {
    out.Write("scores with default options: there is no OPTIONS file\n");
  }
}

void PrintFooter(Sink& out, const Terminal& terminal, const LsmReport& report) {
  const std::string missing = Tinted(terminal, Tint::kRed, "missing ");
  for (const std::string& name : report.missing) out.Write(missing + name + "\n");
  const std::string damaged = Tinted(terminal, Tint::kRed, "damaged ");
  for (const std::string& text : report.wrong_size) out.Write(damaged + text + "\n");
  for (const std::string& name : report.orphans) out.Write("orphan  " + name + "\n");
  for (const std::string& text : report.warnings) out.Write("warning " + text + "\n");
}

std::string Signed(uint64_t a, uint64_t b, std::string (*format)(uint64_t)) {
  if (a == b) return "=";
  return (b > a ? "+" : "-") + format(b > a ? b - a : a - b);
}

// Without the first `skip` bytes, which all keys share.
std::string RangeText(const FileReport& file, size_t width, size_t skip) {
  const size_t half = width > 12 ? (width - 4) / 2 : 4;
  const auto shown = [&](const std::string& key) {
    return ShortKey(std::string_view(key).substr(std::min(skip, key.size())), half);
  };
  return shown(file.smallest.key) + " .. " + shown(file.largest.key);
}

// "000012", "000012 gone".
std::string FileText(const FileReport& file) {
  return file.name.substr(0, file.name.find('.')) + (file.present ? "" : " gone");
}

std::string OverlapText(const std::optional<OverlapReport>& overlap) {
  if (!overlap || overlap->files == 0) return "";
  return HumanCount(overlap->files) + ", " + HumanBytes(overlap->bytes);
}

std::string AgeText(uint64_t created, uint64_t now) {
  return created == 0 || created > now ? "" : HumanAge(now - created);
}

// What all keys of the family begin with, if it is worth leaving out of a column.
std::string_view CommonPrefix(const FamilyReport& family) {
  constexpr size_t kWorthIt = 3;
  std::optional<std::string_view> common;
  for (const LevelReport& level : family.levels) {
    for (const FileReport& file : level.files) {
      for (const std::string_view key :
           {std::string_view(file.smallest.key), std::string_view(file.largest.key)}) {
        if (!common) common = key;
        const auto [end, other] =
            std::mismatch(common->begin(), common->end(), key.begin(), key.end());
        common = common->substr(0, static_cast<size_t>(end - common->begin()));
      }
    }
  }
  if (!common) return {};
  // Not in the middle of a character.
  while (!common->empty() && (static_cast<uint8_t>(common->back()) & 0x80) != 0) {
    common->remove_suffix(1);
  }
  return common->size() < kWorthIt ? std::string_view() : *common;
}

struct FileChange {
  std::string sign, level;
  const FileReport& file;
};

// A line each: what is gone, what is new, what moved.
std::string FileChangesText(const Terminal& terminal, const FamilyDiff& diff) {
  static const auto fields = api::Fields<FileChange>().Include(
      [](const FileChange& change) -> const FileReport& { return change.file; },
      api::FileOfLevelFields());
  const auto at = [](const FileReport& file) { return "L" + std::to_string(file.level); };
  std::vector<FileChange> changes;
  for (const FileReport& file : diff.only_a) changes.push_back({"-", at(file), file});
  for (const FileReport& file : diff.only_b) changes.push_back({"+", at(file), file});
  for (const MovedFile& moved : diff.moved) {
    changes.push_back({"~", at(moved.a) + ">" + at(moved.b), moved.b});
  }
  ReportColumns<FileChange> columns(terminal, fields);
  columns.Show("", Align::kLeft, [](const FileChange& change) { return change.sign; })
      .Show("", Align::kLeft, [](const FileChange& change) { return change.level; })
      .Show("name")
      .Show("size")
      .Show("", Align::kLeft,
            [](const FileChange& change) { return RangeText(change.file, 40, 0); })
      .WithoutHeaders();
  return columns.Of(changes).Render(2);
}

void PrintDiff(Sink& out, const Terminal& terminal, const std::vector<FamilyDiff>& diffs) {
  for (const FamilyDiff& diff : diffs) {
    out.Write("\n" + Tinted(terminal, Tint::kBold, EscapeForDisplay(diff.name)) + "  ");
    if (!diff.in_a || !diff.in_b) out.Write(diff.in_a ? "only in A; " : "only in B; ");
    out.Write(HumanCount(diff.only_a.size()) + " gone, " + HumanCount(diff.only_b.size()) +
              " new, " + HumanCount(diff.moved.size()) + " moved, " + HumanCount(diff.same) +
              " the same\n");
    if (diff.equal()) continue;
    ReportColumns<LevelDelta> levels(terminal, api::LevelDeltaFields());
    levels
        .Show("", Align::kLeft,
              [](const LevelDelta& delta) { return "L" + std::to_string(delta.level); })
        .Show("files_a", "files A")
        .Show("files_b", "files B")
        .Show("", Align::kRight,
              [](const LevelDelta& delta) {
                return Signed(delta.files_a, delta.files_b, HumanCount);
              })
        .Show("bytes_a", "size A")
        .Show("bytes_b", "size B")
        .Show("", Align::kRight, [](const LevelDelta& delta) {
          return Signed(delta.bytes_a, delta.bytes_b, HumanBytes);
        });
    out.Write(levels.Of(diff.levels).Render(2));
    out.Write(FileChangesText(terminal, diff));
  }
}

class LsmShow : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory, or a MANIFEST");
    parameters.Option("cf", &family_, "this column family only");
    parameters.Option("edit", &edit_, "the state after this edit of the MANIFEST");
    parameters.Option("edits", &edits_, "A..B: what changed from one edit to the other");
    parameters.Option("against", &against_, "another database to compare with");
    parameters.Option("properties", &properties_,
                      "open the tables, to count deletions in the scores");
  }

  Result<ExitCode> Run(Console& console) override {
    json_ = IsData(console.format(Format::kTable));
    if (!edits_.empty() && (!against_.empty() || edit_)) {
      return Status::InvalidArgument("--edits cannot be combined with --edit or --against");
    }
    if (properties_ && !(edits_.empty() && against_.empty())) {
      return Status::InvalidArgument(
          "--properties is for scores: --edits and --against compare files and sizes only");
    }
    if (!edits_.empty()) return ShowEdits(console);
    if (!against_.empty()) {
      if (json_) return PrintDiffJson(console, edit_, std::nullopt);
      ASSIGN_OR_RETURN(LsmReport a, Read(target_, edit_));
      ASSIGN_OR_RETURN(LsmReport b, Read(against_, std::nullopt));
      return ShowDiff(console, a, b);
    }
    if (json_) return PrintJson(console);
    ASSIGN_OR_RETURN(const LsmReport report, Read(target_, edit_));
    RETURN_IF_ERROR(CheckFamily(report, family_));
    const Terminal terminal = TerminalOf(console);
    PrintHeader(console.out(), terminal, report);
    for (const FamilyReport& family : report.families) {
      if (!family_ || family.name == *family_) PrintLevels(console.out(), terminal, family);
    }
    PrintFooter(console.out(), terminal, report);
    return report.has_all_files() ? kDone : kCorrupt;
  }

 private:
  Result<LsmReport> Read(const std::string& target, std::optional<uint64_t> edit) const {
    return ReadLsm(target, {.edit = edit, .open_tables = properties_});
  }

  Result<ExitCode> PrintJson(Console& console) const {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
    if (family_) {
      return PrintResource(
          console, {target_, kind},
          FamilyResource(*family_, "/levels") +
              ApiQuery().Number("edit", edit_).Flag("properties", properties_).str());
    }
    return PrintResource(console, {target_, kind},
                         "/versions/" + (edit_ ? std::to_string(*edit_) : "newest") +
                             ApiQuery().Flag("properties", properties_).str());
  }

  Result<ExitCode> PrintDiffJson(Console& console, std::optional<uint64_t> a,
                                 std::optional<uint64_t> b) const {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
    ApiSession session;
    RETURN_IF_ERROR(session.Open({target_, kind}));
    ApiQuery query;
    query.Number("a", a).Number("b", b).Name("cf", family_);
    if (!against_.empty()) {
      ASSIGN_OR_RETURN(const TargetKind kind_against, RequireLsm(against_));
      RETURN_IF_ERROR(session.Open({against_, kind_against}));
      query.Text("against", "t2");
    }
    return session.Print(console, "/versions:diff" + query.str());
  }

  Result<ExitCode> ShowEdits(Console& console) {
    ASSIGN_OR_RETURN(const auto range, ParseEditRange(edits_));
    if (json_) return PrintDiffJson(console, range.first, range.second);
    ASSIGN_OR_RETURN(const LsmReport a, Read(target_, range.first));
    ASSIGN_OR_RETURN(const LsmReport b, Read(target_, range.second));
    return ShowDiff(console, a, b);
  }

  Result<ExitCode> ShowDiff(Console& console, const LsmReport& a, const LsmReport& b) {
    // It may be what differs.
    if (family_ && a.Find(*family_) == nullptr) RETURN_IF_ERROR(CheckFamily(b, family_));
    std::vector<FamilyDiff> diffs = DiffLsm(a, b);
    if (family_) std::erase_if(diffs, [&](const FamilyDiff& d) { return d.name != *family_; });
    const auto title = [](const LsmReport& r) {
      return r.path + "  " + r.manifest + ", edit " + HumanCount(r.edit) + ", sequence " +
             HumanCount(r.last_sequence) + "\n";
    };
    console.out().Write("A  " + title(a) + "B  " + title(b));
    PrintDiff(console.out(), TerminalOf(console), diffs);
    const bool equal = std::all_of(diffs.begin(), diffs.end(),
                                   [](const FamilyDiff& diff) { return diff.equal(); });
    return equal ? kDone : kNegative;
  }

  std::string target_, edits_, against_;
  std::optional<std::string> family_;
  std::optional<uint64_t> edit_;
  bool properties_ = false, json_ = false;
};

class LsmFiles : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory, or a MANIFEST");
    parameters.Option("cf", &family_, "this column family only");
    parameters.Option("level", &level_, "this level only");
    parameters.Option("edit", &edit_, "the state after this edit of the MANIFEST");
    parameters.Option("from", &from_, "files with keys at or after this one");
    parameters.Option("to", &to_, "files with keys before this one");
    parameters.Option("properties", &properties_,
                      "open the tables, to show entries and deletions too");
    parameters.Option("order-by", &order_, "how to sort the files of a level",
                      {"key", "number", "size", "age", "overlap"});
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::optional<std::string> from,
                     ParseOptionalLiteral("--from", from_, Encoding::kUtf8));
    ASSIGN_OR_RETURN(const std::optional<std::string> to,
                     ParseOptionalLiteral("--to", to_, Encoding::kUtf8));
    if (IsData(console.format(Format::kTable))) {
      ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
      return PrintResource(console, {target_, kind},
                           "/files" + ApiQuery()
                                          .Name("cf", family_)
                                          .Number("level", level_)
                                          .Key("overlaps_from", from)
                                          .Key("overlaps_to", to)
                                          .Text("order_by", order_ == "key" ? "level" : order_)
                                          .Number("edit", edit_)
                                          .Flag("properties", properties_)
                                          .str());
    }
    ASSIGN_OR_RETURN(const LsmReport report,
                     ReadLsm(target_, {.edit = edit_, .open_tables = properties_}));
    RETURN_IF_ERROR(CheckFamily(report, family_));
    const FileSelection selection = {family_, level_, from, to, order_};
    RETURN_IF_ERROR(CheckLevel(report, selection));
    const Terminal terminal = TerminalOf(console);
    for (const FamilyReport& family : report.families) {
      if (family_ && family.name != *family_) continue;
      Print(console.out(), terminal, family, selection);
    }
    PrintFooter(console.out(), terminal, report);
    return report.has_all_files() ? kDone : kCorrupt;
  }

 private:
  void Print(Sink& out, const Terminal& terminal, const FamilyReport& family,
             const FileSelection& selection) const {
    out.Write(FamilyTitle(terminal, family));
    const KeyAxis axis = AxisOf(family);
    const uint64_t now = NativeEnvironment().clock->UnixMicros() / 1000000;
    const size_t strip = terminal.width / 6;
    const bool narrow = terminal.width < 100;
    const std::string_view prefix = CommonPrefix(family);
    const std::string keys = prefix.empty() ? "keys" : "keys, after " + ShortKey(prefix, 20);
    ReportColumns<api::FileOfFamily> columns(terminal, api::FileSummaryFields());
    columns.Show("file", Align::kLeft, [](const auto& of) { return FileText(of.file); })
        .Show("size")
        .Show("entries")
        .Show("deletions", "deleted");
    if (!(narrow && properties_)) {
      columns.Show("overlaps", Align::kRight,
                   [](const auto& of) { return OverlapText(of.file.overlap); });
    }
    columns
        .Show("age", Align::kRight,
              [&](const auto& of) { return AgeText(of.file.creation_time, now); })
        .Show("where", Align::kLeft,
              [&](const auto& of) {
                return axis.Strip(terminal, {{of.file.smallest.key, of.file.largest.key}}, strip);
              })
        .Show(keys, Align::kLeft,
              [&](const auto& of) { return RangeText(of.file, narrow ? 26 : 60, prefix.size()); });
    for (const LevelReport& level : family.levels) {
      const std::vector<const FileReport*> files = SelectFiles(family, level, selection);
      if (files.empty()) continue;
      out.Write(" L" + std::to_string(level.level) + "\n");
      TextTable table = columns.NewTable();
      for (const FileReport* file : files) table.Add(columns.Row({*file, family}));
      out.Write(table.Render(2));
    }
  }

  std::string target_, order_ = "key";
  std::optional<std::string> family_, from_, to_;
  std::optional<uint64_t> level_, edit_;
  bool properties_ = false;
};

}  // namespace

const Command kLsmShow = {"lsm show",
                          "levels, sizes, scores and key ranges, now or after any MANIFEST edit",
                          "varve lsm show ./db\n"
                          "varve lsm show ./db --edit 17        # as it was\n"
                          "varve lsm show ./db --edits 17..25   # what changed\n"
                          "varve lsm show ./a --against ./b     # what differs",
                          "0 shown or equal, 1 different, 4 files are missing or of another size",
                          [] { return MakeInvocation<LsmShow>(); }};

const Command kLsmFiles = {
    "lsm files", "every table: level, size, key range, overlap with the next level",
    "varve lsm files ./db --level 1\nvarve lsm files ./db --properties --order-by overlap\n"
    "varve lsm files ./db --from user:1 --to user:2 -F jsonl",
    "0 shown, 4 files are missing or of another size", [] { return MakeInvocation<LsmFiles>(); }};

}  // namespace varve::cli
