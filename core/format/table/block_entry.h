// SPDX-License-Identifier: Apache-2.0
// One entry of a key/value block, in one of three forms.
//
//   normal      | shared | non_shared | value_size | key suffix | value |
//   index       | shared | non_shared | key suffix | handle or delta | [first key] |
//   separated   | shared | non_shared | value_size | [value offset, at restarts] | key suffix |
//
// All numbers are varint32. The key consists of the first `shared` bytes of the previous key and
// the suffix.
//
// These functions are the core of every seek and scan, so they are inline, work on pointers, and
// have a fast path for numbers below 128. They validate everything: on success the suffix (and the
// value) are within [p, limit). The *caller* compares `shared` with the size of the previous key.
//
//   const char* p = block.entries.data();
//   while (p < limit) {
//     BlockEntry entry;
//     if (!ParseBlockEntry(p, limit, &entry) || entry.shared > key.size()) return corrupt;
//     ...
//     p = entry.end();
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/bytes/byte_writer.h"
#include "core/format/table/block_handle.h"

namespace varve {

struct BlockEntry {
  uint32_t shared = 0;
  uint32_t non_shared = 0;
  uint32_t value_size = 0;           // 0 in the index form.
  const char* key_suffix = nullptr;  // non_shared bytes.

  std::string_view suffix() const { return {key_suffix, non_shared}; }
  const char* after_key() const { return key_suffix + non_shared; }
  // Normal form only.
  std::string_view value() const { return {after_key(), value_size}; }
  const char* end() const { return after_key() + value_size; }
};

// Reads a varint at p and returns where it ends; null if it runs past `limit` or overflows.
const char* ParseVarint32Slow(const char* p, const char* limit, uint32_t* out);
const char* ParseVarint64Slow(const char* p, const char* limit, uint64_t* out);

inline const char* ParseVarint32(const char* p, const char* limit, uint32_t* out) {
  if (p < limit && static_cast<uint8_t>(*p) < 0x80) [[likely]] {
    *out = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return ParseVarint32Slow(p, limit, out);
}

inline const char* ParseVarint64(const char* p, const char* limit, uint64_t* out) {
  if (p < limit && static_cast<uint8_t>(*p) < 0x80) [[likely]] {
    *out = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return ParseVarint64Slow(p, limit, out);
}

// The normal form: data, metaindex, properties, range deletions, indexes without delta encoding.
[[nodiscard]] inline bool ParseBlockEntry(const char* p, const char* limit, BlockEntry* out) {
  if (limit - p >= 3) [[likely]] {
    const auto shared = static_cast<uint8_t>(p[0]);
    const auto non_shared = static_cast<uint8_t>(p[1]);
    const auto value_size = static_cast<uint8_t>(p[2]);
    if ((shared | non_shared | value_size) < 0x80) [[likely]] {
      *out = {shared, non_shared, value_size, p + 3};
      return non_shared + value_size <= limit - (p + 3);
    }
  }
  if ((p = ParseVarint32(p, limit, &out->shared)) == nullptr) return false;
  if ((p = ParseVarint32(p, limit, &out->non_shared)) == nullptr) return false;
  if ((p = ParseVarint32(p, limit, &out->value_size)) == nullptr) return false;
  out->key_suffix = p;
  return uint64_t{out->non_shared} + out->value_size <= static_cast<uint64_t>(limit - p);
}

// The index form (property index.value.is.delta.encoded). ParseIndexValue() parses the rest from
// after_key().
[[nodiscard]] inline bool ParseKeyOnlyEntry(const char* p, const char* limit, BlockEntry* out) {
  out->value_size = 0;
  if ((p = ParseVarint32(p, limit, &out->shared)) == nullptr) return false;
  if ((p = ParseVarint32(p, limit, &out->non_shared)) == nullptr) return false;
  out->key_suffix = p;
  return out->non_shared <= static_cast<uint64_t>(limit - p);
}

// The separated form. `limit` ends the key part; the next entry is at out->after_key().
// *value_offset within the value part is the caller's running position, replaced at a restart;
// on success the value lies within [0, values_size).
[[nodiscard]] inline bool ParseSeparatedEntry(const char* p, const char* limit, bool at_restart,
                                              uint64_t values_size, uint64_t* value_offset,
                                              BlockEntry* out) {
  if ((p = ParseVarint32(p, limit, &out->shared)) == nullptr) return false;
  if ((p = ParseVarint32(p, limit, &out->non_shared)) == nullptr) return false;
  if ((p = ParseVarint32(p, limit, &out->value_size)) == nullptr) return false;
  if (at_restart) {
    uint32_t offset = 0;
    if ((p = ParseVarint32(p, limit, &offset)) == nullptr) return false;
    *value_offset = offset;
  }
  out->key_suffix = p;
  return out->non_shared <= static_cast<uint64_t>(limit - p) && *value_offset <= values_size &&
         out->value_size <= values_size - *value_offset;
}

// The format of the values in all index blocks of a table, from its properties.
struct IndexValueFormat {
  bool delta_encoded = false;
  bool has_first_key = false;  // Index kind 3.
};

struct IndexValue {
  BlockHandle handle;
  std::string_view first_key;  // An internal key, encoded; points into the block.
};

// Parses an index value at `p` and returns where it ends; null if it is invalid.
//
//   not delta-encoded, or shared == 0:  | offset (varint64) | size (varint64) |
//   delta-encoded and shared > 0:       | size - previous.size (zigzag varint64) |, right after it
//   then, with first keys:              | first key (length-prefixed) |
//
// `previous` is the handle of the previous entry; unused if shared == 0.
inline const char* ParseIndexValue(const char* p, const char* limit, IndexValueFormat format,
                                   uint32_t shared, const BlockHandle& previous, IndexValue* out) {
  uint64_t a = 0;
  if ((p = ParseVarint64(p, limit, &a)) == nullptr) return nullptr;
  if (format.delta_encoded && shared != 0) {
    // Wraps modulo 2^64, like the writer; FitsBelow() rejects invalid results.
    out->handle.offset = previous.end();
    out->handle.size = previous.size + static_cast<uint64_t>(ZigZagDecode(a));
  } else {
    out->handle.offset = a;
    if ((p = ParseVarint64(p, limit, &out->handle.size)) == nullptr) return nullptr;
  }
  if (!format.has_first_key) return p;
  uint32_t size = 0;
  if ((p = ParseVarint32(p, limit, &size)) == nullptr) return nullptr;
  if (size > static_cast<uint64_t>(limit - p)) return nullptr;
  out->first_key = {p, size};
  return p + size;
}

}  // namespace varve
