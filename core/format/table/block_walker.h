// SPDX-License-Identifier: Apache-2.0
// BlockWalker reads the entries of a key/value block from first to last: metaindex, properties,
// range deletions, and any block that is dumped or verified. For seeks see
// table/block/block_cursor.h.
//
//   BlockWalker walker(view);
//   while (walker.Next()) use(walker.key(), walker.value());
//   RETURN_IF_ERROR(walker.status());
//
// Reads the normal and the separated form. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/format/table/block_entry.h"
#include "core/format/table/block_view.h"
#include "varve/status.h"

namespace varve {

class BlockWalker {
 public:
  // `view` and its bytes outlive the walker.
  explicit BlockWalker(const BlockView& view);

  // False at the end or on damage: see status().
  bool Next();

  // Of the current entry. The key is valid until the next call, the value as long as the block.
  std::string_view key() const { return key_; }
  std::string_view value() const { return value_; }
  uint64_t offset() const { return offset_; }  // Of the entry within the block.
  bool at_restart() const { return at_restart_; }
  const Status& status() const { return status_; }

 private:
  bool Fail(const char* why);

  const BlockView* view_;
  const char* next_;
  uint32_t next_restart_ = 0;
  uint64_t value_offset_ = 0;  // Separated form: where the next value starts.
  std::string key_;
  std::string_view value_;
  uint64_t offset_ = 0;
  bool at_restart_ = false;
  Status status_;
};

// The same for index blocks, in every form that the properties may specify.
class IndexWalker {
 public:
  IndexWalker(const BlockView& view, IndexValueFormat format);

  bool Next();

  // A user key or an encoded internal key, as the properties say.
  std::string_view key() const { return key_; }
  const BlockHandle& handle() const { return value_.handle; }
  std::string_view first_key() const { return value_.first_key; }
  uint64_t offset() const { return offset_; }  // Of the entry within the block.
  const Status& status() const { return status_; }

 private:
  bool Fail(const char* why);

  const BlockView* view_;
  IndexValueFormat format_;
  const char* next_;
  uint32_t next_restart_ = 0;
  std::string key_;
  IndexValue value_;
  uint64_t offset_ = 0;
  Status status_;
};

}  // namespace varve
