// SPDX-License-Identifier: Apache-2.0
// GET …/wal, GET …/wal/{n}/records.

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/wal_place.h"

namespace varve::api {
namespace {

Json SegmentJson(const WalSegment& segment) {
  Json json = {{"id", std::to_string(segment.number)},
               {"name", segment.name},
               {"size", segment.size},
               {"live", segment.live},
               {"recyclable", segment.recyclable},
               {"batches", segment.batches},
               {"operations", segment.operations}};
  if (segment.first_sequence) json["first_seq"] = std::to_string(*segment.first_sequence);
  if (segment.last_sequence) json["last_seq"] = std::to_string(*segment.last_sequence);
  json["damaged_bytes"] = segment.damaged_bytes;
  json["unfinished_bytes"] = segment.unfinished_bytes;
  json["damage"] = segment.damage;
  return json;
}

class WalRows : public RowSource {
 public:
  // The list is of the records at `first` or behind it; this page begins with the one at `from`.
  WalRows(const Call& call, WalStream stream, const WalPlace& place, uint64_t first, uint64_t from)
      : call_(call),
        stream_(std::move(stream)),
        families_(place.families),
        path_(place.path),
        first_(first),
        from_(from),
        headers_only_(call.Flag("headers")),
        family_(call.Text("cf")) {}

  bool Next(Row* row) override {
    WalRecord record;
    do {
      if (!stream_.Next(&record)) return false;
      NoteDamage(record);
    } while (record.offset < from_);
    row->position = std::to_string(record.offset);
    row->json = record.damage.empty() ? BatchJson(record, row->position) : DamageJson(record);
    return true;
  }
  // Rows that tell of damage do not end the list, but it is not whole: the last page says so,
  // whichever page showed them.
  const Status& status() const override {
    return stream_.status().ok() ? damage_ : stream_.status();
  }

 private:
  void NoteDamage(const WalRecord& record) {
    if (record.damage.empty() || record.unfinished || record.offset < first_) return;
    if (damage_.ok()) {
      damage_ = Status::Corruption(record.damage).At(FileOffset(path_, record.offset));
    }
  }

  static Json DamageJson(const WalRecord& record) {
    return {{"offset", record.offset},
            {"size", record.size},
            {"damage", record.damage},
            {"unfinished", record.unfinished}};
  }

  Json BatchJson(const WalRecord& record, const std::string& position) const {
    Json json = {{"offset", record.offset},
                 {"size", record.size},
                 {"crc", "0x" + Hex(record.stored_crc, 8)},
                 {"payload_crc32c", "0x" + Hex(record.payload_crc32c, 8)},
                 {"batch_bytes", record.batch_bytes},
                 {"seq", std::to_string(record.sequence)},
                 {"count", record.count}};
    if (headers_only_) return json;
    json["ops"] = Json::array();
    for (const WalOperation& operation : record.operations) {
      if (family_ && !IsOf(operation.family)) continue;
      json["ops"].push_back(OperationJson(operation, position));
    }
    return json;
  }

  bool IsOf(ColumnFamilyId id) const {
    const auto known = families_.find(id);
    return (known != families_.end() && known->second.name == *family_) ||
           std::to_string(id) == *family_;
  }

  Json OperationJson(const WalOperation& operation, const std::string& position) const {
    const BytesStyle style = call_.bytes();
    const bool cut = IsCut(operation.key, style) || IsCut(operation.value, style);
    const std::string href = cut ? call_.RowHref(position) : std::string();
    Json json = {{"type", operation.type}, {"cf_id", operation.family}};
    if (const auto family = families_.find(operation.family); family != families_.end()) {
      json["cf"] = family->second.name;
    }
    if (operation.sequence) {
      json["seq"] = std::to_string(*operation.sequence);
      if (!families_.empty()) json["live"] = operation.live;
    }
    json["key"] = BytesJson(operation.key, style, href);
    json["value"] = BytesJson(operation.value, style, href);
    return json;
  }

  const Call call_;
  WalStream stream_;
  const WalFamilies families_;
  const std::string path_;
  const uint64_t first_, from_;
  const bool headers_only_;
  const std::optional<std::string> family_;
  Status damage_;
};

}  // namespace

Reply ListWals(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(WalReport wals, ReportWals(call.target().fs(), call.target().path()));
  const auto report = std::make_shared<const WalReport>(std::move(wals));
  Json head = call.Head();
  head["min_log_number"] = std::to_string(report->min_log_number);
  uint64_t damaged = 0;
  const Status failure = FailureOf(*report);
  std::optional<Problem> problem = Problem::OfFailure(failure);
  for (const WalSegment& segment : report->segments) damaged += segment.damaged_bytes;
  return Reply(List{std::move(head), "segments",
                    IndexedRows(call, report->segments.size(),
                                [report](size_t i) { return SegmentJson(report->segments[i]); }),
                    /*partial=*/false, damaged > 0 ? std::nullopt : std::move(problem)})
      .WithExit(damaged > 0 ? 4 : 0);
}

Reply ListWalRecords(const Call& call) {
  ASSIGN_OR_RETURN(const WalPlace place, WalOf(call));
  const uint64_t first = call.Number("from_offset").value_or(0);
  ASSIGN_OR_RETURN(WalStream stream,
                   WalStream::Open(call.target().fs(), place.path, place.number, place.families));
  Json head = call.Head();
  head["wal"] = std::to_string(place.number);
  return List{std::move(head), "records",
              std::make_unique<WalRows>(call, std::move(stream), place, first,
                                        call.number_of_position(first)),
              /*partial=*/false, ManifestDamageOf(call)};
}

Json WalsSchema() {
  return ListDocument("varve.wals/1", {{"min_log_number", U64()}}, "segments",
                      Object("WalSegment", {{"id", U64()},
                                            {"name", Text()},
                                            {"size", Number()},
                                            {"live", Boolean()},
                                            {"recyclable", Boolean()},
                                            {"batches", Number()},
                                            {"operations", Number()},
                                            {"first_seq", U64(), kOptional},
                                            {"last_seq", U64(), kOptional},
                                            {"damaged_bytes", Number()},
                                            {"unfinished_bytes", Number()},
                                            {"damage", ArrayOf(Text())}}));
}

Json WalRecordsSchema() {
  const Json operation = Object("WalOperation", {{"type", Text()},
                                                 {"cf_id", Number()},
                                                 {"cf", Text(), kOptional},
                                                 {"seq", U64(), kOptional},
                                                 {"live", Boolean(), kOptional},
                                                 {"key", BytesRef()},
                                                 {"value", BytesRef()}});
  return ListDocument("varve.wal_records/1", {{"wal", U64()}}, "records",
                      Object("WalRecord", {{"offset", Number()},
                                           {"size", Number()},
                                           {"crc", HexText(), kOptional},
                                           {"payload_crc32c", HexText(), kOptional},
                                           {"batch_bytes", Number(), kOptional},
                                           {"seq", U64(), kOptional},
                                           {"count", Number(), kOptional},
                                           {"ops", ArrayOf(operation), kOptional},
                                           {"damage", Text(), kOptional},
                                           {"unfinished", Boolean(), kOptional}}));
}

}  // namespace varve::api
