// SPDX-License-Identifier: Apache-2.0
// varve sst filter, sst probe.
#include <algorithm>
#include <cstdio>

#include "cli/arguments/literal.h"
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/commands/inspect/file_parts.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "core/base/try.h"
#include "core/inspect/table/filter_report.h"

namespace varve::cli {
namespace {

std::string Rate(double rate) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f %%", 100 * rate);
  return text;
}

void Line(Sink& out, std::string name, const std::string& text) {
  name.resize(std::max<size_t>(name.size(), 18), ' ');
  out.Write(name + text + "\n");
}

class SstFilter : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("ask", &ask_, "absent keys to test it with (default: 20000)");
    parameters.Option("seed", &seed_, "random seed of these keys");
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(Files(), path_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, {path_, kind},
          "/files/{file}/filter" + ApiQuery().Number("ask", ask_).Number("seed", seed_).str());
    }
    FilterQuestion question;
    question.ask = ask_.value_or(question.ask);
    question.seed = seed_.value_or(question.seed);
    ASSIGN_OR_RETURN(const FilterReport report, ReportFilter(Files(), path_, question));
    Print(console, report);
    return report.damaged ? kCorrupt : kDone;
  }

 private:
  static void Print(Console& console, const FilterReport& f) {
    Sink& out = console.out();
    Line(out, "filter",
         f.kind + (f.partitioned ? ", partitioned" : "") +
             (f.kind == "none" || f.whole_keys ? "" : ", of prefixes"));
    if (f.kind == "none") return;
    std::string keys;  // Of which a table without properties says nothing.
    if (f.entries > 0) {
      keys = " for " + Counted(f.entries, "key") + ": " + HumanRatio(f.bits_per_key) + " bits each";
    }
    Line(out, "size", HumanBytes(f.bytes) + keys);
    if (f.partitioned) {
      Line(out, "partitions",
           HumanCount(f.partitions) + " of " + HumanBytes(f.smallest_partition) + " to " +
               HumanBytes(f.largest_partition) +
               (f.empty_partitions > 0 ? ", " + HumanCount(f.empty_partitions) + " empty" : ""));
    }
    if (f.probes > 0) Line(out, "probes", std::to_string(f.probes) + " bits a key");
    if (f.columns > 0) Line(out, "columns", "up to " + std::to_string(f.columns));
    if (f.bits > 0) {
      const double fill =
          static_cast<double>(f.bits_set) / static_cast<double>(std::max<uint64_t>(1, f.bits));
      Line(out, "fill",
           Bar(TerminalOf(console), fill, kShareBarWidth) + " " + Rate(fill) + " of " +
               HumanCount(f.bits) + " bits set");
    }
    if (f.asked > 0) {
      Line(
          out, "false positives",
          Rate(f.rate) + " (95 % interval " + Rate(f.rate_low) + " to " + Rate(f.rate_high) +
              "): " + HumanCount(f.passed) + " of " + HumanCount(f.asked) +
              (f.by_hash ? " random strings" : " absent keys") +
              (f.expected_rate > 0 ? "; from the bits that are set " + Rate(f.expected_rate) : ""));
    }
    if (!f.problem.empty()) Line(out, "note", f.problem);
  }

  std::string path_;
  std::optional<uint64_t> ask_, seed_;
};

class SstProbe : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Positional("key", &key_, "the key; hex:… b64:… esc:… u64be:… are understood");
    DeclareKeyEncoding(parameters, &key_encoding_);
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(Files(), path_));
    ASSIGN_OR_RETURN(const std::string key,
                     ParseLiteral("key", key_, EncodingByName(key_encoding_)));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {path_, kind},
                           "/files/{file}/filter:probe" + ApiQuery().Key("key", key).str());
    }
    ASSIGN_OR_RETURN(const FilterAnswer answer, AskFilter(Files(), path_, key));
    Sink& out = console.out();
    out.Write(answer.look.kind + (answer.look.may_match ? ": maybe\n" : ": no\n"));
    for (const uint64_t bit : answer.look.bits) {
      out.Write("  bit " + std::to_string(bit) +
                (answer.look.first_zero == bit ? "  0\n" : "  1\n"));
    }
    for (const BlockLook& read : answer.reads) {
      out.Write("  " + read.kind + " @" + std::to_string(read.offset) + "  " +
                HumanBytes(read.size) + "\n");
    }
    return answer.look.may_match ? kDone : kNegative;
  }

 private:
  std::string path_, key_, key_encoding_ = "utf8";
};

}  // namespace

const Command kSstFilter = {"sst filter",
                            "a table's filter: kind, fill, and measured false positives",
                            "varve sst filter 000123.sst --ask 100000",
                            "0 shown, 4 the filter is damaged (readers ignore it)",
                            [] { return MakeInvocation<SstFilter>(); }};
const Command kSstProbe = {
    "sst probe", "what a table's filter answers for a key, and from which bits",
    "varve sst probe 000123.sst user:42", "0 the key may be in the table, 1 it is not",
    [] { return MakeInvocation<SstProbe>(); }};

}  // namespace varve::cli
