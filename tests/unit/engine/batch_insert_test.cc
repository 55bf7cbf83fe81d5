// SPDX-License-Identifier: Apache-2.0
#include "core/engine/write/batch_insert.h"

#include "core/format/limits.h"
#include "core/format/log/write_batch_format.h"
#include "tests/unit/engine/engine_parts.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

// Families 0, 1 and 5; 5 has a merge operator. Family 2 was dropped.
struct Fixture : ContextFixture {
  Fixture() {
    context.AssertNotShared();
    AddFamily(0);
    AddFamily(1);
    AddFamily(2)->Drop(EmptyVersion(*BytewiseComparator(), context.tables.get(), {}));
    ColumnFamilyOptions merging;
    merging.merge_operator = MergeOperatorByName("stringappend");
    AddFamily(5, merging);
  }
  Status Check(const WriteBatch& batch) {
    summary = {};
    return CheckBatch(batch, context.families, &summary);
  }
  void Insert(const WriteBatch& batch, Sequence first) {
    const WriteQueue::Writer lead;
    WriteQueue::AssertLeads(lead);
    InsertBatch(batch.bytes(), first, context.families);
  }
  // key@sequence:type of each entry in a family's memtable.
  std::string Entries(ColumnFamilyId id) {
    context.AssertNotShared();
    std::string text;
    const MemTable& memtable = *context.families.Find(id)->memtable();
    const auto it = memtable.NewIterator();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += std::string(it->key().user_key) + "@" + std::to_string(it->key().sequence) + ":" +
              std::string(ValueTypeName(it->key().type)) + " ";
    }
    if (const auto tombstones = memtable.Tombstones()) text += "tombstones";
    return text;
  }
  BatchSummary summary;
};

TEST_CASE("CheckBatch: the summary counts keys and values, and names the family if there is one") {
  Fixture t;
  WriteBatch batch;
  REQUIRE(t.Check(batch).ok());
  CHECK_EQ(t.summary.user_bytes, 0);
  CHECK(t.summary.only_family == nullptr);
  batch.Put("key", "value", 1);
  batch.Delete("gone", 1);
  batch.DeleteRange("a", "bcd", 1);
  REQUIRE(t.Check(batch).ok());
  CHECK_EQ(t.summary.user_bytes, 8 + 4 + 4);
  CHECK(t.summary.only_family == t.context.families.Find(1));
  batch.Put("k", "", 0);
  REQUIRE(t.Check(batch).ok());
  CHECK(t.summary.only_family == nullptr);
  batch.Put("k", "", 1);  // Back to the first one: still several.
  REQUIRE(t.Check(batch).ok());
  CHECK(t.summary.only_family == nullptr);
}

TEST_CASE("CheckBatch: families that do not exist, or not any more, are named") {
  Fixture t;
  for (const ColumnFamilyId id : {ColumnFamilyId{2}, ColumnFamilyId{3}, ~ColumnFamilyId{0}}) {
    WriteBatch batch;
    batch.Put("key", "value", 0);
    batch.Put("key", "value", id);
    const Status checked = t.Check(batch);
    CHECK(checked.code() == Code::kInvalidArgument);
    CHECK_EQ(checked.message(), "there is no column family " + std::to_string(id));
  }
}

TEST_CASE("CheckBatch: operands need a merge operator") {
  Fixture t;
  WriteBatch batch;
  batch.Merge("key", "operand", 5);
  CHECK(t.Check(batch).ok());
  batch.Merge("key", "operand", 1);
  const Status checked = t.Check(batch);
  CHECK(checked.code() == Code::kNotSupported);
  CHECK(checked.message().find("family1") != std::string::npos);
}

TEST_CASE("CheckBatch: keys, and ends of ranges, are limited") {
  Fixture t;
  const std::string longest(kWrittenKeySizeMax, 'k');
  const std::string longer = longest + "k";
  WriteBatch fits, key, end;
  fits.Put(longest, "", 0);
  CHECK(t.Check(fits).ok());
  key.Delete(longer, 0);
  CHECK(t.Check(key).code() == Code::kInvalidArgument);
  end.DeleteRange("a", longer, 0);
  CHECK(t.Check(end).code() == Code::kInvalidArgument);
}

TEST_CASE("CheckBatch: markers of two-phase commits and blob indexes are refused, notes are not") {
  Fixture t;
  const std::string header = WriteBatch().bytes();
  const auto with = [&](const std::string& record, char count = 0) {
    std::string bytes = header + record;
    bytes[8] = count;
    return WriteBatch(bytes);
  };
  CHECK(t.Check(with(std::string("\x03\x04note", 6))).ok());
  CHECK(t.Check(with("\x0d")).ok());
  for (const char* const marker : {"\x09", "\x12", "\x13"}) {
    CHECK(t.Check(with(marker)).code() == Code::kNotSupported);
  }
  for (const char* const marker : {"\x0a\x01x", "\x0b\x01x", "\x0c\x01x"}) {
    CHECK(t.Check(with(marker)).code() == Code::kNotSupported);
  }
  const Status blob = t.Check(with(std::string("\x11\x01k\x01i", 5), 1));
  CHECK(blob.code() == Code::kNotSupported);
}

TEST_CASE("CheckBatch: whatever is not a batch is Corruption, wherever it ends or is changed") {
  Fixture t;
  WriteBatch batch;
  batch.Put("key", "value", 0);
  batch.DeleteRange("a", "b", 1);
  batch.Merge("key", "operand", 5);
  const std::string& whole = batch.bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(t.Check(WriteBatch(whole.substr(0, size))).code() == Code::kCorruption);
  }
  CHECK(t.Check(WriteBatch(whole + "x")).code() == Code::kCorruption);
  for (size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      const WriteBatch hostile(changed);
      // What is accepted can be inserted.
      if (t.Check(hostile).ok()) {
        FamiliesOf(hostile.bytes());
        Fixture fresh;
        fresh.Insert(hostile, 1);
      }
    }
  }
}

TEST_CASE("FamiliesOf: each family once, ascending") {
  WriteBatch batch;
  CHECK(FamiliesOf(batch.bytes()).empty());
  for (const ColumnFamilyId id : {5, 0, 5, 1, 1, 0}) batch.Put("k", "v", id);
  CHECK(FamiliesOf(batch.bytes()) == std::vector<ColumnFamilyId>{0, 1, 5});
}

TEST_CASE("InsertBatch: the n-th change has the n-th number, in whichever family") {
  Fixture t;
  WriteBatch batch;
  batch.Put("a", "1", 0);
  batch.Delete("b", 1);
  batch.SingleDelete("a", 0);
  batch.Merge("c", "x", 5);
  batch.DeleteRange("d", "e", 1);
  t.Insert(batch, 100);
  CHECK_EQ(t.Entries(0), "a@102:single_delete a@100:put ");
  CHECK_EQ(t.Entries(1), "b@101:delete tombstones");
  CHECK_EQ(t.Entries(5), "c@103:merge ");
}

TEST_CASE("InsertBatch: changes of a family that was dropped meanwhile use up their numbers") {
  Fixture t;
  WriteBatch batch;
  batch.Put("a", "1", 0);
  batch.Put("b", "2", 2);
  batch.Put("c", "3", 0);
  t.Insert(batch, 7);
  CHECK_EQ(t.Entries(0), "a@7:put c@9:put ");
}

}  // namespace
}  // namespace varve
