// SPDX-License-Identifier: Apache-2.0
// varve db space.
#include "core/inspect/space/space.h"

#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/output/api_output.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/output/report_columns.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/target.h"
#include "webview/api/fields/space_fields.h"

namespace varve::cli {
namespace {

constexpr size_t kPrefixesShown = 20, kRunsShown = 5;

// A level, a prefix or all of them.
struct NamedTotals {
  std::string name;
  const SpaceTotals& totals;
};

const api::Fields<NamedTotals>& NamedTotalsFields() {
  static const auto fields = api::Fields<NamedTotals>().Include(
      [](const NamedTotals& row) -> const SpaceTotals& { return row.totals; }, api::TotalsFields());
  return fields;
}

std::string LiveShare(const NamedTotals& row) {
  const uint64_t all = row.totals.bytes();
  if (all == 0) return "-";
  return HumanShare(static_cast<double>(row.totals.live.bytes) / static_cast<double>(all));
}

std::string Interval(const SpaceInterval& interval) {
  const auto bytes = [](double value) { return HumanBytes(static_cast<uint64_t>(value)); };
  return bytes(interval.estimate) + "  (95 %: " + bytes(interval.low) + " .. " +
         bytes(interval.high) + ")";
}

std::string KeyOrEnd(const std::optional<std::string>& key) {
  return key ? ShortKey(*key, 24) : "the end";
}

class DbSpace : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("cf", &family_, "this column family only");
    parameters.Option("from", &range_.from, "first key");
    parameters.Option("to", &range_.to, "exclusive end of the range");
    parameters.Option("prefix", &range_.prefix, "only keys with this prefix");
    parameters.Option("group-length", &options_.prefix_length, "group by that many first bytes");
    parameters.Option("group-by", &delimiter_, "group by the part of the key before this byte");
    parameters.Option("estimate", &options_.estimate,
                      "estimate from random slices of the keys, with confidence intervals");
    parameters.Option("samples", &samples_, "number of slices that --estimate reads");
    parameters.Option("seed", &seed_, "random seed of the slices");
    parameters.Option("analysis", &analysis_, "the analysis that --json prints",
                      {"space", "tombstones", "keyspace", "filters", "compression"});
    DeclareKeyEncoding(parameters, &range_.key_encoding);
  }

  Result<ExitCode> Run(Console& console) override {
    FileSystem& fs = *NativeEnvironment().file_system;
    RETURN_IF_ERROR(RequireDatabase(fs, target_));
    RETURN_IF_ERROR(TakeFlags(IsData(console.format(Format::kTable))));
    Progress progress(console, "space", "bytes", 0);
    if (IsData(console.format(Format::kTable))) {
      ApiSession session;
      RETURN_IF_ERROR(session.Open(target_));
      return session.PrintJob(console, JobBody(), &progress);
    }
    NoteRecovery(console, target_);
    options_.progress = [&](const VerifyProgress& p) {
      progress.LookShare(p.bytes_done, p.bytes_done, p.bytes_total);
      return true;
    };
    ASSIGN_OR_RETURN(const SpaceReport report, ReportSpace(fs, target_, options_));
    Print(console, report);
    return kDone;
  }

 private:
  Status TakeFlags(bool as_data) {
    if (!options_.estimate && (samples_ || seed_)) {
      return Status::InvalidArgument("--samples and --seed need --estimate");
    }
    if (!as_data && options_.estimate && (options_.prefix_length > 0 || delimiter_)) {
      return Status::InvalidArgument(
          "--estimate does not report groups: it cannot be combined with --group-length or "
          "--group-by");
    }
    if (options_.prefix_length > 0 && delimiter_) {
      return Status::InvalidArgument("--group-length and --group-by cannot be combined");
    }
    if (analysis_ && !as_data) {
      return Status::InvalidArgument("--analysis needs --json, or -F with jsonl, csv or tsv");
    }
    options_.samples = samples_.value_or(options_.samples);
    options_.seed = seed_.value_or(options_.seed);
    ASSIGN_OR_RETURN(const ScanRange range, ParseRange(range_));
    options_.from = range.from;
    options_.to = range.to;
    options_.prefix = range.prefix;
    options_.family = family_;
    if (!delimiter_) return Status::Ok();
    if (delimiter_->size() != 1) return Status::InvalidArgument("--group-by takes one byte");
    options_.delimiter = delimiter_->front();
    return Status::Ok();
  }

  api::Json JobBody() const {
    api::Json body = {{"kind", "analysis"}, {"analysis", analysis_.value_or("space")}};
    if (options_.estimate) {
      body["estimate"] = true;
      body["samples"] = options_.samples;
      body["seed"] = options_.seed;
    }
    if (options_.family) body["cf"] = EscapeForDisplay(*options_.family);
    if (options_.from) body["from"] = "hex:" + HexBytes(*options_.from);
    if (options_.to) body["to"] = "hex:" + HexBytes(*options_.to);
    if (options_.prefix) body["prefix"] = "hex:" + HexBytes(*options_.prefix);
    if (options_.prefix_length > 0) body["group_length"] = options_.prefix_length;
    if (options_.delimiter) body["group_by"] = std::string(1, *options_.delimiter);
    return body;
  }

