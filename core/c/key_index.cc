// SPDX-License-Identifier: Apache-2.0
#include "core/c/key_index.h"

#include "core/base/bytes/byte_writer.h"
#include "core/format/log/write_batch_format.h"

namespace varve::c {
namespace {

void Apply(const BatchRecord& record, KeyIndex::Effect* effect) {
  using Base = KeyIndex::Effect::Base;
  switch (record.type) {
    case ValueType::kMerge:
      effect->operands.emplace_back(record.value);
      return;
    case ValueType::kValue:
      *effect = {Base::kValue, std::string(record.value)};
      return;
    default:
      *effect = {Base::kDeleted};
  }
}

}  // namespace

void KeyIndex::SetOrder(ColumnFamilyId family, const Comparator* comparator) {
  if (comparator == nullptr) comparator = BytewiseComparator();
  const Comparator*& order = orders_[family];
  if (order == comparator) return;
  order = comparator;
  const auto known = families_.find(family);
  if (known == families_.end()) return;
  if (known->second.key_comp().comparator != comparator) Reset();
}

void KeyIndex::Reset() {
  families_.clear();
  taken_bytes_ = 0;
  taken_changes_ = 0;
}

KeyIndex::Effects& KeyIndex::EffectsOf(ColumnFamilyId family) {
  const auto known = families_.find(family);
  if (known != families_.end()) return known->second;
  const auto order = orders_.find(family);
  const Less less{order == orders_.end() ? BytewiseComparator() : order->second};
  return families_.try_emplace(family, less).first->second;
}

void KeyIndex::CatchUp(const WriteBatch& batch) {
  const std::string& bytes = batch.bytes();
  if (bytes.size() <= taken_bytes_ || bytes.size() < kWriteBatchHeaderSize) return;
  // What was added, as a batch of its own. Only its header is made here.
  WriteBatch added;
  std::string& copy = added.mutable_bytes();
  const uint32_t count = batch.count();
  copy.resize(sizeof(Sequence));
  AppendFixed32(&copy, count - taken_changes_);
  copy.append(bytes, std::max<size_t>(taken_bytes_, kWriteBatchHeaderSize));
  taken_bytes_ = bytes.size();
  taken_changes_ = count;
  BatchReader in(copy);
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    if (record.type == ValueType::kRangeDeletion) continue;  // As in RocksDB, it has no index.
    Effects& effects = EffectsOf(record.family);
    auto at = effects.find(record.key);
    if (at == effects.end()) at = effects.emplace(record.key, Effect{}).first;
    Apply(record, &at->second);
  }
}

const KeyIndex::Effects* KeyIndex::FindEffects(ColumnFamilyId family) const {
  const auto found = families_.find(family);
  return found == families_.end() ? nullptr : &found->second;
}

const KeyIndex::Effect* KeyIndex::Find(ColumnFamilyId family, std::string_view key) const {
  const Effects* const effects = FindEffects(family);
  if (effects == nullptr) return nullptr;
  const auto found = effects->find(key);
  return found == effects->end() ? nullptr : &found->second;
}

KeyIndex::Key KeyIndex::First(ColumnFamilyId family) const {
  const Effects* const effects = FindEffects(family);
  if (effects == nullptr || effects->empty()) return std::nullopt;
  return effects->begin()->first;
}

KeyIndex::Key KeyIndex::Last(ColumnFamilyId family) const {
  const Effects* const effects = FindEffects(family);
  if (effects == nullptr || effects->empty()) return std::nullopt;
  return effects->rbegin()->first;
}

KeyIndex::Key KeyIndex::AtOrAfter(ColumnFamilyId family, std::string_view key) const {
  const Effects* const effects = FindEffects(family);
  if (effects == nullptr) return std::nullopt;
  const auto at = effects->lower_bound(key);
  return at == effects->end() ? Key() : Key(at->first);
}

KeyIndex::Key KeyIndex::After(ColumnFamilyId family, std::string_view key) const {
  const Effects* const effects = FindEffects(family);
  if (effects == nullptr) return std::nullopt;
  const auto at = effects->upper_bound(key);
  return at == effects->end() ? Key() : Key(at->first);
}

KeyIndex::Key KeyIndex::AtOrBefore(ColumnFamilyId family, std::string_view key) const {
  const Effects* const effects = FindEffects(family);
  if (effects == nullptr) return std::nullopt;
  const auto behind = effects->upper_bound(key);
  return behind == effects->begin() ? Key() : Key(std::prev(behind)->first);
}

KeyIndex::Key KeyIndex::Before(ColumnFamilyId family, std::string_view key) const {
  const Effects* const effects = FindEffects(family);
  if (effects == nullptr) return std::nullopt;
  const auto at = effects->lower_bound(key);
  return at == effects->begin() ? Key() : Key(std::prev(at)->first);
}

}  // namespace varve::c
