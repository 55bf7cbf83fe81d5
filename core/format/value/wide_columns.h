// SPDX-License-Identifier: Apache-2.0
// A wide-column entity: a value that is a list of named columns (db-format section 9). A plain read
// returns the column without a name.
//
//   version 1: | 1 | n | (name lp | value size)*n | value*n |
//   version 2: | 2 | n | size of all name sizes | size of all value sizes | size of all names
//              | type u8 *n | name size*n | value size*n | name*n | value*n |
//
// All numbers are varint32. Names are strictly increasing, so that the nameless column is the
// first. In version 2 a column of type 0x11 holds a blob index.
#pragma once

#include <string_view>
#include <vector>

#include "core/format/internal_key.h"
#include "varve/result.h"

namespace varve {

struct WideColumn {
  std::string_view name;
  std::string_view value;              // A blob index if `type` says so.
  ValueType type = ValueType::kValue;  // kValue or kBlobIndex.

  bool operator==(const WideColumn&) const = default;
};

// Points into `entity`.
Result<std::vector<WideColumn>> DecodeWideColumns(std::string_view entity);

// The value that Get() returns: empty if there is no column without a name. Points into `entity`.
// NotSupported if the column is a blob.
Result<std::string_view> DefaultColumn(std::string_view entity);

}  // namespace varve
