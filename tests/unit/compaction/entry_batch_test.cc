// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/entry_batch.h"

#include <doctest/doctest.h>

#include <string>

#include "varve/status.h"

namespace varve {
namespace {

std::string Show(const EntryBatch& batch) {
  std::string out;
  const Status status = batch.ForEach([&](const EntryBatch::Entry& entry) {
    out += DebugString(entry.key) + "=" + std::string(entry.value) +
           (entry.starts_user_key ? "! " : " ");
    return Status::Ok();
  });
  CHECK(status.ok());
  return out;
}

TEST_CASE("EntryBatch: entries come out as they were added, empty keys and values too") {
  EntryBatch batch;
  CHECK(batch.empty());
  CHECK_EQ(Show(batch), "");
  batch.Add({"", 9, ValueType::kValue}, "of the empty key", true);
  batch.Add({"a", 8, ValueType::kMerge}, "one", true);
  batch.Add({"a", 7, ValueType::kDeletion}, "", false);
  batch.Add({"b", kMaxSequence, ValueType::kValue}, std::string_view("x\0y", 3), true);
  CHECK_FALSE(batch.empty());
  CHECK_EQ(Show(batch), "\"\"@9:put=of the empty key! \"a\"@8:merge=one! \"a\"@7:delete= " +
                            DebugString({"b", kMaxSequence, ValueType::kValue}) +
                            std::string("=x\0y! ", 6));
  batch.clear();
  CHECK(batch.empty());
  batch.Add({"c", 1, ValueType::kValue}, "again", true);
  CHECK_EQ(Show(batch), "\"c\"@1:put=again! ");
}

TEST_CASE("EntryBatch: is full by bytes or by entries, and takes a value of any size") {
  EntryBatch batch;
  size_t entries = 0;
  for (; !batch.full(); ++entries) batch.Add({"", 1, ValueType::kDeletion}, "", false);
  CHECK(entries <= EntryBatch::kFullBytes / sizeof(uint64_t));
  batch.clear();
  batch.Add({"k", 1, ValueType::kValue}, std::string(10 * EntryBatch::kFullBytes, 'v'), true);
  CHECK(batch.full());
  CHECK_EQ(Show(batch).size(), 10 * EntryBatch::kFullBytes + std::string("\"k\"@1:put=! ").size());
}

TEST_CASE("EntryBatch: the first failure ends the walk") {
  EntryBatch batch;
  for (const char* key : {"a", "b", "c"}) batch.Add({key, 1, ValueType::kValue}, "", true);
  std::string seen;
  const Status status = batch.ForEach([&](const EntryBatch::Entry& entry) {
    seen += entry.key.user_key;
    return entry.key.user_key == "b" ? Status::NoSpace("full") : Status::Ok();
  });
  CHECK_EQ(status.code(), Code::kNoSpace);
  CHECK_EQ(seen, "ab");
}

}  // namespace
}  // namespace varve
