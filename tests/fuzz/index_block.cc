// SPDX-License-Identifier: Apache-2.0
// An index block in each of its forms, which the first byte of the input chooses: the walker of
// reports, the cursor of reads and the decoded heads agree about every entry.
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_walker.h"
#include "core/inspect/table/block_layout.h"
#include "core/table/block/block.h"
#include "core/table/index/index_block_cursor.h"
#include "core/table/index/index_heads.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

struct Entry {
  std::string key;
  BlockHandle handle;
  std::string_view first_key;  // In the block.
};

// False: the walker found damage.
bool Walk(const Block& block, IndexValueFormat format, std::vector<Entry>* entries) {
  IndexWalker walker(block.view(), format);
  while (walker.Next()) {
    entries->push_back({std::string(walker.key()), walker.handle(), walker.first_key()});
  }
  return walker.status().ok();
}

void MustBe(const IndexBlockCursor& cursor, const Entry& entry, const char* how) {
  Must(cursor.valid() && cursor.key() == entry.key && cursor.handle() == entry.handle &&
           cursor.first_key() == entry.first_key,
       how);
}

void BothWays(IndexBlockCursor* cursor, const std::vector<Entry>& entries) {
  bool on = cursor->SeekToFirst();
  for (const Entry& entry : entries) {
    Must(on, "forwards: an entry is left out");
    MustBe(*cursor, entry, "forwards: another entry than the walker's");
    on = cursor->Next();
  }
  Must(!on && !cursor->damaged(), "forwards: there is more than the walker has");
  on = cursor->SeekToLast();
  for (size_t left = entries.size(); left > 0; --left) {
    Must(on, "backwards: an entry is left out");
    MustBe(*cursor, entries[left - 1], "backwards: another entry than the walker's");
    on = cursor->Prev();
  }
  Must(!on && !cursor->damaged(), "backwards: there is more than the walker has");
}

// nullopt: too short for a separator.
std::optional<InternalKey> Separator(std::string_view stored, bool user_keys) {
  if (user_keys) return InternalKey{.user_key = stored};
  return DecodeInternalKey(stored);
}

bool Ascend(const std::vector<Entry>& entries, bool user_keys) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto key = Separator(entries[i].key, user_keys);
    if (!key) return false;
    if (i > 0 && CompareSeparator(BytewiseOrder{}, entries[i - 1].key, user_keys, *key) >= 0) {
      return false;
    }
  }
  return true;
}

void ByKey(const Block& block, const std::vector<Entry>& entries, IndexEncoding encoding) {
  IndexBlockCursor cursor;
  cursor.Attach(block, encoding);
  const IndexHeads heads(block, encoding.user_keys, encoding.values);
  for (const Entry& entry : entries) {
    const InternalKey target = *Separator(entry.key, encoding.user_keys);
    Must(cursor.Seek(BytewiseOrder{}, target), "by key: no entry");
    MustBe(cursor, entry, "by key: another entry");
    if (heads.empty()) continue;
    Must(cursor.SeekFrom(BytewiseOrder{}, target, heads.Narrow(target.user_key)),
         "by heads: no entry");
    MustBe(cursor, entry, "by heads: another entry");
  }
}

// No part of a damaged block is relied on, but all of it may be looked at.
void LookAround(const Block& block, IndexEncoding encoding) {
  IndexBlockCursor cursor;
  cursor.Attach(block, encoding);
  for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) static_cast<void>(cursor.handle());
  for (bool on = cursor.SeekToLast(); on; on = cursor.Prev()) static_cast<void>(cursor.key());
  cursor.Seek(BytewiseOrder{}, {.user_key = "m", .sequence = 9});
  const IndexHeads heads(block, encoding.user_keys, encoding.values);
  if (heads.empty()) return;
  cursor.SeekFrom(BytewiseOrder{}, {.user_key = "m", .sequence = 9}, heads.Narrow("m"));
  BlockHandle handle;
  if (heads.has_handles()) heads.Locate("m", &handle);
}

void LayOut(std::string_view bytes, IndexEncoding encoding) {
  LayoutNode whole{.name = "block", .size = bytes.size()};
  const auto keys =
      encoding.user_keys ? BlockContents::Keys::kUserKeys : BlockContents::Keys::kInternalKeys;
  LayOutKeyValueBlock(bytes, 0, {keys, BlockContents::Values::kIndex, encoding.values}, &whole);
  std::string again;
  EncodeLayout(whole, &again);
  Must(again == bytes, "the layout has all bytes");
}

void Run(std::string_view bytes) {
  Input in(bytes);
  const uint8_t form = in.Byte();
  const IndexEncoding encoding = {
      (form & 1) != 0, {.delta_encoded = (form & 2) != 0, .has_first_key = (form & 4) != 0}};
  const std::string_view stored = in.rest();
  if (!stored.empty()) LayOut(stored, encoding);
  const auto block = Block::Make({stored.size(), 0});
  if (!stored.empty()) std::memcpy(block->writable(), stored.data(), stored.size());
  block->set_kind(BlockKind::kKeyValue);
  if (!block->ParseOutline().ok()) return;
  std::vector<Entry> entries;
  if (block->view().separated || !Walk(*block, encoding.values, &entries)) {
    return LookAround(*block, encoding);
  }
  IndexBlockCursor cursor;
  cursor.Attach(*block, encoding);
  BothWays(&cursor, entries);
  if (Ascend(entries, encoding.user_keys)) return ByKey(*block, entries, encoding);
  LookAround(*block, encoding);
}

}  // namespace

const Target index_block = {"index_block", Run};

}  // namespace varve::fuzz
