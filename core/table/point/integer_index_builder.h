// SPDX-License-Identifier: Apache-2.0
// IntegerIndexBuilder makes the point index (format/table/integer_index.h) of a table as it is
// written, or says why the table has none. It keeps 8 bytes for each key until Finish(), and
// nothing once it is clear that there will be no index. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/table/integer_index.h"
#include "core/table/point/places_builder.h"

namespace varve {

class IntegerIndexBuilder {
 public:
  // More bits for each key, and there is no index: a filter takes about ten.
  static constexpr uint64_t kBitsPerKeyMax = 20;

  // In bytewise order. `is_new`: the key differs from the previous entry's.
  void Add(std::string_view user_key, bool is_new) {
    if (!why_not_.empty()) return;
    if (is_new) {
      AddKey(user_key);
    } else {
      places_.AddVersion();
    }
  }
  // The entries added since the last call are a data block.
  void EndBlock();
  // Of the blocks, in order; may come later.
  void AddHandle(BlockHandle handle);

  // Whether nothing has been added that rules the index out.
  bool is_possible() const { return why_not_.empty(); }

  // Of the index so far, roughly.
  uint64_t EstimatedSize() const;

  BuiltIndex Finish();

 private:
  void AddKey(std::string_view user_key) {
    if (!keys_.empty()) {
      if (user_key.size() != index_.key_size) return Refuse(user_key);
      if (const size_t shared = index_.prefix.size();
          user_key.substr(0, shared) != std::string_view(index_.prefix)) [[unlikely]] {
        return GiveUp("keys differ before their last 8 bytes");
      }
    } else {
      Begin(user_key);
    }
    keys_.push_back(IntegerIndex::IntegerOf(user_key));
    places_.AddKey();
  }
  void Begin(std::string_view first);
  void Refuse(std::string_view user_key);
  void GiveUp(std::string why);

  uint64_t span() const { return keys_.empty() ? 0 : keys_.back() - keys_.front(); }
  void ChooseForm();
  // The bits that the numbers take; fills in the segments. More than any limit: impossible.
  uint64_t PlanSegments();
  void PackNumbers();
  void SetBits();

  IntegerIndex index_;
  std::vector<uint64_t> keys_;
  PlacesBuilder places_;
  std::string why_not_;
};

}  // namespace varve
