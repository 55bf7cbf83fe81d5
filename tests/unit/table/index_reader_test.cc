// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/format/table/block_builder.h"
#include "core/table/read/table_state.h"
#include "table_harness.h"

namespace varve {
namespace {

// Keys of some versions each; now and then so many that they fill several blocks.
TestTable Versions(std::mt19937_64& random) {
  std::vector<std::string> keys;
  for (uint64_t n = 1 + random() % 300; n > 0; --n) {
    std::string key = random() % 4 == 0 ? "" : "tenant/0017/";
    for (uint64_t size = random() % 12; size > 0; --size) key += "\0\1a\x7f\xff"[random() % 5];
    keys.push_back(std::move(key));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  TestTable contents;
  for (const std::string& key : keys) {
    Sequence sequence = 1'000;
    for (uint64_t v = random() % 20 == 0 ? 40 : 1 + random() % 2; v > 0; --v) {
      contents.entries.push_back({key, sequence -= 1 + random() % 9, ValueType::kValue, "value"});
    }
  }
  return contents;
}

void StandTogether(const IndexCursor& listed, bool on, const IndexBlockCursor& walked,
                   bool walked_on) {
  REQUIRE(on == walked_on);
  REQUIRE(listed.valid() == on);
  REQUIRE(listed.status().ok());
  if (!on) return;
  CHECK(listed.handle() == walked.handle());
  CHECK(listed.key() == walked.key());
}

TEST_CASE("IndexCursor: a listed index is walked and searched as its block is") {
  int listed_indexes = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const TestTable contents = Versions(random);
    TableHarness harness;
    TableOptions options;
    options.block_size = 100;
    options.format_version = seed % 2 == 0 ? 2 : 5;
    REQUIRE(harness.Build(options, contents).ok());
    const auto table = harness.Open({});
    REQUIRE(table.ok());
    const TableReader::Impl& impl = (*table)->impl();
    if (!impl.index.is_listed()) continue;  // Of one block.
    ++listed_indexes;
    IndexCursor listed(impl.index, impl.fetcher, {});
    IndexBlockCursor walked;
    walked.Attach(*impl.index.top, impl.index.encoding);

    bool on = listed.SeekToFirst(), walked_on = walked.SeekToFirst();
    for (; walked_on; on = listed.Next(), walked_on = walked.Next()) {
      StandTogether(listed, on, walked, walked_on);
    }
    StandTogether(listed, on, walked, walked_on);
    on = listed.SeekToLast(), walked_on = walked.SeekToLast();
    for (; walked_on; on = listed.Prev(), walked_on = walked.Prev()) {
      StandTogether(listed, on, walked, walked_on);
    }
    StandTogether(listed, on, walked, walked_on);
    std::vector<std::string> separators;
    for (walked_on = walked.SeekToFirst(); walked_on; walked_on = walked.Next()) {
      separators.emplace_back(walked.key());
    }
    for (const std::string& separator : separators) {
      const InternalKey target = impl.index.encoding.user_keys ? LookupKey(separator, kMaxSequence)
                                                               : *DecodeInternalKey(separator);
      on = listed.Seek(BytewiseOrder{}, target);
      StandTogether(listed, on, walked, walked.Seek(BytewiseOrder{}, target));
    }
    for (const TableEntry& entry : contents.entries) {
      for (const std::string& key :
           {entry.key, entry.key + '\0', entry.key.substr(0, entry.key.size() / 2)}) {
        for (const Sequence sequence : {kMaxSequence, entry.sequence, Sequence{0}}) {
          const InternalKey target = LookupKey(key, sequence);
          on = listed.Seek(BytewiseOrder{}, target);
          StandTogether(listed, on, walked, walked.Seek(BytewiseOrder{}, target));
        }
      }
    }
  }
  CHECK(listed_indexes > 30);
}

TEST_CASE("IndexCursor: an index that names a block again, or one inside another, is damaged") {
  TableHarness harness;
  REQUIRE(harness.Build({}, {{{"k", 1, ValueType::kValue, "value"}}, {}}).ok());
  const auto table = harness.Open({});
  REQUIRE(table.ok());
  const BlockHandle first{0, 100}, inside{50, 100}, behind{105, 10};
  const auto steps = [&](std::vector<BlockHandle> handles, bool backward) {
    BlockBuilder builder({.restart_interval = 1});
    for (size_t i = 0; i < handles.size(); ++i) {
      builder.AddIndex(
          EncodeInternalKey({std::string(1, static_cast<char>('a' + i)), 1, ValueType::kValue}),
          handles[i]);
    }
    const auto block = Block::Over(builder.Finish());
    REQUIRE(block->ParseOutline().ok());
    IndexReader index;
    index.top = block;
    IndexCursor cursor(index, (*table)->impl().fetcher, {});
    int seen = 0;
    bool on = backward ? cursor.SeekToLast() : cursor.SeekToFirst();
    for (; on; on = backward ? cursor.Prev() : cursor.Next()) ++seen;
    CHECK_FALSE(cursor.valid());
    return std::pair(seen, cursor.status().code());
  };
  for (const bool backward : {false, true}) {
    CAPTURE(backward);
    CHECK(steps({first, behind}, backward) == std::pair(2, Code::kOk));
    CHECK(steps({first, first, behind}, backward) ==
          std::pair(backward ? 2 : 1, Code::kCorruption));
    CHECK(steps({first, inside}, backward) == std::pair(1, Code::kCorruption));
    CHECK(steps({behind, first}, backward) == std::pair(1, Code::kCorruption));
  }
}

}  // namespace
}  // namespace varve
