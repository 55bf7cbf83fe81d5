// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/format/table/block_handle.h"
#include "core/table/point/point_index.h"

namespace varve {

// Compares a table's point index with its entries, which are given in file order.
class PointIndexCheck {
 public:
  // Null: the table has none, and nothing is checked. `point` must outlive the check.
  explicit PointIndexCheck(const PointIndex* point) : point_(point) {}

  struct Entry {
    std::string_view user_key;
    bool is_new;         // Not of the same key as the entry before.
    BlockHandle handle;  // Of its data block,
    uint64_t block;      // which is this one of the table, from 0,
    uint32_t slot;       // where it is this entry, from 0.
  };
  // The first contradiction; nothing is checked after it.
  std::optional<std::string> Contradiction(const Entry& entry);

  // Whether the number of keys differs, after all of `entries` entries have been looked at. Damaged
  // blocks, which are reported, have entries that were not.
  std::optional<std::string> WrongCount(uint64_t entries) const;

 private:
  std::optional<PointIndex::Place> FindPlace(const Entry& entry) const;

  const PointIndex* const point_;
  std::optional<PointIndex::Place> place_;  // Of the current key.
  uint64_t keys_ = 0, versions_ = 0;        // Versions of the current key besides the first.
  bool is_wrong_ = false;
};

}  // namespace varve
