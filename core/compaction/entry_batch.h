// SPDX-License-Identifier: Apache-2.0
// EntryBatch holds copies of some entries in order of addition: the unit that goes through the pipe
// between the merging half and the building half of a compaction.
//
//   | user key | value | user key | value | ...       and for each entry the sizes and the rest
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/internal_key.h"

namespace varve {

class EntryBatch {
 public:
  // Fits into a processor's cache; large compared to the cost of passing it on.
  static constexpr size_t kFullBytes = 256 << 10;

  struct Entry {
    InternalKey key;  // Points into the batch, as the value does.
    std::string_view value;
    bool starts_user_key = false;  // The previous entry, if any, has a different user key.
  };

  void Add(const InternalKey& key, std::string_view value, bool starts_user_key) {
    bytes_.append(key.user_key).append(value);
    entries_.push_back({.user_key_size = key.user_key.size(),
                        .value_size = value.size(),
                        .sequence = key.sequence,
                        .type = key.type,
                        .starts_user_key = starts_user_key});
  }
  bool empty() const { return entries_.empty(); }
  bool full() const { return bytes_.size() + entries_.size() * sizeof(Outline) >= kFullBytes; }

  // Keeps the memory, except that of unusually large values.
  void clear() {
    entries_.clear();
    bytes_.clear();
    if (bytes_.capacity() > 4 * kFullBytes) bytes_.shrink_to_fit();
  }

  // Calls `take` with each entry in turn, until it returns an error.
  template <typename Take>
  auto ForEach(const Take& take) const {
    std::string_view rest = bytes_;
    for (const Outline& outline : entries_) {
      const std::string_view user_key = rest.substr(0, outline.user_key_size);
      rest.remove_prefix(outline.user_key_size);
      const std::string_view value = rest.substr(0, outline.value_size);
      rest.remove_prefix(outline.value_size);
      auto taken = take(Entry{.key = {user_key, outline.sequence, outline.type},
                              .value = value,
                              .starts_user_key = outline.starts_user_key});
      if (!taken.ok()) return taken;
    }
    return decltype(take(Entry{}))();
  }

 private:
  struct Outline {
    uint64_t user_key_size;
    uint64_t value_size;
    Sequence sequence;
    ValueType type;
    bool starts_user_key;
  };

  std::vector<Outline> entries_;
  std::string bytes_;
};

}  // namespace varve
