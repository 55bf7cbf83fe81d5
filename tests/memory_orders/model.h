// SPDX-License-Identifier: Apache-2.0
// Runs code of the product, as it is, in the memory model of C++: threads take turns as is drawn, a
// load may return any value that its order and what happened before allow, and two accesses of
// which one should happen before the other are a data race.
//
//   product, harnesses      model.cc                        relacy (D. Vyukov)
//   compiled with      -->  which thread, which atomic, --> clocks of threads, which store
//   -fsanitize=thread       which access races              a load may see, deadlocks, replays
//
// The compiler makes each access to memory a call, with the order if it is an atomic: calls.cc has
// what is called. So nothing of the product is written or built otherwise for it, and an order can
// be weakened while the program runs (weaken.h).
//
// Not modelled: loads that see stores which are executed later; values that a plain access may see
// in a race, as the first race ends the run; bytes that memcpy and memcmp access (with gcc).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace varve::memory_orders {

inline constexpr int kThreads = 4;

// What the threads of one execution do. Made and destroyed for each, while no thread runs.
class Harness {
 public:
  virtual ~Harness() = default;
  virtual void Run(int thread) = 0;  // Of thread 0 to kThreads - 1.
};

struct Part {
  const char* name;
  const char* files;    // What the paths begin with of the sources whose orders it is about.
  uint64_t executions;  // Of a run in CI.
  std::unique_ptr<Harness> (*make)();
};

// For harnesses, while threads run.
uint32_t Random(uint32_t limit);
void Expect(bool condition, const char* what);

struct Failure {
  uint64_t execution = 0;  // 0: none.
  std::string what;
  std::string trace;  // Of each access, if asked for.
};
Failure Simulate(const Part& part, uint64_t first, uint64_t executions, bool trace);

}  // namespace varve::memory_orders
