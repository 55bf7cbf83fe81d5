// SPDX-License-Identifier: Apache-2.0
// Choices drawn from a seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

namespace varve::mix {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  uint64_t Pick(uint64_t n) { return random_() % n; }  // Of 0..n-1.
  bool OneIn(uint64_t n) { return Pick(n) == 0; }
  template <typename T>
  T Of(std::initializer_list<T> choices) {
    return choices.begin()[Pick(choices.size())];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace varve::mix
