// SPDX-License-Identifier: Apache-2.0
// The built-in key orders as types, so that a hot loop compiled for one of them compares inline.
//
//   return WithKeyOrder(comparator, [&](auto order) { return Search(order, ...); });
//
// calls the lambda with BytewiseOrder, ReverseBytewiseOrder or VirtualOrder. Every search, merge
// and builder in core/ that compares keys in a loop is a template over such an order.
#pragma once

#include <string_view>

#include "varve/comparator.h"

namespace varve {

struct BytewiseOrder {
  int operator()(std::string_view a, std::string_view b) const { return a.compare(b); }
};

struct ReverseBytewiseOrder {
  int operator()(std::string_view a, std::string_view b) const { return b.compare(a); }
};

struct VirtualOrder {
  const Comparator* comparator;
  int operator()(std::string_view a, std::string_view b) const { return comparator->Compare(a, b); }
};

template <typename F>
decltype(auto) WithKeyOrder(const Comparator& comparator, F&& f) {
  switch (comparator.kind()) {
    case Comparator::Kind::kBytewise:
      return f(BytewiseOrder{});
    case Comparator::Kind::kReverseBytewise:
      return f(ReverseBytewiseOrder{});
    case Comparator::Kind::kOther:
      break;
  }
  return f(VirtualOrder{&comparator});
}

}  // namespace varve
