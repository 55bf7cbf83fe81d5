// SPDX-License-Identifier: Apache-2.0
// What becomes of a program in which `new` finds no memory.
//
// The engine is compiled without exceptions: std::bad_alloc that passes through it releases no lock
// and undoes nothing, and a later call may wait forever. A program that cares therefore ends with a
// message (cli/process/allocation.h), as by a crash, which loses no acknowledged write; except on
// threads that are in the scope of an OutOfMemoryThrows, which catch the exception around work that
// only reads.
#pragma once

#include <new>

namespace varve {

class OutOfMemoryThrows {
 public:
  OutOfMemoryThrows() : OutOfMemoryThrows(true) {}
  OutOfMemoryThrows(const OutOfMemoryThrows&) = delete;
  OutOfMemoryThrows& operator=(const OutOfMemoryThrows&) = delete;
  ~OutOfMemoryThrows() { OfThisThread() = before_; }

  static bool InThisThread() { return OfThisThread(); }

 protected:
  explicit OutOfMemoryThrows(bool throws) : before_(OfThisThread()) { OfThisThread() = throws; }

 private:
  static bool& OfThisThread() {
    thread_local bool throws = false;
    return throws;
  }

  const bool before_;
};

// Within such a scope, around changes of a database: the process ends nevertheless.
class OutOfMemoryEnds : private OutOfMemoryThrows {
 public:
  OutOfMemoryEnds() : OutOfMemoryThrows(false) {}
};

}  // namespace varve
