// SPDX-License-Identifier: Apache-2.0
// DictionarySampler holds back the first data blocks of a table until there are enough to make a
// compression dictionary; the builder then compresses them with it.
//
//   sampling --enough or end of table--> made
//
// One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "varve/options.h"

namespace varve {

class DictionarySampler {
 public:
  explicit DictionarySampler(const TableOptions& options);

  // False if no dictionary is wanted or the codec does not support one, and after Make().
  bool sampling() const { return sampling_; }
  bool has_enough() const { return held_bytes_ >= wanted_bytes_; }
  uint64_t held_bytes() const { return held_bytes_; }

  void Hold(std::string_view block) {  // Requires sampling().
    VARVE_CHECK(sampling_);
    held_.emplace_back(block);
    held_bytes_ += block.size();
  }

  // The dictionary; "" if none could be made. The held blocks stay until TakeHeld().
  std::string Make();
  std::vector<std::string> TakeHeld();

 private:
  const uint64_t dictionary_bytes_;
  const bool train_;
  uint64_t wanted_bytes_;
  bool sampling_;
  std::vector<std::string> held_;
  uint64_t held_bytes_ = 0;
};

}  // namespace varve
