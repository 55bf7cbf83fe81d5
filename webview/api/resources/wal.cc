// SPDX-License-Identifier: Apache-2.0
// GET …/wal, GET …/wal/{n}/records.

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/fields/wal_fields.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/wal_place.h"

namespace varve::api {
namespace {

const Fields<WalOperation>& WalOperationFields() {
  static const auto fields =
      Fields<WalOperation>("WalOperation")
          .Text("type", &WalOperation::type, "put, delete, merge, range_deletion, log_data, ...")
          .Number("cf_id", Unit::kNone, &WalOperation::family, "the family that it names")
          .Name("cf", &WalOperation::family_name, "that family's name, if the MANIFEST has it")
          .Id("seq", &WalOperation::sequence, "its sequence number, unless a commit gives it")
          .Flag("live", &WalOperation::live, "recovery would put it into a memtable")
          .Bytes("key", &WalOperation::key, "of a range deletion: where it begins")
          .Bytes("value", &WalOperation::value, "of a range deletion: its end, exclusive");
  return fields;
}

// A record as it is shown.
struct WalRecordView {
  const WalRecord& record;
  bool headers_only;
};

// A member of a batch; absent for damage.
template <auto member>
auto OfBatch(const WalRecordView& view) {
  using Value = std::remove_cvref_t<decltype(view.record.*member)>;
  return view.record.damage.empty() ? std::optional<Value>(view.record.*member) : std::nullopt;
}

const std::vector<WalOperation>* OperationsOf(const WalRecordView& view) {
  return view.record.damage.empty() && !view.headers_only ? &view.record.operations : nullptr;
}

const Fields<WalRecordView>& WalRecordFields() {
  static const auto fields =
      Fields<WalRecordView>("WalRecord")
          .Number(
              "offset", Unit::kOffset, [](const auto& view) { return view.record.offset; },
              "where it begins in the log")
          .Number(
              "size", Unit::kBytes, [](const auto& view) { return view.record.size; },
              "in the log, headers included; of damage: what is lost")
          .Hex32("crc", OfBatch<&WalRecord::stored_crc>,
                 "as stored in the header of its first fragment: masked")
          .Hex32("payload_crc32c", OfBatch<&WalRecord::payload_crc32c>, "of the whole batch")
          .Number("batch_bytes", Unit::kBytes, OfBatch<&WalRecord::batch_bytes>, "of the batch")
          .Id("seq", OfBatch<&WalRecord::sequence>, "sequence number of its first operation")
          .Number("count", Unit::kCount, OfBatch<&WalRecord::count>,
                  "operations, as its header says")
          .List("ops", OperationsOf, WalOperationFields(), "what it does")
          .Text(
              "damage",
              [](const auto& view) {
                return view.record.damage.empty() ? nullptr : &view.record.damage;
              },
              "what is wrong here: no batch")
          .Flag(
              "unfinished",
              [](const auto& view) {
                return view.record.damage.empty() ? nullptr : &view.record.unfinished;
              },
              "the log ends here, as a crash leaves it: no damage");
  return fields;
}

class WalRows : public RowSource {
 public:
  // The list has the records from `first` on; this page begins with the one at `from`.
  WalRows(const Call& call, WalStream stream, const WalPlace& place, uint64_t first, uint64_t from)
      : call_(call),
        stream_(std::move(stream)),
        path_(place.path),
        first_(first),
        from_(from),
        headers_only_(call.Flag("headers")),
        family_(call.Name("cf")) {}

  bool Next(Row* row) override {
    WalRecord record;
    do {
      if (!stream_.Next(&record)) return false;
      NoteDamage(record);
    } while (record.offset < from_);
    row->position = std::to_string(record.offset);
    if (family_) LeaveOutOtherFamilies(&record);
    const WalRecordView view = {record, headers_only_};
    row->json = WalRecordFields().ToJson(
        view, {call_.bytes(), [this, row] { return call_.RowHref(row->position); }});
    return true;
  }
  // Damaged records do not end the list, but make it incomplete: the last page says so, whichever
  // page showed them.
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

  void LeaveOutOtherFamilies(WalRecord* record) const {
    std::erase_if(record->operations, [&](const WalOperation& operation) {
      return operation.family_name != *family_ && std::to_string(operation.family) != *family_;
    });
  }

