// SPDX-License-Identifier: Apache-2.0
// Decodes batches and version edits into named fields, using tables of the fields that follow each
// tag (db-format 3 and 4.1-4.3).
#include <optional>
#include <string>

#include "core/base/check.h"
#include "core/format/internal_key.h"
#include "core/format/manifest/version_edit_tags.h"
#include "core/inspect/wal/log_layout.h"

namespace varve {
namespace {

// A field: name and form; 'v' is a varint, 'l' length and bytes, 'k' length and internal key.
struct Field {
  char form;
  const char* name;
};
constexpr size_t kFieldsMax = 8;
// Maximum number of operations of a batch, or fields of an edit, in a tree; the rest is one leaf.
constexpr size_t kShownMax = 1 << 16;
struct TagRow {
  uint32_t tag;
  const char* name;
  Field fields[kFieldsMax];
  // Another tag for the same: in a batch the form with a family, in an edit an old number.
  std::optional<uint32_t> other_tag = {};
};

constexpr TagRow kBatchTags[] = {
    {0x01, "put", {{'l', "key"}, {'l', "value"}}, 0x05},
    {0x00, "delete", {{'l', "key"}}, 0x04},
    {0x07, "single_delete", {{'l', "key"}}, 0x08},
    {0x02, "merge", {{'l', "key"}, {'l', "operand"}}, 0x06},
    {0x0F, "range_delete", {{'l', "begin"}, {'l', "end"}}, 0x0E},
    {0x11, "blob_index", {{'l', "key"}, {'l', "blob_index"}}, 0x10},
    {0x16, "wide_columns", {{'l', "key"}, {'l', "entity"}}, 0x17},
    {0x18, "put_with_time", {{'l', "key"}, {'l', "value_and_time"}}, 0x19},
    {0x03, "log_data", {{'l', "blob"}}},
    {0x0D, "noop", {}},
    {0x09, "begin_prepare", {}},
    {0x12, "begin_persisted_prepare", {}},
    {0x13, "begin_unprepare", {}},
    {0x0A, "end_prepare", {{'l', "xid"}}},
    {0x0B, "commit", {{'l', "xid"}}},
    {0x15, "commit_with_timestamp", {{'l', "timestamp"}, {'l', "xid"}}},
    {0x0C, "rollback", {{'l', "xid"}}},
};

constexpr uint32_t Number(EditTag tag) { return static_cast<uint32_t>(tag); }

constexpr TagRow kEditTags[] = {
    {Number(EditTag::kComparator), "comparator", {{'l', "name"}}},
    {Number(EditTag::kLogNumber), "log_number", {{'v', "number"}}},
    {Number(EditTag::kNextFileNumber), "next_file_number", {{'v', "number"}}},
    {Number(EditTag::kLastSequence), "last_sequence", {{'v', "sequence"}}},
    {Number(EditTag::kCompactCursor), "compact_cursor", {{'v', "level"}, {'k', "key"}}},
    {Number(EditTag::kDeletedFile), "deleted_file", {{'v', "level"}, {'v', "number"}}},
    {Number(EditTag::kNewFile),
     "new_file",
     {{'v', "level"}, {'v', "number"}, {'v', "size"}, {'k', "smallest"}, {'k', "largest"}}},
    {Number(EditTag::kPrevLogNumber), "prev_log_number", {{'v', "number"}}},
    {Number(EditTag::kMinLogNumberToKeep), "min_log_number_to_keep", {{'v', "number"}}},
    {Number(EditTag::kNewFile2),
     "new_file",
     {{'v', "level"},
      {'v', "number"},
      {'v', "size"},
      {'k', "smallest"},
      {'k', "largest"},
      {'v', "smallest_sequence"},
      {'v', "largest_sequence"}}},
    {Number(EditTag::kNewFile3),
     "new_file",
     {{'v', "level"},
      {'v', "number"},
      {'v', "path_id"},
      {'v', "size"},
      {'k', "smallest"},
      {'k', "largest"},
      {'v', "smallest_sequence"},
      {'v', "largest_sequence"}}},
    // Tagged fields follow: 't' up to 1, 'b' up to 0.
    {Number(EditTag::kNewFile4),
     "new_file",
     {{'v', "level"},
      {'v', "number"},
      {'v', "size"},
      {'k', "smallest"},
      {'k', "largest"},
      {'v', "smallest_sequence"},
      {'v', "largest_sequence"},
      {'t', ""}}},
    {Number(EditTag::kColumnFamily), "column_family", {{'v', "id"}}},
    {Number(EditTag::kColumnFamilyAdd), "column_family_add", {{'l', "name"}}},
    {Number(EditTag::kColumnFamilyDrop), "column_family_drop", {}},
    {Number(EditTag::kMaxColumnFamily), "max_column_family", {{'v', "id"}}},
    {Number(EditTag::kInAtomicGroup), "in_atomic_group", {{'v', "remaining"}}},
    {Number(EditTag::kBlobFileAddition),
     "blob_file_addition",
     {{'v', "number"},
      {'v', "blobs"},
      {'v', "bytes"},
      {'l', "checksum_method"},
      {'l', "checksum"},
      {'b', ""}},
     Number(EditTag::kBlobFileAdditionOld)},
    {Number(EditTag::kBlobFileGarbage),
     "blob_file_garbage",
     {{'v', "number"}, {'v', "blobs"}, {'v', "bytes"}, {'b', ""}},
     Number(EditTag::kBlobFileGarbageOld)},
    {Number(EditTag::kWalDeletionOld), "wal_deletion", {{'v', "number"}}},
    {Number(EditTag::kWalAdditionOld), "wal_addition", {{'v', "number"}, {'w', ""}}},
    {Number(EditTag::kDbId), "db_id", {{'l', "id"}}},
    {Number(EditTag::kFullHistoryTsLow), "full_history_ts_low", {{'l', "timestamp"}}},
    {Number(EditTag::kWalAddition), "wal_addition", {{'l', "fields"}}},
    {Number(EditTag::kWalDeletion), "wal_deletion", {{'l', "fields"}}},
    {Number(EditTag::kPersistUserTimestamps), "persist_user_timestamps", {{'l', "flag"}}},
};

template <size_t N>
const TagRow* Find(const TagRow (&rows)[N], uint64_t tag) {
  for (const TagRow& row : rows) {
    if (row.tag == tag || row.other_tag == tag) return &row;
  }
  return nullptr;
}

bool CutTagged(uint64_t end, LayoutCutter* cut) {
  while (true) {
    uint64_t field = 0;
    if (!cut->Varint("field", &field)) return false;
    if (field == end) return true;
    if (!cut->Prefixed("data")) return false;
  }
}

bool CutWalFields(LayoutCutter* cut) {
  while (true) {
    uint64_t field = 0;
    if (!cut->Varint("field", &field)) return false;
    if (field == kWalFieldEnd) return true;
    if (field != kWalFieldSyncedSize || !cut->Varint("synced_size")) return false;
  }
}

bool CutInternalKey(std::string_view name, LayoutCutter* cut) {
  uint64_t size = 0;
  if (!cut->Varint(std::string(name) + "_size", &size) || size > cut->rest().size()) return false;
  return cut->InternalKey(name, size);
}

bool CutField(const Field& field, LayoutCutter* cut) {
  switch (field.form) {
    case 'v':
      return cut->Varint(field.name);
    case 'l':
      return cut->Prefixed(field.name);
    case 'k':
      return CutInternalKey(field.name, cut);
    case 't':
      return CutTagged(static_cast<uint64_t>(NewFileField::kEnd), cut);
    case 'b':
      return CutTagged(kBlobFieldEnd, cut);
    default:
      DCHECK(field.form == 'w');
      return CutWalFields(cut);
  }
}

bool CutFields(const TagRow& row, LayoutCutter* cut) {
  for (const Field& field : row.fields) {
    if (field.form == 0) break;
    if (!CutField(field, cut)) return false;
  }
  return true;
}

}  // namespace

void LayOutBatch(std::string_view batch, uint64_t offset, LayoutNode* parent) {
  LayoutCutter cut(batch, offset, parent);
  cut.Fixed64("sequence");
  cut.Fixed32("count");
  bool known = true;
  for (size_t i = 0; i < kShownMax && cut.ok() && !cut.empty(); ++i) {
    const uint8_t tag = static_cast<uint8_t>(cut.rest().front());
    const TagRow* row = Find(kBatchTags, tag);
    known = row != nullptr;
    if (!known) break;
    cut.OpenNode(row->name);
    cut.Fixed8("tag");
    if (tag == row->other_tag) cut.Varint("family");
    CutFields(*row, &cut);
    cut.CloseNode();
  }
  cut.Finish(known ? "more_operations" : "undecoded", "a field runs past the end of the batch");
}

void LayOutEdit(std::string_view edit, uint64_t offset, LayoutNode* parent) {
  LayoutCutter cut(edit, offset, parent);
  bool known = true;
  for (size_t i = 0; i < kShownMax && cut.ok() && !cut.empty(); ++i) {
    cut.OpenNode("field");
    uint64_t tag = 0;
    known = cut.Varint("tag", &tag);
    const TagRow* row = known ? Find(kEditTags, tag) : nullptr;
    if (row != nullptr) {
      known = CutFields(*row, &cut);
    } else if (known) {
      known = (tag & Number(EditTag::kSkippable)) != 0 && cut.Prefixed("skipped");
    }
    LayoutNode* const node = cut.CloseNode();
    if (row != nullptr && node != nullptr) node->name = row->name;
    if (!known) break;
  }
  cut.Finish(known ? "more_fields" : "undecoded", "a field runs past the end of the edit");
}

}  // namespace varve
