// SPDX-License-Identifier: Apache-2.0
#include "core/wal/log_writer.h"

#include <doctest/doctest.h>

#include "core/format/log/log_record.h"
#include "tests/test_bytes.h"
#include "tests/unit/wal/log_bytes.h"

namespace varve {
namespace {

using namespace std::string_literals;

TEST_CASE("LogWriter: the published vectors") {
  const std::string batch =
      "\x05\0\0\0\0\0\0\0\x03\0\0\0\x01\x01k\x01v\0\x01"
      "d\x05\x02\x01x\x01y"s;
  CHECK(Written({batch}) == "\x72\xe1\x03\x34\x1a\x00\x01"s + batch);
  CHECK(Written({"\x02\x00\x03\x02\x04\x00"s}) ==
        "\xc4\xc1\x9f\x5b\x06\x00\x01\x02\x00\x03\x02\x04\x00"s);
}

TEST_CASE("LogWriter: what it writes reads back, ending at every place around a block's end") {
  for (uint64_t first = kLogBlockSize - 40; first < kLogBlockSize + 40; ++first) {
    for (const size_t second : {0u, 1u, 12u, 40000u, 100000u}) {
      const std::vector<std::string> records = {Noise(first, 1), Noise(second, 2), "x"};
      const std::vector<Step> steps = ReadSteps(Written(records));
      REQUIRE(Shape(steps) == "RRRE");
      REQUIRE(Records(steps) == records);
    }
  }
}

TEST_CASE("LogWriter: one append to the file per record, whatever its size") {
  std::string bytes;
  auto sink = std::make_unique<StringSink>(&bytes);
  const StringSink& file = *sink;
  LogWriter writer(std::move(sink));
  REQUIRE(writer.Append(Noise(5 << 20, 3)).ok());
  REQUIRE(writer.Append("").ok());
  CHECK(file.appends == 2);
  CHECK(writer.size() == bytes.size());
}

TEST_CASE("LogWriter: after a failed append nothing reaches the file any more") {
  std::string bytes;
  auto sink = std::make_unique<StringSink>(&bytes);
  StringSink& file = *sink;
  LogWriter writer(std::move(sink));
  REQUIRE(writer.Append("kept").ok());
  file.fail_appends = true;
  CHECK(writer.Append("half a record").code() == Code::kNoSpace);
  file.fail_appends = false;
  const std::string before = bytes;
  CHECK(writer.Append("never").code() == Code::kNoSpace);
  CHECK(writer.Sync().code() == Code::kNoSpace);
  CHECK(writer.Close().code() == Code::kNoSpace);
  CHECK(bytes == before);
  CHECK(file.closes == 1);
  CHECK(Records(ReadSteps(bytes)) == std::vector<std::string>{"kept"});
}

TEST_CASE("LogWriter: a failed sync is never repeated and ends the log") {
  std::string bytes;
  auto sink = std::make_unique<StringSink>(&bytes);
  StringSink& file = *sink;
  LogWriter writer(std::move(sink));
  file.fail_syncs = true;
  CHECK(writer.Sync().code() == Code::kIoError);
  file.fail_syncs = false;
  CHECK(writer.Sync().code() == Code::kIoError);
  CHECK(writer.Append("x").code() == Code::kIoError);
  CHECK(bytes.empty());
}

}  // namespace
}  // namespace varve
