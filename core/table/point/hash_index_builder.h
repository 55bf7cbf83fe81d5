// SPDX-License-Identifier: Apache-2.0
// HashIndexBuilder makes the hash index (format/table/hash_index.h) of a table as it is written, or
// says why the table has none. It keeps 8 bytes for each key until Finish(), and needs 16 more
// there. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/format/table/hash_index.h"
#include "core/table/point/places_builder.h"

namespace varve {

class HashIndexBuilder {
 public:
  // Of the slots of the homes, in percent. With more, more keys are not at home. Few keys have
  // more: the lines behind the homes would take too much, and all of it is in a near cache.
  static constexpr uint32_t kLoad = 90;
  static constexpr uint32_t kLoadOfFew = 93;
  static constexpr uint32_t kFew = 4096;  // Keys.

  // In the order of the table. `hash`: Xxph3_64() of the key.
  void AddKey(uint64_t hash) {
    hashes_.push_back(hash);
    places_.AddKey();
  }
  void AddVersion() { places_.AddVersion(); }
  void EndBlock() { places_.EndBlock(); }
  void AddHandle(BlockHandle handle) { places_.AddHandle(handle); }

  // Of the index so far, roughly.
  uint64_t EstimatedSize() const;

  BuiltIndex Finish();

 private:
  std::vector<uint64_t> hashes_;
  PlacesBuilder places_;
};

}  // namespace varve
