// SPDX-License-Identifier: Apache-2.0
#include "core/version/column_families.h"

#include <doctest/doctest.h>

#include "tests/unit/version/version_fixture.h"

namespace varve {
namespace {

FamilyState Family(ColumnFamilyId id, std::string name, uint64_t log_number) {
  FamilyState family;
  family.id = id;
  family.name = std::move(name);
  family.comparator = BytewiseComparator();
  family.comparator_name = std::string(family.comparator->name());
  family.log_number = log_number;
  family.version = MakeVersion({}, *BytewiseComparator());
  return family;
}

DatabaseState TwoFamilies() {
  DatabaseState state;
  state.families.Add(Family(3, "late", 12));
  state.families.Add(Family(0, "default", 9));
  return state;
}

TEST_CASE("ColumnFamilies: found by id and by name, in order of id") {
  DatabaseState state = TwoFamilies();
  REQUIRE(state.families.Find(3));
  CHECK_EQ(state.families.Find(3)->name, "late");
  CHECK_EQ(state.families.Find("default")->id, 0);
  CHECK_EQ(state.families.Find(1), nullptr);
  CHECK_EQ(state.families.Find("other"), nullptr);
  CHECK_EQ(state.families.all()[0].id, 0);
  state.families.Drop(3);
  CHECK_EQ(state.families.Find(3), nullptr);
  CHECK_EQ(state.families.size(), 1);
}

TEST_CASE("DatabaseState: a log is needed while any family needs it") {
  DatabaseState state = TwoFamilies();
  CHECK_EQ(state.MinLogToReplay(), 9);
  state.counters.min_log_number_to_keep = 10;
  CHECK_EQ(state.MinLogToReplay(), 10);
  // Prepared transactions may need one that no family does.
  state.counters.min_log_number_to_keep = 8;
  CHECK_EQ(state.MinLogToReplay(), 8);
}

TEST_CASE("DatabaseState: ids of dropped families are not given out again") {
  DatabaseState state = TwoFamilies();
  state.counters.max_family = 3;
  state.families.Drop(3);
  CHECK_EQ(state.NextFamilyId(), 4);
}

TEST_CASE("DatabaseState: installing an edit moves counters, never the log number back") {
  DatabaseState state = TwoFamilies();
  VersionEdit edit = AddFiles(0, {MakeFile(20, "a", "b")});
  edit.new_files[0].file.epoch = 6;
  edit.family = 3;
  edit.log_number = 11;
  edit.last_sequence = 77;
  edit.next_file_number = 21;
  edit.min_log_number_to_keep = 5;
  state.Install(edit, MakeVersion(edit, *BytewiseComparator()));
  CHECK_EQ(state.families.Find(3)->log_number, 12);
  CHECK_EQ(state.families.Find(3)->next_epoch, 7);
  CHECK_EQ(state.families.Find(3)->version->TotalFiles(), 1);
  CHECK_EQ(state.counters.last_sequence, 77);
  CHECK_EQ(state.counters.next_file_number, 21);
  state.counters.min_log_number_to_keep = 8;
  edit.new_files.clear();
  state.Install(edit, nullptr);
  CHECK_EQ(state.counters.min_log_number_to_keep, 8);
  CHECK_EQ(state.families.Find(3)->version->TotalFiles(), 1);
}

}  // namespace
}  // namespace varve
