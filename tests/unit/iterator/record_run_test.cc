// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/record_run.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace varve {
namespace {

TEST_CASE("RecordRun: it is full with so many records, or with so many bytes") {
  RecordRun run;
  run.Begin(2, 1000);
  run.AppendCopy("a", "1");
  CHECK_FALSE(run.full());
  run.AppendCopy("b", "");
  CHECK(run.full());
  run.Begin(1000, 6);
  run.AppendCopy("abc", "de");
  CHECK_FALSE(run.full());
  run.AppendCopy("f", "");
  CHECK(run.full());
  run.Begin(1000, 1);
  CHECK_FALSE(run.full());
  CHECK(run.records().empty());
}

TEST_CASE("RecordRun: copies stay as they are while more is appended") {
  RecordRun run;
  for (const size_t size : {0, 1, 100, 70'000, 3}) {
    run.Begin(1000, 100 << 20);
    for (int i = 0; i < 100; ++i) {
      const std::string number = std::to_string(i);
      run.AppendCopy(number, std::string(size, 'v') + number);
    }
    REQUIRE_EQ(run.size(), 100);
    for (int i = 0; i < 100; ++i) {
      const std::string number = std::to_string(i);
      CHECK_EQ(run.records()[i].key, number);
      CHECK_EQ(run.records()[i].value, std::string(size, 'v') + number);
    }
  }
}

TEST_CASE("RecordRun: what is pinned lives until the next run begins") {
  RecordRun run;
  run.Begin(10, 1000);
  auto block = std::make_shared<std::string>("key and value");
  const std::weak_ptr<std::string> alive = block;
  run.Append(std::string_view(*block).substr(0, 3), std::string_view(*block).substr(8));
  run.Pin(std::move(block));
  CHECK_FALSE(alive.expired());
  CHECK_EQ(run.records()[0].value, "value");
  run.Begin(10, 1000);
  CHECK(alive.expired());
}

}  // namespace
}  // namespace varve
