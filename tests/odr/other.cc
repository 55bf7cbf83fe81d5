// SPDX-License-Identifier: Apache-2.0
// With one.cc: two types of one name.
struct Pair {
  char first;
  long second;
  long Sum() const { return first + second; }
};

long SumOfOther(const Pair& pair) { return pair.Sum(); }
