// SPDX-License-Identifier: Apache-2.0
#include "core/version/invariants.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/format/limits.h"
#include "tests/unit/version/version_fixture.h"

namespace varve {
namespace {

FilePtr File(FileNumber number, std::string_view smallest, std::string_view largest,
             Sequence first = 1, Sequence last = 1, uint64_t epoch = 0) {
  FileDescription file = MakeFile(number, smallest, largest, first, last);
  file.epoch = epoch;
  return std::make_shared<FileMetadata>(std::move(file));
}

using Levels = std::vector<std::vector<FilePtr>>;

std::string Check(const Levels& levels) {
  return CheckLevels(*BytewiseComparator(), levels).ToString();
}

TEST_CASE("CheckLevels: tables of a level below 0 are ascending and share no version") {
  CHECK_EQ(Check({{}, {File(4, "a", "c"), File(5, "d", "f")}}), "ok");
  CHECK_EQ(Check({{}, {File(4, "a", "d"), File(5, "c", "f")}}),
           "corruption: level 1: table 4 up to \"d\"@1:put overlaps table 5 from \"c\"@1:put");
  CHECK_EQ(Check({{}, {}, {File(4, "d", "f"), File(5, "a", "c")}}),
           "corruption: level 2: table 4 up to \"f\"@1:put overlaps table 5 from \"a\"@1:put");
  // A user key may span two: its newer versions first.
  CHECK_EQ(Check({{}, {File(4, "a", "c", 7, 9), File(5, "c", "f", 1, 6)}}), "ok");
  CHECK_NE(Check({{}, {File(4, "a", "c", 7, 9), File(5, "c", "f", 1, 7)}}), "ok");
  CHECK_NE(Check({{}, {File(4, "a", "c", 1, 6), File(5, "c", "f", 7, 9)}}), "ok");
}

TEST_CASE("CheckLevels: the order is the family's") {
  const Levels descending = {{}, {File(4, "f", "d"), File(5, "c", "a")}};
  CHECK(CheckLevels(*ReverseBytewiseComparator(), descending).ok());
  CHECK_FALSE(CheckLevels(*BytewiseComparator(), descending).ok());
}

TEST_CASE("CheckLevels: each table's bounds and sequences are in order themselves") {
  CHECK_EQ(Check({{File(4, "c", "a")}}),
           "corruption: table 4 has a smallest key, \"c\"@1:put, behind its largest, \"a\"@1:put");
  FileDescription file = MakeFile(4, "a", "c", 1, 1);
  file.smallest_sequence = 9;
  file.largest_sequence = 8;
  CHECK_EQ(Check({{std::make_shared<FileMetadata>(file)}}),
           "corruption: table 4 has the sequences 9..8");
}

TEST_CASE("CheckLevels: sequences of level 0 follow each other, whatever the keys") {
  CHECK_EQ(Check({{File(5, "a", "c", 4, 6), File(4, "a", "c", 1, 3)}}), "ok");
  CHECK_EQ(
      Check({{File(5, "x", "z", 2, 6), File(4, "a", "c", 2, 3)}}),
      "corruption: level 0: table 5 has the sequences 2..6, which do not follow those of table "
      "4, 2..3");
  // A table that was ingested has one sequence, within which others may lie.
  CHECK_EQ(Check({{File(5, "a", "c", 1, 6), File(4, "a", "c", 4, 4)}}), "ok");
  CHECK_NE(Check({{File(5, "a", "c", 4, 4), File(4, "a", "c", 4, 4)}}), "ok");
}

TEST_CASE("CheckLevels: epochs may contradict sequences only where no key is shared") {
  CHECK_EQ(Check({{File(5, "a", "c", 4, 6, 2), File(4, "a", "c", 1, 3, 1)}}), "ok");
  CHECK_EQ(Check({{File(4, "a", "c", 1, 3, 2), File(5, "x", "z", 4, 6, 1)}}), "ok");
  CHECK_EQ(Check({{File(4, "a", "c", 1, 3, 2), File(5, "c", "z", 4, 6, 1)}}),
           "corruption: level 0: table 4 and table 5 overlap, and their epochs contradict their "
           "sequences");
  CHECK_EQ(Check({{File(5, "a", "c", 4, 6, 7), File(4, "c", "d", 1, 3, 7)}}),
           "corruption: level 0: table 5 and table 4 overlap, and have the same epoch");
}

DatabaseState StateOf(VersionEdit edit) {
  DatabaseState state;
  FamilyState family;
  family.name = "default";
  family.comparator = BytewiseComparator();
  family.comparator_name = std::string(family.comparator->name());
  family.version = MakeVersion(edit, *BytewiseComparator());
  state.families.Add(std::move(family));
  state.counters.next_file_number = 10;
  state.counters.last_sequence = 100;
  return state;
}

TEST_CASE("CheckState: numbers and sequences are below the counters") {
  CHECK(CheckState(StateOf(AddFiles(1, {MakeFile(9, "a", "c", 1, 100)}))).ok());
  CHECK_EQ(CheckState(StateOf(AddFiles(1, {MakeFile(10, "a", "c")}))).ToString(),
           "corruption: column family default: table 10 is not below the next file number, 10");
  CHECK_EQ(CheckState(StateOf(AddFiles(1, {MakeFile(4, "a", "c", 1, 101)}))).ToString(),
           "corruption: column family default: table 4 holds sequence 101, the last one of the "
           "database is 100");
}

TEST_CASE("CheckState: a table is in one place of one family") {
  DatabaseState state = StateOf(AddFiles(1, {MakeFile(4, "a", "c")}));
  FamilyState two = *state.families.Find(std::string_view("default"));
  two.id = 1;
  two.name = "two";
  state.families.Add(std::move(two));
  CHECK_EQ(CheckState(state).ToString(), "corruption: column family two: table 4 is in two places");
}

TEST_CASE("CheckState: log numbers are not beyond the next file number, and there is a default") {
  DatabaseState state = StateOf({});
  state.families.Find(std::string_view("default"))->log_number = 10;
  CHECK(CheckState(state).ok());
  state.families.Find(std::string_view("default"))->log_number = 11;
  CHECK_EQ(CheckState(state).ToString(),
           "corruption: the log number of column family default is 11, beyond the next file "
           "number, 10");
  state = StateOf({});
  state.counters.min_log_number_to_keep = 11;
  CHECK_FALSE(CheckState(state).ok());
  CHECK_EQ(CheckState(DatabaseState()).ToString(), "corruption: there is no default column family");
}

TEST_CASE("CheckNumbers: no number of an edit leaves too little room to count on") {
  const auto with = [](auto set, uint64_t number) {
    VersionEdit edit = AddFiles(0, {MakeFile(4, "a", "c")});
    edit.blob_additions.resize(1);
    set(edit, number);
    return CheckNumbers(edit).ok();
  };
  const auto check = [&](auto set) {
    CHECK(with(set, 2 * kFileNumberMax - 1));
    CHECK_FALSE(with(set, 2 * kFileNumberMax));
  };
  check([](VersionEdit& edit, uint64_t n) { edit.log_number = n; });
  check([](VersionEdit& edit, uint64_t n) { edit.prev_log_number = n; });
  check([](VersionEdit& edit, uint64_t n) { edit.next_file_number = n; });
  check([](VersionEdit& edit, uint64_t n) { edit.min_log_number_to_keep = n; });
  check([](VersionEdit& edit, uint64_t n) { edit.new_files[0].file.number = n; });
  check([](VersionEdit& edit, uint64_t n) { edit.new_files[0].file.epoch = n; });
  check([](VersionEdit& edit, uint64_t n) { edit.blob_additions[0].number = n; });
}

}  // namespace
}  // namespace varve
