// SPDX-License-Identifier: Apache-2.0
#include "varve/iterator.h"

#include <utility>

#include "core/base/check.h"
#include "core/engine/read/db_iterator.h"

namespace varve {
namespace {

// A moved-from iterator has no impl.
DbIterator& Used(const std::unique_ptr<DbIterator>& impl) {
  DCHECK(impl != nullptr);
  return *impl;
}

}  // namespace

Iterator::Iterator(std::unique_ptr<DbIterator> impl) : impl_(std::move(impl)) {}
Iterator::~Iterator() = default;
Iterator::Iterator(Iterator&&) noexcept = default;
Iterator& Iterator::operator=(Iterator&&) noexcept = default;

void Iterator::SeekToFirst() { Used(impl_).SeekToFirst(); }
void Iterator::SeekToLast() { Used(impl_).SeekToLast(); }
void Iterator::Seek(std::string_view target) { Used(impl_).Seek(target); }
void Iterator::SeekForPrev(std::string_view target) { Used(impl_).SeekForPrev(target); }
void Iterator::Next() { Used(impl_).Next(); }
void Iterator::Prev() { Used(impl_).Prev(); }
std::span<const Record> Iterator::NextBatch(size_t records_max) {
  return Used(impl_).NextBatch(records_max);
}

bool Iterator::Valid() const { return Used(impl_).Valid(); }
std::string_view Iterator::key() const { return Used(impl_).key(); }
std::string_view Iterator::value() const { return Used(impl_).value(); }
const Status& Iterator::status() const { return Used(impl_).status(); }

std::string_view Iterator::timestamp() const { return Used(impl_).version().timestamp; }
VersionKind Iterator::kind() const { return Used(impl_).version().kind; }
Sequence Iterator::sequence() const { return Used(impl_).version().sequence; }

Status Iterator::Refresh() { return Used(impl_).Refresh(); }

}  // namespace varve
