// SPDX-License-Identifier: Apache-2.0
// Blocks of remote files in memory; those not used for longest are dropped. Thread-safe.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/base/threads/mutex.h"

namespace varve {

using Block = std::shared_ptr<const std::string>;

class BlockMemory {
 public:
  explicit BlockMemory(uint64_t limit) : limit_(limit) {}

  // Null if it is not there. `file` numbers the opened files of this process.
  Block Get(uint64_t file, uint64_t number) {
    MutexLock lock(mu_);
    const auto found = places_.find({file, number});
    if (found == places_.end()) return nullptr;
    used_.splice(used_.begin(), used_, found->second);
    return found->second->block;
  }

  void Put(uint64_t file, uint64_t number, Block block) {
    MutexLock lock(mu_);
    if (places_.contains({file, number})) return;
    bytes_ += block->size();
    used_.push_front({{file, number}, std::move(block)});
    places_[used_.front().key] = used_.begin();
    while (bytes_ > limit_ && used_.size() > 1) {
      bytes_ -= used_.back().block->size();
      places_.erase(used_.back().key);
      used_.pop_back();
    }
  }

 private:
  using Key = std::pair<uint64_t, uint64_t>;
  struct Kept {
    Key key;
    Block block;
  };

  const uint64_t limit_;
  Mutex mu_;
  uint64_t bytes_ GUARDED_BY(mu_) = 0;
  std::list<Kept> used_ GUARDED_BY(mu_);  // The last one was not used for longest.
  std::map<Key, std::list<Kept>::iterator> places_ GUARDED_BY(mu_);
};

}  // namespace varve
