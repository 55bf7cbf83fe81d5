// SPDX-License-Identifier: Apache-2.0
// Orders of keys that the engine does not know, as embedders bring them.
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

#include "varve/comparator.h"

namespace varve {

// The order of bytes under another name: the engine may not conclude from bytes, as it does in its
// own orders.
class OwnOrder final : public Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override { return a.compare(b); }
  std::string_view name() const override { return "test.OwnOrder"; }
};

// By length first, an order that no comparison of bytes gives: numbers without leading zeros.
class ByLength final : public Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
  }
  std::string_view name() const override { return "test.ByLength"; }
};

// Keys that differ in bytes may be the same key.
class Caseless final : public Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override {
    const size_t common = std::min(a.size(), b.size());
    for (size_t i = 0; i < common; ++i) {
      const int x = Folded(a[i]), y = Folded(b[i]);
      if (x != y) return x < y ? -1 : 1;
    }
    return a.size() == b.size() ? 0 : (a.size() < b.size() ? -1 : 1);
  }
  std::string_view name() const override { return "test.Caseless"; }

 private:
  static int Folded(char c) { return std::tolower(static_cast<unsigned char>(c)); }
};

}  // namespace varve
