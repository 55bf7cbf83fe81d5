// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/part.h"

#include <algorithm>
#include <set>

#include "core/arrow/tuple_element.h"
#include "core/base/bytes/byte_reader.h"
#include "core/base/check.h"
#include "core/base/text/printable.h"
#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve::arrow {
namespace {

using Form = Part::Form;
using Kind = ColumnType::Kind;

constexpr size_t kMaxParts = 1000;
constexpr uint64_t kMaxFixed = 65535;

struct TypeRow {
  std::string_view name;
  Form form;
  ColumnType type;
};

constexpr TypeRow kTypes[] = {
    {"u8", Form::kBigEndian, {Kind::kUnsigned, 1}},
    {"u16be", Form::kBigEndian, {Kind::kUnsigned, 2}},
    {"u32be", Form::kBigEndian, {Kind::kUnsigned, 4}},
    {"u64be", Form::kBigEndian, {Kind::kUnsigned, 8}},
    {"i8", Form::kBigEndian, {Kind::kSigned, 1}},
    {"i16be", Form::kBigEndian, {Kind::kSigned, 2}},
    {"i32be", Form::kBigEndian, {Kind::kSigned, 4}},
    {"i64be", Form::kBigEndian, {Kind::kSigned, 8}},
    {"u16le", Form::kLittleEndian, {Kind::kUnsigned, 2}},
    {"u32le", Form::kLittleEndian, {Kind::kUnsigned, 4}},
    {"u64le", Form::kLittleEndian, {Kind::kUnsigned, 8}},
    {"i16le", Form::kLittleEndian, {Kind::kSigned, 2}},
    {"i32le", Form::kLittleEndian, {Kind::kSigned, 4}},
    {"i64le", Form::kLittleEndian, {Kind::kSigned, 8}},
    {"f32le", Form::kLittleEndian, {Kind::kFloat, 4}},
    {"f64le", Form::kLittleEndian, {Kind::kFloat, 8}},
    {"str0", Form::kToNul, {Kind::kText, 0}},
    {"bytes0", Form::kToNul, {Kind::kBytes, 0}},
    {"str", Form::kRest, {Kind::kText, 0}},
    {"bytes", Form::kRest, {Kind::kBytes, 0}},
    {"tuple.int", Form::kTuple, {Kind::kSigned, 8}},
    {"tuple.uint", Form::kTuple, {Kind::kUnsigned, 8}},
    {"tuple.f32", Form::kTuple, {Kind::kFloat, 4}},
    {"tuple.f64", Form::kTuple, {Kind::kFloat, 8}},
    {"tuple.bool", Form::kTuple, {Kind::kBool, 0}},
    {"tuple.uuid", Form::kTuple, {Kind::kFixed, 16}},
    {"tuple.str", Form::kTuple, {Kind::kText, 0}},
    {"tuple.bytes", Form::kTuple, {Kind::kBytes, 0}},
};

std::optional<Part> PartOf(std::string_view name, std::string_view type) {
  constexpr std::string_view kFixed = "fixed(";
  Part part = {.type_name = std::string(type), .column = {.name = std::string(name)}};
  if (type.starts_with(kFixed) && type.ends_with(')')) {
    const auto size = ParseDecimal(type.substr(kFixed.size(), type.size() - kFixed.size() - 1));
    if (!size || *size == 0 || *size > kMaxFixed) return std::nullopt;
    part.form = Form::kFixed;
    part.column.type = {Kind::kFixed, static_cast<uint32_t>(*size)};
    return part;
  }
  for (const TypeRow& row : kTypes) {
    if (row.name != type) continue;
    part.form = row.form;
    part.column.type = row.type;
    part.column.nullable = row.form == Form::kTuple;
    return part;
  }
  return std::nullopt;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t plain = PlainAsciiLength(text);
    const size_t size = plain > 0 ? plain : FirstCharacter(text).size;
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

uint64_t SignBit(const ColumnType& type) {
  CHECK(0 < type.width && type.width <= sizeof(uint64_t));
  return uint64_t{1} << (8 * type.width - 1);
}

// A number of `width` bytes as one of 64 bits.
uint64_t Widen(const ColumnType& type, uint64_t number) {
  const uint64_t sign = SignBit(type);
  return type.kind == Kind::kSigned ? (number ^ sign) - sign : number;
}

uint64_t ReadNumber(const Part& part, std::string_view bytes) {
  CHECK_OP(bytes.size(), ==, part.column.type.width);
  uint64_t number = 0;
  const bool big_endian = part.form == Form::kBigEndian;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t at = big_endian ? i : bytes.size() - 1 - i;
    number = number << 8 | static_cast<uint8_t>(bytes[at]);
  }
  const ColumnType& type = part.column.type;
  if (big_endian && type.kind == Kind::kSigned) number ^= SignBit(type);
  return Widen(type, number);
}

void AppendNumber(const Part& part, uint64_t number, std::string* out) {
  const ColumnType& type = part.column.type;
  const bool big_endian = part.form == Form::kBigEndian;
  if (big_endian && type.kind == Kind::kSigned) number ^= SignBit(type);
  for (uint32_t i = 0; i < type.width; ++i) {
    const uint32_t at = big_endian ? type.width - 1 - i : i;
    out->push_back(static_cast<char>(number >> (8 * at)));
  }
}

// Why the part is not there, or empty.
std::string ReadPart(const Part& part, ByteReader* in, std::string* unescaped, Cell* cell) {
  const size_t left = in->rest().size();
  const auto take = [&](size_t size) {
    return in->ReadBytes(size, &cell->bytes)
               ? std::string()
               : "it needs " + std::to_string(size) + " bytes, " + std::to_string(left) +
                     (left == 1 ? " is" : " are") + " left";
  };
  std::string why;
  switch (part.form) {
    case Form::kBigEndian:
    case Form::kLittleEndian:
      why = take(part.column.type.width);
      if (why.empty()) cell->number = ReadNumber(part, cell->bytes);
      break;
    case Form::kFixed:
      why = take(part.column.type.width);
      break;
    case Form::kToNul: {
      const size_t size = in->rest().find('\0');
      std::string_view nul;
      if (size == std::string_view::npos) return "no NUL ends it";
      why = take(size);
      in->ReadBytes(1, &nul);
      break;
    }
    case Form::kRest:
      why = take(left);
      break;
    case Form::kTuple:
      why = ReadTupleElement(part.column.type, in, unescaped, cell);
      break;
  }
  if (why.empty() && part.column.type.kind == Kind::kText && !IsUtf8(cell->bytes)) {
    return "it is not UTF-8";
  }
  return why;
}

}  // namespace

