// SPDX-License-Identifier: Apache-2.0
// A data block: the walker of reports and the cursor of reads, forwards, backwards, by offset, by
// key and by heads, agree about every entry.
#include "core/table/block/block.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/internal_key.h"
#include "core/format/table/block_walker.h"
#include "core/inspect/table/block_layout.h"
#include "core/table/block/block_cursor.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

constexpr uint32_t kHeadsRoom = 1024;

struct Entry {
  std::string key;
  std::string_view value;  // In the block.
  uint64_t offset = 0;
};

std::shared_ptr<Block> MakeBlock(std::string_view bytes) {
  auto block = Block::Make({bytes.size(), kHeadsRoom});
  if (!bytes.empty()) std::memcpy(block->writable(), bytes.data(), bytes.size());
  block->set_kind(BlockKind::kData);
  return block;
}

// False: the walker found damage.
bool Walk(const Block& block, std::vector<Entry>* entries) {
  BlockWalker walker(block.view());
  while (walker.Next()) {
    entries->push_back({std::string(walker.key()), walker.value(), walker.offset()});
  }
  return walker.status().ok();
}

void MustBe(const BlockCursor& cursor, const Entry& entry, const char* how) {
  Must(cursor.valid() && cursor.key() == entry.key && cursor.value() == entry.value, how);
}

void BothWays(const Block& block, const std::vector<Entry>& entries) {
  BlockCursor cursor(block);
  bool on = cursor.SeekToFirst();
  for (const Entry& entry : entries) {
    Must(on, "forwards: an entry is left out");
    MustBe(cursor, entry, "forwards: another entry than the walker's");
    on = cursor.Next();
  }
  Must(!on && !cursor.damaged(), "forwards: there is more than the walker has");
  on = cursor.SeekToLast();
  for (size_t left = entries.size(); left > 0; --left) {
    Must(on, "backwards: an entry is left out");
    MustBe(cursor, entries[left - 1], "backwards: another entry than the walker's");
    on = cursor.Prev();
  }
  Must(!on && !cursor.damaged(), "backwards: there is more than the walker has");
}

void ByOffset(const Block& block, const std::vector<Entry>& entries) {
  BlockCursor cursor(block);
  for (const Entry& entry : entries) {
    if (!cursor.SeekToOffset(static_cast<uint32_t>(entry.offset))) continue;
    MustBe(cursor, entry, "by offset: another entry");
  }
}

bool AreAscendingInternalKeys(const std::vector<Entry>& entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto key = DecodeInternalKey(entries[i].key);
    if (!key) return false;
    if (i == 0) continue;
    if (CompareInternalKeys(BytewiseOrder{}, *DecodeInternalKey(entries[i - 1].key), *key) >= 0) {
      return false;
    }
  }
  return true;
}

void ByKey(const Block& block, const std::vector<Entry>& entries) {
  BlockCursor cursor(block);
  for (const Entry& entry : entries) {
    const InternalKey target = *DecodeInternalKey(entry.key);
    cursor.Seek([&](std::string_view stored) {
      return CompareInternalKeys(BytewiseOrder{}, *DecodeInternalKey(stored), target);
    });
    MustBe(cursor, entry, "by key: another entry");
    const RestartHints& hints = block.hints();
    if (hints.empty()) continue;
    cursor.SeekFrom(
        [&](std::string_view stored) {
          return CompareInternalKeys(BytewiseOrder{}, *DecodeInternalKey(stored), target);
        },
        hints.Narrow(target.user_key));
    MustBe(cursor, entry, "by hints: another entry");
  }
}

void ByHeads(const Block& block, const std::vector<Entry>& entries, bool ascending) {
  for (int i = 0; i < 2; ++i) block.NoteLookup();
  const BlockHeads* const heads = block.heads();
  if (heads == nullptr) return;
  Must(heads->count() == entries.size(), "there is a head for each entry");
  BlockCursor cursor(block);
  for (uint32_t i = 0; i < entries.size(); ++i) {
    const auto key = DecodeInternalKey(entries[i].key);
    const BlockHeads::Range range = heads->Search(key->user_key);
    if (ascending) Must(range.begin <= i && i < range.end, "heads: a key is in its range");
    Must(cursor.SeekToEntry(*heads, i), "heads: an entry is left out");
    MustBe(cursor, entries[i], "heads: another entry");
  }
}

// No part of a damaged block is relied on, but all of it may be looked at.
void LookAround(const Block& block) {
  BlockCursor cursor(block);
  for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) static_cast<void>(cursor.key());
  for (bool on = cursor.SeekToLast(); on; on = cursor.Prev()) static_cast<void>(cursor.value());
  cursor.Seek([](std::string_view stored) { return stored.compare("m"); });
}

void LayOut(std::string_view bytes) {
  LayoutNode whole{.name = "block", .size = bytes.size()};
  LayOutKeyValueBlock(bytes, 0, {.keys = BlockContents::Keys::kInternalKeys}, &whole);
  std::string again;
  EncodeLayout(whole, &again);
  Must(again == bytes, "the layout has all bytes");
}

void Run(std::string_view bytes) {
  if (!bytes.empty()) LayOut(bytes);
  const auto block = MakeBlock(bytes);
  if (!block->ParseOutline().ok()) return;
  block->MakeHints();
  std::vector<Entry> entries;
  if (!Walk(*block, &entries)) return LookAround(*block);
  BothWays(*block, entries);
  ByOffset(*block, entries);
  const bool ascending = AreAscendingInternalKeys(entries);
  if (ascending) ByKey(*block, entries);
  ByHeads(*block, entries, ascending);
}

}  // namespace

const Target block = {"block", Run};

}  // namespace varve::fuzz
