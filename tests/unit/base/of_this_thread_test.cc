// SPDX-License-Identifier: Apache-2.0
#include "core/base/threads/of_this_thread.h"

#include <doctest/doctest.h>
#include <pthread.h>

#include <string>
#include <thread>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace varve {
namespace {

std::string* log = nullptr;  // What the thread of a test does, in order.

template <char name>
struct Logged {
  Logged() { *log += name; }
  ~Logged() { (*log += '~') += name; }
};

template <char name>
void Ask() {
  static_cast<void>(OfThisThread<Logged<name>>());
}

// Of a thread that does `work`.
template <typename Work>
std::string LogOf(const Work& work) {
  std::string made;
  log = &made;
  std::thread(work).join();
  return made;
}

TEST_CASE("OfThisThread: made once, ended with the thread") {
  CHECK(LogOf([] {
          Ask<'a'>();
          Ask<'a'>();
          Ask<'b'>();
        }) == "ab~b~a");
  CHECK(LogOf([] { Ask<'a'>(); }) == "a~a");
}

TEST_CASE("OfThisThread: asked for by the destructor of a thread_local object") {
  struct AsksAtItsEnd {
    ~AsksAtItsEnd() {
      *log += '!';
      Ask<'a'>();
      Ask<'a'>();
    }
    int touched = 0;
  };
  CHECK(LogOf([] {
          thread_local AsksAtItsEnd late;
          late.touched = 1;
          Ask<'a'>();
        }) == "a~a!a~a");
}

TEST_CASE("OfThisThread: asked for by the destructor of a pthread key") {
  static pthread_key_t key;
  REQUIRE(pthread_key_create(&key, [](void*) {
#if defined(__SANITIZE_ADDRESS__)
            // Of a thread that asks here for the first time, glibc keeps 32 bytes.
            const __lsan::ScopedDisabler ignored;
#endif
            *log += '!';
            Ask<'a'>();
          }) == 0);
  CHECK(LogOf([] { pthread_setspecific(key, &key); }) == "!a~a");
  CHECK(LogOf([] {
          pthread_setspecific(key, &key);
          Ask<'a'>();
        }) == "a~a!a~a");
  pthread_key_delete(key);
}

}  // namespace
}  // namespace varve
