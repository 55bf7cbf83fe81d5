// SPDX-License-Identifier: Apache-2.0
// Elements of tuples as FoundationDB's layer packs them, so that packed tuples sort as the tuples
// do: https://github.com/apple/foundationdb/blob/main/design/tuple.md. Without nested tuples,
// versionstamps and integers of more than 8 bytes.
#pragma once

#include <string>
#include <string_view>

#include "core/arrow/column.h"
#include "core/base/bytes/byte_reader.h"

namespace varve::arrow {

// Takes the element that `in` begins with, which is null or of `type`. Why it is none, or empty.
// Text and bytes with zeros are unescaped into `*unescaped`, which is appended to.
std::string ReadTupleElement(const ColumnType& type, ByteReader* in, std::string* unescaped,
                             Cell* cell);

// The cell must fit the type.
void AppendTupleElement(const ColumnType& type, const Cell& cell, std::string* out);

}  // namespace varve::arrow
