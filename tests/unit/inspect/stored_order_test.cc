// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/stored_order.h"

#include "tests/unit/inspect/inspected_db.h"

namespace varve {
namespace {

// key@sequence:type=value of each entry, and the error if there is one.
std::string Listed(FileSystem& fs, const std::string& family = "default") {
  auto order = StoredOrder::Open(fs, "db", family);
  REQUIRE_MESSAGE(order.ok(), order.status().ToString());
  std::string text;
  StoredEntry entry;
  while (order->Next(&entry)) {
    text += std::string(entry.key) + "@" + std::to_string(entry.sequence) + ":" +
            std::string(entry.type) + "=" + std::string(entry.value) + " ";
  }
  return order->status().ok() ? text : text + order->status().ToString();
}

TEST_CASE(
    "StoredOrder: logs as they were written, then tables from the top, each with its deletions") {
  InspectedDb t;
  t.Put("b", "1");
  t.Put("a", "2");
  t.Flush();
  REQUIRE(t.db->CompactRange({}, std::nullopt, std::nullopt).ok());
  t.Put("c", "3");
  WriteBatch range;
  range.DeleteRange("x", "z");
  REQUIRE(t.db->Write({}, range).ok());
  t.Flush();
  t.Put("z", "5");
  REQUIRE(t.db->Delete({}, "a").ok());
  t.Put("z", "7");
  CHECK_EQ(Listed(t.fs),
           "z@5:put=5 a@6:delete= z@7:put=7 "  // As written, not sorted.
           "c@3:put=3 x@4:range_delete=z "     // Level 0.
           "a@2:put=2 b@1:put=1 ");            // The last level.
}

TEST_CASE("StoredOrder: only the family that is asked for; one that is not there is refused") {
  InspectedDb t;
  const ColumnFamilyId other = *t.db->CreateColumnFamily("other", {});
  t.Put("a", "1");
  t.Put("b", "2", other);
  CHECK_EQ(Listed(t.fs), "a@1:put=1 ");
  CHECK_EQ(Listed(t.fs, "other"), "b@2:put=2 ");
  CHECK_FALSE(StoredOrder::Open(t.fs, "db", "nobody").ok());
}

TEST_CASE("StoredOrder: nothing is an empty list") {
  InspectedDb t;
  CHECK_EQ(Listed(t.fs), "");
  CHECK_EQ(StoredOrder::Open(t.fs, "db", "default")->comparator_name(),
           BytewiseComparator()->name());
}

TEST_CASE("StoredOrder: a damaged table ends the list at its place") {
  InspectedDb t;
  t.Put("b", "1");
  t.Flush();
  t.Put("a", "2");
  t.Flush();
  t.Close();
  const std::string older = t.Tables().front();
  t.Flip(older, 3);
  const std::string listed = Listed(t.fs);
  CHECK(listed.starts_with("a@2:put=2 corruption: "));
  CHECK(listed.find(older + "@0") != std::string::npos);
}

}  // namespace
}  // namespace varve
