// SPDX-License-Identifier: Apache-2.0
// PlacesBuilder counts entries into the PointPlaces of a table as it is written, for the builders
// of point indexes. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/format/table/point_places.h"

namespace varve {

// What a builder of a point index has made.
struct BuiltIndex {
  std::string bytes;  // Empty: there is no index.
  std::string what;   // The form, or why there is none.
};

class PlacesBuilder {
 public:
  // An entry of a new key.
  void AddKey() {
    ++keys_;
    ++block_entries_;
  }
  // Another entry of the last key.
  void AddVersion() {
    CHECK(keys_ > 0);
    const auto rank = static_cast<uint32_t>(keys_ - 1);
    if (places_.repeats.empty() || places_.repeats.back().rank != rank) {
      places_.repeats.push_back({.rank = rank});
    }
    ++places_.repeats.back().more;
    ++versions_;
    ++block_entries_;
  }
  // The entries added since the last call are a data block.
  void EndBlock() {
    CHECK(block_entries_ > 0);
    places_.blocks.push_back({.handle = {}, .entries = block_entries_});
    block_entries_ = 0;
  }
  // Of the blocks, in order; may come later.
  void AddHandle(BlockHandle handle) {
    CHECK_OP(handles_, <, places_.blocks.size());
    places_.blocks[handles_++].handle = handle;
  }

  uint64_t keys() const { return keys_; }
  uint64_t entries() const { return keys_ + versions_; }
  const std::vector<PointPlaces::Repeat>& repeats() const { return places_.repeats; }
  // Of what AppendPointPlaces() adds, roughly.
  uint64_t EstimatedSize() const {
    constexpr uint64_t kBlock = 5, kRepeat = 3;
    return kBlock * places_.blocks.size() + kRepeat * places_.repeats.size();
  }

  // Requires the handles of all blocks, and that the entries are no more than 32 bits count.
  PointPlaces Take() {
    CHECK_OP(handles_, ==, places_.blocks.size());
    places_.keys = static_cast<uint32_t>(keys_);
    places_.entries = static_cast<uint32_t>(entries());
    CHECK_OP(places_.entries, ==, entries());
    return std::move(places_);
  }

 private:
  PointPlaces places_;
  uint64_t keys_ = 0;
  uint64_t versions_ = 0;  // Entries besides the first of each key.
  uint32_t block_entries_ = 0;
  size_t handles_ = 0;
};

}  // namespace varve
