// SPDX-License-Identifier: Apache-2.0
// The arena of a memtable: what threads are given does not overlap (each writes to all of it, so
// that would be a race), also while blocks are added.
#include <cstdint>
#include <memory>
#include <vector>

#include "core/memtable/node_arena.h"
#include "tests/memory_orders/parts.h"

namespace varve::memory_orders {
namespace {

class Arena final : public Harness {
 public:
  ~Arena() override { Expect(arena_.MemoryUsage() >= 1500, "memory is not counted"); }
  void Run(int) override {
    for (int i = 0; i < 4; ++i) {
      const size_t words = 60 * (1 + Random(3));
      auto* const given = reinterpret_cast<uint64_t*>(arena_.Allocate(8 * words));
      for (size_t word = 0; word < words; word += 20) given[word] = word;
    }
    Expect(arena_.MemoryUsage() > 0, "memory is not counted");
  }

 private:
  NodeArena arena_;
};

}  // namespace

const Part kArena = {"arena", "core/memtable/node_arena", 20000, Make<Arena>};

}  // namespace varve::memory_orders
