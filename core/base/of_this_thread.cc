// SPDX-License-Identifier: Apache-2.0
#include "core/base/of_this_thread.h"

#include "core/base/check.h"

#if defined(__EMSCRIPTEN__)

namespace varve {

void AtThreadEnd(void (*)(void*), void*) {}  // The one thread ends with everything else.

}  // namespace varve

#else

#include <cxxabi.h>
#include <pthread.h>

#include <memory>
#include <utility>

// What the compiler itself calls for thread_local objects (Itanium C++ ABI). It takes calls while
// it goes through the destructors, and keeps the library loaded until they are done.
extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;

namespace varve {
namespace {

struct ThreadEnd {
  void (*end)(void* argument);
  void* argument;
  ThreadEnd* before;
};

thread_local ThreadEnd* ends = nullptr;  // The latest first.

// A thread ends in two stages: destructors of thread_local objects, then those of pthread keys.
// What is asked for in the second is ended there, which goes on for as long as values are set.
pthread_key_t SecondStage();

void RunEnds(void*) {
  pthread_setspecific(SecondStage(), nullptr);
  while (ends != nullptr) {
    const std::unique_ptr<ThreadEnd> latest(std::exchange(ends, ends->before));
    latest->end(latest->argument);
  }
}

pthread_key_t SecondStage() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    CHECK(pthread_key_create(&made, RunEnds) == 0);
    return made;
  }();
  return key;
}

}  // namespace

void AtThreadEnd(void (*end)(void* argument), void* argument) {
  if (ends == nullptr) {
    CHECK(abi::__cxa_thread_atexit(RunEnds, nullptr, &__dso_handle) == 0);
    CHECK(pthread_setspecific(SecondStage(), &ends) == 0);
  }
  ends = std::make_unique<ThreadEnd>(end, argument, ends).release();
}

}  // namespace varve

#endif
