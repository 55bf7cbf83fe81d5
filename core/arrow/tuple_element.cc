// SPDX-License-Identifier: Apache-2.0
#include "core/arrow/tuple_element.h"

#include <bit>
#include <cstdint>

#include "core/base/check.h"
#include "core/base/text/text.h"

namespace varve::arrow {
namespace {

using Kind = ColumnType::Kind;

enum Code : uint8_t {
  kNull = 0x00,
  kBytes = 0x01,
  kText = 0x02,
  kZero = 0x14,  // Before it negative integers of 1 to 8 bytes, behind it positive ones.
  kFloat = 0x20,
  kDouble = 0x21,
  kFalse = 0x26,
  kTrue = 0x27,
  kUuid = 0x30,
};
constexpr uint8_t kEscape = 0xff;  // Behind a zero that does not end the element.
constexpr int kMaxIntBytes = 8;

uint64_t LowBytes(int count) { return count == 8 ? UINT64_MAX : (uint64_t{1} << (8 * count)) - 1; }
int BytesOf(uint64_t number) { return (std::bit_width(number) + 7) / 8; }

uint64_t HighByteFirst(std::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}
void AppendHighByteFirst(uint64_t number, int count, std::string* out) {
  for (int i = count - 1; i >= 0; --i) out->push_back(static_cast<char>(number >> (8 * i)));
}

std::string ReadInt(const ColumnType& type, uint8_t code, ByteReader* in, Cell* cell) {
  const int sign = code > kZero ? 1 : -1;
  const int count = sign * (code - kZero);
  std::string_view bytes;
  if (!in->ReadBytes(static_cast<uint64_t>(count), &bytes)) return "it is cut short";
  const uint64_t stored = HighByteFirst(bytes);
  // A negative number is stored as what it is more than the smallest of that size.
  const uint64_t magnitude = sign > 0 ? stored : ~stored & LowBytes(count);
  if (BytesOf(magnitude) != count) return "it has more bytes than it needs";
  const bool fits = type.kind == Kind::kUnsigned
                        ? sign > 0 || count == 0
                        : magnitude <= uint64_t{INT64_MAX} + (sign < 0 ? 1 : 0);
  if (!fits) {
    return type.kind == Kind::kUnsigned ? "it is negative" : "it does not fit into 64 bits";
  }
  cell->number = sign > 0 ? magnitude : 0 - magnitude;
  return "";
}

std::string ReadFloat(const ColumnType& type, ByteReader* in, Cell* cell) {
  std::string_view bytes;
  if (!in->ReadBytes(type.width, &bytes)) return "it is cut short";
  const uint64_t sorted = HighByteFirst(bytes), sign = uint64_t{1} << (8 * type.width - 1);
  const uint64_t all = LowBytes(static_cast<int>(type.width));
  cell->number = (sorted & sign) != 0 ? sorted ^ sign : ~sorted & all;
  return "";
}

// Up to a zero that no escape follows.
std::string ReadBytes(ByteReader* in, std::string* unescaped, Cell* cell) {
  const std::string_view rest = in->rest();
  const size_t begin = unescaped->size();
  size_t from = 0;
  for (;;) {
    const size_t zero = rest.find('\0', from);
    if (zero == std::string_view::npos) return "no zero ends it";
    unescaped->append(rest, from, zero - from);
    from = zero + 1;
    if (from == rest.size() || static_cast<uint8_t>(rest[from]) != kEscape) break;
    unescaped->push_back('\0');
    ++from;
  }
  std::string_view taken;
  in->ReadBytes(from, &taken);
  cell->bytes = std::string_view(*unescaped).substr(begin);
  return "";
}

void AppendBytes(std::string_view bytes, std::string* out) {
  for (const char byte : bytes) {
    out->push_back(byte);
    if (byte == '\0') out->push_back(static_cast<char>(kEscape));
  }
  out->push_back('\0');
}

bool IsOf(const ColumnType& type, uint8_t code) {
  switch (type.kind) {
    case Kind::kUnsigned:
    case Kind::kSigned:
      return code >= kZero - kMaxIntBytes && code <= kZero + kMaxIntBytes;
    case Kind::kFloat:
      return code == (type.width == sizeof(float) ? kFloat : kDouble);
    case Kind::kBool:
      return code == kFalse || code == kTrue;
    case Kind::kFixed:
      return code == kUuid;
    case Kind::kText:
      return code == kText;
    case Kind::kBytes:
      break;
  }
  return code == kBytes;
}

}  // namespace

std::string ReadTupleElement(const ColumnType& type, ByteReader* in, std::string* unescaped,
                             Cell* cell) {
  *cell = {};
  uint8_t code = 0;
  if (!in->ReadByte(&code)) return "it is missing";
  if (code == kNull) {
    cell->is_null = true;
    return "";
  }
  if (!IsOf(type, code)) return "its type is 0x" + Hex(code, 2);
  switch (type.kind) {
    case Kind::kUnsigned:
    case Kind::kSigned:
      return ReadInt(type, code, in, cell);
    case Kind::kFloat:
      return ReadFloat(type, in, cell);
    case Kind::kBool:
      cell->number = code == kTrue ? 1 : 0;
      return "";
    case Kind::kFixed:
      return in->ReadBytes(type.width, &cell->bytes) ? "" : "it is cut short";
    case Kind::kText:
    case Kind::kBytes:
      break;
  }
  return ReadBytes(in, unescaped, cell);
}

void AppendTupleElement(const ColumnType& type, const Cell& cell, std::string* out) {
  const auto code = [out](int number) { out->push_back(static_cast<char>(number)); };
  if (cell.is_null) return code(kNull);
  const int width = static_cast<int>(type.width);
  switch (type.kind) {
    case Kind::kUnsigned:
    case Kind::kSigned: {
      const bool negative = type.kind == Kind::kSigned && cell.number >> 63 != 0;
      const uint64_t magnitude = negative ? 0 - cell.number : cell.number;
      const int count = BytesOf(magnitude);
      code(negative ? kZero - count : kZero + count);
      return AppendHighByteFirst(negative ? ~magnitude : magnitude, count, out);
    }
    case Kind::kFloat: {
      const uint64_t sign = uint64_t{1} << (8 * width - 1);
      code(width == sizeof(float) ? kFloat : kDouble);
      return AppendHighByteFirst((cell.number & sign) != 0 ? ~cell.number : cell.number ^ sign,
                                 width, out);
    }
    case Kind::kBool:
      return code(cell.number != 0 ? kTrue : kFalse);
    case Kind::kFixed:
      CHECK_OP(cell.bytes.size(), ==, type.width);
      code(kUuid);
      out->append(cell.bytes);
      return;
    case Kind::kText:
    case Kind::kBytes:
      code(type.kind == Kind::kText ? kText : kBytes);
      return AppendBytes(cell.bytes, out);
  }
}

}  // namespace varve::arrow
