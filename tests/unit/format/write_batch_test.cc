// SPDX-License-Identifier: Apache-2.0
#include "varve/write_batch.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/format/log/write_batch_format.h"
#include "tests/unit/format/batch_walk.h"

namespace varve {
namespace {

TEST_CASE("WriteBatch: its bytes are the published vector's") {
  WriteBatch batch;
  batch.Put("k", "v");
  batch.Delete("d");
  batch.Put("x", "y", 2);
  StampBatch(&batch.mutable_bytes(), 5);
  CHECK(batch.bytes() == kVectorBatch);
  CHECK(batch.count() == 3);
}

TEST_CASE("WriteBatch: every kind of change reads back, in both families, at any length") {
  for (const size_t size : {0u, 1u, 127u, 128u, 300u, 20000u}) {
    for (const ColumnFamilyId family : {0u, 1u, 127u, 128u, 0xFFFFFFFFu}) {
      const std::string key(size, 'k'), value(size + 1, 'v');
      WriteBatch batch;
      batch.Put(key, value, family);
      batch.Delete(key, family);
      batch.SingleDelete(key, family);
      batch.Merge(key, value, family);
      batch.DeleteRange(key, value, family);
      const BatchWalk walk = WalkThrough(batch.bytes());
      REQUIRE(walk.status.ok());
      REQUIRE(walk.records.size() == 5);
      const ValueType types[] = {ValueType::kValue, ValueType::kDeletion,
                                 ValueType::kSingleDeletion, ValueType::kMerge,
                                 ValueType::kRangeDeletion};
      for (size_t i = 0; i < 5; ++i) {
        CHECK(walk.records[i].type == types[i]);
        CHECK(walk.records[i].family == family);
        CHECK(walk.records[i].key == key);
        CHECK(walk.records[i].value == (i == 1 || i == 2 ? "" : value));
      }
    }
  }
}

TEST_CASE("WriteBatch: appending joins changes and counts, also to itself") {
  WriteBatch a, b;
  a.Put("a", "1");
  b.Delete("b");
  a.Append(b);
  a.Append(a);
  CHECK(a.count() == 4);
  const BatchWalk walk = WalkThrough(a.bytes());
  REQUIRE(walk.status.ok());
  CHECK(walk.records[3].key == "b");
  a.Clear();
  CHECK(a.empty());
  CHECK(a.bytes() == WriteBatch().bytes());
}

TEST_CASE("a batch that was moved away is an empty one") {
  WriteBatch batch;
  batch.Put("a", "1");
  const WriteBatch given = std::move(batch);
  CHECK(batch.count() == 0);  // NOLINT: what is left is what is tested
  batch.Put("b", "2");
  batch.Delete("c");
  CHECK(WalkThrough(batch.bytes()).records.size() == 2);
  CHECK(batch.count() == 2);

  WriteBatch more = std::move(batch);
  more.Append(batch);  // NOLINT
  CHECK(more.count() == 2);
  batch.Append(given);  // NOLINT
  CHECK(batch.count() == 1);
  CHECK(batch.bytes() == given.bytes());
}

TEST_CASE("WriteBatch: knows which of its bytes were given encoded, in as few parts as there are") {
  WriteBatch one;
  one.Put("k", "v");
  const size_t header = WriteBatch().bytes().size(), change = one.bytes().size() - header;
  WriteBatch all;
  for (int i = 0; i < 100; ++i) all.Append(WriteBatch(one.bytes()));
  REQUIRE(all.encoded().size() == 1);
  CHECK(all.encoded()[0].begin == header);
  CHECK(all.encoded()[0].end == all.bytes().size());
  all.Append(one);
  all.Append(WriteBatch(one.bytes()));
  REQUIRE(all.encoded().size() == 2);
  CHECK(all.encoded()[1].begin == header + 101 * change);
  all.Append(all);
  REQUIRE(all.encoded().size() == 3);
  CHECK(all.encoded()[1].end == header + 202 * change);
  CHECK(all.encoded()[2].begin == header + 203 * change);
  CHECK(all.encoded()[2].end == all.bytes().size());
}

}  // namespace
}  // namespace varve
