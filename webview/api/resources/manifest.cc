// SPDX-License-Identifier: Apache-2.0
// GET …/manifest/edits.
#include <algorithm>
#include <limits>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

namespace varve::api {
namespace {

struct EditSelection {
  uint64_t from = 1, to = std::numeric_limits<uint64_t>::max();  // Both included.
  std::optional<std::string> family, kind;

  bool Wants(const EditReport& edit) const {
    return edit.number >= from && (!family || edit.family == *family) &&
           (!kind || EditKindName(edit.kind) == *kind);
  }
};

Json AddedJson(const FileReport& file) {
  Json json = {{"file", std::to_string(file.number)},
               {"level", file.level},
               {"size", file.size},
               {"smallest", BoundJson(file.smallest)},
               {"largest", BoundJson(file.largest)},
               {"smallest_seq", std::to_string(file.smallest_sequence)},
               {"largest_seq", std::to_string(file.largest_sequence)}};
  if (!file.unique_id.empty()) json["unique_id"] = file.unique_id;
  return json;
}

template <typename T>
void AddNumber(const char* name, const std::optional<T>& value, Json* json) {
  if (value) (*json)[name] = std::to_string(*value);
}

Json CountersJson(const VersionEdit& edit) {
  Json json = Json::object();
  if (edit.comparator) json["comparator"] = EscapeForDisplay(*edit.comparator);
  if (edit.db_id) json["db_id"] = EscapeForDisplay(*edit.db_id);
  AddNumber("max_cf_id", edit.max_family, &json);
  AddNumber("log_number", edit.log_number, &json);
  AddNumber("prev_log_number", edit.prev_log_number, &json);
  AddNumber("min_log_number_to_keep", edit.min_log_number_to_keep, &json);
  AddNumber("next_file_number", edit.next_file_number, &json);
  AddNumber("last_seq", edit.last_sequence, &json);
  return json;
}

Json EditJson(const EditReport& report) {
  const VersionEdit& edit = report.edit;
  Json added = Json::array(), deleted = Json::array(), blobs = Json::array(), wals = Json::array();
  for (const FileReport& file : report.added) added.push_back(AddedJson(file));
  for (const auto& file : edit.deleted_files) {
    deleted.push_back({{"file", std::to_string(file.number)}, {"level", file.level}});
  }
  for (const BlobFileAddition& blob : edit.blob_additions) {
    blobs.push_back({{"file", std::to_string(blob.number)},
                     {"blobs", blob.blobs},
                     {"bytes", blob.bytes},
                     {"garbage", false}});
  }
  for (const BlobFileGarbage& blob : edit.blob_garbage) {
    blobs.push_back({{"file", std::to_string(blob.number)},
                     {"blobs", blob.blobs},
                     {"bytes", blob.bytes},
                     {"garbage", true}});
  }
  for (const auto& wal : edit.wal_additions) wals.push_back(std::to_string(wal.number));
  Json json = {{"edit", std::to_string(report.number)},
               {"offset", report.offset},
               {"size", report.size},
               {"kind", std::string(EditKindName(report.kind))},
               {"cf", report.family},
               {"cf_id", edit.family},
               {"counters", CountersJson(edit)},
               {"deleted", std::move(deleted)},
               {"added", std::move(added)},
               {"blob_files", std::move(blobs)}};
  if (edit.atomic_group_remaining) json["atomic_group_remaining"] = *edit.atomic_group_remaining;
  if (!wals.empty()) json["wals_added"] = std::move(wals);
  AddNumber("wals_deleted_below", edit.wal_deleted_below, &json);
  for (const uint32_t tag : edit.skipped_tags) json["skipped_tags"].push_back(tag);
  return json;
}

class EditRows : public RowSource {
 public:
  EditRows(const Call& call, ManifestTimeline timeline, EditSelection selection)
      : call_(call), timeline_(std::move(timeline)), selection_(std::move(selection)) {}

