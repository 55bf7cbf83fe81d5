// SPDX-License-Identifier: Apache-2.0
// The parts that keys or values consist of, each of which is a column: what a text such as
// "id:u64be,name:str" says of them, and how bytes are split into cells and joined from them. To
// split and to join again gives the same bytes: what another encoding of a cell could have made
// does not fit.
//
//   schema = part {"," part}     part = name ":" type     names have no comma and no colon
//
//   type                                   bytes                                      column
//   u8 u16be u32be u64be                   high byte first                            uint8 … 64
//   i8 i16be i32be i64be                   the same, sign bit flipped: they sort      int8 … int64
//                                          as the numbers do
//   u16le u32le u64le                      low byte first                             uint16 …
//   i16le i32le i64le                      the same, two's complement                 int16 …
//   f32le f64le                            IEEE 754, low byte first                   float, double
//   fixed(N)                               N bytes, 1 to 65535                 fixed_size_binary(N)
//   str0 bytes0                            up to a NUL, which is not part of it       large_utf8,
//   str bytes                              all that is left: only the last part       large_binary
//   tuple.int tuple.uint tuple.f32         an element of a tuple as FoundationDB      int64, …,
//   tuple.f64 tuple.bool tuple.uuid        packs it, which may be null                …
//   tuple.str tuple.bytes
//
// https://github.com/apple/foundationdb/blob/main/design/tuple.md
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arrow/column.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve::arrow {

struct Part {
  enum class Form : uint8_t { kBigEndian, kLittleEndian, kFixed, kToNul, kRest, kTuple };

  std::string type_name;  // "u64be"
  ColumnField column;
  Form form = Form::kRest;
};

// InvalidArgument names what is wrong. No text has no parts.
Result<std::vector<Part>> ParseParts(std::string_view text);
// The words for types, for messages and help.
std::string PartTypeNames();

// Where bytes do not fit, and why.
struct Mismatch {
  size_t offset;
  std::string why;
};

// One thread.
class PartReader {
 public:
  // `parts` must outlive it.
  explicit PartReader(std::span<const Part> parts) : parts_(parts), cells_(parts.size()) {}

  // The cells of `bytes` are in cells() afterwards, until the next call or the end of `bytes`.
  std::optional<Mismatch> Split(std::string_view bytes);
  std::span<const Cell> cells() const { return cells_; }

 private:
  std::span<const Part> parts_;
  std::vector<Cell> cells_;
  std::string unescaped_;
};

// Appends the bytes of a cell that came from another program. InvalidArgument if it does not fit
// the part: a null, text that is not UTF-8, a NUL in what one ends, a wrong size.
Status AppendPart(const Part& part, const Cell& cell, std::string* out);

}  // namespace varve::arrow
