// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/explain, POST …/cfs/{cf}:explain, GET …/cfs/{cf}/locate.
#include "core/inspect/explain/explain.h"

#include <algorithm>
#include <functional>

#include "core/base/try.h"
#include "webview/api/fields/explain_fields.h"
#include "webview/api/json/reads_json.h"
#include "webview/api/resources/keys_body.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

// A version of the key, in the logs or in a table.
const Fields<KeyVersion>& KeyVersionFields() {
  static const auto fields =
      Fields<KeyVersion>()
          .Id("seq", &KeyVersion::sequence, "its sequence number")
          .Text("type", &KeyVersion::type, "put, delete, merge, ...")
          .Bytes("value", &KeyVersion::value, "as stored")
          .Flag("visible", &KeyVersion::visible, "not newer than the moment asked about");
  return fields;
}

struct VersionView {
  const KeyVersion& version;
  bool in_table;
};

const Fields<VersionView>& VersionViewFields() {
  static const auto fields =
      Fields<VersionView>("KeyVersion")
          .Include([](const VersionView& view) -> const KeyVersion& { return view.version; },
                   KeyVersionFields())
          .Number("block", Unit::kOffset,
                  When(&VersionView::in_table,
                       [](const VersionView& view) { return view.version.block; }),
                  "in a table: where its data block begins");
  return fields;
}

std::vector<VersionView> ViewsOf(const std::vector<KeyVersion>& versions, bool in_table) {
  std::vector<VersionView> views;
  for (const KeyVersion& version : versions) views.push_back({version, in_table});
  return views;
}

// The result of one table, or of the logs.
struct LookView {
  const TableLook& look;
  bool in_table;

  const FilterLook* filter() const { return look.filter_checked ? &look.filter : nullptr; }
  const std::vector<BlockLook>& reads() const { return look.blocks; }
  std::vector<VersionView> versions() const { return ViewsOf(look.versions, in_table); }
  uint64_t comparisons() const { return look.comparisons; }
  uint64_t covered_by() const { return look.covered_by; }
  std::optional<Json> problem() const { return ProblemJson(look.problem); }
};

const Fields<LookView>& LookFields() {
  static const auto fields =
      Fields<LookView>()
          .Object("filter", &LookView::filter, FilterLookFields(), "what its filter says")
          .List("reads", &LookView::reads, BlockLookFields(), "blocks that were looked at")
          .List("versions", &LookView::versions, VersionViewFields(),
                "of the key; the newest first")
          .Number("comparisons", Unit::kCount, &LookView::comparisons, "of keys")
          .Id("covered_by", IfSet(&LookView::covered_by),
              "sequence number of the newest visible range deletion over the key")
          .Other("problem", ProblemRef(), &LookView::problem, "damage that was met");
  return fields;
}

const Fields<ReadTotals>& ReadPerfContextFields() {
  static const auto fields =
      Fields<ReadTotals>("ReadPerfContext")
          .Number("get_from_memtable_count", Unit::kCount, &ReadTotals::get_from_memtable_count,
                  "memtables asked")
          .Number("bloom_sst_hit_count", Unit::kCount, &ReadTotals::bloom_sst_hit_count,
                  "filters that let the key pass")
          .Number("bloom_sst_miss_count", Unit::kCount, &ReadTotals::bloom_sst_miss_count,
                  "filters that did not")
          .Number("block_cache_hit_count", Unit::kCount, &ReadTotals::block_cache_hit_count,
                  "blocks found in the cache")
          .Number("block_read_count", Unit::kCount, &ReadTotals::block_read_count, "blocks read")
          .Number("block_read_byte", Unit::kBytes, &ReadTotals::block_read_byte, "of these blocks")
          .Number("index_block_read_count", Unit::kCount, &ReadTotals::index_block_read_count,
                  "of them, of indexes")
          .Number("filter_block_read_count", Unit::kCount, &ReadTotals::filter_block_read_count,
                  "of them, of filters")
          .Number("data_block_read_count", Unit::kCount, &ReadTotals::data_block_read_count,
                  "of them, of data");
  return fields;
}

const Fields<ReadTotals>& ReadTotalsFields() {
  static const auto fields =
      Fields<ReadTotals>("ReadTotals")
          .Number("files_considered", Unit::kCount, &ReadTotals::files_considered,
                  "tables whose range was compared")
          .Number("filters_checked", Unit::kCount, &ReadTotals::filters_checked, "that were asked")
          .Number("filter_false_positives", Unit::kCount, &ReadTotals::filter_false_positives,
                  "filters that let the key pass, of tables without it")
          .Number("blocks_read", Unit::kCount, &ReadTotals::block_read_count, "from tables")
          .Number("bytes_read", Unit::kBytes, &ReadTotals::block_read_byte, "of these blocks")
          .Number("key_comparisons", Unit::kCount, &ReadTotals::key_comparisons,
                  "that this engine's search makes")
          .Object("perf_context", std::identity(), ReadPerfContextFields(),
                  "what RocksDB's PerfContext counts for the same read");
  return fields;
}

