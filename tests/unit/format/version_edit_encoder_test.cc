// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "core/base/bytes/byte_writer.h"
#include "core/format/manifest/version_edit.h"
#include "tests/unit/format/version_edits.h"

namespace varve {
namespace {

using namespace std::string_view_literals;

TEST_CASE("EncodeVersionEdit: its bytes are the published vector's") {
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

TEST_CASE("EncodeVersionEdit: decoding gives back what was encoded") {
  for (const VersionEdit& edit : {VersionEdit{}, FullEdit()}) {
    const Result<VersionEdit> decoded = DecodeVersionEdit(Encode(edit));
    REQUIRE(decoded.ok());
    CHECK(*decoded == edit);
  }
}

TEST_CASE("EncodeVersionEdit: a change of nothing has no bytes") { CHECK_EQ(Encode({}), ""); }

TEST_CASE("EncodeVersionEdit: appends to what is there") {
  std::string out = "in front";
  VersionEdit edit;
  edit.next_file_number = 3;
  EncodeVersionEdit(edit, &out);
  CHECK_EQ(out, "in front\x03\x03");
}

// core/README.md, "Never written": some releases of RocksDB do not read these.
TEST_CASE("EncodeVersionEdit: log additions, cursors and skipped tags are not written") {
  VersionEdit edit = FullEdit();
  const std::string before = Encode(edit);
  edit.wal_additions = {{11, std::nullopt}, {12, 99}};
  edit.wal_deleted_below = 6;
  edit.compact_cursors = {{3, Key("k", 1)}};
  edit.skipped_tags = {8202};
  CHECK(Encode(edit) == before);
}

// A counter that is absent and one that is 0 are different things to a reader.
TEST_CASE("EncodeVersionEdit: each member alone comes back, zero and empty ones, too") {
  const auto keeps = [](auto member, auto value) {
    VersionEdit edit;
    edit.*member = value;
    const Result<VersionEdit> decoded = DecodeVersionEdit(Encode(edit));
    return decoded.ok() && *decoded == edit;
  };
  for (const auto number : {&VersionEdit::log_number, &VersionEdit::prev_log_number,
                            &VersionEdit::next_file_number, &VersionEdit::min_log_number_to_keep}) {
    for (const uint64_t value :
         {uint64_t{0}, uint64_t{1}, uint64_t{127}, uint64_t{128}, ~uint64_t{0}}) {
      CHECK(keeps(number, value));
    }
  }
  for (const Sequence sequence : {Sequence{0}, kMaxSequence}) {
    CHECK(keeps(&VersionEdit::last_sequence, sequence));
  }
  for (const uint32_t id : {0u, 1u, 0xFFFFFFFFu}) {
    CHECK(keeps(&VersionEdit::family, id));
    CHECK(keeps(&VersionEdit::max_family, id));
    CHECK(keeps(&VersionEdit::atomic_group_remaining, id));
  }
  for (const std::string& text : {std::string(), std::string("\0\n", 2), std::string(300, 'x')}) {
    CHECK(keeps(&VersionEdit::add_family, text));
    CHECK(keeps(&VersionEdit::comparator, text));
    CHECK(keeps(&VersionEdit::db_id, text));
  }
  CHECK(keeps(&VersionEdit::full_history_ts_low, std::string("t")));
  for (const bool flag : {false, true}) {
    CHECK(keeps(&VersionEdit::persist_user_timestamps, flag));
    CHECK(keeps(&VersionEdit::drop_family, flag));
  }
}

TEST_CASE("EncodeVersionEdit: each field of a file alone comes back") {
  const auto keeps = [](auto member, auto value) {
    VersionEdit edit;
    edit.new_files = {{0, SmallFile()}};
    edit.new_files[0].file.*member = value;
    const Result<VersionEdit> decoded = DecodeVersionEdit(Encode(edit));
    return decoded.ok() && *decoded == edit;
  };
  const auto number_fields = {
      &FileDescription::number,           &FileDescription::size,
      &FileDescription::oldest_blob_file, &FileDescription::oldest_ancestor_time,
      &FileDescription::creation_time,    &FileDescription::epoch,
      &FileDescription::tail_size};
  for (const auto field : number_fields) {
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{300}, ~uint64_t{0}}) {
      CHECK(keeps(field, value));
    }
  }
  for (const uint32_t path : {0u, 1u, 3u}) CHECK(keeps(&FileDescription::path_id, path));
  for (const int temperature : {0, 4, 255}) {
    CHECK(keeps(&FileDescription::temperature, static_cast<uint8_t>(temperature)));
  }
  for (const bool flag : {false, true}) {
    CHECK(keeps(&FileDescription::marked_for_compaction, flag));
    CHECK(keeps(&FileDescription::user_timestamps_persisted, flag));
  }
  using Id = decltype(FileDescription::unique_id);
  for (const Id& id : {Id{0, 0}, Id{0, 1}, Id{1, 0}}) CHECK(keeps(&FileDescription::unique_id, id));
  for (const std::string& text : {std::string(), std::string("\0", 1), std::string(200, 'c')}) {
    CHECK(keeps(&FileDescription::file_checksum, text));
    CHECK(keeps(&FileDescription::file_checksum_function, text));
  }
}

}  // namespace
}  // namespace varve
