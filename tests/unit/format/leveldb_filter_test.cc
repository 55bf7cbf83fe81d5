// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/leveldb_filter.h"

#include <doctest/doctest.h>

#include "tests/unit/format/table_file.h"

namespace varve {

TEST_CASE("LevelDbFilter: every key may match at its block's offset, few others do") {
  for (const char* name : {"ldb123_bloom.ldb", "ldb123_binary_keys.ldb"}) {
    const TableFile table(name);
    const auto entry = FindFilter(table.metaindex());
    REQUIRE(entry.has_value());
    REQUIRE(entry->leveldb_hash);
    const ExactBytes block(table.Block(entry->handle));
    const auto filter = LevelDbFilter::Parse(block.view(), entry->leveldb_hash);
    REQUIRE(filter.has_value());
    CHECK(filter->filters() == (std::string(name) == "ldb123_bloom.ldb" ? 23 : 24));
    size_t passed = 0, asked = 0;
    for (const auto& data : table.Entries()) {
      const auto key = DecodeInternalKey(data.key);
      CHECK_MESSAGE(filter->MayMatch(data.block.offset, filter->Hash(key->user_key)),
                    std::string(name));
      const std::string absent = "absent" + std::to_string(asked++);
      passed += filter->MayMatch(data.block.offset, filter->Hash(absent)) ? 1 : 0;
    }
    CHECK(passed * 20 < asked);
    CHECK(filter->MayMatch(uint64_t{1} << 40, 1));  // Beyond the last filter: maybe.
  }
}

TEST_CASE("LevelDbFilter: no cut or flip reads beyond the block") {
  const TableFile table("ldb123_binary_keys.ldb");
  const std::string whole = table.Block(FindFilter(table.metaindex())->handle);
  const auto probe = [](const std::string& bytes) {
    const ExactBytes exact(bytes);
    const auto filter = LevelDbFilter::Parse(exact.view(), true);
    if (!filter.has_value()) return;
    size_t answers = 0;
    for (uint64_t offset = 0; offset < 60000; offset += 1024) {
      answers += filter->MayMatch(offset, 0x12345678 + static_cast<uint32_t>(offset)) ? 1 : 1;
    }
    CHECK(answers == 59);
  };
  for (size_t size = 0; size < whole.size(); ++size) probe(whole.substr(0, size));
  for (size_t i = whole.size() - 110; i < whole.size(); ++i) {
    for (const int flip : {0x01, 0x40, 0xFF}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      probe(damaged);
    }
  }
}

TEST_CASE("LevelDbFilter: an array that is not in the block makes it unusable") {
  CHECK_FALSE(LevelDbFilter::Parse("", true).has_value());
  CHECK_FALSE(LevelDbFilter::Parse(std::string("\xFF\0\0\0\x0B", 5), true).has_value());
  CHECK_FALSE(LevelDbFilter::Parse(std::string("\0\0\0\0\x40", 5), true).has_value());
  CHECK(LevelDbFilter::Parse(std::string("\0\0\0\0\x0B", 5), true).has_value());
}

}  // namespace varve
