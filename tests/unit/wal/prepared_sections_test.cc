// SPDX-License-Identifier: Apache-2.0
#include "core/wal/prepared_sections.h"

#include <doctest/doctest.h>

#include <string>

#include "core/format/log/two_phase.h"
#include "core/format/log/write_batch_format.h"
#include "core/wal/wal_walk.h"

namespace varve {
namespace {

WriteBatch Put(const std::string& key, ColumnFamilyId family = 0) {
  WriteBatch batch;
  batch.Put(key, "v", family);
  return batch;
}

WriteBatch Together(std::initializer_list<WriteBatch> batches) {
  WriteBatch all;
  for (const WriteBatch& batch : batches) all.Append(batch);
  return all;
}

struct Fixture {
  // "sequence: family/key ..." of what applies.
  std::string Resolve(uint64_t wal, WriteBatch record, Sequence sequence = 7) {
    StampBatch(&record.mutable_bytes(), sequence);
    BatchMarks marks;
    REQUIRE(CheckReplayable(record.bytes(), &marks).ok());
    CHECK(marks.two_phase);
    const std::string batch(sections.Resolve(wal, record.bytes()));
    BatchReader in(batch);
    std::string text = std::to_string(in.header().sequence) + ":";
    BatchRecord part;
    while (in.Next(&part)) text += " " + std::to_string(part.family) + "/" + std::string(part.key);
    CHECK(in.status().ok());
    return text;
  }
  std::string Pending() const {
    std::string text;
    for (const auto& [name, section] : sections.pending()) {
      text += name + "@" + std::to_string(section.wal) + "+" +
              std::to_string(section.batch.count()) + " ";
    }
    return text;
  }

  PreparedSections sections;
};

TEST_CASE("PreparedSections: what was prepared applies where it is committed") {
  Fixture t;
  CHECK(t.Resolve(4, PreparedSection(Together({Put("a"), Put("b", 3)}), "one")) == "7:");
  CHECK(t.Resolve(5, PreparedSection(Put("c"), "two")) == "7:");
  CHECK(t.Pending() == "one@4+2 two@5+1 ");
  CHECK(t.Resolve(6, CommitMark("one"), 9) == "9: 0/a 3/b");
  CHECK(t.Pending() == "two@5+1 ");
  CHECK(t.Resolve(6, CommitMark("one"), 9) == "9:");  // It is not there any more.
}

TEST_CASE("PreparedSections: what is rolled back never applies") {
  Fixture t;
  t.Resolve(4, PreparedSection(Put("a"), "one"));
  CHECK(t.Resolve(4, RollbackMark("one")) == "7:");
  CHECK(t.Resolve(4, CommitMark("one")) == "7:");
  CHECK(t.Pending().empty());
}

TEST_CASE("PreparedSections: the batches of a write group apply in their order") {
  Fixture t;
  t.Resolve(4, PreparedSection(Put("old"), "old"));
  const WriteBatch group =
      Together({Put("a"), PreparedSection(Put("new"), "new"), Put("b"), CommitMark("old"), Put("c"),
                PreparedSection(WriteBatch(), "empty"), CommitMark("new")});
  CHECK(t.Resolve(5, group) == "7: 0/a 0/b 0/old 0/c 0/new");
  CHECK(t.Pending() == "empty@5+0 ");
}

TEST_CASE("PreparedSections: what is pending may take so much memory for so large logs") {
  Fixture t;
  WriteBatch large;
  large.Put("k", std::string(44 << 20, 'v'));
  constexpr uint64_t kSmall = 1 << 20, kLarge = 3 << 20;
  t.Resolve(4, PreparedSection(large, "one"));
  t.Resolve(4, PreparedSection(large, "two"));
  CHECK(t.sections.CheckSize(kSmall).ok());
  t.Resolve(4, PreparedSection(large, "three"));
  CHECK(t.sections.CheckSize(kSmall).code() == Code::kNotSupported);
  CHECK(t.sections.CheckSize(kLarge).ok());
  t.Resolve(4, CommitMark("two"));
  CHECK(t.sections.CheckSize(kSmall).ok());
  t.Resolve(4, PreparedSection(large, "one"));  // In the place of the first one.
  CHECK(t.sections.CheckSize(kSmall).ok());
  t.Resolve(4, PreparedSection(large, "four"));
  CHECK_FALSE(t.sections.CheckSize(kSmall).ok());
  t.Resolve(4, RollbackMark("four"));
  CHECK(t.sections.CheckSize(kSmall).ok());
}

TEST_CASE("PreparedSections: a name that is prepared again stands for the later section") {
  Fixture t;
  t.Resolve(4, PreparedSection(Put("a"), "one"));
  t.Resolve(5, PreparedSection(Put("b"), "one"));
  CHECK(t.Pending() == "one@5+1 ");
  CHECK(t.Resolve(5, CommitMark("one")) == "7: 0/b");
}

}  // namespace
}  // namespace varve
