// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/bytes/byte_reader.h"
#include "core/format/internal_key.h"
#include "core/format/length_prefixed.h"
#include "core/format/manifest/version_edit.h"
#include "core/format/manifest/version_edit_tags.h"

namespace varve {
namespace {

// Decodes one record in one pass. Each Read* returns false if its bytes are invalid; `why_` has the
// reason, unless a field simply ran past the end.
class EditDecoder {
 public:
  explicit EditDecoder(std::string_view record) : in_(record) {}

  Result<VersionEdit> Decode() {
    while (!in_.empty()) {
      const uint64_t offset = in_.offset();
      uint32_t tag = 0;
      if (!in_.ReadVarint32(&tag)) return Failure("the tag is not a varint", offset);
      if (!ReadFields(static_cast<EditTag>(tag))) {
        const std::string_view why = why_.empty() ? "a field runs past the end" : why_;
        return Failure("tag " + std::to_string(tag) + ": " + std::string(why), offset);
      }
    }
    return std::move(edit_);
  }

 private:
  static Status Failure(std::string what, uint64_t offset) {
    return Status::Corruption("version edit@" + std::to_string(offset) + ": " + std::move(what));
  }

  bool Wrong(std::string_view why) {
    why_ = why;
    return false;
  }

  bool ReadNumber(std::optional<uint64_t>* out) { return in_.ReadVarint64(&out->emplace()); }
  bool ReadId(std::optional<uint32_t>* out) { return in_.ReadVarint32(&out->emplace()); }

  bool ReadText(std::string* out) {
    std::string_view text;
    if (!ReadLengthPrefixed32(in_, &text)) return false;
    *out = text;
    return true;
  }

  bool ReadLevel(int* level) {
    uint32_t value = 0;
    if (!in_.ReadVarint32(&value)) return false;
    if (value > uint32_t{std::numeric_limits<int>::max()}) return Wrong("impossible level");
    *level = static_cast<int>(value);
    return true;
  }

  bool ReadSequence(Sequence* sequence) {
    if (!in_.ReadVarint64(sequence)) return false;
    return *sequence <= kMaxSequence || Wrong("a sequence of more than 56 bits");
  }

  bool ReadInternalKey(std::string* key) {
    if (!ReadText(key)) return false;
    if (key->size() < kPackedSize) return Wrong("an internal key of fewer than 8 bytes");
    const auto type = static_cast<uint8_t>((*key)[key->size() - kPackedSize]);
    return IsBoundaryType(type) || Wrong("an internal key of unknown type");
  }

  bool ReadFields(EditTag tag);
  bool ReadDatabaseFields(EditTag tag);
  bool ReadFamilyFields(EditTag tag);
  bool ReadFileChange(EditTag tag);
  bool ReadNewFile(EditTag tag);
  bool ReadFileFields(FileDescription* file);
  bool ReadFileField(NewFileField field, std::string_view data, FileDescription* file);
  bool ReadBlobAddition();
  bool ReadBlobGarbage();
  bool SkipBlobFields();
  bool ReadWalAddition(ByteReader* in);
  bool ReadWalChange(EditTag tag);
  bool SkipUnknown(EditTag tag);

