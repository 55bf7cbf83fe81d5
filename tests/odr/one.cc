// SPDX-License-Identifier: Apache-2.0
// With other.cc: two types of one name.
struct Pair {
  int first, second;
  long Sum() const { return first + second; }
};

long SumOfOne(const Pair& pair) { return pair.Sum(); }