int ExitOf(const ExplainedGet& get) {
  if (!get.failure.ok()) return Problem(get.failure).kind().exit;
  return get.found ? 0 : 1;
}

const Fields<ExplainedGet>& GetResultFields() {
  static const auto fields =
      Fields<ExplainedGet>("GetResult")
          .Flag("found", &ExplainedGet::found, "the key is there")
          .Other(
              "problem", ProblemRef(),
              [](const ExplainedGet& get) { return ProblemJson(get.failure); },
              "with which a Get fails")
          .Id("seq", IfSet(&ExplainedGet::sequence), "sequence number of what settled it")
          .Id("file", IfSet(&ExplainedGet::file), "the table that settled it; none: a memtable")
          .Flag("merged", IfSet(&ExplainedGet::merged), "there are merge operands");
  return fields;
}

// A step of a Get.
struct ExplainStepView {
  size_t n;
  const ExplainStep& step;

  bool in_table() const { return step.source == "file"; }
  FileNumber file() const { return step.file; }
  int level() const { return step.level; }
  LookView look() const { return {step.look, in_table()}; }
};

const Fields<ExplainStepView>& ExplainStepFields() {
  static const auto fields =
      Fields<ExplainStepView>("ExplainStep")
          .Number("n", Unit::kNone, &ExplainStepView::n, "which stop it is, from 1")
          .Choice(
              "source", {"memtable", "file"},
              [](const ExplainStepView& view) { return view.step.source; },
              "memtable: as the logs would fill it")
          .Id("file", When(&ExplainStepView::in_table, &ExplainStepView::file),
              "number of the table")
          .Number("level", Unit::kNone, When(&ExplainStepView::in_table, &ExplainStepView::level),
                  "that the table is on")
          .Choice(
              "verdict",
              {"hit", "deleted", "merge_operand", "miss", "out_of_range", "filter_negative",
               "filter_false_positive", "range_deleted", "unreadable"},
              [](const ExplainStepView& view) -> std::string_view { return view.step.verdict; },
              "what the stop had of the key")
          .Include(&ExplainStepView::look, LookFields());
  return fields;
}

std::vector<ExplainStepView> StepsOf(const ExplainedGet& get) {
  std::vector<ExplainStepView> steps;
  for (const ExplainStep& step : get.steps) steps.push_back({steps.size() + 1, step});
  return steps;
}

Fields<ExplainedGet> ExplainedGetFields(std::string_view type_name) {
  return Fields<ExplainedGet>(type_name)
      .Bytes("key", &ExplainedGet::key, "that was asked for")
      .Object("result", std::identity(), GetResultFields(), "what a Get answers")
      .List("steps", StepsOf, ExplainStepFields(), "stops of the Get, in their order")
      .Object("totals", &ExplainedGet::totals, ReadTotalsFields(), "of all steps");
}

const Fields<ExplainedGet>& ExplainFields() {
  static const auto fields =
      Fields<ExplainedGet>()
          .Text(
              "op", [](const ExplainedGet&) { return std::string_view("get"); }, "get")
          .Include(std::identity(), ExplainedGetFields(""));
  return fields;
}

const Fields<MemtableSearch>& MemtableSearchFields() {
  static const auto fields =
      Fields<MemtableSearch>("MemtableSearch")
          .Number("entries", Unit::kCount, &MemtableSearch::entries, "of the memtable")
          .Number("visited_tree", Unit::kCount, &MemtableSearch::visited_tree,
                  "nodes of a B+-tree that are visited, key by key")
          .Number("visited_per_key", Unit::kCount, &MemtableSearch::visited_per_key,
                  "nodes of a skip list, each key from the top")
          .Number("visited_finger", Unit::kCount, &MemtableSearch::visited_finger,
                  "nodes of a skip list, each key from where the one before was found");
  return fields;
}

const Fields<ExplainedMultiGet>& ExplainedMultiGetFields() {
  static const auto gets = ExplainedGetFields("ExplainedGet");
  static const auto fields =
      Fields<ExplainedMultiGet>()
          .Text(
              "op", [](const ExplainedMultiGet&) { return std::string_view("multiget"); },
              "multiget")
          .List("keys", &ExplainedMultiGet::keys, gets, "in the order asked for")
          .Object("totals", &ExplainedMultiGet::totals, ReadTotalsFields(), "of all keys")
          .Object("memtable_search", &ExplainedMultiGet::memtable, MemtableSearchFields(),
                  "of the batch, in what the logs hold");
  return fields;
}

const Fields<LocateReport>& LoggedFields() {
  static const auto fields =
      Fields<LocateReport>("LocatedInLogs")
          .List(
              "versions",
              [](const LocateReport& report) { return ViewsOf(report.logged, /*in_table=*/false); },
              VersionViewFields(), "of the key; the newest first")
          .Id("covered_by", IfSet(&LocateReport::log_covered_by),
              "sequence number of the newest visible range deletion over the key");
  return fields;
}

