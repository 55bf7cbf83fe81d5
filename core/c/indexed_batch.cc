// SPDX-License-Identifier: Apache-2.0
#include "core/c/indexed_batch.h"

#include <vector>

#include "core/base/try.h"

namespace varve::c {

FamilyReading ReadingOf(const rocksdb_column_family_handle_t& family) {
  FamilyReading reading{.id = family.id};
  if (family.objects == nullptr) return reading;
  if (family.objects->comparator != nullptr) reading.comparator = family.objects->comparator;
  reading.merge_operator = family.objects->merge_operator.get();
  return reading;
}

Result<std::string> Merged(const FamilyReading& family, std::string_view key,
                           const KeyIndex::Effect& effect, std::optional<std::string_view> under) {
  using Base = KeyIndex::Effect::Base;
  if (family.merge_operator == nullptr) {
    return Status::InvalidArgument("Merge_operator must be set for column_family");
  }
  const std::vector<std::string_view> operands(effect.operands.begin(), effect.operands.end());
  if (effect.base == Base::kValue) under = effect.value;
  if (effect.base == Base::kDeleted) under.reset();
  return family.merge_operator->Merge(key, under, operands);
}

Status CheckIndexable(const FamilyReading& family) {
  if (family.comparator->timestamp_size() == 0) return Status::Ok();
  return Status::NotSupported("transactions and batches with an index, of keys with timestamps");
}

Result<std::optional<Value>> ReadOver(rocksdb_t* db, const rocksdb_readoptions_t& options,
                                      const rocksdb_column_family_handle_t& family,
                                      IndexedBatch& batch, std::string_view key) {
  using Base = KeyIndex::Effect::Base;
  RETURN_IF_ERROR(CheckIndexable(ReadingOf(family)));
  batch.Order(&family);
  const KeyIndex::Effect* const effect = batch.Index().Find(family.id, key);
  if (effect != nullptr && effect->operands.empty()) {
    if (effect->base == Base::kDeleted) return std::optional<Value>();
    return std::optional<Value>(Value(effect->value));
  }
  std::optional<Value> under;
  if (effect == nullptr || effect->base == Base::kUnchanged) {
    ASSIGN_OR_RETURN(under, ReadValue(*db, options, family.id, key));
  }
  if (effect == nullptr) return under;
  std::optional<std::string_view> base;
  if (under) base = under->view();
  ASSIGN_OR_RETURN(std::string merged, Merged(ReadingOf(family), key, *effect, base));
  return std::optional<Value>(Value(std::move(merged)));
}

}  // namespace varve::c
