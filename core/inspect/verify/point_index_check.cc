// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/verify/point_index_check.h"

#include "core/base/text/abbreviate.h"

namespace varve {

std::optional<std::string> PointIndexCheck::Contradiction(const Entry& entry) {
  if (point_ == nullptr || is_wrong_) return std::nullopt;
  if (entry.is_new) {
    ++keys_;
    place_ = FindPlace(entry);
    versions_ = 0;
  } else {
    ++versions_;
  }
  std::string wrong;
  if (!place_) {
    wrong = " is not there, but it is";
  } else if (!entry.is_new) {
    if (versions_ > place_->more) wrong = " has fewer versions than it has";
  } else if (place_->block != entry.block || place_->slot != entry.slot ||
             !(point_->handle(place_->block) == entry.handle)) {
    wrong = " is entry " + std::to_string(place_->slot) + " of block " +
            std::to_string(place_->block) + ", but it is entry " + std::to_string(entry.slot) +
            " of block " + std::to_string(entry.block);
  }
  if (wrong.empty()) return std::nullopt;
  is_wrong_ = true;
  return "the point index says that " + AbbreviateForDisplay(entry.user_key) + wrong;
}

// A hash index may take the key for another, which is found not to be it; not so if its own entry
// is not to be found.
std::optional<PointIndex::Place> PointIndexCheck::FindPlace(const Entry& entry) const {
  if (entry.block >= point_->blocks()) return point_->Find(entry.user_key);
  const uint32_t first = point_->first_entry(static_cast<uint32_t>(entry.block));
  return point_->FindEntry(entry.user_key, first + entry.slot);
}

std::optional<std::string> PointIndexCheck::WrongCount(uint64_t entries) const {
  if (point_ == nullptr || is_wrong_ || entries != point_->entries() || keys_ == point_->keys()) {
    return std::nullopt;
  }
  return "keys: counted " + std::to_string(keys_) + ", the point index says " +
         std::to_string(point_->keys());
}

}  // namespace varve