  const Call call_;
  WalStream stream_;
  const std::string path_;
  const uint64_t first_, from_;
  const bool headers_only_;
  const std::optional<std::string> family_;
  Status damage_;
};

const Fields<WalReport>& WalsHeadFields() {
  static const auto fields =
      Fields<WalReport>().Id("min_log_number", &WalReport::min_log_number,
                             "opening the database replays no log below this number");
  return fields;
}

const Fields<WalPlace>& WalRecordsHeadFields() {
  static const auto fields = Fields<WalPlace>().Id("wal", &WalPlace::number, "number of the log");
  return fields;
}

Reply ListWals(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  ASSIGN_OR_RETURN(WalReport wals, ReportWals(call.target().fs(), call.target().path()));
  const auto report = std::make_shared<const WalReport>(std::move(wals));
  Json head = call.Head();
  WalsHeadFields().AddTo(&head, *report);
  uint64_t damaged = 0;
  const Status failure = FailureOf(*report);
  std::optional<Problem> problem = Problem::OfFailure(failure);
  for (const WalSegment& segment : report->segments) damaged += segment.damaged_bytes;
  return Reply(List{std::move(head), "segments",
                    IndexedRows(call, report->segments.size(),
                                [report](size_t i) {
                                  return WalSegmentFields().ToJson(report->segments[i]);
                                }),
                    /*partial=*/false, damaged > 0 ? std::nullopt : std::move(problem)})
      .WithExit(damaged > 0 ? 4 : 0);
}

Reply ListWalRecords(const Call& call) {
  ASSIGN_OR_RETURN(const WalPlace place, WalOf(call));
  const uint64_t first = call.Number("from_offset").value_or(0);
  ASSIGN_OR_RETURN(WalStream stream,
                   WalStream::Open(call.target().fs(), place.path, place.number, place.families));
  Json head = call.Head();
  WalRecordsHeadFields().AddTo(&head, place);
  return List{std::move(head), "records",
              std::make_unique<WalRows>(call, std::move(stream), place, first,
                                        call.number_of_position(first)),
              /*partial=*/false, ManifestDamageOf(call)};
}

constexpr DocumentSchema kWalsDocument = {
    .name = "varve.wals/1", .make = [](std::string_view name) {
      return ListDocument(name, WalsHeadFields().Members(), "segments",
                          WalSegmentFields().Schema());
    }};

constexpr DocumentSchema kWalRecordsDocument = {
    .name = "varve.wal_records/1", .make = [](std::string_view name) {
      return ListDocument(name, WalRecordsHeadFields().Members(), "records",
                          WalRecordFields().Schema());
    }};

}  // namespace

const Fields<WalSegment>& WalSegmentFields() {
  static const auto fields =
      Fields<WalSegment>("WalSegment")
          .Id("id", &WalSegment::number, "number of the log")
          .Text("name", &WalSegment::name, "path within the database")
          .Number("size", Unit::kBytes, &WalSegment::size, "of the file")
          .Flag("live", &WalSegment::live, "would be replayed at open; the others are obsolete")
          .Flag("recyclable", &WalSegment::recyclable, "of a file that is used again")
          .Number("batches", Unit::kCount, &WalSegment::batches, "whole ones")
          .Number("operations", Unit::kCount, &WalSegment::operations, "of these batches")
          .Id("first_seq", &WalSegment::first_sequence, "lowest sequence number in it")
          .Id("last_seq", &WalSegment::last_sequence, "highest sequence number in it")
          .Number("damaged_bytes", Unit::kBytes, &WalSegment::damaged_bytes, "lost to damage")
          .Number("unfinished_bytes", Unit::kBytes, &WalSegment::unfinished_bytes,
                  "of a last record that a crash cut off")
          .Texts("damage", &WalSegment::damage, "where, and what: the first few places");
  return fields;
}

std::span<const Route> WalRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/wal",
       .handler = ListWals,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kScan,
       .documents = kWalsDocument,
       .summary = "the write-ahead logs"},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/wal/{n}/records",
       .handler = ListWalRecords,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kWalRecordsDocument,
       .summary = "the batches of a log, and its damage",
       .parameters = {{"from_offset", kNumber, "of the first record"},
                      {"headers", kFlag, "batches without their operations"},
                      query::kOnlyFamily},
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
