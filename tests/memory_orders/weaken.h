// SPDX-License-Identifier: Apache-2.0
// Weakens the orders of the product's atomics one at a time, while the program runs: each must make
// its harness fail, or be among those that are known to be stronger than what the harness can tell
// (kept_orders.txt).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/memory_orders/accesses.h"
#include "tests/memory_orders/model.h"

namespace varve::memory_orders {

// An access to an atomic by an instruction.
struct Access {
  const void* from = nullptr;
  std::string operation;  // load, store, change, exchange if equal, otherwise load.
  Order order = kRelaxed;
  auto operator<=>(const Access&) const = default;
};
// Records into `seen` from now on; null: no longer.
void RecordAccesses(std::set<Access>* seen);
// These accesses have the order `to`, until this is called again.
void Weaken(const std::set<Access>& accesses, Order to);

const char* NameOf(Order order);

// Weakens the orders that the parts are about. 1 if nothing failed by one, and it is not in the
// file `kept`, or if the file has what is no longer there; 0 otherwise.
struct Weakening {
  uint64_t seeds = 0;  // Of each part; 0: ten times as many as without weakening.
  std::string only;    // Lines of the source that have this text.
  bool list = false;   // What each does; also tries those that are kept.
};
int WeakenAll(const std::vector<const Part*>& parts, const Weakening& what,
              const std::string& kept);

// The source lines of addresses in this program, those that were inlined first: file:line, joined
// by spaces.
std::function<std::string(const void*)> SourceLines(const std::set<const void*>& addresses);

}  // namespace varve::memory_orders
