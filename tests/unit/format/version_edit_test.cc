// SPDX-License-Identifier: Apache-2.0
#include "core/format/manifest/version_edit.h"

#include <doctest/doctest.h>

#include <string>

#include "core/base/byte_writer.h"
#include "core/format/internal_key.h"

namespace varve {
namespace {

using namespace std::string_view_literals;

std::string Encode(const VersionEdit& edit) {
  std::string out;
  EncodeVersionEdit(edit, &out);
  return out;
}

std::string Key(std::string_view user_key, Sequence sequence, uint8_t type = 1) {
  std::string key(user_key);
  AppendFixed64(&key, sequence << 8 | type);
  return key;
}

FileDescription SmallFile() {
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

VersionEdit FullEdit() {
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

TEST_CASE("VersionEdit: its bytes are the published vector's") {
  VersionEdit add;
  add.family = 1;
  add.comparator = "leveldb.BytewiseComparator";
  add.add_family = "cf1";
  CHECK(Encode(add) ==
        "\xc8\x01\x01\x01\x1aleveldb.BytewiseComparator\xc9\x01\x03"
        "cf1"sv);

  VersionEdit counters;
  counters.log_number = 8;
  counters.next_file_number = 10;
  counters.last_sequence = 9;
  counters.new_files = {{0, SmallFile()}};
  CHECK(Encode(counters) ==
        "\x02\x08\x03\x0a\x04\x09\x67\x00\x07\xb0\x09\x09"
        "a\x01\x03\0\0\0\0\0\0\x09q\x01\x09"
        "\0\0\0\0\0\0\x03\x09\x05\x01\x00\x06\x01\x00\x0d\x01\x01\x0c\x10\x88\x77\x66\x55\x44\x33"
        "\x22\x11\x00\xff\xee\xdd\xcc\xbb\xaa\x99\x01"sv);
}

TEST_CASE("VersionEdit: decoding gives back what was encoded") {
  for (const VersionEdit& edit : {VersionEdit{}, FullEdit()}) {
    const Result<VersionEdit> decoded = DecodeVersionEdit(Encode(edit));
    REQUIRE(decoded.ok());
    CHECK(*decoded == edit);
  }
}

TEST_CASE("VersionEdit: a record cut inside a field is corruption") {
  VersionEdit edit;
  edit.new_files = {{2, FullEdit().new_files[0].file}};
  const std::string record = Encode(edit);
  for (size_t size = 1; size < record.size(); ++size) {
    CHECK(DecodeVersionEdit(record.substr(0, size)).status().code() == Code::kCorruption);
  }
}

TEST_CASE("VersionEdit: no cut of a full record is read as more than a prefix of it") {
  const std::string record = Encode(FullEdit());
  for (size_t size = 0; size < record.size(); ++size) {
    const Result<VersionEdit> decoded = DecodeVersionEdit(record.substr(0, size));
    if (decoded.ok()) CHECK(Encode(*decoded) != record);
  }
}

TEST_CASE("VersionEdit: unknown tags are skipped with bit 13 and refused without") {
  std::string record;
  AppendVarint32(&record, 8192 + 10);
  AppendLengthPrefixed(&record, "progress");
  AppendVarint32(&record, 3);
  AppendVarint64(&record, 7);
  const Result<VersionEdit> decoded = DecodeVersionEdit(record);
  REQUIRE(decoded.ok());
  CHECK(decoded->skipped_tags == std::vector<uint32_t>{8202});
  CHECK(decoded->next_file_number == 7);

  for (const std::string_view bad : {"\x08"sv, "\x00"sv, "\x63"sv, "\xe8\x07"sv, "\xff"sv}) {
    CHECK(DecodeVersionEdit(bad).status().code() == Code::kCorruption);
  }
  CHECK(DecodeVersionEdit("\x03\x01\x08"sv).status().message() ==
        "version edit@2: tag 8: unknown tag");
}

// A NewFile4 with one more field.
std::string WithField(uint32_t field, std::string_view data) {
  VersionEdit edit;
  edit.new_files = {{0, SmallFile()}};
  std::string record = Encode(edit);
  record.pop_back();  // The terminator.
  AppendVarint32(&record, field);
  AppendLengthPrefixed(&record, data);
  record.push_back('\x01');
  return record;
}

TEST_CASE("VersionEdit: file fields are checked, unknown ones by their critical bit") {
  CHECK(DecodeVersionEdit(WithField(63, "future")).ok());
  CHECK(DecodeVersionEdit(WithField(17, "")).ok());
  CHECK(!DecodeVersionEdit(WithField(66, "future")).ok());
  CHECK(DecodeVersionEdit(WithField(65, "\x03")).ok());
  CHECK(!DecodeVersionEdit(WithField(65, "\x04")).ok());
  CHECK(!DecodeVersionEdit(WithField(65, "")).ok());
  CHECK(!DecodeVersionEdit(WithField(12, "short")).ok());
  CHECK(!DecodeVersionEdit(WithField(4, "\x80")).ok());
  CHECK(!DecodeVersionEdit(WithField(9, "ab")).ok());
  const Result<VersionEdit> log = DecodeVersionEdit(WithField(3, "\x07\0\0\0\0\0\0\0"sv));
  REQUIRE(log.ok());
  CHECK(log->min_log_number_to_keep == 7);
}

TEST_CASE("VersionEdit: boundaries must be internal keys of a known type") {
  const auto decode = [](std::string boundary) {
    VersionEdit edit;
    FileDescription file = SmallFile();
    file.largest = std::move(boundary);
    edit.new_files = {{0, file}};
    return DecodeVersionEdit(Encode(edit));
  };
  for (const int type : {0, 1, 2, 7, 0x0F, 0x11, 0x14, 0x16, 0x18, 0x1A}) {
    CHECK(decode(Key("k", 1, static_cast<uint8_t>(type))).ok());
  }
  for (const int type : {3, 6, 8, 0x10, 0x15, 0x17, 0x7F, 0xFF}) {
    CHECK(!decode(Key("k", 1, static_cast<uint8_t>(type))).ok());
  }
  CHECK(!decode("1234567").ok());
}

TEST_CASE("VersionEdit: older file tags and both numberings of blob and WAL tags are read") {
  const std::string key = Key("k", 5);
  std::string record;
  AppendVarint32(&record, 100);
  for (const uint64_t field : {1, 20, 300}) AppendVarint64(&record, field);
  AppendLengthPrefixed(&record, key);
  AppendLengthPrefixed(&record, key);
  for (const uint64_t field : {5, 6}) AppendVarint64(&record, field);
  AppendVarint32(&record, 102);
  for (const uint64_t field : {2, 21, 3, 301}) AppendVarint64(&record, field);
  AppendLengthPrefixed(&record, key);
  AppendLengthPrefixed(&record, key);
  for (const uint64_t field : {7, 8}) AppendVarint64(&record, field);
  record += "\x82\x40\x09\x02\x03\x00\x00\x00"sv;              // 8194: blob file 9.
  record += "\x83\x40\x09\x01\x01\x05\x01z\x00"sv;             // 8195 with an unknown field.
  record += "\x84\x40\x0b\x01\x85\x40\x04"sv;                  // 8196: WAL 11; 8197: below 4.
  record += "\x87\x40\x04\x0c\x02\x63\x01\x88\x40\x01\x06"sv;  // 8199: WAL 12, 99 bytes; 8200.
  record += "\x05\x03\x09"sv;                                  // Cursor of level 3.
  record += key;
  const Result<VersionEdit> decoded = DecodeVersionEdit(record);
  REQUIRE(decoded.ok());
  REQUIRE(decoded->new_files.size() == 2);
  CHECK(decoded->new_files[0].file.largest_sequence == 6);
  CHECK(decoded->new_files[1].file.path_id == 3);
  CHECK(decoded->new_files[1].file.size == 301);
  CHECK(decoded->blob_additions == std::vector<BlobFileAddition>{{9, 2, 3, "", ""}});
  CHECK(decoded->blob_garbage == std::vector<BlobFileGarbage>{{9, 1, 1}});
  CHECK(decoded->wal_additions ==
        std::vector<VersionEdit::WalAddition>{{11, std::nullopt}, {12, 99}});
  CHECK(decoded->wal_deleted_below == 6);
  CHECK(decoded->compact_cursors == std::vector<VersionEdit::CompactCursor>{{3, key}});

  CHECK(!DecodeVersionEdit("\x87\x40\x02\x0c\x03"sv).ok());              // Unknown WAL field.
  CHECK(!DecodeVersionEdit("\x83\x40\x09\x01\x01\x41\x00\x00"sv).ok());  // Critical blob field.
}

}  // namespace
}  // namespace varve
