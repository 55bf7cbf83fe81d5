// SPDX-License-Identifier: Apache-2.0
// The frames of a stream. That other programs read what is in them: tests/arrow.
#include "core/arrow/ipc_writer.h"

#include <doctest/doctest.h>

#include <string>

#include "core/base/bytes/byte_writer.h"

namespace varve::arrow {
namespace {

constexpr std::string_view kEnd("\xff\xff\xff\xff\0\0\0\0", 8);

TEST_CASE("a stream is a schema, batches and an end") {
  std::string stream;
  const RecordShape shape;
  IpcWriter out(shape.Fields(), [&](std::string_view part) { stream += part; });
  const size_t schema = stream.size();
  CHECK_EQ(LoadFixed32(stream.data()), 0xFFFFFFFF);
  CHECK_EQ(LoadFixed32(stream.data() + 4), schema - 8);
  CHECK_EQ(schema % 8, 0);

  RecordColumns records(shape);
  CHECK(records.Append("key", "value").ok());
  out.WriteBatch(records);
  CHECK_EQ(stream.size() % 8, 0);
  CHECK_EQ(LoadFixed32(stream.data() + schema), 0xFFFFFFFF);
  const size_t metadata = LoadFixed32(stream.data() + schema + 4);
  // Two columns: two offsets of 8 bytes each, then the bytes, padded.
  const std::string body = stream.substr(schema + 8 + metadata);
  CHECK_EQ(body.size(), 2 * (2 * 8 + 8));
  CHECK_EQ(body.substr(16, 8), std::string("key\0\0\0\0\0", 8));
  CHECK_EQ(body.substr(40, 8), std::string("value\0\0\0", 8));

  const size_t before = stream.size();
  out.Finish();
  CHECK_EQ(stream.substr(before), kEnd);
}

TEST_CASE("a stream that is broken off ends within a message") {
  std::string stream;
  IpcWriter out(RecordShape{.has_values = false}.Fields(),
                [&](std::string_view part) { stream += part; });
  const size_t before = stream.size();
  out.Break();
  CHECK_EQ(LoadFixed32(stream.data() + before), 0xFFFFFFFF);
  CHECK_GT(LoadFixed32(stream.data() + before + 4), stream.size() - before - 8);
}

}  // namespace
}  // namespace varve::arrow