  ByteReader in_;
  VersionEdit edit_;
  std::string_view why_;
};

bool EditDecoder::ReadFields(EditTag tag) {
  switch (tag) {
    case EditTag::kNextFileNumber:
    case EditTag::kLastSequence:
    case EditTag::kPrevLogNumber:
    case EditTag::kMinLogNumberToKeep:
    case EditTag::kMaxColumnFamily:
    case EditTag::kInAtomicGroup:
    case EditTag::kDbId:
      return ReadDatabaseFields(tag);
    case EditTag::kComparator:
    case EditTag::kLogNumber:
    case EditTag::kColumnFamily:
    case EditTag::kColumnFamilyAdd:
    case EditTag::kColumnFamilyDrop:
    case EditTag::kFullHistoryTsLow:
    case EditTag::kPersistUserTimestamps:
      return ReadFamilyFields(tag);
    case EditTag::kCompactCursor:
    case EditTag::kDeletedFile:
    case EditTag::kNewFile:
    case EditTag::kNewFile2:
    case EditTag::kNewFile3:
    case EditTag::kNewFile4:
      return ReadFileChange(tag);
    case EditTag::kBlobFileAddition:
    case EditTag::kBlobFileAdditionOld:
      return ReadBlobAddition();
    case EditTag::kBlobFileGarbage:
    case EditTag::kBlobFileGarbageOld:
      return ReadBlobGarbage();
    case EditTag::kWalAddition:
    case EditTag::kWalAdditionOld:
    case EditTag::kWalDeletion:
    case EditTag::kWalDeletionOld:
      return ReadWalChange(tag);
    case EditTag::kSkippable:
      break;
  }
  return SkipUnknown(tag);
}

bool EditDecoder::ReadDatabaseFields(EditTag tag) {
  switch (tag) {
    case EditTag::kNextFileNumber:
      return ReadNumber(&edit_.next_file_number);
    case EditTag::kLastSequence:
      return ReadSequence(&edit_.last_sequence.emplace());
    case EditTag::kPrevLogNumber:
      return ReadNumber(&edit_.prev_log_number);
    case EditTag::kMinLogNumberToKeep:
      return ReadNumber(&edit_.min_log_number_to_keep);
    case EditTag::kMaxColumnFamily:
      return ReadId(&edit_.max_family);
    case EditTag::kInAtomicGroup:
      return ReadId(&edit_.atomic_group_remaining);
    default:
      return ReadText(&edit_.db_id.emplace());
  }
}

bool EditDecoder::ReadFamilyFields(EditTag tag) {
  switch (tag) {
    case EditTag::kComparator:
      return ReadText(&edit_.comparator.emplace());
    case EditTag::kLogNumber:
      return ReadNumber(&edit_.log_number);
    case EditTag::kColumnFamily:
      return in_.ReadVarint32(&edit_.family);
    case EditTag::kColumnFamilyAdd:
      return ReadText(&edit_.add_family.emplace());
    case EditTag::kColumnFamilyDrop:
      edit_.drop_family = true;
      return true;
    case EditTag::kFullHistoryTsLow:
      if (!ReadText(&edit_.full_history_ts_low.emplace())) return false;
      return !edit_.full_history_ts_low->empty() || Wrong("an empty timestamp");
    default: {
      std::string_view data;
      if (!ReadLengthPrefixed32(in_, &data)) return false;
      if (data.size() != 1) return Wrong("the flag is not one byte");
      edit_.persist_user_timestamps = data.front() == 1;
      return true;
    }
  }
}

bool EditDecoder::ReadFileChange(EditTag tag) {
  if (tag == EditTag::kDeletedFile) {
    VersionEdit::DeletedFile& deleted = edit_.deleted_files.emplace_back();
    return ReadLevel(&deleted.level) && in_.ReadVarint64(&deleted.number);
  }
  if (tag == EditTag::kCompactCursor) {
    VersionEdit::CompactCursor& cursor = edit_.compact_cursors.emplace_back();
    return ReadLevel(&cursor.level) && ReadInternalKey(&cursor.key);
  }
  return ReadNewFile(tag);
}

bool EditDecoder::ReadNewFile(EditTag tag) {
  VersionEdit::NewFile& added = edit_.new_files.emplace_back();
  FileDescription& file = added.file;
  if (!ReadLevel(&added.level) || !in_.ReadVarint64(&file.number)) return false;
  if (tag == EditTag::kNewFile3) {
    if (!in_.ReadVarint32(&file.path_id)) return false;
    if (file.path_id > kPathIdMax) return Wrong("impossible path id");
  }
  if (!in_.ReadVarint64(&file.size) || !ReadInternalKey(&file.smallest) ||
      !ReadInternalKey(&file.largest)) {
    return false;
  }
  if (tag == EditTag::kNewFile) {
    file.sequences_known = false;
    return true;
  }
  if (!ReadSequence(&file.smallest_sequence) || !ReadSequence(&file.largest_sequence)) {
    return false;
  }
  return tag != EditTag::kNewFile4 || ReadFileFields(&file);
}

bool EditDecoder::ReadFileFields(FileDescription* file) {
  while (true) {
    uint32_t field = 0;
    if (!in_.ReadVarint32(&field)) return false;
    if (field == static_cast<uint32_t>(NewFileField::kEnd)) return true;
    std::string_view data;
    if (!ReadLengthPrefixed32(in_, &data)) return false;
    if (!ReadFileField(static_cast<NewFileField>(field), data, file)) return false;
  }
}

bool EditDecoder::ReadFileField(NewFileField field, std::string_view data, FileDescription* file) {
  ByteReader in(data);
  const auto number = [&](uint64_t* out) {
    return in.ReadVarint64(out) || Wrong("a file field is not a varint");
  };
  const auto byte = [&](uint8_t* out) {
    return (data.size() == 1 && in.ReadByte(out)) || Wrong("a file field is not one byte");
  };
  uint8_t flag = 0;
  switch (field) {
    case NewFileField::kNeedCompaction:
      if (!byte(&flag)) return false;
      file->marked_for_compaction = flag == 1;
      return true;
    case NewFileField::kMinLogNumberToKeep: {
      uint64_t log = 0;
      if (!in.ReadFixed64(&log)) return Wrong("the log number of a file is not 8 bytes");
      edit_.min_log_number_to_keep = std::max(edit_.min_log_number_to_keep.value_or(0), log);
      return true;
    }
    case NewFileField::kOldestBlobFile:
      return number(&file->oldest_blob_file);
    case NewFileField::kOldestAncestorTime:
      return number(&file->oldest_ancestor_time);
    case NewFileField::kCreationTime:
      return number(&file->creation_time);
    case NewFileField::kFileChecksum:
      file->file_checksum = data;
      return true;
    case NewFileField::kFileChecksumFunction:
      file->file_checksum_function = data;
      return true;
    case NewFileField::kTemperature:
      return byte(&file->temperature);
    case NewFileField::kUniqueId:
      if (data.size() != sizeof(file->unique_id)) return Wrong("the unique id is not 16 bytes");
      return in.ReadFixed64(&file->unique_id[0]) && in.ReadFixed64(&file->unique_id[1]);
    case NewFileField::kEpoch:
      return number(&file->epoch);
    case NewFileField::kTailSize:
      return number(&file->tail_size);
    case NewFileField::kUserTimestampsPersisted:
      if (!byte(&flag)) return false;
      file->user_timestamps_persisted = flag != 0;
      return true;
    case NewFileField::kPathId:
      if (!byte(&flag)) return false;
      file->path_id = flag;
      return flag <= kPathIdMax || Wrong("impossible path id");
    case NewFileField::kEnd:
    case NewFileField::kCritical:
      break;
  }
  const auto bits = static_cast<uint32_t>(field);
  const bool critical = (bits & static_cast<uint32_t>(NewFileField::kCritical)) != 0;
  return !critical || Wrong("an unknown file field that must not be ignored");
}

bool EditDecoder::SkipBlobFields() {
  while (true) {
    uint32_t field = 0;
    if (!in_.ReadVarint32(&field)) return false;
    if (field == kBlobFieldEnd) return true;
    if ((field & static_cast<uint32_t>(NewFileField::kCritical)) != 0) {
      return Wrong("an unknown blob file field that must not be ignored");
    }
    std::string_view skipped;
    if (!ReadLengthPrefixed32(in_, &skipped)) return false;
  }
}

bool EditDecoder::ReadBlobAddition() {
  BlobFileAddition& blob = edit_.blob_additions.emplace_back();
  return in_.ReadVarint64(&blob.number) && in_.ReadVarint64(&blob.blobs) &&
         in_.ReadVarint64(&blob.bytes) && ReadText(&blob.checksum_method) &&
         ReadText(&blob.checksum_value) && SkipBlobFields();
}

bool EditDecoder::ReadBlobGarbage() {
  BlobFileGarbage& garbage = edit_.blob_garbage.emplace_back();
  return in_.ReadVarint64(&garbage.number) && in_.ReadVarint64(&garbage.blobs) &&
         in_.ReadVarint64(&garbage.bytes) && SkipBlobFields();
}

bool EditDecoder::ReadWalAddition(ByteReader* in) {
  VersionEdit::WalAddition& wal = edit_.wal_additions.emplace_back();
  if (!in->ReadVarint64(&wal.number)) return false;
  while (true) {
    uint32_t field = 0;
    if (!in->ReadVarint32(&field)) return false;
    if (field == kWalFieldEnd) return true;
    if (field != kWalFieldSyncedSize) return Wrong("an unknown WAL field");
    if (!in->ReadVarint64(&wal.synced_size.emplace())) return false;
  }
}

bool EditDecoder::ReadWalChange(EditTag tag) {
  if (tag == EditTag::kWalAdditionOld) return ReadWalAddition(&in_);
  if (tag == EditTag::kWalDeletionOld) return ReadNumber(&edit_.wal_deleted_below);
  std::string_view data;
  if (!ReadLengthPrefixed32(in_, &data)) return false;
  ByteReader in(data);
  if (tag == EditTag::kWalAddition) return ReadWalAddition(&in);
  return in.ReadVarint64(&edit_.wal_deleted_below.emplace());
}

bool EditDecoder::SkipUnknown(EditTag tag) {
  const auto bits = static_cast<uint32_t>(tag);
  if ((bits & static_cast<uint32_t>(EditTag::kSkippable)) == 0) return Wrong("unknown tag");
  std::string_view skipped;
  if (!ReadLengthPrefixed32(in_, &skipped)) return false;
  edit_.skipped_tags.push_back(bits);
  return true;
}

}  // namespace

Result<VersionEdit> DecodeVersionEdit(std::string_view record) {
  return EditDecoder(record).Decode();
}

}  // namespace varve
