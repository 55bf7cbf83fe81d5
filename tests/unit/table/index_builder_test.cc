// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_builder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "block_maker.h"
#include "core/base/keys/key_order.h"
#include "core/fs/memory_fs.h"
#include "core/table/block/block_fetcher.h"
#include "core/table/index/index_block_cursor.h"

namespace varve {
namespace {

InternalKey Put(std::string_view user_key, Sequence sequence = 7) {
  return {user_key, sequence, ValueType::kValue};
}

struct Written {
  struct Entry {
    std::string key;
    BlockHandle handle;
    bool operator==(const Entry&) const = default;
  };

  explicit Written(const TableOptions& options, const Comparator& order = *BytewiseComparator())
      : builder(options, order) {}

  // Data blocks of 100 bytes each, of which the n-th ends with `last` and the next begins with
  // `next`.
  bool Add(const InternalKey& last, const InternalKey& next) {
    const bool cut = builder.AddSeparator(last, next);
    AddHandle();
    return cut;
  }
  void AddLast(const InternalKey& last) {
    builder.AddLastSeparator(last);
    AddHandle();
  }
  void Finish(BlockWriter* writer) {
    const Result<BlockHandle> handle = builder.Finish(writer, nullptr, {}, &properties);
    REQUIRE_MESSAGE(handle.ok(), handle.status().ToString());
    top = *handle;
  }
  void Finish() {
    BlockWriter writer(file.get(), {});
    Finish(&writer);
  }
  std::vector<Entry> Read(BlockHandle handle) const {
    const std::string bytes = *ReadFileToString(*fs, "f", 1 << 30);
    const auto block =
        BlockOf(std::string_view(bytes).substr(handle.offset, handle.size), BlockKind::kKeyValue);
    IndexBlockCursor cursor;
    cursor.Attach(*block, {.user_keys = properties.index_key_is_user_key,
                           .values = {.delta_encoded = properties.index_value_is_delta_encoded}});
    std::vector<Entry> entries;
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      entries.push_back({std::string(cursor.key()), cursor.handle()});
    }
    CHECK_FALSE(cursor.damaged());
    return entries;
  }
  void AddHandle() {
    builder.AddHandle({next_block, 95});
    next_block += 100;
  }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  std::unique_ptr<WritableFile> file = *fs->Create("f", false);
  IndexBuilder builder;
  TableProperties properties;
  BlockHandle top;
  uint64_t next_block = 0;
};

TEST_CASE("IndexBuilder: a separator is between its blocks, and as short as can be") {
  for (const uint32_t version : {2u, 3u, 4u, 5u, 7u}) {
    CAPTURE(version);
    TableOptions options;
    options.format_version = version;
    Written index(options);
    CHECK_FALSE(index.Add(Put("abcdef"), Put("abzz")));
    CHECK_FALSE(index.Add(Put("b"), Put("bc")));  // Cannot be shorter.
    index.AddLast(Put("zebra", 3));
    CHECK_EQ(index.builder.separators(), 3u);
    CHECK_EQ(index.builder.user_keys(), version >= 3);
    CHECK_EQ(index.builder.delta_values(), version >= 4);
    index.Finish();
    const auto entries = index.Read(index.top);
    REQUIRE_EQ(entries.size(), 3u);
    const auto key = [&](std::string_view user_key, Sequence sequence) {
      return version >= 3 ? std::string(user_key) : EncodeInternalKey(Put(user_key, sequence));
    };
    // A shortened key is before all versions of itself.
    CHECK(entries[0] == Written::Entry{key("abd", kMaxSequence), {0, 95}});
    CHECK(entries[1] == Written::Entry{key("b", 7), {100, 95}});
    CHECK(entries[2] == Written::Entry{key("zebra", 3), {200, 95}});
    CHECK_EQ(index.properties.index_size, index.top.size + kBlockTrailerSize);
    CHECK_EQ(index.properties.index_type, static_cast<uint32_t>(IndexType::kBinary));
    CHECK_EQ(index.properties.index_partitions, 0u);
  }
}

TEST_CASE("IndexBuilder: one key in two blocks makes all separators internal keys") {
  Written index({});
  index.Add(Put("a"), Put("c"));
  CHECK(index.builder.user_keys());
  index.Add(Put("k", 9), Put("k", 8));
  CHECK_FALSE(index.builder.user_keys());
  index.AddLast(Put("k", 2));
  std::string separator = "in front ";
  index.builder.AppendSeparator(1, &separator);
  CHECK_EQ(separator, "in front " + EncodeInternalKey(Put("k", 9)));
  index.Finish();
  CHECK_FALSE(index.properties.index_key_is_user_key);
  const auto entries = index.Read(index.top);
  REQUIRE_EQ(entries.size(), 3u);
  CHECK_EQ(entries[0].key, EncodeInternalKey(Put("b", kMaxSequence)));
  CHECK_EQ(entries[1].key, EncodeInternalKey(Put("k", 9)));
  CHECK_EQ(entries[2].key, EncodeInternalKey(Put("k", 2)));
}

TEST_CASE("IndexBuilder: in the reverse order, too, each separator is between its blocks") {
  Written index({}, *ReverseBytewiseComparator());
  index.Add(Put("zz"), Put("mm"));
  index.AddLast(Put("a"));
  index.Finish();
  const auto entries = index.Read(index.top);
  REQUIRE_EQ(entries.size(), 2u);
  const ReverseBytewiseOrder order;
  CHECK_LE(order("zz", entries[0].key), 0);
  CHECK_LT(order(entries[0].key, "mm"), 0);
}

TEST_CASE("IndexBuilder: an index of no blocks is an empty block") {
  for (const IndexType type : {IndexType::kBinary, IndexType::kTwoLevel}) {
    TableOptions options;
    options.index_type = type;
    Written index(options);
    index.Finish();
    CHECK(index.Read(index.top).empty());
    CHECK_EQ(index.builder.EstimatedSize(), 0u);
    CHECK_EQ(index.properties.index_partitions, 0u);
  }
}

// What two levels are made of, bottom up.
struct TwoLevels {
  explicit TwoLevels(int count, bool merge_runts)
      : index([&] {
          TableOptions options;
          options.index_type = IndexType::kTwoLevel;
          options.metadata_block_size = 200;  // Ten separators of about 20 bytes.
          options.merge_runt_partitions = merge_runts;
          return options;
        }()) {
    const std::vector<std::string> keys = NumberedKeys(2 * count);
    for (int i = 0; i < count; ++i) {
      const std::string& last = keys[static_cast<size_t>(2 * i)];
      if (i + 1 == count) {
        index.AddLast(Put(last));
      } else if (index.Add(Put(last), Put(keys[static_cast<size_t>(2 * i + 1)]))) {
        ++cuts;
      }
    }
    index.Finish();
    for (const auto& entry : index.Read(index.top)) {
      partitions.push_back(index.Read(entry.handle));
      REQUIRE_FALSE(partitions.back().empty());
      CHECK_EQ(partitions.back().back().key, entry.key);
      for (const auto& separator : partitions.back()) all.push_back(separator);
    }
  }
  Written index;
  int cuts = 0;
  std::vector<std::vector<Written::Entry>> partitions;
  std::vector<Written::Entry> all;
};

TEST_CASE(
    "IndexBuilder: two levels have all separators in order, the top one each partition's last") {
  for (const bool merge_runts : {false, true}) {
    for (const int count : {1, 2, 9, 10, 11, 12, 15, 16, 100, 105}) {
      CAPTURE(count);
      const TwoLevels levels(count, merge_runts);
      REQUIRE_EQ(levels.all.size(), static_cast<size_t>(count));
      for (size_t i = 0; i < levels.all.size(); ++i) {
        CHECK_EQ(levels.all[i].handle, BlockHandle{100 * i, 95});
        if (i > 0) CHECK_LT(levels.all[i - 1].key, levels.all[i].key);
      }
      const TableProperties& properties = levels.index.properties;
      CHECK_EQ(properties.index_partitions, levels.partitions.size());
      CHECK_EQ(properties.top_level_index_size, levels.index.top.size + kBlockTrailerSize);
      CHECK_GT(properties.index_size, properties.top_level_index_size);
      const size_t full = levels.partitions.front().size();
      for (size_t p = 1; p < levels.partitions.size(); ++p) {
        if (merge_runts) CHECK_GE(2 * levels.partitions[p].size() + 1, full);
      }
      if (!merge_runts) {
        CHECK_LE(levels.partitions.size(), static_cast<size_t>(levels.cuts) + 1);
        CHECK_GE(levels.partitions.size(), static_cast<size_t>(levels.cuts));
      }
    }
  }
}

TEST_CASE("IndexBuilder: the estimate is not far from what is written") {
  const TwoLevels levels(1000, true);
  const uint64_t estimate = levels.index.builder.EstimatedSize();
  CHECK_GT(estimate, levels.index.properties.index_size / 2);
  CHECK_LT(estimate, levels.index.properties.index_size * 2);
}

}  // namespace
}  // namespace varve
