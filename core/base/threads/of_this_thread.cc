// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/of_this_thread.h"

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

// The function that compilers call for thread_local objects (Itanium C++ ABI). It accepts calls
// while destructors run, and keeps the library loaded until they are done.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" [[gnu::visibility("hidden")]] void* __dso_handle;

namespace varve {
namespace {

struct ThreadEnd {
  void (*end)(void* argument);
  void* argument;
  ThreadEnd* before;
};

// A thread ends in two stages: destructors of thread_local objects, then those of pthread keys,
// which are repeated as long as values are set. Objects requested after the first stage are
// destroyed in the second.
thread_local ThreadEnd* ends = nullptr;  // The most recent first.
thread_local bool had_first_stage = false;

pthread_key_t SecondStage();

void RunEnds(void*) {
  had_first_stage = true;
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
    if (!had_first_stage)
      CHECK(abi::__cxa_thread_atexit(RunEnds, nullptr, static_cast<void*>(&__dso_handle)) == 0);
    CHECK(pthread_setspecific(SecondStage(), static_cast<void*>(&ends)) == 0);
  }
  ends = std::make_unique<ThreadEnd>(end, argument, ends).release();
}

}  // namespace varve

#endif
