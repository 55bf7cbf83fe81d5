// SPDX-License-Identifier: Apache-2.0
// One change to a database, as the tests have it that apply the same changes to several engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace varve::mix {

struct Operation {
  enum class Kind : uint8_t { kPut, kDelete, kSingleDelete, kDeleteRange, kMerge };
  Kind kind = Kind::kPut;
  std::string family, key, value;  // kDeleteRange: value is the exclusive end.
};

// One atomic group; or what one table for ingestion holds, range deletions first.
using Group = std::vector<Operation>;

// Adds it to a batch, of the engine or of another that has the same functions, and returns what
// they return. `family` is as they want it.
template <typename Family, typename Batch>
auto AddTo(const Operation& op, const Family& family, Batch* batch) {
  switch (op.kind) {
    case Operation::Kind::kPut:
      break;
    case Operation::Kind::kDelete:
      return batch->Delete(family, op.key);
    case Operation::Kind::kSingleDelete:
      return batch->SingleDelete(family, op.key);
    case Operation::Kind::kDeleteRange:
      return batch->DeleteRange(family, op.key, op.value);
    case Operation::Kind::kMerge:
      return batch->Merge(family, op.key, op.value);
  }
  return batch->Put(family, op.key, op.value);
}

// The same for a writer of tables, which takes no single deletions.
template <typename Writer>
auto WriteTo(const Operation& op, Writer* writer) {
  return op.kind == Operation::Kind::kDelete        ? writer->Delete(op.key)
         : op.kind == Operation::Kind::kMerge       ? writer->Merge(op.key, op.value)
         : op.kind == Operation::Kind::kDeleteRange ? writer->DeleteRange(op.key, op.value)
                                                    : writer->Put(op.key, op.value);
}

}  // namespace varve::mix
