// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_walker.h"

namespace varve {

namespace {

Status EntryError(uint64_t offset, const char* why) {
  return Status::Corruption("a block's entry at " + std::to_string(offset) + " " + why);
}

// Makes *key the key of `entry`; false if that shares more bytes than *key has.
bool AdvanceKey(const BlockEntry& entry, std::string* key) {
  if (entry.shared > key->size()) return false;
  key->resize(entry.shared);
  key->append(entry.suffix());
  return true;
}

}  // namespace

BlockWalker::BlockWalker(const BlockView& view) : view_(&view), next_(view.entries.data()) {}

bool BlockWalker::Fail(const char* why) {
  status_ = EntryError(offset_, why);
  next_ = view_->limit();
  return false;
}

bool BlockWalker::Next() {
  const char* const limit = view_->limit();
  if (next_ >= limit) return false;
  offset_ = static_cast<uint64_t>(next_ - view_->entries.data());
  at_restart_ =
      next_restart_ < view_->num_restarts && view_->restart_offset(next_restart_) == offset_;
  if (at_restart_) ++next_restart_;

  BlockEntry entry;
  const bool fits = view_->separated
                        ? ParseSeparatedEntry(next_, limit, at_restart_, view_->values.size(),
                                              &value_offset_, &entry)
                        : ParseBlockEntry(next_, limit, &entry);
  if (!fits) return Fail("runs past the end of the block");
  if (at_restart_ && entry.shared != 0) return Fail("is a restart and shares bytes");
  if (!AdvanceKey(entry, &key_)) return Fail("shares more than the key before has");
  if (view_->separated) {
    value_ = view_->values.substr(value_offset_, entry.value_size);
    value_offset_ += entry.value_size;
    next_ = entry.after_key();
  } else {
    value_ = entry.value();
    next_ = entry.end();
  }
  const bool skipped_restart =
      next_restart_ < view_->num_restarts && next_ > view_->restart(next_restart_);
  if (skipped_restart) return Fail("runs across a restart");
  return true;
}

IndexWalker::IndexWalker(const BlockView& view, IndexValueFormat format)
    : view_(&view), format_(format), next_(view.entries.data()) {}

bool IndexWalker::Fail(const char* why) {
  status_ = EntryError(offset_, why);
  next_ = view_->limit();
  return false;
}

bool IndexWalker::Next() {
  const char* const limit = view_->limit();
  if (next_ >= limit) return false;
  offset_ = static_cast<uint64_t>(next_ - view_->entries.data());
  const bool at_restart =
      next_restart_ < view_->num_restarts && view_->restart_offset(next_restart_) == offset_;
  if (at_restart) ++next_restart_;
  BlockEntry entry;
  // With a value size the value ends there; without, after its last field.
  const bool fits = format_.delta_encoded ? ParseKeyOnlyEntry(next_, limit, &entry)
                                          : ParseBlockEntry(next_, limit, &entry);
  if (!fits) return Fail("runs past the end of the block");
  if (at_restart && entry.shared != 0) return Fail("is a restart and shares bytes");
  if (!AdvanceKey(entry, &key_)) return Fail("shares more than the key before has");
  const BlockHandle previous = value_.handle;
  const char* const value_limit = format_.delta_encoded ? limit : entry.end();
  const char* const end =
      ParseIndexValue(entry.after_key(), value_limit, format_, entry.shared, previous, &value_);
  if (end == nullptr) return Fail("has a broken block handle");
  next_ = format_.delta_encoded ? end : value_limit;
  const bool skipped_restart =
      next_restart_ < view_->num_restarts && next_ > view_->restart(next_restart_);
  if (skipped_restart) return Fail("runs across a restart");
  return true;
}

}  // namespace varve
