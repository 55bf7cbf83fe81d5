// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/get, POST …/cfs/{cf}:multiget, GET …/cfs/{cf}/scan: records as users see them.
#include <algorithm>
#include <functional>
#include <vector>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/sha256.h"
#include "core/base/try.h"
#include "webview/api/json/entry_rows.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/keys_body.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

// Position of a row: its key, and the sequence number of the first page, so that all pages together
// are one consistent scan, whatever is written meanwhile.
struct RecordPosition {
  Sequence at = 0;
  std::string_view key;

  std::string Encode() const {
    std::string bytes;
    AppendVarint64(&bytes, at);
    return bytes.append(key);
  }
  static std::optional<RecordPosition> Decode(std::string_view bytes) {
    ByteReader in(bytes);
    RecordPosition position;
    if (!in.ReadVarint64(&position.at)) return std::nullopt;
    position.key = in.rest();
    return position;
  }
};

// A visible record.
struct RecordView {
  std::string_view key;
  std::optional<std::string_view> value;
  // Only for versions, which are entries (entry_rows.h).
  std::optional<Sequence> sequence = {};
  std::optional<std::string_view> type = {};
};

const Fields<RecordView>& RecordFields() {
  static const auto fields =
      Fields<RecordView>("ScanRow")
          .Bytes("key", &RecordView::key, "the user key")
          .Id("seq", &RecordView::sequence, "with versions=true: of the version")
          .Text("type", &RecordView::type, "with versions=true: put, delete, merge, ...")
          .Bytes("value", &RecordView::value, "what a Get returns; of a version: as stored");
  return fields;
}

// Visible records as rows.
class RecordSource : public RowSource {
 public:
  RecordSource(const Call& call, std::unique_ptr<RecordCursor> cursor, Sequence at)
      : call_(call),
        cursor_(std::move(cursor)),
        at_(at),
        style_(call.bytes()),
        keys_only_(call.Flag("keys_only")) {}

  bool Next(Row* row) override {
    std::string_view key, value;
    if (!cursor_->Next(&key, &value)) return false;
    row->position = RecordPosition{at_, key}.Encode();
    const RecordView record{key, keys_only_ ? std::nullopt : std::optional(value)};
    row->json = RecordFields().ToJson(
        record, {style_, [this, row] { return call_.RowHref(row->position); }});
    return true;
  }
  const Status& status() const override { return cursor_->status(); }

 private:
  const Call call_;
  const std::unique_ptr<RecordCursor> cursor_;
  const Sequence at_;
  const BytesStyle style_;
  const bool keys_only_;
};

Reply ScanVersions(const Call& call, const FamilyReport& family) {
  if (call.Flag("reverse") || call.Has("at_seq")) {
    return Problem("bad_request",
                   "versions are only read forward and completely: without reverse and at_seq");
  }
  EntryRows rows;
  rows.range.from = call.Key("from");
  rows.range.to = call.Key("to");
  rows.range.prefix = call.Key("prefix");
  rows.keys_only = call.Flag("keys_only");
  rows.open = [target = call.shared_target(), name = family.name](const EntryRange& range) {
    return EntryStream::OpenDatabase(target->fs(), target->path(), name, range);
  };
  ASSIGN_OR_RETURN(auto source, NewEntryRows(call, std::move(rows)));
  return List{call.Head(), "rows", std::move(source)};
}

// The result of a Get.
struct GetView {
  const std::string& key;
  const std::optional<Value>& value;
  bool with_digest;

  bool found() const { return value.has_value(); }
  std::optional<std::string_view> bytes() const {
    return value ? std::optional(value->view()) : std::nullopt;
  }
  std::optional<std::string> sha256() const {
    return value && with_digest ? std::optional(Sha256Of(value->view())) : std::nullopt;
  }
};

const Fields<GetView>& GetFields() {
  static const auto fields =
      Fields<GetView>()
          .Flag("found", &GetView::found, "the key is there")
          .Bytes(
              "key", [](const GetView& view) { return view.key; }, "that was asked for")
          .Bytes("value", &GetView::bytes, "of the key")
          .Text("sha256", &GetView::sha256, "with digest=true: of the whole value, in hex");
  return fields;
}

// The result for one of several keys.
struct MultiGetView {
  const std::string& key;
  const Result<std::optional<Value>>& value;
  bool keys_only;

  std::optional<Json> error() const {
    return value.ok() ? std::nullopt : std::optional(Problem::OfReading(value.status()).ToJson());
  }
  std::optional<bool> found() const {
    return value.ok() ? std::optional(value->has_value()) : std::nullopt;
  }
  std::optional<std::string_view> bytes() const {
    if (keys_only || !value.ok() || !*value) return std::nullopt;
    return (*value)->view();
  }
};

const Fields<MultiGetView>& MultiGetFields() {
  static const auto fields =
      Fields<MultiGetView>("MultiGetResult")
          .Bytes(
              "key", [](const MultiGetView& view) { return view.key; }, "that was asked for")
          .Other("error", ProblemRef(), &MultiGetView::error, "why it could not be determined")
          .Flag("found", &MultiGetView::found, "the key is there")
          .Bytes("value", &MultiGetView::bytes, "of the key");
  return fields;
}

