// SPDX-License-Identifier: Apache-2.0
// varve explain get, varve explain multiget, varve locate.
#include "core/inspect/explain/explain.h"

#include "cli/arguments/literal.h"
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/input/input_flags.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/fields/explain_fields.h"

namespace varve::cli {
namespace {

using Align = TextTable::Align;

constexpr size_t kValueWidth = 40;

std::string FilterText(const TableLook& look) {
  if (!look.filter_checked) return "";
  if (look.filter.kind == kAnsweredByPointIndex) {
    return look.filter.may_match ? "not asked: the point index has the key"
                                 : "not asked: the point index does not have the key";
  }
  std::string text = look.filter.kind + (look.filter.partitioned ? " partition" : "");
  if (look.filter.may_match) return text + " says maybe";
  text += " says no";
  if (look.filter.first_zero) {
    text += ": bit " + HumanCount(*look.filter.first_zero) + ", probe " +
            std::to_string(look.filter.bits.size()) + ", is 0";
  }
  return text;
}

std::string VersionText(const KeyVersion& version) {
  return version.type + " @" + std::to_string(version.sequence) +
         (version.value.empty() ? "" : "  " + ShortKey(version.value, kValueWidth)) +
         (version.visible ? "" : "  (later than asked)");
}

// What lies below a stop: its filter, blocks and versions, a line each.
void PrintLook(Sink& out, const TableLook& look) {
  if (const std::string filter = FilterText(look); !filter.empty()) {
    out.Write("      filter  " + filter + "\n");
  }
  for (const BlockLook& block : look.blocks) {
    out.Write("      " + block.kind + " @" + std::to_string(block.offset) + "  " +
              HumanBytes(block.size) +
              (block.raw_size + 5 != block.size ? " -> " + HumanBytes(block.raw_size) : "") +
              (block.cached ? "  cached" : "  read") +
              (block.micros > 0 ? "  " + HumanCount(block.micros) + " us" : "") +
              (block.rocksdb_only ? "  (by RocksDB only)" : "") + "\n");
  }
  for (const KeyVersion& version : look.versions) {
    out.Write("      version  " + VersionText(version) + "\n");
  }
  if (look.covered_by != 0) {
    out.Write("      range deletion @" + std::to_string(look.covered_by) + " over the key\n");
  }
  if (!look.problem.ok()) out.Write("      " + std::string(look.problem.message()) + "\n");
}

void PrintTotals(Sink& out, const ReadTotals& t) {
  out.Write("  " + Counted(t.files_considered, "file") + " considered, " +
            Counted(t.filters_checked, "filter") + " asked (" +
            Counted(t.filter_false_positives, "false positive") + "), " +
            Counted(t.block_read_count, "block") + " read (" + HumanBytes(t.block_read_byte) +
            "), " + HumanCount(t.block_cache_hit_count) + " cached, " +
            Counted(t.key_comparisons, "comparison") + "\n");
}

void PrintGet(Sink& out, const ExplainedGet& get) {
  out.Write("get " + EscapeForDisplay(get.key) + ": " +
            (!get.failure.ok() ? "refused"
             : get.found       ? "found"
                               : "absent") +
            (get.sequence != 0 ? ", settled @" + std::to_string(get.sequence) : "") +
            (get.file != 0 ? " in table " + std::to_string(get.file) : "") +
            (get.merged ? ", by merging" : "") + "\n");
  if (!get.failure.ok()) out.Write("  " + std::string(get.failure.message()) + "\n");
  size_t n = 0;
  for (const ExplainStep& step : get.steps) {
    std::string where = step.source == "memtable" ? "memtable"
                                                  : "L" + std::to_string(step.level) + " table " +
                                                        std::to_string(step.file);
    where.resize(std::max<size_t>(where.size(), 20), ' ');
    ++n;
    out.Write("  " + std::to_string(n) + (n < 10 ? "   " : "  ") + where + "  " + step.verdict +
              "\n");
    PrintLook(out, step.look);
  }
  PrintTotals(out, get.totals);
}

// The words that the three commands share.
class KeyVerb : public Invocation {
 protected:
  void DeclareShared(Parameters& parameters) {
    DeclareFamily(parameters, &family_);
    DeclareKeyEncoding(parameters, &key_encoding_);
    parameters.Option("at-seq", &at_sequence_, "as of this sequence number");
  }
  Result<std::string> Parse(const std::string& text) const {
    return ParseLiteral("key", text, EncodingByName(key_encoding_));
  }
  KeyQuestion Question() const {
    return {.family = family_, .key = {}, .at = at_sequence_, .clock = NativeEnvironment().clock};
  }
  std::string Resource(std::string_view verb, const std::string& key) const {
    return FamilyResource(family_, verb) +
           ApiQuery().Key("key", key).Number("at_seq", at_sequence_).str();
  }

  // Of a verb about one key: prints the resource for programs, and for people what `ask`
  // (ExplainGet, LocateKey) answers.
  template <typename Ask, typename Print>
  Result<ExitCode> RunOnKey(Console& console, const std::string& text, std::string_view resource,
                            Ask ask, Print print) const {
    FileSystem& fs = *NativeEnvironment().file_system;
    RETURN_IF_ERROR(RequireDatabase(fs, target_));
    KeyQuestion question = Question();
    ASSIGN_OR_RETURN(question.key, Parse(text));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, target_, Resource(resource, question.key));
    }
    NoteRecovery(console, target_);
    ASSIGN_OR_RETURN(const auto answer, ask(fs, target_, question));
    return print(answer);
  }

  std::string target_, family_ = "default", key_encoding_ = "utf8";
  std::optional<uint64_t> at_sequence_;
};

