// SPDX-License-Identifier: Apache-2.0
#include "varve/iterator.h"

#include <utility>

#include "core/engine/read/db_iterator.h"

namespace varve {

Iterator::Iterator(std::unique_ptr<DbIterator> impl) : impl_(std::move(impl)) {}
Iterator::~Iterator() = default;
Iterator::Iterator(Iterator&&) noexcept = default;
Iterator& Iterator::operator=(Iterator&&) noexcept = default;

void Iterator::SeekToFirst() { impl_->SeekToFirst(); }
void Iterator::SeekToLast() { impl_->SeekToLast(); }
void Iterator::Seek(std::string_view target) { impl_->Seek(target); }
void Iterator::SeekForPrev(std::string_view target) { impl_->SeekForPrev(target); }
void Iterator::Next() { impl_->Next(); }
void Iterator::Prev() { impl_->Prev(); }

bool Iterator::Valid() const { return impl_->Valid(); }
std::string_view Iterator::key() const { return impl_->key(); }
std::string_view Iterator::value() const { return impl_->value(); }
const Status& Iterator::status() const { return impl_->status(); }

Status Iterator::Refresh() { return impl_->Refresh(); }

}  // namespace varve
