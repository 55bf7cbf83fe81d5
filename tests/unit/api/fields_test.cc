// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/fields.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace varve::api {
namespace {

struct Part {
  uint64_t offset = 0;
  std::string name;
};

struct Report {
  uint64_t size = 7;
  int depth = -1;
  uint64_t id = 18446744073709551615U;
  double share = 0.5;
  bool sound = true;
  std::string text = "plain";
  std::string codec = "zstd";
  uint32_t checksum = 0x1a2b;
  std::string key = std::string("k\0", 2);
  std::vector<std::string> notes = {"one", "two"};
  std::vector<uint64_t> numbers = {1, 2}, ids = {3};
  std::vector<double> interval = {0.25, 0.75};
  Part part = {4096, "footer"};
  std::vector<Part> parts = {{1, "a"}, {2, "b"}};
  std::optional<uint64_t> maybe = {};
  std::optional<Part> maybe_part = {};
  const std::string* pointer = nullptr;
  uint64_t zero = 0;
};

const Fields<Part>& PartFields() {
  static const auto fields = Fields<Part>("Part")
                                 .Number("offset", Unit::kOffset, &Part::offset, "where it begins")
                                 .Text("name", &Part::name, "what it is");
  return fields;
}

Json TypeOf(Json schema, const char* member) { return schema["properties"][member]; }

bool IsRequired(const Json& schema, const char* member) {
  for (const Json& name : schema["required"]) {
    if (name == member) return true;
  }
  return false;
}

TEST_CASE("Fields: each kind of member, as JSON in their order") {
  const auto fields =
      Fields<Report>()
          .Number("size", Unit::kBytes, &Report::size, "of the file")
          .Integer("depth", Unit::kNone, &Report::depth, "")
          .Id("id", &Report::id, "")
          .Fraction("share", &Report::share, "")
          .Flag("sound", &Report::sound, "")
          .Text("text", &Report::text, "")
          .Choice("codec", {"none", "zstd"}, &Report::codec, "")
          .Hex(
              "digest", [](const Report&) { return std::string_view("00ff"); }, "")
          .Hex32("checksum", &Report::checksum, "")
          .WholeBytes("key", &Report::key, "")
          .Texts("notes", &Report::notes, "")
          .Numbers("numbers", Unit::kCount, &Report::numbers, "")
          .Ids("ids", &Report::ids, "")
          .Fractions("interval", &Report::interval, "")
          .Object("part", &Report::part, PartFields(), "")
          .List("parts", &Report::parts, PartFields(), "")
          .Other("other", Anything(), [](const Report&) { return Json{{"any", 1}}; }, "");
  CHECK(Dump(fields.ToJson(Report())) ==
        R"({"size":7,"depth":-1,"id":"18446744073709551615","share":0.5,"sound":true,)"
        R"("text":"plain","codec":"zstd","digest":"00ff","checksum":"0x00001a2b",)"
        R"("key":{"hex":"6b00","len":2},)"
        R"("notes":["one","two"],"numbers":[1,2],"ids":["3"],"interval":[0.25,0.75],)"
        R"("part":{"offset":4096,"name":"footer"},)"
        R"("parts":[{"offset":1,"name":"a"},{"offset":2,"name":"b"}],"other":{"any":1}})");
}

TEST_CASE("Fields: the schema has types, units, meanings and required members") {
  const auto fields = Fields<Report>("Report")
                          .Number("size", Unit::kBytes, &Report::size, "of the file")
                          .Id("maybe", &Report::maybe, "if there is one")
                          .Choice("codec", {"none", "zstd"}, &Report::codec, "of its blocks")
                          .Numbers("numbers", Unit::kCount, &Report::numbers, "")
                          .Object("part", &Report::part, PartFields(), "its last part")
                          .List("parts", &Report::parts, PartFields(), "all of them");
  const Json schema = fields.Schema();
  CHECK(schema["title"] == "Report");
  CHECK(schema["required"] == Json({"size", "codec", "numbers", "part", "parts"}));
  const Json size = TypeOf(schema, "size");
  CHECK(size["type"] == "integer");
  CHECK(size["x-unit"] == "bytes");
  CHECK(size["description"] == "of the file");
  CHECK(TypeOf(schema, "maybe")["description"] == "if there is one");
  CHECK_FALSE(TypeOf(schema, "maybe").contains("x-unit"));
  CHECK(TypeOf(schema, "codec")["enum"] == Json({"none", "zstd"}));
  CHECK_FALSE(TypeOf(schema, "numbers").contains("description"));
  CHECK(TypeOf(schema, "part")["title"] == "Part");
  CHECK(TypeOf(schema, "part")["description"] == "its last part");
  CHECK(TypeOf(schema, "parts")["items"] == PartFields().Schema());
  CHECK_FALSE(Fields<Report>().Schema().contains("title"));
}

TEST_CASE("Fields: members without a value are omitted, and optional in the schema") {
  const auto fields = Fields<Report>()
                          .Number("maybe", Unit::kNone, &Report::maybe, "")
                          .Object("maybe_part", &Report::maybe_part, PartFields(), "")
                          .Text("pointer", &Report::pointer, "")
                          .Number("if_set", Unit::kNone, IfSet(&Report::zero), "")
                          .Text("when", When(&Report::zero, &Report::text), "");
  Report report;
  CHECK(Dump(fields.ToJson(report)) == "{}");
  CHECK(fields.Schema()["required"].empty());
  report.maybe = 0;
  report.maybe_part = Part{1, "a"};
  report.pointer = &report.codec;
  report.zero = 1;
  CHECK(Dump(fields.ToJson(report)) ==
        R"({"maybe":0,"maybe_part":{"offset":1,"name":"a"},"pointer":"zstd","if_set":1,)"
        R"("when":"plain"})");
}

TEST_CASE("Fields: a member without a value may be null instead") {
  const auto fields = Fields<Report>()
                          .Number("maybe", Unit::kBytes, &Report::maybe, "of the file")
                          .OrNull()
                          .Object("maybe_part", &Report::maybe_part, PartFields(), "")
                          .OrNull();
  const Json schema = fields.Schema();
  CHECK(schema["required"] == Json({"maybe", "maybe_part"}));
  CHECK(TypeOf(schema, "maybe") == Json{{"anyOf", {Number(), {{"type", "null"}}}},
                                        {"description", "of the file"},
                                        {"x-unit", "bytes"}});
  CHECK(TypeOf(schema, "maybe_part")["anyOf"][0] == PartFields().Schema());
  Report report;
  CHECK(Dump(fields.ToJson(report)) == R"({"maybe":null,"maybe_part":null})");
  report.maybe = 0;
  report.maybe_part = Part{1, "a"};
  CHECK(Dump(fields.ToJson(report)) == R"({"maybe":0,"maybe_part":{"offset":1,"name":"a"}})");
}

TEST_CASE("Fields: measured amounts have a unit") {
  const auto fields = Fields<Report>()
                          .Fraction("share", Unit::kSeconds, &Report::share, "")
                          .Fraction("rate", Unit::kPerSecond, &Report::share, "");
  CHECK(TypeOf(fields.Schema(), "share") == Json{{"type", "number"}, {"x-unit", "seconds"}});
  CHECK(TypeOf(fields.Schema(), "rate")["x-unit"] == "per_second");
  CHECK(Dump(fields.ToJson(Report())) == R"({"share":0.5,"rate":0.5})");
}

TEST_CASE("Fields: members of a part are members of the whole") {
  const auto fields = Fields<Report>()
                          .Number("size", Unit::kBytes, &Report::size, "")
                          .Include(&Report::part, PartFields());
  CHECK(Dump(fields.ToJson(Report())) == R"({"size":7,"offset":4096,"name":"footer"})");
  CHECK(IsRequired(fields.Schema(), "offset"));
  CHECK(TypeOf(fields.Schema(), "offset") == TypeOf(PartFields().Schema(), "offset"));

  const auto maybe = Fields<Report>().Include(&Report::maybe_part, PartFields());
  Report report;
  CHECK(Dump(maybe.ToJson(report)) == "{}");
  CHECK_FALSE(IsRequired(maybe.Schema(), "offset"));
  report.maybe_part = Part{1, "a"};
  CHECK(Dump(maybe.ToJson(report)) == R"({"offset":1,"name":"a"})");
}

TEST_CASE("Fields: a type that documents bring along is referred to") {
  static const auto part = Fields<Part>("Part", BytesRef()).Text("name", &Part::name, "");
  const auto fields = Fields<Report>()
                          .Object("part", &Report::part, part, "of it")
                          .List("parts", &Report::parts, part, "");
  CHECK(TypeOf(fields.Schema(), "part") ==
        Json{{"$ref", "#/$defs/bytes"}, {"description", "of it"}});
  CHECK(TypeOf(fields.Schema(), "parts")["items"] == BytesRef());
  CHECK(part.Schema()["title"] == "Part");
}

TEST_CASE("Fields: bytes are shown as the request wants them, and cut ones lead to all of them") {
  static const auto parts = Fields<Part>().Bytes("name", &Part::name, "");
  const auto fields = Fields<Report>()
                          .Bytes("key", &Report::key, "")
                          .WholeBytes("whole", &Report::key, "")
                          .Object("part", &Report::part, parts, "");
  int asked = 0;
  const RowContext context = {{.form = BytesStyle::Form::kHex, .length_max = 2}, [&] {
                                ++asked;
                                return std::string("/here");
                              }};
  Report report;
  report.part.name = "ab";
  CHECK(Dump(fields.ToJson(report, context)) ==
        R"({"key":{"hex":"6b00","len":2},"whole":{"hex":"6b00","len":2},)"
        R"("part":{"name":{"hex":"6162","len":2}}})");
  CHECK(asked == 0);
  report.key = report.part.name = "abc";
  CHECK(Dump(fields.ToJson(report, context)) ==
        R"({"key":{"hex":"6162","len":3,"truncated":true,"href":"/here"},)"
        R"("whole":{"hex":"616263","text":"abc","len":3},)"
        R"("part":{"name":{"hex":"6162","len":3,"truncated":true,"href":"/here"}}})");
  CHECK(asked == 2);
}

TEST_CASE("Fields: a document's own members") {
  const auto fields = Fields<Report>().Number("size", Unit::kBytes, &Report::size, "of the file");
  Json document = {{"schema", "varve.test/1"}};
  fields.AddTo(&document, Report());
  CHECK(Dump(document) == R"({"schema":"varve.test/1","size":7})");
  const Json schema = Document("varve.test/1", fields.Members());
  CHECK(TypeOf(schema, "size") == TypeOf(fields.Schema(), "size"));
  CHECK(IsRequired(schema, "size"));
}

}  // namespace
}  // namespace varve::api
