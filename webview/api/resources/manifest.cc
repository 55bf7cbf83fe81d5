// SPDX-License-Identifier: Apache-2.0
// GET …/manifest/edits.
#include <algorithm>
#include <limits>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "webview/api/fields/manifest_fields.h"
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

const Fields<FileReport>& AddedFields() {
  static const auto fields =
      Fields<FileReport>("EditFile")
          .Id("file", &FileReport::number, "number of the table")
          .Number("level", Unit::kNone, &FileReport::level, "that it is put on")
          .Number("size", Unit::kBytes, &FileReport::size, "of the table")
          .Object("smallest", &FileReport::smallest, BoundFields(), "its first internal key")
          .Object("largest", &FileReport::largest, BoundFields(), "its last internal key")
          .Id("smallest_seq", &FileReport::smallest_sequence, "lowest sequence number in it")
          .Id("largest_seq", &FileReport::largest_sequence, "highest sequence number in it")
          .Text("unique_id", IfSet(&FileReport::unique_id), "hexadecimal");
  return fields;
}

const Fields<VersionEdit::DeletedFile>& DeletedFields() {
  using Deleted = VersionEdit::DeletedFile;
  static const auto fields =
      Fields<Deleted>("EditDeletedFile")
          .Id("file", &Deleted::number, "number of the table")
          .Number("level", Unit::kNone, &Deleted::level, "that it is taken from");
  return fields;
}

// An edit's data of a blob file.
struct BlobChange {
  FileNumber file;
  uint64_t blobs, bytes;
  bool garbage;
};

const Fields<BlobChange>& BlobFields() {
  static const auto fields =
      Fields<BlobChange>("EditBlobFile")
          .Id("file", &BlobChange::file, "number of the blob file")
          .Number("blobs", Unit::kCount, &BlobChange::blobs, "values that it gains or loses")
          .Number("bytes", Unit::kBytes, &BlobChange::bytes, "of these values")
          .Flag("garbage", &BlobChange::garbage,
                "true: the values become garbage; false: they are added");
  return fields;
}

std::vector<BlobChange> BlobChangesOf(const EditReport& report) {
  std::vector<BlobChange> changes;
  for (const BlobFileAddition& blob : report.edit.blob_additions) {
    changes.push_back({blob.number, blob.blobs, blob.bytes, false});
  }
  for (const BlobFileGarbage& blob : report.edit.blob_garbage) {
    changes.push_back({blob.number, blob.blobs, blob.bytes, true});
  }
  return changes;
}

std::optional<std::string> Displayed(const std::optional<std::string>& bytes) {
  return bytes ? std::optional(EscapeForDisplay(*bytes)) : std::nullopt;
}

const Fields<VersionEdit>& CountersFields() {
  static const auto fields =
      Fields<VersionEdit>("EditCounters")
          .Text(
              "comparator", [](const VersionEdit& edit) { return Displayed(edit.comparator); },
              "name of the order of the family's keys")
          .Text(
              "db_id", [](const VersionEdit& edit) { return Displayed(edit.db_id); },
              "of the database")
          .Id("max_cf_id", &VersionEdit::max_family, "highest number of a column family so far")
          .Id("log_number", &VersionEdit::log_number,
              "all entries of the family in logs below this number are in its tables")
          .Id("prev_log_number", &VersionEdit::prev_log_number,
              "written by LevelDB: another log that is still needed; 0: none")
          .Id("min_log_number_to_keep", &VersionEdit::min_log_number_to_keep,
              "logs below this number are not needed any more")
          .Id("next_file_number", &VersionEdit::next_file_number, "number of the next new file")
          .Id("last_seq", &VersionEdit::last_sequence, "last sequence number so far");
  return fields;
}

std::optional<std::vector<uint64_t>> WalsAdded(const EditReport& report) {
  std::vector<uint64_t> wals;
  for (const auto& wal : report.edit.wal_additions) wals.push_back(wal.number);
  return wals.empty() ? std::nullopt : std::optional(std::move(wals));
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
      *row = {EditFields().ToJson(**edit), std::to_string((*edit)->number)};
      return true;
    }
  }
  const Status& status() const override { return status_; }

 private:
  // Checked at the end as well.
  Status CheckFrom() const {
    if (last_ >= selection_.from || last_ == 0) return Status::Ok();
    return Status::InvalidArgument("there are " + std::to_string(last_) + " edits: no edit " +
                                   std::to_string(selection_.from));
  }

  // Checked at the end: until then, an edit may still add it.
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

Reply ListEdits(const Call& call) {
  if (call.target().kind() != TargetKind::kManifest) {
    RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  }
  EditSelection selection;
  selection.from = call.Number("from").value_or(selection.from);
  selection.to = call.Number("to").value_or(selection.to);
  selection.family = call.Name("cf");
  selection.kind = call.Text("kind");
  selection.from = call.number_of_position(selection.from);
  ASSIGN_OR_RETURN(ManifestTimeline timeline,
                   ManifestTimeline::Open(call.target().fs(), call.target().path()));
  return List{call.Head(), "edits",
              std::make_unique<EditRows>(call, std::move(timeline), std::move(selection)),
              /*partial=*/false, call.damage()};
}

constexpr DocumentSchema kEditsDocument = {
    .name = "varve.edits/1", .make = [](std::string_view name) {
      return ListDocument(name, {}, "edits", EditFields().Schema());
    }};

}  // namespace

const Fields<EditReport>& EditFields() {
  static const auto fields =
      Fields<EditReport>("Edit")
          .Id("edit", &EditReport::number, "its number, from 1")
          .Number("offset", Unit::kOffset, &EditReport::offset, "where it begins in the MANIFEST")
          .Number("size", Unit::kBytes, &EditReport::size, "in the MANIFEST, headers included")
          .Choice(
              "kind", kEditKindNames,
              [](const EditReport& report) { return EditKindName(report.kind); },
              "its purpose, inferred from its contents")
          .Name("cf", &EditReport::family,
                "name of the column family; empty: the MANIFEST has not named it")
          .Number(
              "cf_id", Unit::kNone, [](const EditReport& report) { return report.edit.family; },
              "number of the column family")
          .Object("counters", &EditReport::edit, CountersFields(), "what it sets")
          .List(
              "deleted", [](const EditReport& report) { return report.edit.deleted_files; },
              DeletedFields(), "tables that it removes")
          .List("added", &EditReport::added, AddedFields(), "tables that it adds")
          .List("blob_files", BlobChangesOf, BlobFields(), "its changes to blob files")
          .Number(
              "atomic_group_remaining", Unit::kCount,
              [](const EditReport& report) { return report.edit.atomic_group_remaining; },
              "edits of its atomic group that still follow; the group takes effect as a whole")
          .Ids("wals_added", WalsAdded, "logs that it records as new")
          .Id(
              "wals_deleted_below",
              [](const EditReport& report) { return report.edit.wal_deleted_below; },
              "logs below this number have been deleted")
          .Numbers("skipped_tags", Unit::kNone,
                   IfSet([](const EditReport& report) { return report.edit.skipped_tags; }),
                   "fields that are not known here and may be skipped");
  return fields;
}

std::span<const Route> ManifestRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/manifest/edits",
       .handler = ListEdits,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kManifest,
       .documents = kEditsDocument,
       .summary = "the edits of the MANIFEST",
       .parameters = {{"from", kNumber, "the first edit, counted from 1"},
                      {"to", kNumber, "the last edit"},
                      query::kOnlyFamily,
                      {"kind", kChoice, "edits of this kind only", kChoicesOf<kEditKindNames>}},
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