  bool Next(Row* row) override {
    while (true) {
      Result<std::optional<EditReport>> edit = timeline_.Next();
      status_ = edit.status();
      if (status_.ok() && !*edit) status_ = CheckFrom();
      if (!status_.ok() || !*edit || (*edit)->number > selection_.to) {
        if (status_.ok()) status_ = CheckFamily();
        return false;
      }
      last_ = (*edit)->number;
      if (!selection_.Wants(**edit)) continue;
      *row = {EditJson(**edit), std::to_string((*edit)->number)};
      return true;
    }
  }
  const Status& status() const override { return status_; }

 private:
  // In the end, too.
  Status CheckFrom() const {
    if (last_ >= selection_.from || last_ == 0) return Status::Ok();
    return Status::InvalidArgument("there are " + std::to_string(last_) + " edits, so none from " +
                                   std::to_string(selection_.from));
  }

  // In the end: until then, an edit may still add it.
  Status CheckFamily() const {
    const std::vector<std::string> named = timeline_.Families();
    if (!selection_.family ||
        std::find(named.begin(), named.end(), *selection_.family) != named.end()) {
      return Status::Ok();
    }
    return Status::InvalidArgument("there is no column family '" +
                                   EscapeForDisplay(*selection_.family) + "' in these edits");
  }

  const Call call_;  // Keeps the target open.
  ManifestTimeline timeline_;
  const EditSelection selection_;
  uint64_t last_ = 0;  // The edit read last.
  Status status_;
};

}  // namespace

Reply ListEdits(const Call& call) {
  if (call.target().kind() != TargetKind::kManifest) {
    RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  }
  EditSelection selection;
  selection.from = call.Number("from").value_or(selection.from);
  selection.to = call.Number("to").value_or(selection.to);
  selection.family = call.Text("cf");
  selection.kind = call.Text("kind");
  selection.from = call.number_of_position(selection.from);
  ASSIGN_OR_RETURN(ManifestTimeline timeline,
                   ManifestTimeline::Open(call.target().fs(), call.target().path()));
  return List{call.Head(), "edits",
              std::make_unique<EditRows>(call, std::move(timeline), std::move(selection)),
              /*partial=*/false, call.damage()};
}

Json EditsSchema() {
  const Json counters = Object("EditCounters", {{"comparator", Text(), kOptional},
                                                {"db_id", Text(), kOptional},
                                                {"max_cf_id", U64(), kOptional},
                                                {"log_number", U64(), kOptional},
                                                {"prev_log_number", U64(), kOptional},
                                                {"min_log_number_to_keep", U64(), kOptional},
                                                {"next_file_number", U64(), kOptional},
                                                {"last_seq", U64(), kOptional}});
  const Json added = Object("EditFile", {{"file", U64()},
                                         {"level", Number()},
                                         {"size", Number()},
                                         {"smallest", BoundRef()},
                                         {"largest", BoundRef()},
                                         {"smallest_seq", U64()},
                                         {"largest_seq", U64()},
                                         {"unique_id", Text(), kOptional}});
  const Json blob =
      Object("EditBlobFile",
             {{"file", U64()}, {"blobs", Number()}, {"bytes", Number()}, {"garbage", Boolean()}});
  return ListDocument(
      "varve.edits/1", {}, "edits",
      Object("Edit",
             {{"edit", U64()},
              {"offset", Number()},
              {"size", Number()},
              {"kind", OneOf({"snapshot", "flush", "ingestion", "compaction", "trivial_move",
                              "deletion", "add_family", "drop_family", "counters"})},
              {"cf", Text()},
              {"cf_id", Number()},
              {"counters", counters},
              {"deleted", ArrayOf(Object({{"file", U64()}, {"level", Number()}}))},
              {"added", ArrayOf(added)},
              {"blob_files", ArrayOf(blob)},
              {"atomic_group_remaining", Number(), kOptional},
              {"wals_added", ArrayOf(U64()), kOptional},
              {"wals_deleted_below", U64(), kOptional},
              {"skipped_tags", ArrayOf(Number()), kOptional}}));
}

}  // namespace varve::api
