// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/part.h"

#include <doctest/doctest.h>

#include <string>

#include "core/base/text/text.h"

namespace varve::arrow {
namespace {

std::vector<Part> Parts(std::string_view schema) {
  Result<std::vector<Part>> parts = ParseParts(schema);
  REQUIRE_MESSAGE(parts.ok(), parts.status().ToString());
  return *std::move(parts);
}

std::string Problem(std::string_view schema) {
  const Result<std::vector<Part>> parts = ParseParts(schema);
  return parts.ok() ? "" : std::string(parts.status().message());
}

// A cell as text.
std::string Text(const Part& part, const Cell& cell) {
  using Kind = ColumnType::Kind;
  if (cell.is_null) return "null";
  switch (part.column.type.kind) {
    case Kind::kSigned:
      return std::to_string(static_cast<int64_t>(cell.number));
    case Kind::kUnsigned:
    case Kind::kBool:
      return std::to_string(cell.number);
    case Kind::kFloat:
      return Hex(cell.number);
    default:
      return EscapeForDisplay(cell.bytes);
  }
}

// The cells of `bytes`, which are the same when they are joined again; or why there are none.
std::string Split(std::string_view schema, std::string_view bytes) {
  const std::vector<Part> parts = Parts(schema);
  PartReader reader(parts);
  if (const auto mismatch = reader.Split(bytes)) {
    return std::to_string(mismatch->offset) + ": " + mismatch->why;
  }
  std::string text, joined;
  for (size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : " ") + Text(parts[i], reader.cells()[i]);
    CHECK(AppendPart(parts[i], reader.cells()[i], &joined).ok());
  }
  CHECK_EQ(joined, bytes);
  return text;
}

std::string_view operator""_b(const char* bytes, size_t size) { return {bytes, size}; }

TEST_CASE("numbers, with either byte first, and as they sort") {
  CHECK_EQ(Split("a:u8,b:u16be,c:u32be,d:u64be",
                 "\x01\x01\x02\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\xfe"_b),
           "1 258 16777216 18446744073709551614");
  CHECK_EQ(Split("a:i8,b:i16be,c:i32be,d:i64be", "\x80\x7f\xff\x80\0\0\x05\0\0\0\0\0\0\0\0"_b),
           "0 -1 5 -9223372036854775808");
  CHECK_EQ(Split("a:u16le,b:u32le,c:u64le", "\x01\x02\x01\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff"_b),
           "513 1 18446744073709551614");
  CHECK_EQ(Split("a:i16le,b:i32le,c:i64le", "\xff\xff\x05\0\0\0\0\0\0\0\0\0\0\x80"_b),
           "-1 5 -9223372036854775808");
  CHECK_EQ(Split("a:f32le,b:f64le", "\0\0\x80\x3f\0\0\0\0\0\0\xf8\x7f"_b),
           "3f800000 7ff8000000000000");
}

TEST_CASE("bytes and text") {
  CHECK_EQ(Split("a:fixed(3),b:str0,c:bytes0,d:str", "abc\xc3\xa9\0\xff\0rest"_b),
           "abc é \\xff rest");
  CHECK_EQ(Split("a:bytes", ""), "");
  CHECK_EQ(Split("a:str0,b:bytes", "\0\0"_b), " \\x00");
}

// The examples of the specification of the tuple layer.
TEST_CASE("elements of FoundationDB's tuples") {
  CHECK_EQ(Split("a:tuple.bytes",
                 "\x01"
                 "foo\x00\xff"
                 "bar\0"_b),
           "foo\\x00bar");
  CHECK_EQ(Split("a:tuple.str",
                 "\x02"
                 "F\xc3\x94O\x00\xff"
                 "bar\0"_b),
           "FÔO\\x00bar");
  CHECK_EQ(Split("a:tuple.int", "\x11\xab\x4b\x93"_b), "-5551212");
  CHECK_EQ(Split("a:tuple.int", "\x11\xfe\xff\xfe"_b), "-65537");
  CHECK_EQ(Split("a:tuple.int,b:tuple.int,c:tuple.int", "\x14\x15\x01\x13\xfe"_b), "0 1 -1");
  CHECK_EQ(Split("a:tuple.int", "\x0c\x7f\xff\xff\xff\xff\xff\xff\xff"_b), "-9223372036854775808");
  CHECK_EQ(Split("a:tuple.int", "\x1c\x7f\xff\xff\xff\xff\xff\xff\xff"_b), "9223372036854775807");
  CHECK_EQ(Split("a:tuple.uint", "\x1c\xff\xff\xff\xff\xff\xff\xff\xff"_b), "18446744073709551615");
  CHECK_EQ(Split("a:tuple.f32", "\x20\x3d\xd7\xff\xff"_b), "c2280000");  // -42f
  CHECK_EQ(Split("a:tuple.f64", "\x21\xc0\x45\0\0\0\0\0\0"_b), "4045000000000000");
  CHECK_EQ(Split("a:tuple.bool,b:tuple.bool,c:tuple.uuid",
                 "\x26\x27\x30"
                 "0123456789abcdef"_b),
           "0 1 0123456789abcdef");
  CHECK_EQ(Split("a:tuple.int,b:tuple.str,c:tuple.uuid", "\0\0\0"_b), "null null null");
}

TEST_CASE("what does not fit says where and why") {
  CHECK_EQ(Split("id:u64be,ts:u32be", "12345678abc"),
           "8: ts:u32be does not fit: it needs 4 bytes, 3 are left");
  CHECK_EQ(Split("id:u8", "ab"), "1: nothing is left for the schema, but 1 bytes for it");
  CHECK_EQ(Split("a:str0", "ab"), "0: a:str0 does not fit: no NUL ends it");
  CHECK_EQ(Split("a:u8,b:str", "1\xff"), "1: b:str does not fit: it is not UTF-8");
  CHECK_EQ(Split("a:tuple.int", ""), "0: a:tuple.int does not fit: it is missing");
  CHECK_EQ(Split("a:tuple.int", "\x01"), "0: a:tuple.int does not fit: its type is 0x01");
  CHECK_EQ(Split("a:tuple.int", "\x16\x01"), "0: a:tuple.int does not fit: it is cut short");
  // Two encodings of one number: joined, they would be one.
  CHECK_EQ(Split("a:tuple.int", "\x16\0\x01"_b),
           "0: a:tuple.int does not fit: it has more bytes than it needs");
  CHECK_EQ(Split("a:tuple.int", "\x12\xff\xfe"),
           "0: a:tuple.int does not fit: it has more bytes than it needs");
  CHECK_EQ(Split("a:tuple.int", "\x1c\x80\0\0\0\0\0\0\0"_b),
           "0: a:tuple.int does not fit: it does not fit into 64 bits");
  CHECK_EQ(Split("a:tuple.uint", "\x13\xfe"), "0: a:tuple.uint does not fit: it is negative");
  CHECK_EQ(Split("a:tuple.bytes", "\x01\x01\0\xff"_b),
           "0: a:tuple.bytes does not fit: no zero ends it");
}

TEST_CASE("schemas that are none") {
  for (const char* schema : {"a", ":u8", "a:", "a:u7", "a:fixed(0)", "a:fixed(65536)", "a:fixed(x)",
                             "a:u8,", ",a:u8", "a:u8,a:u8", "a:str,b:u8", "a:U8", "\xff:u8"}) {
    CHECK_MESSAGE(!Problem(schema).empty(), schema);
  }
  CHECK_EQ(Problem("a:bytes,b:u8"),
           "\"b:u8\" in the schema: nothing can follow bytes, which takes all that is left");
  CHECK(Parts("").empty());
}

TEST_CASE("cells that a part cannot have") {
  std::string out;
  const auto problem = [&](std::string_view schema, const Cell& cell) {
    return std::string(AppendPart(Parts(schema).front(), cell, &out).message());
  };
  CHECK_EQ(problem("a:u8", {.is_null = true}), "it does not fit u8: it is null");
  CHECK_EQ(problem("a:str0", {.bytes = "a\0b"_b}), "it does not fit str0: it has a NUL");
  CHECK_EQ(problem("a:str", {.bytes = "\xff"}), "it does not fit str: it is not UTF-8");
  CHECK_EQ(problem("a:fixed(3)", {.bytes = "ab"}), "it does not fit fixed(3): it has 2 bytes");
  CHECK_EQ(problem("a:tuple.uuid", {.bytes = "ab"}), "it does not fit tuple.uuid: it has 2 bytes");
  CHECK_EQ(out, "");
}

}  // namespace
}  // namespace varve::arrow
