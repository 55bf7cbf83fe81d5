// SPDX-License-Identifier: Apache-2.0
// varve sst salvage.
#include "cli/commands/commands.h"
#include "cli/commands/maintain/salvage_text.h"
#include "cli/help/help.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/output/text_table.h"
#include "cli/process/leftovers.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/repair/table_copy.h"
#include "webview/api/json/salvage_json.h"

namespace varve::cli {
namespace {

// For --dry-run: counts entries without writing a table.
class CountingSink : public SalvageSink {
 public:
  Status Begin(const SalvageOrigin&) override { return Status::Ok(); }
  Status Add(const InternalKey&, std::string_view) override { return Status::Ok(); }
  Status AddRangeDeletion(std::string_view, std::string_view, Sequence) override {
    return Status::Ok();
  }
};

class SstSalvage : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a damaged table file");
    parameters.Option("unverified", &unverified_,
                      "also take entries that can be read from blocks that do not verify");
    parameters.Option("dry-run", &dry_run_, "only print what would be recovered and lost");
  }
  std::string* OwnOutput() override { return &out_; }

  Result<ExitCode> Run(Console& console) override {
    const Environment& env = NativeEnvironment();
    if (out_.empty() && !dry_run_) {
      return Status::InvalidArgument(
          "give -o FILE for the result, or --dry-run to see what would be saved");
    }
    if (dry_run_ && !out_.empty()) {
      return Status::InvalidArgument("--dry-run writes nothing: it cannot be combined with -o");
    }
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(*env.file_system, path_));
    if (!dry_run_ && env.file_system->Exists(out_)) {
      return Refuse(console, "varve sst salvage", "already_exists", out_ + " exists");
    }
    Progress progress(console, "salvage", "bytes", 0);
    const SalvageOptions options{.take_unverified = unverified_,
                                 .progress = [&](const VerifyProgress& p) {
                                   progress.LookShare(p.bytes_done, p.bytes_done, p.bytes_total);
                                   return true;
                                 }};
    if (dry_run_ && IsData(console.format(Format::kTable))) {
      ApiSession session;
      RETURN_IF_ERROR(session.Open({path_, kind}));
      return session.PrintJob(console, {{"kind", "salvage"}, {"unverified", unverified_}},
                              &progress);
    }
    CountingSink count;
    TemporaryPath made(out_);
    TableCopy copy(env, out_);
    SalvageSink* sink = &copy;
    if (dry_run_) sink = &count;
    ASSIGN_OR_RETURN(const SalvageReport report,
                     SalvageTable(*env.file_system, path_, options, sink));
    if (!copy.empty()) {
      RETURN_IF_ERROR(copy.Finish());
      made.Keep();
    }
    if (WantsDocument(console)) {
      api::Json document = HeadOfFiles("varve.salvage/1");
      document.update(api::SalvageJson(report));
      PrintDocument(console, document);
    } else {
      PrintSalvage(console.out(), report);
    }
    if (!copy.empty()) {
      console.Note("wrote " + out_ + ": " + CountedEntries(report.entries) + ", " +
                   HumanBytes(copy.size()));
    } else if (!dry_run_) {
      console.Note("nothing could be recovered: " + out_ + " was not made");
    }
    if (report.entries + report.range_deletions == 0 && !report.losses.empty()) return kCorrupt;
    return report.complete() && report.unverified_taken == 0 ? kDone : kPartial;
  }

 private:
  std::string path_, out_;
  bool unverified_ = false, dry_run_ = false;
};

}  // namespace

void PrintSalvage(Sink& out, const SalvageReport& report) {
  for (const SalvageLoss& loss : report.losses) {
    std::string line = (loss.data ? "LOST   " : "gone   ") + report.file + "@" +
                       std::to_string(loss.offset) + " +" + std::to_string(loss.bytes) + ": " +
                       loss.what;
    if (loss.entries > 0) {
      line += std::string("; ") + (report.entries_expected ? "" : "about ") +
              CountedEntries(loss.entries);
    }
    if (loss.key_from || loss.key_to) {
      line += " in " + (loss.key_from ? ShortKey(*loss.key_from, 40) : "-") + " .. " +
              (loss.key_to ? ShortKey(*loss.key_to, 40) : "-");
    }
    if (loss.unverified > 0) {
      line += "; " + HumanCount(loss.unverified) + " can be read unverified";
    }
    out.Write(line + "\n");
  }
  if (report.comparator_assumed) {
    out.Write("note   no properties: the order is taken to be " +
              EscapeForDisplay(report.comparator) + "\n");
  }
  out.Write("saved  " + CountedEntries(report.entries) + " and " +
            Counted(report.range_deletions, "range deletion") + " from " +
            Counted(report.blocks, "sound block") +
            (report.by_scan ? ", some found by their checksums" : "") + "; lost " +
            (report.entries_expected || report.complete() ? "" : "about ") +
            CountedEntries(report.entries_lost()) + "\n");
  if (report.unverified_taken > 0) {
    out.Write("       " + HumanCount(report.unverified_taken) +
              " of the entries saved are unverified\n");
  }
}

const Command kSstSalvage = {
    "sst salvage", "copy the sound parts of a damaged table to a new one, and list what is lost",
    "varve sst salvage damaged.sst -o saved.sst\n"
    "varve sst salvage damaged.sst --dry-run --json",
    "0 everything was saved, 4 nothing could be saved, 7 something was lost, 8 the file exists",
    [] { return MakeInvocation<SstSalvage>(); }};

}  // namespace varve::cli
