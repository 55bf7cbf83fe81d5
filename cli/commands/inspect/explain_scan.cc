// SPDX-License-Identifier: Apache-2.0
// varve explain scan.
#include "core/inspect/explain/explain_scan.h"

#include "cli/arguments/literal.h"
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "cli/output/text_table.h"
#include "core/base/text/abbreviate.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/fields/explain_fields.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

constexpr size_t kBlocksShown = 8;  // Of a table, with --blocks all of those listed.

class ExplainScanVerb : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("from", &from_, "first key");
    parameters.Option("to", &to_, "exclusive end of the range");
    parameters.Option("limit", &limit_, "rows to scan; 100 if not given");
    parameters.Option("blocks", &blocks_, "every block, not only the first of each table");
    parameters.Option("at-seq", &at_sequence_, "as of this sequence number");
    DeclareFamily(parameters, &family_);
    DeclareKeyEncoding(parameters, &key_encoding_);
  }
  Result<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(RequireDatabase(*NativeEnvironment().file_system, target_));
    ScanQuestion question{.family = family_};
    const Encoding bare = EncodingByName(key_encoding_);
    ASSIGN_OR_RETURN(question.from, ParseOptionalLiteral("--from", from_, bare));
    ASSIGN_OR_RETURN(question.to, ParseOptionalLiteral("--to", to_, bare));
    question.limit = limit_.value_or(question.limit);
    question.at = at_sequence_;
    question.clock = NativeEnvironment().clock;
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, target_,
          FamilyResource(family_, "/explain/scan") + ApiQuery()
                                                         .Key("from", question.from)
                                                         .Key("to", question.to)
                                                         .Number("rows", limit_)
                                                         .Number("at_seq", at_sequence_)
                                                         .str());
    }
    NoteRecovery(console, target_);
    ASSIGN_OR_RETURN(const ExplainedScan scan,
                     ExplainScan(*NativeEnvironment().file_system, target_, question));
    return Print(console, scan);
  }

 private:
  ExitCode Print(Console& console, const ExplainedScan& scan) const {
    Sink& out = console.out();
    out.Write("scan of " + HumanCount(scan.rows) + (scan.rows == 1 ? " row" : " rows"));
    if (scan.rows > 0) {
      out.Write(", " + AbbreviateForDisplay(scan.first_key) + " to " +
                AbbreviateForDisplay(scan.last_key));
    }
    out.Write(scan.ended                         ? ", to its end\n"
              : scan.rows == scan.question.limit ? ", to its limit\n"
                                                 : ", up to what cannot be read\n");
    ReportColumns<ScanPart> table(TerminalOf(console), api::ScanPartFields());
    table.Show("run", Align::kLeft, RunText)
        .Show("table", Align::kRight, TableText)
        .Show("verdict")
        .Show("entries")
        .Show("rows")
        .Show("older", Align::kRight,
              [](const ScanPart& part) { return HumanCount(part.hidden + part.too_new); })
        .Show("deletions")
        .Show("range_deleted", "covered")
        .Show(
            "blocks", Align::kRight,
            [](const ScanPart& part) { return HumanCount(part.blocks.size() + part.blocks_more); })
        .Show("bytes_read", "read");
    out.Write(table.Of(scan.parts).Render());
    for (const ScanPart& part : scan.parts) PrintBlocks(out, part);
    PrintTotals(out, scan);
    if (!scan.refused.ok()) {
      out.Write("  a scan fails: " + std::string(scan.refused.message()) + "\n");
    }
    return ExitCodeOf(scan.problem());
  }

  static std::string RunText(const ScanPart& part) {
    return part.source == "file" ? "L" + std::to_string(part.level) : "memtable";
  }
  static std::string TableText(const ScanPart& part) {
    return part.source == "file" ? std::to_string(part.file) : "";
  }

  void PrintBlocks(Sink& out, const ScanPart& part) const {
    if (!part.problem.ok()) out.Write("  " + std::string(part.problem.message()) + "\n");
    if (part.blocks.empty()) return;
    out.Write("  table " + std::to_string(part.file) + "\n");
    const size_t shown = blocks_ ? part.blocks.size() : std::min(part.blocks.size(), kBlocksShown);
    for (size_t i = 0; i < shown; ++i) {
      const BlockLook& block = part.blocks[i];
      out.Write("    " + block.kind + " @" + std::to_string(block.offset) + "  " +
                HumanBytes(block.size) + (block.cached ? "  cached" : "  read") +
                (block.micros > 0 ? "  " + HumanCount(block.micros) + " us" : "") + "\n");
    }
    const uint64_t more = part.blocks.size() - shown + part.blocks_more;
    if (more > 0) out.Write("    and " + HumanCount(more) + " more\n");
  }

  static void PrintTotals(Sink& out, const ExplainedScan& scan) {
    const ScanTotals& t = scan.totals;
    uint64_t hidden = 0;
    for (const ScanPart& part : scan.parts) hidden += part.hidden + part.too_new;
    out.Write("  " + Counted(t.runs, "run") + " merged, " + Counted(t.files_opened, "table") +
              " opened, " + HumanCount(t.files_not_reached) + " not reached; " +
              Counted(t.reads.block_read_count, "block") + " read (" +
              HumanBytes(t.reads.block_read_byte) + "), " +
              HumanCount(t.reads.block_cache_hit_count) + " cached\n  " +
              Counted(hidden, "older or newer version") + " and " +
              Counted(t.internal_delete_skipped_count, "deletion") + " stepped over, " +
              Counted(t.number_of_reseeks_in_iteration, "reseek") + ", " +
              Counted(t.key_comparisons, "comparison") + "\n");
  }

  std::string target_, family_ = "default", key_encoding_ = "utf8";
  std::optional<std::string> from_, to_;
  std::optional<uint64_t> limit_, at_sequence_;
  bool blocks_ = false;
};

}  // namespace

const Command kExplainScan = {
    "explain scan", "what a scan reads and what it skips, table by table",
    "varve explain scan ./db --from user:42 --limit 50\n"
    "varve explain scan ./db --to hex:ff --json",
    "0 done, 4 a table in the range is damaged or missing, "
    "6 merge operands in the range have an unknown operator, 7 partial: a damaged log hides records",
    [] { return MakeInvocation<ExplainScanVerb>(); }};

}  // namespace varve::cli