// Of a table whose range holds the key.
std::optional<LookView> LookAt(const LocatedFile& file) {
  if (file.verdict == "out_of_range") return std::nullopt;
  return LookView{file.look, /*in_table=*/true};
}

const Fields<LocateReport>& LocateFields() {
  static const auto fields =
      Fields<LocateReport>()
          .Bytes("key", &LocateReport::key, "that was asked for")
          .Other(
              "problem", ProblemRef(),
              [](const LocateReport& report) { return ProblemJson(report.problem()); },
              "with which a Get fails, or may fail")
          .Object("log", std::identity(), LoggedFields(), "what the live logs hold of it")
          .List("files", &LocateReport::files, LocatedFileFields(),
                "all tables, level by level; of level 0 the newest first");
  return fields;
}

Answer<KeyQuestion> QuestionOf(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  KeyQuestion question;
  question.family = family->name;
  question.at = call.Number("at_seq");
  return question;
}

Reply ExplainRead(const Call& call) {
  ASSIGN_OR_RETURN(KeyQuestion question, QuestionOf(call));
  question.key = *call.Key("key");
  ASSIGN_OR_RETURN(const ExplainedGet get,
                   ExplainGet(call.target().fs(), call.target().path(), question));
  Json json = call.Head();
  ExplainFields().AddTo(&json, get, {call.bytes()});
  return Reply(std::move(json)).WithExit(ExitOf(get));
}

// {"keys":["a","hex:6b31"]}: explained as one batch.
Reply ExplainReads(const Call& call) {
  ASSIGN_OR_RETURN(KeyQuestion question, QuestionOf(call));
  ASSIGN_OR_RETURN(const std::vector<std::string> keys, KeysOf(call));
  ASSIGN_OR_RETURN(const ExplainedMultiGet report,
                   ExplainMultiGet(call.target().fs(), call.target().path(), question, keys));
  Json json = call.Head();
  ExplainedMultiGetFields().AddTo(&json, report, {call.bytes()});
  int exit = 0;
  for (const ExplainedGet& get : report.keys) exit = std::max(exit, ExitOf(get));
  return Reply(std::move(json)).WithExit(exit);
}

Reply Locate(const Call& call) {
  ASSIGN_OR_RETURN(KeyQuestion question, QuestionOf(call));
  question.key = *call.Key("key");
  ASSIGN_OR_RETURN(const LocateReport report,
                   LocateKey(call.target().fs(), call.target().path(), question));
  Json json = call.Head();
  LocateFields().AddTo(&json, report, {call.bytes()});
  const bool held = !report.logged.empty() ||
                    std::any_of(report.files.begin(), report.files.end(),
                                [](const auto& file) { return !file.look.versions.empty(); });
  const Status problem = report.problem();
  if (!problem.ok()) return Reply(std::move(json)).WithExit(Problem(problem).kind().exit);
  return Reply(std::move(json)).WithExit(held ? 0 : 1);
}

constexpr DocumentSchema kExplainDocument = {
    .name = "varve.explain/1",
    .make = [](std::string_view name) { return Document(name, ExplainFields().Members()); },
    .stands_on_logs = true};

constexpr DocumentSchema kExplainReadsDocument = {
    .name = "varve.explain_reads/1",
    .make =
        [](std::string_view name) { return Document(name, ExplainedMultiGetFields().Members()); },
    .stands_on_logs = true};

constexpr DocumentSchema kLocateDocument = {
    .name = "varve.locate/1",
    .make = [](std::string_view name) { return Document(name, LocateFields().Members()); },
    .stands_on_logs = true};

}  // namespace

const Fields<LocatedFile>& LocatedFileFields() {
  static const auto fields =
      Fields<LocatedFile>("LocatedFile")
          .Id("file", &LocatedFile::number, "number of the table")
          .Number("level", Unit::kNone, &LocatedFile::level, "that it is on")
          .Choice("verdict",
                  {"out_of_range", "holds", "filter_negative", "filter_wrong", "not_here",
                   "range_deleted", "unreadable"},
                  &LocatedFile::verdict, "what the table has of the key")
          .Text("reason", &LocatedFile::reason, "for people")
          .Include(LookAt, LookFields());
  return fields;
}

std::span<const Route> ExplainRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}/explain",
       .handler = ExplainRead,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kExplainDocument,
       .summary = "what a get looks at, stop by stop",
       .parameters =
           {query::kKey, {"op", kChoice, "what to do", "get"}, query::kAtSeq, query::kBytes}},
      {.method = Method::kPost,
       .pattern = "/targets/{t}/cfs/{cf}:explain",
       .handler = ExplainReads,
       .auth = Auth::kWork,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kExplainReadsDocument,
       .summary = "what a batch of gets looks at: {\"keys\":[\"a\",\"hex:6b31\"]}",
       .parameters = {query::kAtSeq, query::kBytes},
       .body = BodyOf<KeysShape>},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}/locate",
       .handler = Locate,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kLocateDocument,
       .summary = "which files hold a key, and why the others do not",
       .parameters = {query::kKey, query::kAtSeq, query::kBytes}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
