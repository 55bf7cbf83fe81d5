// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "cli/ldb/file_text.h"
#include "cli/ldb/text.h"
#include "cli/ldb/unique_id.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/lsm/manifest_timeline.h"

namespace varve::cli::ldb {
namespace {

constexpr char kBytewise[] = "leveldb.BytewiseComparator";
constexpr int kLevels = 64;  // ldb shows as many, however many the database has.

std::string Number(std::string_view name, const std::optional<uint64_t>& value) {
  return value ? "\n  " + std::string(name) + ": " + std::to_string(*value) : "";
}

std::string BoundText(const BoundReport& bound, bool hex) {
  return KeyText(bound.key, bound.sequence, bound.type, hex);
}

// Of a key as it is stored: behind the user's are 8 bytes of type and sequence number.
std::string StoredKeyText(std::string_view stored, bool hex) {
  constexpr size_t kSuffixSize = 8;
  if (stored.size() < kSuffixSize) return "(bad)" + Hex(stored);
  const std::string_view key = stored.substr(0, stored.size() - kSuffixSize);
  const uint64_t packed = LoadFixed64(stored.data() + key.size());
  return "'" + (hex ? Hex(key) : std::string(key)) + "' seq:" + std::to_string(packed >> 8) +
         ", type:" + std::to_string(packed & 0xFF);
}

std::string AdditionText(const VersionEdit::NewFile& added, const FileReport& report, bool hex) {
  const auto& file = added.file;
  std::string text = "\n  AddFile: " + std::to_string(added.level) + " " +
                     std::to_string(file.number) + " " + std::to_string(file.size) + " " +
                     BoundText(report.smallest, hex) + " .. " + BoundText(report.largest, hex);
  if (file.oldest_blob_file != 0) text += " blob_file:" + std::to_string(file.oldest_blob_file);
  const std::string function =
      file.file_checksum_function.empty() ? "Unknown" : file.file_checksum_function;
  text += " oldest_ancester_time:" + std::to_string(file.oldest_ancestor_time) +
          " file_creation_time:" + std::to_string(file.creation_time) +
          " file_checksum:" + Hex(file.file_checksum) + " file_checksum_func_name: " + function;
  if (file.temperature != 0) text += " temperature: " + std::to_string(file.temperature);
  if (file.unique_id[0] != 0 || file.unique_id[1] != 0) {
    text += " unique_id(internal): {" + std::to_string(file.unique_id[0]) + "," +
            std::to_string(file.unique_id[1]) +
            "} public_unique_id: " + PublicUniqueId(file.unique_id);
  }
  return text;
}

std::string BlobText(const VersionEdit& edit) {
  std::string text;
  for (const auto& blob : edit.blob_additions) {
    text += "\n  BlobFileAddition: blob_file_number: " + std::to_string(blob.number) +
            " total_blob_count: " + std::to_string(blob.blobs) +
            " total_blob_bytes: " + std::to_string(blob.bytes) +
            " checksum_method: " + blob.checksum_method +
            " checksum_value: " + Hex(blob.checksum_value);
  }
  for (const auto& garbage : edit.blob_garbage) {
    text += "\n  BlobFileGarbage: blob_file_number: " + std::to_string(garbage.number) +
            " garbage_blob_count: " + std::to_string(garbage.blobs) +
            " garbage_blob_bytes: " + std::to_string(garbage.bytes);
  }
  return text;
}

std::string EditText(const EditReport& report, bool hex) {
  const VersionEdit& edit = report.edit;
  std::string text = "VersionEdit {";
  if (edit.db_id) text += "\n  DB ID: " + *edit.db_id;
  if (edit.comparator) text += "\n  Comparator: " + *edit.comparator;
  text += Number("LogNumber", edit.log_number) + Number("PrevLogNumber", edit.prev_log_number) +
          Number("NextFileNumber", edit.next_file_number) +
          Number("MaxColumnFamily", edit.max_family) +
          Number("MinLogNumberToKeep", edit.min_log_number_to_keep) +
          Number("LastSeq", edit.last_sequence);
  for (const auto& cursor : edit.compact_cursors) {
    text +=
        "\n  CompactCursor: " + std::to_string(cursor.level) + " " + StoredKeyText(cursor.key, hex);
  }
  for (const auto& file : edit.deleted_files) {
    text += "\n  DeleteFile: " + std::to_string(file.level) + " " + std::to_string(file.number);
  }
  for (size_t i = 0; i < edit.new_files.size(); ++i) {
    text += AdditionText(edit.new_files[i], report.added.at(i), hex);
  }
  text += BlobText(edit);
  for (const auto& wal : edit.wal_additions) {
    text += "\n  WalAddition: log_number: " + std::to_string(wal.number) +
            " synced_size_in_bytes: " +
            (wal.synced_size ? std::to_string(*wal.synced_size) : "18446744073709551615");
  }
  if (edit.wal_deleted_below) {
    text += "\n  WalDeletion: log_number: " + std::to_string(*edit.wal_deleted_below);
  }
  text += "\n  ColumnFamily: " + std::to_string(edit.family);
  if (edit.add_family) text += "\n  ColumnFamilyAdd: " + *edit.add_family;
  if (edit.drop_family) text += "\n  ColumnFamilyDrop";
  if (edit.atomic_group_remaining) {
    text += "\n  AtomicGroup: " + std::to_string(*edit.atomic_group_remaining) + " entries remains";
  }
  if (edit.full_history_ts_low) {
    const std::string& low = *edit.full_history_ts_low;
    text += "\n FullHistoryTsLow: " + (hex ? Hex(low) : low);
  }
  return text + "\n}\n";
}

struct BlobFile {
  uint64_t blobs = 0, bytes = 0, garbage_blobs = 0, garbage_bytes = 0;
  std::string method, value;
};

// What the edits of a MANIFEST say, besides the tables.
struct Counters {
  uint64_t max_family = 0;
  uint64_t next_file = 0, last_sequence = 0, prev_log = 0, min_log_to_keep = 0;
  std::map<ColumnFamilyId, std::map<FileNumber, uint64_t>> oldest_blobs;  // Of tables.
  std::map<ColumnFamilyId, std::map<FileNumber, BlobFile>> blobs;
  std::map<ColumnFamilyId, std::map<int, std::string>> cursors;  // By level.