std::string PartTypeNames() {
  std::string names;
  for (const TypeRow& row : kTypes) names.append(row.name).append(" ");
  return names + "fixed(N)";
}

Result<std::vector<Part>> ParseParts(std::string_view text) {
  std::vector<Part> parts;
  std::set<std::string> names;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    const auto wrong = [&](std::string_view why) {
      return Status::InvalidArgument("\"" + EscapeForDisplay(word) +
                                     "\" in the schema: " + std::string(why));
    };
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (comma != std::string_view::npos && text.empty()) return wrong("nothing follows its comma");
    const size_t colon = word.find(':');
    if (colon == 0 || colon == std::string_view::npos) return wrong("a part is NAME:TYPE");
    if (!parts.empty() && parts.back().form == Form::kRest) {
      return wrong("nothing can follow " + parts.back().type_name +
                   ", which takes all that is left");
    }
    auto part = PartOf(word.substr(0, colon), word.substr(colon + 1));
    if (!part) return wrong("the types are " + PartTypeNames() + ", with N from 1 to 65535");
    if (!IsUtf8(part->column.name)) return wrong("the name is not UTF-8");
    if (!names.insert(part->column.name).second) return wrong("the name is there twice");
    if (parts.size() == kMaxParts) return wrong("there are more than 1000 parts");
    parts.push_back(*std::move(part));
  }
  return parts;
}

std::optional<Mismatch> PartReader::Split(std::string_view bytes) {
  CHECK_OP(cells_.size(), ==, parts_.size());
  ByteReader in(bytes);
  unescaped_.clear();
  unescaped_.reserve(bytes.size());  // Cells refer to it while it grows.
  for (size_t i = 0; i < parts_.size(); ++i) {
    const size_t begin = bytes.size() - in.rest().size();
    cells_[i] = {};
    const std::string why = ReadPart(parts_[i], &in, &unescaped_, &cells_[i]);
    if (why.empty()) continue;
    return Mismatch{begin, EscapeForDisplay(parts_[i].column.name) + ":" + parts_[i].type_name +
                               " does not fit: " + why};
  }
  if (in.empty()) return std::nullopt;
  return Mismatch{
      bytes.size() - in.rest().size(),
      "nothing is left for the schema, but " + std::to_string(in.rest().size()) + " bytes for it"};
}

Status AppendPart(const Part& part, const Cell& cell, std::string* out) {
  const ColumnType& type = part.column.type;
  const auto wrong = [&](std::string_view why) {
    return Status::InvalidArgument("it does not fit " + part.type_name + ": " + std::string(why));
  };
  if (cell.is_null && !part.column.nullable) return wrong("it is null");
  if (!cell.is_null && type.kind == Kind::kText && !IsUtf8(cell.bytes)) {
    return wrong("it is not UTF-8");
  }
  if (!cell.is_null && type.kind == Kind::kFixed && cell.bytes.size() != type.width) {
    return wrong("it has " + std::to_string(cell.bytes.size()) + " bytes");
  }
  switch (part.form) {
    case Form::kBigEndian:
    case Form::kLittleEndian:
      AppendNumber(part, cell.number, out);
      break;
    case Form::kToNul:
      if (cell.bytes.find('\0') != std::string_view::npos) return wrong("it has a NUL");
      out->append(cell.bytes).push_back('\0');
      break;
    case Form::kFixed:
    case Form::kRest:
      out->append(cell.bytes);
      break;
    case Form::kTuple:
      AppendTupleElement(type, cell, out);
      break;
  }
  return Status::Ok();
}

}  // namespace varve::arrow
