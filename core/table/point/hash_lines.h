// SPDX-License-Identifier: Apache-2.0
// HashLines searches the lines of a HashIndex (format/table/hash_index.h): from the hash of a key
// to the entries that may be its newest one. A key of the table is always among them; a key that
// the table does not have leads to an entry if its fingerprint is that of another key, once in
// 1,600 times or less.
//
// Immutable, thread-safe.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/prefetch.h"
#include "core/format/table/hash_index.h"

namespace varve {

class HashLines {
 public:
  HashLines() = default;
  explicit HashLines(HashIndex&& index)
      : homes_(index.homes),
        slot_size_(index.slot_size),
        capacity_(index.capacity()),
        entry_bits_(index.entry_bits()),
        fingerprint_bits_(index.fingerprint_bits()),
        lines_(std::move(index.lines)) {}

  bool empty() const { return lines_.empty(); }

  void Prefetch(uint64_t hash) const { PrefetchLine(&lines_[HashIndex::HomeOf(hash, homes_)]); }

  // The first of the entries that may be the key's newest; nullopt: the table does not have the
  // key.
  std::optional<uint32_t> Find(uint64_t hash) const {
    std::optional<uint32_t> found;
    Visit(hash, [&found](uint32_t entry) {
      found = entry;
      return true;
    });
    return found;
  }
  // Whether `entry` is one of them.
  bool LeadsTo(uint64_t hash, uint32_t entry) const {
    return Visit(hash, [entry](uint32_t other) { return other == entry; });
  }

  uint64_t memory_bytes() const { return lines_.capacity() * sizeof(HashIndex::Line); }

 private:
  // Until `use` returns true, which is then returned.
  template <typename Use>
  bool Visit(uint64_t hash, const Use& use) const {
    const uint32_t fingerprint = HashIndex::FingerprintOf(hash, fingerprint_bits_);
    uint32_t group = HashIndex::GroupOf(hash);
    for (uint32_t at = HashIndex::HomeOf(hash, homes_);; ++at) {
      DCHECK_OP(at, <, lines_.size(), "the last line is not full");
      const HashIndex::Line& line = lines_[at];
      const uint32_t begin = line.begin(group), end = line.end(group);
      for (uint32_t found = SlotsWith(line, fingerprint) & ((1u << end) - (1u << begin));
           found != 0; found &= found - 1) {
        const uint64_t slot = line.slot(static_cast<uint32_t>(std::countr_zero(found)), slot_size_);
        if (use(static_cast<uint32_t>(slot & ((uint64_t{1} << entry_bits_) - 1)))) return true;
      }
      if (end < capacity_) [[likely]]
        return false;
      group = HashIndex::NextGroup(group);
    }
  }

  // A bit for each slot of the line that has the fingerprint. No branch depends on the key: one
  // that is guessed wrong costs as much as all of this.
  uint32_t SlotsWith(const HashIndex::Line& line, uint32_t fingerprint) const {
#ifdef __SSE2__
    if (slot_size_ == 4) [[likely]] {
      const __m128i bits = _mm_cvtsi32_si128(static_cast<int>(entry_bits_));
      const __m128i wanted = _mm_set1_epi32(static_cast<int>(fingerprint));
      const auto* const words = reinterpret_cast<const __m128i*>(line.bytes.data());
      const auto match = [&](int i) {
        return _mm_cmpeq_epi32(_mm_srl_epi32(_mm_load_si128(words + i), bits), wanted);
      };
      const __m128i low = _mm_packs_epi32(match(0), match(1));
      const __m128i high = _mm_packs_epi32(match(2), match(3));
      // The first of the 16 numbers is the groups' ends.
      return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) >> 1;
    }
#endif
    uint32_t found = 0;
    for (uint32_t i = 0; i < capacity_; ++i) {
      found |= static_cast<uint32_t>(line.slot(i, slot_size_) >> entry_bits_ == fingerprint) << i;
    }
    return found;
  }

  uint32_t homes_ = 0;
  uint32_t slot_size_ = 0;
  uint32_t capacity_ = 0;
  uint32_t entry_bits_ = 0;
  uint32_t fingerprint_bits_ = 0;
  std::vector<HashIndex::Line> lines_;
};

}  // namespace varve
