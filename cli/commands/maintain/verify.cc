// SPDX-License-Identifier: Apache-2.0
// varve db verify, varve sst verify.
#include "core/inspect/verify/verify.h"

#include <algorithm>

#include "cli/advice.h"
#include "cli/commands/commands.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/target.h"

namespace varve::cli {
namespace {

std::string Place(const Finding& finding) {
  if (finding.file.empty()) return finding.layer;
  return finding.offset ? FileOffset(finding.file, *finding.offset) : finding.file;
}

// Shared by the table and the database verbs.
class Verify : public Invocation {
 public:
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireVerifiable());
    Progress progress(console, "verify", "bytes", 0);
    if (IsData(console.format(Format::kTable))) {
      ApiSession session;
      RETURN_IF_ERROR(session.Open({target_, kind}));
      return session.PrintJob(console, {{"kind", "verify"}}, &progress);
    }
    ASSIGN_OR_RETURN(const VerifyReport report, Check(kind, [&](const VerifyProgress& p) {
                       progress.LookShare(p.bytes_done, p.bytes_done, p.bytes_total);
                       return true;
                     }));
    Print(console.out(), report);
    if (report.worst() == Finding::Severity::kError) {
      if (const std::string advice = Advice(report); !advice.empty()) console.Note(advice);
    }
    return ExitCodeOf(report.worst());
  }

 protected:
  virtual Result<TargetKind> RequireVerifiable() = 0;  // The target's kind, as RequireKind().
  // What to do about damage.
  std::string Advice(const VerifyReport& report) const {
    const auto error = std::find_if(
        report.findings.begin(), report.findings.end(),
        [](const Finding& finding) { return finding.severity == Finding::Severity::kError; });
    return AdviceOnDamage(target_, error == report.findings.end() ? "" : error->file);
  }

  static FileSystem& Files() { return *NativeEnvironment().file_system; }

  std::string target_;

 private:
  Result<VerifyReport> Check(TargetKind kind, const VerifyProgressFn& progress) {
    return kind == TargetKind::kDatabase ? VerifyDatabase(Files(), target_, progress)
                                         : VerifyTable(Files(), target_, progress);
  }
  static ExitCode ExitCodeOf(Finding::Severity worst) {
    switch (worst) {
      case Finding::Severity::kWarning:
        return kDone;
      case Finding::Severity::kNotChecked:
        return kUnsupported;
      case Finding::Severity::kUnreadable:
        return kEnvironment;
      case Finding::Severity::kError:
        break;
    }
    return kCorrupt;
  }
  static std::string_view Label(Finding::Severity severity) {
    switch (severity) {
      case Finding::Severity::kWarning:
        return "warning      ";
      case Finding::Severity::kNotChecked:
        return "not checked  ";
      case Finding::Severity::kUnreadable:
        return "NOT READABLE ";
      case Finding::Severity::kError:
        break;
    }
    return "ERROR        ";
  }
  static std::string_view Verdict(const VerifyReport& report) {
    switch (report.worst()) {
      case Finding::Severity::kWarning:
        return "verified ";
      case Finding::Severity::kNotChecked:
        return "sound as far as it could be checked: ";
      case Finding::Severity::kUnreadable:
        return "sound as far as it could be read: ";
      case Finding::Severity::kError:
        break;
    }
    return "DAMAGED: checked ";
  }
  static void Print(Sink& out, const VerifyReport& report) {
    for (const Finding& finding : report.findings) {
      out.Write(std::string(Label(finding.severity)) + Place(finding) + ": " + finding.what);
      if (finding.key_from || finding.key_to) {
        out.Write("; may lose " + (finding.key_from ? ShortKey(*finding.key_from, 40) : "-") +
                  " .. " + (finding.key_to ? ShortKey(*finding.key_to, 40) : "-"));
      }
      out.Write("\n");
    }
    out.Write(std::string(Verdict(report)) + Counted(report.files, "file") + ", " +
              Counted(report.blocks, "block") + ", " + CountedEntries(report.entries) + ", " +
              Counted(report.wal_records, "log record") + ", " + HumanBytes(report.bytes) + "\n");
  }
};

class DbVerify : public Verify {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory, or a table file");
  }

 protected:
  Result<TargetKind> RequireVerifiable() override {
    // A file of unknown kind may be a table with a damaged footer.
    return RequireKind(Files(), target_, "not a database or a table",
                       {TargetKind::kDatabase, TargetKind::kTable, TargetKind::kUnknown});
  }
};

class SstVerify : public Verify {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &target_, "a table file, however damaged");
  }

 protected:
  Result<TargetKind> RequireVerifiable() override { return RequireTable(Files(), target_); }
};

}  // namespace

const Command kDbVerify = {
    "db verify", "check every checksum, order, count, level and directory invariant",
    "varve db verify ./db\nvarve db verify ./db/000012.sst --json",
    "0 sound, 3 something could not be read, 4 damaged (each finding has its file and offset), "
    "6 something could not be checked",
    [] { return MakeInvocation<DbVerify>(); }};

const Command kSstVerify = {
    "sst verify", "check every block, entry, separator, filter answer and count of a table",
    "varve sst verify 000012.sst\nvarve sst verify 000012.sst --json",
    "0 sound, 3 something could not be read, 4 damaged (each finding has its file and offset), "
    "6 something could not be checked",
    [] { return MakeInvocation<SstVerify>(); }};

}  // namespace varve::cli