  void Take(const VersionEdit& edit) {
    if (edit.add_family) max_family = std::max<uint64_t>(max_family, edit.family);
    if (edit.max_family) max_family = std::max<uint64_t>(max_family, *edit.max_family);
    if (edit.next_file_number) next_file = *edit.next_file_number;
    if (edit.last_sequence) last_sequence = *edit.last_sequence;
    if (edit.prev_log_number) prev_log = *edit.prev_log_number;
    if (edit.log_number) next_file = std::max(next_file, *edit.log_number);
    if (edit.min_log_number_to_keep) {
      min_log_to_keep = std::max(min_log_to_keep, *edit.min_log_number_to_keep);
    }
    for (const auto& cursor : edit.compact_cursors) {
      cursors[edit.family][cursor.level] = cursor.key;
    }
    for (const auto& added : edit.new_files) {
      oldest_blobs[edit.family][added.file.number] = added.file.oldest_blob_file;
    }
    for (const auto& blob : edit.blob_additions) {
      blobs[edit.family][blob.number] = {blob.blobs, blob.bytes,           0,
                                         0,          blob.checksum_method, blob.checksum_value};
    }
    for (const auto& garbage : edit.blob_garbage) {
      BlobFile& file = blobs[edit.family][garbage.number];
      file.garbage_blobs += garbage.blobs;
      file.garbage_bytes += garbage.bytes;
    }
  }
};

std::string LevelText(const LevelReport& level, const std::map<FileNumber, uint64_t>& oldest_blobs,
                      bool hex) {
  std::string text;
  for (const FileReport& file : level.files) {
    text += " " + std::to_string(file.number) + ":" + std::to_string(file.size) + "[" +
            std::to_string(file.smallest_sequence) + " .. " +
            std::to_string(file.largest_sequence) + "][" + BoundText(file.smallest, hex) + " .. " +
            BoundText(file.largest, hex) + "]";
    const auto blob = oldest_blobs.find(file.number);
    if (blob != oldest_blobs.end() && blob->second != 0) {
      text += " blob_file:" + std::to_string(blob->second);
    }
    text += "\n";
  }
  return text;
}

// The tables whose oldest blob is in the file.
std::string LinkedTablesText(const FamilyReport& family,
                             const std::map<FileNumber, uint64_t>& oldest_blobs, FileNumber blob) {
  std::set<FileNumber> tables;
  for (const LevelReport& level : family.levels) {
    for (const FileReport& file : level.files) {
      const auto oldest = oldest_blobs.find(file.number);
      if (oldest != oldest_blobs.end() && oldest->second == blob) tables.insert(file.number);
    }
  }
  std::string text = " linked_ssts: {";
  for (const FileNumber table : tables) text += " " + std::to_string(table);
  return text + " }";
}

// Blob files of which something is left.
std::string BlobFilesText(const FamilyReport& family, Counters& counters, uint64_t version) {
  std::string text;
  for (const auto& [number, file] : counters.blobs[family.id]) {
    if (file.garbage_blobs >= file.blobs) continue;
    text += "blob_file_number: " + std::to_string(number) +
            " total_blob_count: " + std::to_string(file.blobs) +
            " total_blob_bytes: " + std::to_string(file.bytes) +
            " checksum_method: " + file.method + " checksum_value: " + Hex(file.value);
    text += LinkedTablesText(family, counters.oldest_blobs[family.id], number) +
            " garbage_blob_count: " + std::to_string(file.garbage_blobs) +
            " garbage_blob_bytes: " + std::to_string(file.garbage_bytes) + "\n";
  }
  if (text.empty()) return text;
  return "--- blob files --- version# " + std::to_string(version) + " ---\n" + text;
}

std::string FamilyText(const FamilyReport& family, uint64_t version, Counters& counters, bool hex) {
  std::string text = "--------------- Column family \"" + family.name + "\"  (ID " +
                     std::to_string(family.id) +
                     ") --------------\nlog number: " + std::to_string(family.log_number) + "\n";
  const std::string comparator = family.comparator.empty() ? kBytewise : family.comparator;
  // ldb has this one alone.
  text += comparator == kBytewise
              ? "comparator: " + comparator + "\n"
              : "comparator: <" + comparator + ">, but the comparator object is not available.\n";
  for (int i = 0; i < kLevels; ++i) {
    text += "--- level " + std::to_string(i) + " --- version# " + std::to_string(version);
    const auto cursor = counters.cursors[family.id].find(i);
    if (cursor != counters.cursors[family.id].end()) {
      text += " --- compact_cursor: " + StoredKeyText(cursor->second, hex);
    }
    text += " ---\n";
    for (const LevelReport& level : family.levels) {
      if (level.level == i) text += LevelText(level, counters.oldest_blobs[family.id], hex);
    }
  }
  return text + BlobFilesText(family, counters, version);
}

Status PrintAll(Call& call, const std::string& path, const ManifestForm& form) {
  FileSystem& fs = call.file_system();
  ASSIGN_OR_RETURN(ManifestTimeline timeline, ManifestTimeline::Open(fs, path));
  Counters counters;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<EditReport> report, timeline.Next());
    if (!report) break;
    if (form.edits) call.Print(EditText(*report, form.hex));
    counters.Take(report->edit);
  }
  ASSIGN_OR_RETURN(const LsmReport lsm, ReportLsm(fs, path));
  // RocksDB numbers a version for each family first, and one more for what it is at last.
  uint64_t version = lsm.families.size();
  for (const FamilyReport& family : lsm.families) {
    call.Print(FamilyText(family, version++, counters, form.hex));
  }
  call.Print("next_file_number " + std::to_string(counters.next_file + 1) + " last_sequence " +
             std::to_string(counters.last_sequence) + "  prev_log_number " +
             std::to_string(counters.prev_log) + " max_column_family " +
             std::to_string(counters.max_family) + " min_log_number_to_keep " +
             std::to_string(counters.min_log_to_keep) + "\n");
  return Status::Ok();
}

}  // namespace

void PrintManifest(Call& call, const std::string& path, const ManifestForm& form) {
  const Status printed = PrintAll(call, path, form);
  if (!printed.ok()) {
    call.Say("Error in processing file " + path + " " + InRocksDbWords(printed));
  }
}

}  // namespace varve::cli::ldb