class ExplainGetVerb : public KeyVerb {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("key", &key_, "the key; hex:… b64:… esc:… u64be:… are understood");
    DeclareShared(parameters);
  }
  Result<ExitCode> Run(Console& console) override {
    return RunOnKey(console, key_, "/explain", ExplainGet, [&](const ExplainedGet& get) {
      PrintGet(console.out(), get);
      if (!get.failure.ok()) return ExitCodeOf(get.failure);
      return get.found ? kDone : kNegative;
    });
  }

 private:
  std::string key_;
};

class ExplainMultiGetVerb : public KeyVerb {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("key", &keys_, "the keys");
    DeclareShared(parameters);
  }
  Result<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(RequireDatabase(*NativeEnvironment().file_system, target_));
    std::vector<std::string> keys;
    for (const std::string& text : keys_) {
      ASSIGN_OR_RETURN(std::string key, Parse(text));
      keys.push_back(std::move(key));
    }
    if (IsData(console.format(Format::kTable))) return PrintJson(console, keys);
    NoteRecovery(console, target_);
    ASSIGN_OR_RETURN(const ExplainedMultiGet report,
                     ExplainMultiGet(*NativeEnvironment().file_system, target_, Question(), keys));
    bool all_found = true;
    Status failure;
    for (const ExplainedGet& get : report.keys) {
      PrintGet(console.out(), get);
      all_found &= get.found;
      if (failure.ok()) failure = get.failure;
    }
    console.out().Write("all\n");
    PrintTotals(console.out(), report.totals);
    const MemtableSearch& memtable = report.memtable;
    console.out().Write(
        "the " + std::to_string(memtable.entries) +
        " entries in the logs, as a memtable: " + std::to_string(memtable.visited_tree) +
        " nodes visited in its B+-tree; were it a skip list, " +
        std::to_string(memtable.visited_per_key) + " key by key, " +
        std::to_string(memtable.visited_finger) + " by finger search\n");
    if (!failure.ok()) return ExitCodeOf(failure);
    return all_found ? kDone : kNegative;
  }

 private:
  Result<ExitCode> PrintJson(Console& console, const std::vector<std::string>& keys) const {
    api::Json literals = api::Json::array();
    for (const std::string& key : keys) literals.push_back("hex:" + HexBytes(key));
    ApiSession session;
    RETURN_IF_ERROR(session.Open(target_));
    return session.Post(
        console,
        FamilyResource(family_, ":explain") + ApiQuery().Number("at_seq", at_sequence_).str(),
        {{"keys", std::move(literals)}});
  }

  std::vector<std::string> keys_;
};

class LocateVerb : public KeyVerb {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("key", &key_, "the key; hex:… b64:… esc:… u64be:… are understood");
    parameters.Option("all", &all_, "list also the tables whose range does not contain the key");
    DeclareShared(parameters);
  }
  Result<ExitCode> Run(Console& console) override {
    return RunOnKey(console, key_, "/locate", LocateKey,
                    [&](const LocateReport& report) { return Print(console, report); });
  }

 private:
  ExitCode Print(Console& console, const LocateReport& report) const {
    Sink& out = console.out();
    bool held = !report.logged.empty();
    for (const KeyVersion& version : report.logged) {
      out.Write("log  " + VersionText(version) + "\n");
    }
    if (report.log_covered_by != 0) {
      out.Write("log  range deletion @" + std::to_string(report.log_covered_by) + "\n");
    }
    ReportColumns<LocatedFile> columns(TerminalOf(console), api::LocatedFileFields());
    columns
        .Show("level", Align::kLeft,
              [](const LocatedFile& file) { return "L" + std::to_string(file.level); })
        .Show("file", "table")
        .Show("verdict")
        .Show("reason", Align::kLeft, [](const LocatedFile& file) { return file.reason; });
    TextTable table = columns.NewTable();
    uint64_t beside = 0;
    for (const LocatedFile& file : report.files) {
      held |= !file.look.versions.empty();
      if (file.verdict == "out_of_range" && !all_) {
        ++beside;
        continue;
      }
      table.Add(columns.Row(file));
    }
    if (!table.empty()) out.Write(table.Render());
    if (beside > 0) {
      out.Write(HumanCount(beside) + (beside == 1 ? " table lies" : " tables lie") +
                " beside the key\n");
    }
    if (!report.refused.ok()) {
      out.Write("a get fails: " + std::string(report.refused.message()) + "\n");
    }
    if (const Status problem = report.problem(); !problem.ok()) return ExitCodeOf(problem);
    return held ? kDone : kNegative;
  }

  std::string key_;
  bool all_ = false;
};

}  // namespace

const Command kExplainGet = {
    "explain get", "the steps of a get, one by one, and what each costs",
    "varve explain get ./db user:42\n"
    "varve explain get ./db hex:0102 --json",
    "0 found, 1 absent, 4 the get fails on damage, 6 the key has merge "
    "operands of an unknown operator, 7 partial: a damaged log hides records",
    [] { return MakeInvocation<ExplainGetVerb>(); }};

const Command kExplainMultiGet = {
    "explain multiget", "the steps of a MultiGet, and what its keys share",
    "varve explain multiget ./db user:42 user:43",
    "0 all found, 1 some absent, 4 a get fails on damage, 7 partial: a damaged log hides records",
    [] { return MakeInvocation<ExplainMultiGetVerb>(); }};

const Command kLocate = {
    "locate", "which tables and logs hold a key, and why the others do not",
    "varve locate ./db user:42\n"
    "varve locate ./db user:42 --all --json",
    "0 a version of the key is stored, 1 none is, 4 a table that may hold it is damaged or "
    "missing, "
    "7 partial: a damaged log hides records",
    [] { return MakeInvocation<LocateVerb>(); }};

}  // namespace varve::cli