using MultiGetViews = std::vector<MultiGetView>;

const Fields<MultiGetViews>& MultiGetDocumentFields() {
  static const auto fields = Fields<MultiGetViews>().List(
      "results", std::identity(), MultiGetFields(), "one for each key, in the order of the keys");
  return fields;
}

Reply GetRecord(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(const std::shared_ptr<RecordReader> reader, call.Records());
  const std::string key = *call.Key("key");
  ASSIGN_OR_RETURN(const std::optional<Value> value,
                   reader->Get(family->name, key, call.Number("at_seq")));
  Json json = call.HeadAt(call.Number("at_seq").value_or(reader->sequence()));
  GetFields().AddTo(&json, {key, value, call.Flag("digest")},
                    {call.bytes(), [&] { return call.HrefWith("bytes", "full"); }});
  return Reply(std::move(json)).WithExit(value ? 0 : 1);
}

Reply MultiGet(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(const std::vector<std::string> keys, KeysOf(call));
  ASSIGN_OR_RETURN(const std::shared_ptr<RecordReader> reader, call.Records());
  const auto values = reader->MultiGet(family->name, keys, call.Number("at_seq"));
  Json json = call.HeadAt(call.Number("at_seq").value_or(reader->sequence()));
  MultiGetViews results;
  int exit = 0;  // The highest exit code of all keys.
  for (size_t i = 0; i < keys.size(); ++i) {
    results.push_back({keys[i], values[i], call.Flag("keys_only")});
    if (!values[i].ok()) {
      exit = std::max(exit, Problem::OfReading(values[i].status()).kind().exit);
    } else if (!*values[i]) {
      exit = std::max(exit, 1);
    }
  }
  MultiGetDocumentFields().AddTo(&json, results, {call.bytes()});
  return Reply(std::move(json)).WithExit(exit);
}

Reply ScanRecords(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  if (call.Has("prefix") && (call.Has("from") || call.Has("to"))) {
    return Problem("bad_request", "prefix cannot be combined with from or to");
  }
  if (call.Flag("versions")) return ScanVersions(call, *family);
  ASSIGN_OR_RETURN(const std::shared_ptr<RecordReader> reader, call.Records());
  RecordRange range{.from = call.Key("from"),
                    .to = call.Key("to"),
                    .prefix = call.Key("prefix"),
                    .reverse = call.Flag("reverse"),
                    .fill_cache = !call.WantsLines()};
  Sequence at = call.Number("at_seq").value_or(reader->sequence());
  if (!call.position().empty()) {
    const auto position = RecordPosition::Decode(call.position());
    if (!position) return Problem("page_token_mismatch", "page_token has no position in a scan");
    at = position->at;
    range.start = std::string(position->key);
  }
  Json head = call.HeadAt(at);
  ASSIGN_OR_RETURN(auto cursor, reader->Scan(family->name, range, at));
  return List{std::move(head), "rows", std::make_unique<RecordSource>(call, std::move(cursor), at)};
}

constexpr DocumentSchema kGetRecordDocument = {
    .name = "varve.get/1",
    .make = [](std::string_view name) { return Document(name, GetFields().Members()); },
    .stands_on_logs = true};

constexpr DocumentSchema kMultiGetDocument = {
    .name = "varve.multiget/1",
    .make =
        [](std::string_view name) { return Document(name, MultiGetDocumentFields().Members()); },
    .stands_on_logs = true};

constexpr DocumentSchema kScanDocument = {.name = "varve.scan/1",
                                          .make =
                                              [](std::string_view name) {
                                                return ListDocument(name, {}, "rows",
                                                                    RecordFields().Schema());
                                              },
                                          .stands_on_logs = true};

}  // namespace

std::span<const Route> RecordsRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}/get",
       .handler = GetRecord,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kGetRecordDocument,
       .summary = "the value of a key",
       .parameters = {query::kKey,
                      query::kAtSeq,
                      query::kBytes,
                      {"digest", kFlag, "with the SHA-256 of the value"}}},
      {.method = Method::kPost,
       .pattern = "/targets/{t}/cfs/{cf}:multiget",
       .handler = MultiGet,
       .auth = Auth::kWork,
       .part = Part::kFamily,
       .max_rows = kNoRows,
       .cost = Cost::kScan,
       .documents = kMultiGetDocument,
       .summary = "the values of several keys, read together: {\"keys\":[\"a\",\"hex:6b31\"]}",
       .parameters = {{"keys_only", kFlag, "no values"}, query::kAtSeq, query::kBytes},
       .body = BodyOf<KeysShape>},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}/scan",
       .handler = ScanRecords,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kPageRowsMax,
       .cost = Cost::kScan,
       .documents = kScanDocument,
       .summary = "the records in key order",
       .parameters = {query::kFrom,
                      query::kTo,
                      query::kPrefix,
                      {"reverse", kFlag, "from the last to the first"},
                      {"keys_only", kFlag, "no values"},
                      {"versions", kFlag, "every stored version, deletions included"},
                      query::kAtSeq}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
