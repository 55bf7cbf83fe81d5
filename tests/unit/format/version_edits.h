// SPDX-License-Identifier: Apache-2.0
// Version edits for the tests of their encoder and decoder.
#pragma once

#include <string>
#include <string_view>

#include "core/base/bytes/byte_writer.h"
#include "core/format/internal_key.h"
#include "core/format/manifest/version_edit.h"

namespace varve {

inline std::string Encode(const VersionEdit& edit) {
  std::string out;
  EncodeVersionEdit(edit, &out);
  return out;
}

inline std::string Key(std::string_view user_key, Sequence sequence, uint8_t type = 1) {
  std::string key(user_key);
  AppendFixed64(&key, sequence << 8 | type);
  return key;
}

inline FileDescription SmallFile() {
  FileDescription file;
  file.number = 7;
  file.size = 1200;
  file.smallest = Key("a", 3);
  file.largest = Key("q", 9);
  file.smallest_sequence = 3;
  file.largest_sequence = 9;
  file.epoch = 1;
  file.unique_id = {0x1122334455667788, 0x99aabbccddeeff00};
  return file;
}

inline VersionEdit FullEdit() {
  VersionEdit edit;
  edit.family = 300;
  edit.add_family = "cf";
  edit.drop_family = true;
  edit.comparator = "order";
  edit.log_number = 1;
  edit.prev_log_number = 0;
  edit.next_file_number = uint64_t{1} << 40;
  edit.last_sequence = kMaxSequence;
  edit.min_log_number_to_keep = 4;
  edit.max_family = 0xFFFFFFFF;
  edit.db_id = "id";
  edit.atomic_group_remaining = 2;
  edit.full_history_ts_low = "ts";
  edit.persist_user_timestamps = false;
  edit.deleted_files = {{0, 5}, {6, 6}};
  FileDescription file = SmallFile();
  file.oldest_blob_file = 3;
  file.oldest_ancestor_time = 1700000000;
  file.creation_time = 1700000001;
  file.path_id = 3;
  file.marked_for_compaction = true;
  file.temperature = 0x0C;
  file.file_checksum = std::string("\0\1", 2);
  file.file_checksum_function = "FileChecksumCrc32c";
  file.tail_size = 99;
  file.user_timestamps_persisted = false;
  FileDescription leveldb;
  leveldb.number = 8;
  leveldb.smallest = leveldb.largest = Key("", 0);
  leveldb.sequences_known = false;
  edit.new_files = {{2, file}, {0, leveldb}, {1, SmallFile()}};
  edit.blob_additions = {{9, 2, 300, "crc", "x"}};
  edit.blob_garbage = {{9, 1, 100}};
  return edit;
}

}  // namespace varve
