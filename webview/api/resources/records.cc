// SPDX-License-Identifier: Apache-2.0
// GET …/cfs/{cf}/get, POST …/cfs/{cf}:multiget, GET …/cfs/{cf}/scan: records as users see them.
#include <algorithm>

#include "core/base/byte_reader.h"
#include "core/base/byte_writer.h"
#include "core/base/literal.h"
#include "core/base/try.h"
#include "webview/api/json/entry_rows.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

constexpr size_t kMultiGetKeysMax = 1000;

// Of a row: its key, and the moment that the first page was read at, so that all pages together are
// one scan, whatever is written meanwhile.
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
    const bool cut = IsCut(key, style_) || (!keys_only_ && IsCut(value, style_));
    const std::string href = cut ? call_.RowHref(row->position) : std::string();
    row->json = {{"key", BytesJson(key, style_, href)}};
    if (!keys_only_) row->json["value"] = BytesJson(value, style_, href);
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
    return Problem("bad_request", "versions are read forward, all of them");
  }
  EntryRows rows;
  rows.range.from = call.Key("from");
  rows.range.to = call.Key("to");
  rows.prefix = call.Key("prefix");
  rows.keys_only = call.Flag("keys_only");
  rows.open = [target = call.shared_target(), name = family.name](const EntryRange& range) {
    return EntryStream::OpenDatabase(target->fs(), target->path(), name, range);
  };
  ASSIGN_OR_RETURN(auto source, NewEntryRows(call, std::move(rows)));
  return List{call.Head(), "rows", std::move(source)};
}

}  // namespace

Reply GetRecord(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(const std::shared_ptr<RecordReader> reader, call.Records());
  const std::string key = *call.Key("key");
  ASSIGN_OR_RETURN(const std::optional<Value> value,
                   reader->Get(family->name, key, call.Number("at_seq")));
  Json json = call.Head();
  json["as_of"]["seq"] = std::to_string(call.Number("at_seq").value_or(reader->sequence()));
  json["found"] = value.has_value();
  const BytesStyle style = call.bytes();
  json["key"] = BytesJson(key, style, "");
  if (value) {
    json["value"] = BytesJson(value->view(), style, call.HrefWith("bytes", "full"));
  }
  return Reply(std::move(json)).WithExit(value ? 0 : 1);
}

Reply MultiGet(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  ASSIGN_OR_RETURN(const Json body, call.Body());
  const auto listed = body.find("keys");
  if (listed == body.end() || !listed->is_array() ||
      (listed->size() > kMultiGetKeysMax && !call.request().in_process)) {
    return Problem("bad_request", "the body must have \"keys\", an array of at most " +
                                      std::to_string(kMultiGetKeysMax) + " key literals");
  }
  std::vector<std::string> keys;
  for (const Json& literal : *listed) {
    if (!literal.is_string()) return Problem("bad_key_literal", "a key is no string");
    Result<std::string> key = DecodeLiteral(literal.get<std::string>(), Encoding::kUtf8);
    if (!key.ok()) return Problem("bad_key_literal", std::string(key.status().message()));
    keys.push_back(*std::move(key));
  }
  ASSIGN_OR_RETURN(const std::shared_ptr<RecordReader> reader, call.Records());
  const auto values = reader->MultiGet(family->name, keys, call.Number("at_seq"));
  Json json = call.Head();
  json["as_of"]["seq"] = std::to_string(call.Number("at_seq").value_or(reader->sequence()));
  Json results = Json::array();
  int exit = 0;  // The worst of all keys.
  for (size_t i = 0; i < keys.size(); ++i) {
    Json result = {{"key", BytesJson(keys[i], call.bytes(), "")}};
    if (!values[i].ok()) {
      const Problem problem = Problem::OfReading(values[i].status());
      result["error"] = problem.ToJson();
      exit = std::max(exit, problem.kind().exit);
    } else {
      const std::optional<Value>& value = *values[i];
      result["found"] = value.has_value();
      if (!value) exit = std::max(exit, 1);
      if (value && !call.Flag("keys_only")) {
        result["value"] = BytesJson(value->view(), call.bytes(), "");
      }
    }
    results.push_back(std::move(result));
  }
  json["results"] = std::move(results);
  return Reply(std::move(json)).WithExit(exit);
}

Reply ScanRecords(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  if (call.Flag("versions")) return ScanVersions(call, *family);
  ASSIGN_OR_RETURN(const std::shared_ptr<RecordReader> reader, call.Records());
  RecordRange range{.from = call.Key("from"),
                    .to = call.Key("to"),
                    .prefix = call.Key("prefix"),
                    .reverse = call.Flag("reverse"),
                    .fill_cache = !call.WantsLines()};
  if (range.prefix && (range.from || range.to)) {
    return Problem("bad_request", "prefix already says where to begin and end");
  }
  Sequence at = call.Number("at_seq").value_or(reader->sequence());
  if (!call.position().empty()) {
    const auto position = RecordPosition::Decode(call.position());
    if (!position) return Problem("page_token_mismatch", "page_token holds no place in a scan");
    at = position->at;
    range.start = std::string(position->key);
  }
  Json head = call.Head();
  head["as_of"]["seq"] = std::to_string(at);
  ASSIGN_OR_RETURN(auto cursor, reader->Scan(family->name, range, at));
  return List{std::move(head), "rows", std::make_unique<RecordSource>(call, std::move(cursor), at)};
}

Json GetRecordSchema() {
  return Document("varve.get/1",
                  {{"found", Boolean()}, {"key", BytesRef()}, {"value", BytesRef(), kOptional}});
}

Json KeysBody() { return Object("Keys", {{"keys", ArrayOf(Text())}}); }

Json MultiGetSchema() {
  return Document("varve.multiget/1",
                  {{"results", ArrayOf(Object({{"key", BytesRef()},
                                               {"found", Boolean(), kOptional},
                                               {"value", BytesRef(), kOptional},
                                               {"error", Anything(), kOptional}}))}});
}

Json ScanSchema() {
  // With versions=true, rows have what entries have.
  return ListDocument("varve.scan/1", {}, "rows",
                      Object("ScanRow", {{"key", BytesRef()},
                                         {"seq", U64(), kOptional},
                                         {"type", Text(), kOptional},
                                         {"value", BytesRef(), kOptional}}));
}

}  // namespace varve::api
