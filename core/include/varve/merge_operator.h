// SPDX-License-Identifier: Apache-2.0
// MergeOperator folds the merge operands of a key into its value when the key is read or compacted.
//
// The built-in operators carry RocksDB's names and mean what RocksDB's do:
//   "UInt64AddOperator"      values are u64 little-endian; operands are added (mod 2^64).
//   "StringAppendOperator"   operands are appended, separated by ','; also under the name
//                            "StringAppendTESTOperator", a similar operator of RocksDB.
//   "MaxOperator"            the bytewise largest of value and operands.
//   "PutOperator"            the newest operand replaces everything before it.
// Implementations must be thread-safe and must not throw: the engine is compiled without
// exceptions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "varve/export.h"
#include "varve/result.h"

namespace varve {

// Defines what the merge operands of a column family mean: ColumnFamilyOptions::merge_operator.
// Must outlive every DB that uses it; called by many threads at once. Must be deterministic.
class VARVE_EXPORT MergeOperator {
 public:
  virtual ~MergeOperator() = default;  // No DB may use it any more.
  // Stored with the data: must never change. Valid as long as the operator.
  virtual std::string_view name() const = 0;

  // The value of `key` after applying `operands`, oldest first, to `base` (nullopt: the key did not
  // exist). Corruption if an operand is malformed; reads return that error. The arguments are valid
  // during the call.
  virtual Result<std::string> Merge(std::string_view key, std::optional<std::string_view> base,
                                    std::span<const std::string_view> operands) const = 0;

  // One operand with the same effect as `operands` (oldest first) on any base; nullopt if they
  // cannot be combined without the base.
  virtual std::optional<std::string> Combine(std::string_view key,
                                             std::span<const std::string_view> operands) const = 0;
};

// The built-in operator of that name (also "uint64add", "stringappend", "stringappendtest", "max",
// "put"), or null. It lives as long as the process.
VARVE_EXPORT const MergeOperator* MergeOperatorByName(std::string_view name);

}  // namespace varve
