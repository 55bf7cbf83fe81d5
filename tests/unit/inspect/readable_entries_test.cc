// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/salvage/readable_entries.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

#include "core/base/bytes/byte_writer.h"

namespace varve {
namespace {

// | shared | non_shared | value size | suffix | value |
void AppendEntry(std::string* block, uint32_t shared, const std::string& suffix,
                 const std::string& value) {
  AppendVarint32(block, shared);
  AppendVarint32(block, static_cast<uint32_t>(suffix.size()));
  AppendVarint32(block, static_cast<uint32_t>(value.size()));
  *block += suffix + value;
}

// Three intervals of two entries: aa1 aa2 | bb1 bb2 | cc1 cc2.
struct Block {
  Block() {
    for (const char c : {'a', 'b', 'c'}) {
      restarts.push_back(static_cast<uint32_t>(bytes.size()));
      AppendEntry(&bytes, 0, std::string(2, c) + "1", "v");
      AppendEntry(&bytes, 2, "2", "w");
    }
    entries = bytes.size();
    for (const uint32_t restart : restarts) AppendFixed32(&bytes, restart);
    AppendFixed32(&bytes, 3);
  }
  std::string bytes;
  size_t entries = 0;
  std::vector<uint32_t> restarts;
};

std::string Read(std::string_view block) {
  std::string text;
  REQUIRE(VisitReadableEntries(block, [&](std::string_view key, std::string_view value) {
            text += std::string(key) + "=" + std::string(value) + " ";
            return Status::Ok();
          }).ok());
  return text;
}

TEST_CASE("VisitReadableEntries: of a sound block, all of them") {
  CHECK_EQ(Read(Block().bytes), "aa1=v aa2=w bb1=v bb2=w cc1=v cc2=w ");
}

TEST_CASE("VisitReadableEntries: what is wrong in an interval costs its rest, and no other") {
  Block block;
  block.bytes[block.restarts[1] + 8] = 100;  // bb2 says that it shares a hundred bytes.
  CHECK_EQ(Read(block.bytes), "aa1=v aa2=w bb1=v cc1=v cc2=w ");
  block.bytes[block.restarts[1] + 1] = 100;  // bb1 says that it is longer than its interval.
  CHECK_EQ(Read(block.bytes), "aa1=v aa2=w cc1=v cc2=w ");
}

TEST_CASE(
    "VisitReadableEntries: without an outline, from the first byte as far as it makes sense") {
  Block block;
  const std::string cut = block.bytes.substr(0, block.restarts[1]);
  CHECK_EQ(Read(cut), "aa1=v aa2=w ");
  CHECK_EQ(Read(cut.substr(0, cut.size() - 1)), "aa1=v ");
  CHECK_EQ(Read(""), "");
}

TEST_CASE("VisitReadableEntries: the first status that is not ok ends it, and is returned") {
  int visited = 0;
  const Status status =
      VisitReadableEntries(Block().bytes, [&](std::string_view, std::string_view) {
        return ++visited < 3 ? Status::Ok() : Status::NoSpace("full");
      });
  CHECK(status.code() == Code::kNoSpace);
  CHECK_EQ(visited, 3);
}

TEST_CASE(
    "VisitReadableEntries: any bytes end, values lie in the block, and take no more than it is") {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    std::string bytes = Block().bytes;
    for (uint64_t i = random() % 6; i > 0; --i) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(bytes.size() - random() % 8);
    size_t visited = 0;
    REQUIRE(VisitReadableEntries(bytes, [&](std::string_view key, std::string_view value) {
              ++visited;
              CHECK_LE(key.size(), bytes.size());
              CHECK(value.data() >= bytes.data());
              CHECK(value.data() + value.size() <= bytes.data() + bytes.size());
              return Status::Ok();
            }).ok());
    // An entry takes three bytes; hostile restarts may make several intervals begin in one place.
    CHECK_LE(visited, bytes.size() * bytes.size());
  }
}

}  // namespace
}  // namespace varve
