// SPDX-License-Identifier: Apache-2.0
// FamilyQueue holds families in the order in which they were put in, each at most once. Not
// thread-safe: the engine's mutex guards each of them.
#pragma once

#include <cstddef>
#include <deque>
#include <unordered_set>

#include "core/base/check.h"

namespace varve {

class Family;

class FamilyQueue {
 public:
  // Does nothing if the family is in the queue already.
  void Push(Family* family) {
    CHECK(family != nullptr);
    if (members_.insert(family).second) order_.push_back(family);
  }
  // Takes out the oldest. Requires that there is one.
  Family* Pop() {
    CHECK(!order_.empty());
    Family* const family = order_.front();
    order_.pop_front();
    members_.erase(family);
    return family;
  }
  bool empty() const { return order_.empty(); }
  size_t size() const { return order_.size(); }

 private:
  std::deque<Family*> order_;
  std::unordered_set<const Family*> members_;  // The same ones.
};

}  // namespace varve
