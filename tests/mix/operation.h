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

// The family is the first argument of RocksDB's batch, and the last one of ours.
struct FamilyFirst {
  template <typename Call, typename Family, typename... Rest>
  auto operator()(Call call, const Family& family, const Rest&... rest) const {
    return call(family, rest...);
  }
};
struct FamilyLast {
  template <typename Call, typename Family, typename... Rest>
  auto operator()(Call call, const Family& family, const Rest&... rest) const {
    return call(rest..., family);
  }
};

// Adds it to a batch, of the engine or of another that has the same functions, and returns what
// they return. `family` is as they want it.
template <typename Order, typename Family, typename Batch>
auto AddTo(const Operation& op, const Family& family, Batch* batch) {
  const Order order;
  switch (op.kind) {
    case Operation::Kind::kPut:
      break;
    case Operation::Kind::kDelete:
      return order([&](const auto&... all) { return batch->Delete(all...); }, family, op.key);
    case Operation::Kind::kSingleDelete:
      return order([&](const auto&... all) { return batch->SingleDelete(all...); }, family, op.key);
    case Operation::Kind::kDeleteRange:
      return order([&](const auto&... all) { return batch->DeleteRange(all...); }, family, op.key,
                   op.value);
    case Operation::Kind::kMerge:
      return order([&](const auto&... all) { return batch->Merge(all...); }, family, op.key,
                   op.value);
  }
  return order([&](const auto&... all) { return batch->Put(all...); }, family, op.key, op.value);
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
