// SPDX-License-Identifier: Apache-2.0
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/format/manifest/version_edit.h"
#include "core/format/manifest/version_edit_tags.h"

namespace varve {
namespace {

void AppendTag(std::string* out, EditTag tag) { AppendVarint32(out, static_cast<uint32_t>(tag)); }

void AppendField(std::string* out, NewFileField field, std::string_view data) {
  AppendVarint32(out, static_cast<uint32_t>(field));
  AppendLengthPrefixed(out, data);
}

void AppendField(std::string* out, NewFileField field, uint64_t value) {
  char data[kMaxVarint64Size];
  char* end = StoreVarint64(data, value);
  AppendField(out, field, std::string_view(data, static_cast<size_t>(end - data)));
}

void AppendByteField(std::string* out, NewFileField field, uint8_t value) {
  const char byte = static_cast<char>(value);
  AppendField(out, field, std::string_view(&byte, 1));
}

void AppendLevel(std::string* out, int level) {
  CHECK(level >= 0);
  AppendVarint32(out, static_cast<uint32_t>(level));
}

// A field with its default value is left out, except the two times, which RocksDB always writes.
void AppendFileFields(const FileDescription& file, std::string* out) {
  AppendField(out, NewFileField::kOldestAncestorTime, file.oldest_ancestor_time);
  AppendField(out, NewFileField::kCreationTime, file.creation_time);
  if (file.epoch != 0) AppendField(out, NewFileField::kEpoch, file.epoch);
  if (file.unique_id != decltype(file.unique_id){}) {
    std::string id;
    AppendFixed64(&id, file.unique_id[0]);
    AppendFixed64(&id, file.unique_id[1]);
    AppendField(out, NewFileField::kUniqueId, id);
  }
  if (file.marked_for_compaction) AppendByteField(out, NewFileField::kNeedCompaction, 1);
  if (file.oldest_blob_file != 0) {
    AppendField(out, NewFileField::kOldestBlobFile, file.oldest_blob_file);
  }
  if (!file.file_checksum.empty()) {
    AppendField(out, NewFileField::kFileChecksum, file.file_checksum);
  }
  if (!file.file_checksum_function.empty()) {
    AppendField(out, NewFileField::kFileChecksumFunction, file.file_checksum_function);
  }
  if (file.temperature != 0) AppendByteField(out, NewFileField::kTemperature, file.temperature);
  if (file.tail_size != 0) AppendField(out, NewFileField::kTailSize, file.tail_size);
  if (!file.user_timestamps_persisted) {
    AppendByteField(out, NewFileField::kUserTimestampsPersisted, 0);
  }
  if (file.path_id != 0) {
    CHECK_OP(file.path_id, <=, kPathIdMax);
    AppendByteField(out, NewFileField::kPathId, static_cast<uint8_t>(file.path_id));
  }
  AppendVarint32(out, static_cast<uint32_t>(NewFileField::kEnd));
}

void AppendNewFile(const VersionEdit::NewFile& added, std::string* out) {
  const FileDescription& file = added.file;
  AppendTag(out, file.sequences_known ? EditTag::kNewFile4 : EditTag::kNewFile);
  AppendLevel(out, added.level);
  AppendVarint64(out, file.number);
  AppendVarint64(out, file.size);
  AppendLengthPrefixed(out, file.smallest);
  AppendLengthPrefixed(out, file.largest);
  if (!file.sequences_known) return;
  AppendVarint64(out, file.smallest_sequence);
  AppendVarint64(out, file.largest_sequence);
  AppendFileFields(file, out);
}

void AppendBlobChanges(const VersionEdit& edit, std::string* out) {
  for (const BlobFileAddition& blob : edit.blob_additions) {
    AppendTag(out, EditTag::kBlobFileAddition);
    AppendVarint64(out, blob.number);
    AppendVarint64(out, blob.blobs);
    AppendVarint64(out, blob.bytes);
    AppendLengthPrefixed(out, blob.checksum_method);
    AppendLengthPrefixed(out, blob.checksum_value);
    AppendVarint32(out, kBlobFieldEnd);
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    AppendTag(out, EditTag::kBlobFileGarbage);
    AppendVarint64(out, garbage.number);
    AppendVarint64(out, garbage.blobs);
    AppendVarint64(out, garbage.bytes);
    AppendVarint32(out, kBlobFieldEnd);
  }
}

template <typename T>
void AppendNumber(std::string* out, EditTag tag, const std::optional<T>& number) {
  if (!number) return;
  AppendTag(out, tag);
  AppendVarint64(out, *number);
}

void AppendText(std::string* out, EditTag tag, const std::optional<std::string>& text) {
  if (!text) return;
  AppendTag(out, tag);
  AppendLengthPrefixed(out, *text);
}

}  // namespace

void EncodeVersionEdit(const VersionEdit& edit, std::string* out) {
  AppendText(out, EditTag::kDbId, edit.db_id);
  if (edit.family != kDefaultColumnFamilyId) {
    AppendTag(out, EditTag::kColumnFamily);
    AppendVarint32(out, edit.family);
  }
  AppendText(out, EditTag::kComparator, edit.comparator);
  if (edit.persist_user_timestamps) {
    AppendTag(out, EditTag::kPersistUserTimestamps);
    const char byte = *edit.persist_user_timestamps ? 1 : 0;
    AppendLengthPrefixed(out, std::string_view(&byte, 1));
  }
  AppendText(out, EditTag::kColumnFamilyAdd, edit.add_family);
  if (edit.drop_family) AppendTag(out, EditTag::kColumnFamilyDrop);
  AppendNumber(out, EditTag::kLogNumber, edit.log_number);
  AppendNumber(out, EditTag::kPrevLogNumber, edit.prev_log_number);
  AppendNumber(out, EditTag::kNextFileNumber, edit.next_file_number);
  AppendNumber(out, EditTag::kMaxColumnFamily, edit.max_family);
  AppendNumber(out, EditTag::kMinLogNumberToKeep, edit.min_log_number_to_keep);
  AppendNumber(out, EditTag::kLastSequence, edit.last_sequence);
  for (const VersionEdit::DeletedFile& deleted : edit.deleted_files) {
    AppendTag(out, EditTag::kDeletedFile);
    AppendLevel(out, deleted.level);
    AppendVarint64(out, deleted.number);
  }
  for (const VersionEdit::NewFile& added : edit.new_files) AppendNewFile(added, out);
  AppendBlobChanges(edit, out);
  AppendText(out, EditTag::kFullHistoryTsLow, edit.full_history_ts_low);
  AppendNumber(out, EditTag::kInAtomicGroup, edit.atomic_group_remaining);
}

}  // namespace varve
