// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/format/internal_key.h"
#include "core/format/manifest/version_edit.h"
#include "tests/unit/format/version_edits.h"

namespace varve {
namespace {

using namespace std::string_view_literals;

TEST_CASE("DecodeVersionEdit: a record cut inside a field is corruption") {
  VersionEdit edit;
  edit.new_files = {{2, FullEdit().new_files[0].file}};
  const std::string record = Encode(edit);
  for (size_t size = 1; size < record.size(); ++size) {
    CHECK(DecodeVersionEdit(record.substr(0, size)).status().code() == Code::kCorruption);
  }
}

TEST_CASE("DecodeVersionEdit: no cut of a full record is read as more than a prefix of it") {
  const std::string record = Encode(FullEdit());
  for (size_t size = 0; size < record.size(); ++size) {
    const Result<VersionEdit> decoded = DecodeVersionEdit(record.substr(0, size));
    if (decoded.ok()) CHECK(Encode(*decoded) != record);
  }
}

TEST_CASE("DecodeVersionEdit: unknown tags are skipped with bit 13 and refused without") {
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

TEST_CASE("DecodeVersionEdit: file fields are checked, unknown ones by their critical bit") {
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

TEST_CASE("DecodeVersionEdit: boundaries must be internal keys of a known type") {
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

TEST_CASE("DecodeVersionEdit: older file tags and both numberings of blob and WAL tags are read") {
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

// What the decoder says of a record with this tag and these bytes.
std::string Refusal(uint32_t tag, std::string_view fields) {
  std::string record;
  AppendVarint32(&record, tag);
  record += fields;
  return DecodeVersionEdit(record).status().ToString();
}

TEST_CASE("DecodeVersionEdit: each field is held against its range, and the tag named") {
  const std::string prefix = "corruption: version edit@0: tag ";
  CHECK_EQ(Refusal(4, "\x80\x80\x80\x80\x80\x80\x80\x80\x01"sv),
           prefix + "4: a sequence of more than 56 bits");
  CHECK_EQ(Refusal(4, "\xff\xff\xff\xff\xff\xff\xff\x7f"sv), "ok");
  CHECK_EQ(Refusal(6, "\x80\x80\x80\x80\x08\x01"sv), prefix + "6: impossible level");
  CHECK_EQ(Refusal(6, "\xff\xff\xff\xff\x07\x01"sv), "ok");
  CHECK_EQ(Refusal(5,
                   "\x00\x07"
                   "1234567"sv),
           prefix + "5: an internal key of fewer than 8 bytes");
  CHECK_EQ(Refusal(102, "\x00\x01\x04"sv), prefix + "102: impossible path id");
  CHECK_EQ(Refusal(200, "\xff\xff\xff\xff\x1f"sv), prefix + "200: a field runs past the end");
  CHECK_EQ(Refusal(8192 + 6, "\x00"sv), prefix + "8198: an empty timestamp");
  CHECK_EQ(Refusal(8192 + 9, "\x02\x01\x01"sv), prefix + "8201: the flag is not one byte");
  CHECK_EQ(Refusal(8192 + 9, "\x00"sv), prefix + "8201: the flag is not one byte");
  CHECK_EQ(Refusal(1, "\xff\xff\xff\xff\x0fx"sv), prefix + "1: a field runs past the end");
  CHECK_EQ(DecodeVersionEdit("\x03\x01\xff"sv).status().message(),
           "version edit@2: the tag is not a varint");
}

TEST_CASE("DecodeVersionEdit: a member that comes twice has its last value, lists have both") {
  const Result<VersionEdit> edit = DecodeVersionEdit("\x02\x05\x02\x04\x06\x01\x09\x06\x01\x09"sv);
  REQUIRE(edit.ok());
  CHECK_EQ(*edit->log_number, 4u);
  CHECK(edit->deleted_files == std::vector<VersionEdit::DeletedFile>{{1, 9}, {1, 9}});
}

TEST_CASE("DecodeVersionEdit: the log to keep that files name is the largest, tag 10 the last") {
  const std::string file = WithField(3, "\x07\0\0\0\0\0\0\0"sv);
  CHECK_EQ(DecodeVersionEdit(file + WithField(3, "\x05\0\0\0\0\0\0\0"sv))->min_log_number_to_keep,
           7u);
  CHECK_EQ(DecodeVersionEdit(file + "\x0a\x02")->min_log_number_to_keep, 2u);
  CHECK_FALSE(DecodeVersionEdit(WithField(3, "\x07\0\0\0"sv)).ok());
}

// Clears what is only shown, never written.
VersionEdit Writable(VersionEdit edit) {
  edit.wal_additions.clear();
  edit.wal_deleted_below.reset();
  edit.compact_cursors.clear();
  edit.skipped_tags.clear();
  return edit;
}

TEST_CASE("DecodeVersionEdit: damaged records end in an error or in an edit that can be written") {
  const std::string record = Encode(FullEdit()) + "\x87\x40\x04\x0c\x02\x63\x01\x8a\x40\x02xy";
  REQUIRE(DecodeVersionEdit(record).ok());
  uint32_t state = 7;
  const auto random = [&state] { return (state = state * 1664525 + 1013904223) >> 8; };
  int decoded_count = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string damaged = record;
    for (uint32_t n = random() % 3 + 1; n > 0; --n) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    const Result<VersionEdit> decoded = DecodeVersionEdit(damaged);
    if (!decoded.ok()) {
      REQUIRE(decoded.status().code() == Code::kCorruption);
      REQUIRE(decoded.status().message().starts_with("version edit@"));
      continue;
    }
    ++decoded_count;
    const Result<VersionEdit> again = DecodeVersionEdit(Encode(*decoded));
    REQUIRE(again.ok());
    REQUIRE(*again == Writable(*decoded));
  }
  CHECK_GT(decoded_count, 1000);  // The property was about something.
}

}  // namespace
}  // namespace varve
