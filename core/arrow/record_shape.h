// SPDX-License-Identifier: Apache-2.0
// Which columns records are, or are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/arrow/column.h"
#include "core/arrow/part.h"
#include "varve/result.h"

namespace varve::arrow {

struct RecordShape {
  // Of the columns that have keys and values as a whole.
  std::string key_name = "key", value_name = "value";
  // Or what they consist of; empty: one column of the type large_binary.
  std::vector<Part> key = {}, value = {};
  bool has_values = true;
  // When records become columns: what does not fit the parts is null in all of them, which are
  // nullable then. Otherwise it is an error.
  bool null_if_unfit = false;

  // The columns of the keys, then those of the values.
  std::vector<ColumnField> Fields() const;
  // How many of these are the keys'.
  size_t key_columns() const { return key.empty() ? 1 : key.size(); }
};

// From schemas as part.h has them; "" for a key or value as a whole. InvalidArgument if one cannot
// be read, or two columns would have one name.
Result<RecordShape> MakeRecordShape(std::string_view key_schema, std::string_view value_schema);

}  // namespace varve::arrow
