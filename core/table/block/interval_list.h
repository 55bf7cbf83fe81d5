// SPDX-License-Identifier: Apache-2.0
// IntervalList holds the entries of one restart interval for a cursor that walks backwards, since
// entries can only be parsed forwards. The assembled keys may be thousands of times as large as the
// interval, so at most kKeysMax bytes of keys are held (at least one key), those at the end; the
// cursor fills the list again when it reaches the others.
//
//   entries   | shared 0 | shared 4 | shared 3 | shared 5 |    parsed from the restart point on
//   keys                            [ key      ][ key      ]    those that fit, whole
//
// `Value` is what the cursor returns of an entry besides its key. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/format/table/block_entry.h"

namespace varve {

template <typename Value>
class IntervalList {
 public:
  static constexpr size_t kKeysMax = 4 << 20;

  struct Entry {
    uint32_t offset, next;          // In the block: where it starts and where it ends.
    uint32_t key_offset, key_size;  // In the keys of the list.
    Value value;
  };

  size_t size() const { return entries_.size(); }
  const Entry& back() const {
    DCHECK(!entries_.empty());
    return entries_.back();
  }
  std::string_view key() const {  // Of the last entry; valid until the next Fill().
    return std::string_view(keys_).substr(back().key_offset, back().key_size);
  }
  void PopBack() {
    DCHECK(!entries_.empty());
    entries_.pop_back();
  }
  void Clear() { entries_.clear(); }

  // Lists the entries from `begin`, a restart point, up to the one that starts at `end`.
  // `parse(offset, &entry, &value, &next)` parses one entry; called with `begin` again, it starts
  // over. False if an entry is invalid or does not end at `end`; `*broken` is its offset. Otherwise
  // the list is not empty. Requires begin < end.
  template <typename Parse>
  bool Fill(uint32_t begin, uint32_t end, const Parse& parse, uint32_t* broken) {
    DCHECK_OP(begin, <, end);
    Clear();
    keys_.clear();
    BlockEntry entry;
    Value value;
    uint32_t next = 0, previous = 0;  // `previous`: offset of the previous key.
    for (uint32_t at = begin; at < end; at = next) {
      const size_t known = keys_.size() - previous;
      if (!parse(at, &entry, &value, &next) || entry.shared > known || next > end) [[unlikely]] {
        *broken = at;
        return false;
      }
      const auto start = static_cast<uint32_t>(keys_.size());
      const size_t size = size_t{entry.shared} + entry.non_shared;
      if (start + size > kKeysMax && at != begin) [[unlikely]] {
        return FillFar(begin, end, parse, broken);
      }
      keys_.append(keys_, previous, entry.shared).append(entry.suffix());
      entries_.push_back({at, next, start, static_cast<uint32_t>(size), value});
      previous = start;
    }
    return true;
  }

 private:
  // The same for an interval with too many bytes of keys: a first pass sums up their sizes; a
  // second one, which assembles one key at a time, lists those at the end that fit. Each pass takes
  // as long as parsing the interval, and there is one for every kKeysMax bytes of keys.
  template <typename Parse>
  bool FillFar(uint32_t begin, uint32_t end, const Parse& parse, uint32_t* broken) {
    Clear();
    keys_.clear();
    BlockEntry entry;
    Value value;
    uint32_t next = 0;
    uint64_t size = 0, total = 0;  // Of the current key, and of all.
    for (uint32_t at = begin; at < end; at = next) {
      if (!parse(at, &entry, &value, &next) || entry.shared > size || next > end) {
        *broken = at;
        return false;
      }
      size = uint64_t{entry.shared} + entry.non_shared;
      total += size;
    }
    std::string key;
    for (uint32_t at = begin; at < end; at = next) {
      VARVE_CHECK(parse(at, &entry, &value, &next), "the first pass over the same bytes succeeded");
      key.resize(entry.shared);
      key.append(entry.suffix());
      if (total <= kKeysMax || next == end) {
        entries_.push_back({at, next, static_cast<uint32_t>(keys_.size()),
                            static_cast<uint32_t>(key.size()), value});
        keys_.append(key);
      }
      total -= key.size();
    }
    return true;
  }

  std::vector<Entry> entries_;
  std::string keys_;
};

}  // namespace varve
