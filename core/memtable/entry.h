// SPDX-License-Identifier: Apache-2.0
// A memtable entry in the arena, shared by all indexes. Immutable once it is in an index.
//
//   | packed | key size | value size | key bytes | value bytes |
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

#include "core/format/internal_key.h"
#include "core/memtable/node_arena.h"

namespace varve {

struct MemTableEntry {
  uint64_t packed = 0;
  uint32_t key_size = 0;
  uint32_t value_size = 0;

  static const MemTableEntry* Make(const InternalKey& key, std::string_view value,
                                   NodeArena* arena) {
    char* const memory =
        arena->Allocate(sizeof(MemTableEntry) + key.user_key.size() + value.size());
    auto* const entry = new (memory) MemTableEntry;
    entry->packed = key.packed();
    entry->key_size = static_cast<uint32_t>(key.user_key.size());
    entry->value_size = static_cast<uint32_t>(value.size());
    char* const bytes = memory + sizeof(MemTableEntry);
    if (!key.user_key.empty()) std::memcpy(bytes, key.user_key.data(), key.user_key.size());
    if (!value.empty()) std::memcpy(bytes + key.user_key.size(), value.data(), value.size());
    return entry;
  }

  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
  std::string_view user_key() const { return {bytes(), key_size}; }
  std::string_view value() const { return {bytes() + key_size, value_size}; }
  Sequence sequence() const { return packed >> 8; }
  ValueType type() const { return static_cast<ValueType>(packed & 0xff); }
  InternalKey key() const { return {user_key(), sequence(), type()}; }
};
static_assert(sizeof(MemTableEntry) == 16 && alignof(MemTableEntry) <= NodeArena::kAlignment);

}  // namespace varve