  static std::string TotalsTable(const Terminal& terminal, const std::string& names_are,
                                 const std::vector<NamedTotals>& rows) {
    using Align = TextTable::Align;
    ReportColumns<NamedTotals> columns(terminal, NamedTotalsFields());
    columns.Show(names_are, Align::kLeft, [](const NamedTotals& row) { return row.name; })
        .Show("live.bytes", "live")
        .Show("shadowed.bytes", "shadowed")
        .Show("tombstones.bytes", "tombstones")
        .Show("live %", Align::kRight, LiveShare)
        .Show("live.entries", "live entries")
        .Show("entries", Align::kRight,
              [](const NamedTotals& row) { return HumanCount(row.totals.entries()); });
    return columns.Of(rows).Render(2);
  }

  void PrintEstimate(Sink& out, const SpaceFamily& family) const {
    out.Write("  " + HumanCount(family.slices_looked_at) + " of " +
              HumanCount(family.slices_there) + " slices, " + HumanBytes(family.total.bytes()) +
              " of " + HumanBytes(family.raw_bytes) + "\n");
    out.Write("  live        " + Interval(*family.live_bytes) + "\n");
    out.Write("  shadowed    " + Interval(*family.shadowed_bytes) + "\n");
    out.Write("  tombstones  " + Interval(*family.tombstone_bytes) + "\n");
    const SpaceInterval& skips = *family.skipped_per_key;
    out.Write("  a scan steps over " + HumanRatio(skips.estimate) + " entries a key  (95 %: " +
              HumanRatio(skips.low) + " .. " + HumanRatio(skips.high) + ")\n");
  }

  void PrintExact(const Terminal& terminal, Sink& out, const SpaceFamily& family) const {
    std::vector<NamedTotals> levels;
    for (const SpaceLevel& level : family.levels) {
      levels.push_back(
          {level.level == kWalLevel ? "log" : "L" + std::to_string(level.level), level.totals});
    }
    levels.push_back({"all", family.total});
    out.Write(TotalsTable(terminal, "level", levels));
    if (!family.prefixes.empty()) {
      std::vector<NamedTotals> prefixes;
      const size_t shown = std::min(kPrefixesShown, family.prefixes.size());
      for (size_t i = 0; i < shown; ++i) {
        prefixes.push_back({ShortKey(family.prefixes[i].prefix, 24), family.prefixes[i].totals});
      }
      out.Write("\n" + TotalsTable(terminal, "prefix", prefixes));
      if (shown < family.prefixes.size() || !family.prefixes_complete) {
        out.Write("  and " + HumanCount(family.prefixes.size() - shown) +
                  (family.prefixes_complete ? "" : " or more") + " others\n");
      }
    }
    out.Write("\n  a scan returns " + HumanCount(family.keys) + " keys and steps over " +
              HumanCount(family.skipped) + " entries");
    out.Write(", " +
              HumanRatio(static_cast<double>(family.skipped) /
                         static_cast<double>(std::max<uint64_t>(family.keys, 1))) +
              " a key\n");
    for (size_t i = 0; i < std::min(kRunsShown, family.longest_runs.size()); ++i) {
      const SkipRun& run = family.longest_runs[i];
      out.Write("    " + HumanCount(run.skipped) + " at once, " + HumanCount(run.tombstones) +
                " of them tombstones, between " +
                (run.after ? ShortKey(*run.after, 24) : "the beginning") + " and " +
                KeyOrEnd(run.before) + "\n");
    }
  }

  void Print(Console& console, const SpaceReport& report) const {
    const Terminal terminal = TerminalOf(console);
    Sink& out = console.out();
    out.Write("files  tables " + HumanBytes(report.table_bytes) + ", blobs " +
              HumanBytes(report.blob_bytes) + ", logs " + HumanBytes(report.wal_bytes) +
              ", MANIFEST " + HumanBytes(report.manifest_bytes) + ", orphans " +
              HumanBytes(report.orphan_bytes) + "\n");
    for (const SpaceFile& file : report.orphans) {
      out.Write("orphan " + file.name + " " + HumanBytes(file.bytes) + "\n");
    }
    for (const SpaceFamily& family : report.families) {
      out.Write("\ncolumn family " + EscapeForDisplay(family.name) +
                ": keys and values before compression\n");
      if (!family.not_supported.empty()) {
        out.Write("  not known: " + family.not_supported + "\n");
      } else if (report.exact) {
        PrintExact(terminal, out, family);
      } else {
        PrintEstimate(out, family);
      }
      if (family.blob_bytes > 0) {
        out.Write("  blobs " + HumanBytes(family.blob_bytes) + ", garbage " +
                  HumanBytes(family.blob_garbage_bytes) + "\n");
      }
    }
  }

  std::string target_;
  std::optional<std::string> family_, delimiter_;
  std::optional<std::string> analysis_;
  std::optional<uint64_t> samples_, seed_;
  RangeFlags range_;
  SpaceOptions options_;
};

}  // namespace

const Command kDbSpace = {
    "db space", "live, shadowed, tombstone and orphan bytes by level, family and prefix",
    "varve db space ./db\n"
    "varve db space ./db --group-by : --prefix user\n"
    "varve db space ./db --estimate --samples 100",
    "0 shown, 4 damage was found while reading, 7 partial: a damaged log hides records",
    [] { return MakeInvocation<DbSpace>(); }};

}  // namespace varve::cli
