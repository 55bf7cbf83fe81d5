// SPDX-License-Identifier: Apache-2.0
#include "core/table/point/point_index_builder.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/hash/hash.h"

namespace varve {

PointIndexBuilder::PointIndexBuilder(PointIndexKind kind) {
  CHECK(kind != PointIndexKind::kNone);
  if (kind == PointIndexKind::kAny) hash_.emplace();
}

void PointIndexBuilder::Add(std::string_view user_key, bool is_new, std::optional<uint64_t> hash) {
  integer_.Add(user_key, is_new);
  if (!hash_) return;
  if (is_new) {
    hash_->AddKey(hash ? *hash : Xxph3_64(user_key));
  } else {
    hash_->AddVersion();
  }
}

void PointIndexBuilder::EndBlock() {
  integer_.EndBlock();
  if (hash_) hash_->EndBlock();
}

void PointIndexBuilder::AddHandle(BlockHandle handle) {
  integer_.AddHandle(handle);
  if (hash_) hash_->AddHandle(handle);
}

uint64_t PointIndexBuilder::EstimatedSize() const {
  return integer_.is_possible() || !hash_ ? integer_.EstimatedSize() : hash_->EstimatedSize();
}

PointIndexBuilder::Built PointIndexBuilder::Finish() {
  if (BuiltIndex built = integer_.Finish(); !built.bytes.empty() || !hash_) {
    return {kMetaIntegerIndex, std::move(built.bytes), std::move(built.what)};
  }
  BuiltIndex built = hash_->Finish();
  return {kMetaHashIndex, std::move(built.bytes), std::move(built.what)};
}

PointIndexKind PointIndexLike(const TableProperties& properties) {
  if (properties.point_index.empty()) return PointIndexKind::kNone;
  return properties.point_index == kHashFormName ? PointIndexKind::kAny : PointIndexKind::kInteger;
}

}  // namespace varve
