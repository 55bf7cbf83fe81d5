// SPDX-License-Identifier: Apache-2.0
// The accesses to memory of code that was compiled with -fsanitize=thread, and the functions of the
// C library by which threads wait: what is defined in a program comes before the library's.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "tests/memory_orders/accesses.h"
#include "tests/tsan_calls.h"

namespace varve::memory_orders {
namespace {

Order OrderOf(int order) { return static_cast<Order>(order & 0xff); }

// Steps of the model, in its threads. Memory that others use, and the standard library's own, is
// accessed as usual.
struct ModelAccesses {
  template <typename T>
  static T Load(const volatile T* place, int order, const void* from) {
    if (!IsModelled(place)) return __atomic_load_n(place, __ATOMIC_SEQ_CST);
    return static_cast<T>(memory_orders::Load(place, sizeof(T), OrderOf(order), from));
  }
  template <typename T>
  static void Store(volatile T* place, T value, int order, const void* from) {
    if (!IsModelled(place)) return __atomic_store_n(place, value, __ATOMIC_SEQ_CST);
    memory_orders::Store(place, sizeof(T), value, OrderOf(order), from);
  }
  template <typename T>
  static bool CompareExchange(volatile T* place, T* expected, T desired, int success, int failure,
                              bool weak, const void* from) {
    if (!IsModelled(place)) {
      return __atomic_compare_exchange_n(place, expected, desired, false, __ATOMIC_SEQ_CST,
                                         __ATOMIC_SEQ_CST);
    }
    uint64_t wide = *expected;
    const bool done = memory_orders::CompareExchange(
        place, sizeof(T), &wide, desired, OrderOf(success), OrderOf(failure), weak, from);
    *expected = static_cast<T>(wide);
    return done;
  }
  template <typename T>
  static T Modify(tsan::Change change, volatile T* place, T value, int order, const void* from,
                  T (*really)(volatile T*, T)) {
    if (!IsModelled(place)) return really(place, value);
    return static_cast<T>(
        memory_orders::Modify(place, sizeof(T), change, value, OrderOf(order), from));
  }
  static void Read(const void* place, size_t size, const void* from) {
    if (memory_orders::IsModelled()) memory_orders::Read(place, size, from);
  }
  static void Write(const void* place, size_t size, const void* from) {
    if (memory_orders::IsModelled()) memory_orders::Write(place, size, from);
  }

 private:
  static bool IsModelled(const volatile void* place) {
    return memory_orders::IsModelled() && !IsOfStandardLibrary(place);
  }
};

}  // namespace
}  // namespace varve::memory_orders

DEFINE_TSAN_CALLS(varve::memory_orders::ModelAccesses)

using namespace varve::memory_orders;  // NOLINT(google-build-using-namespace)

// The function of the C library that is defined here.
#define LIBRARYS(name) reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!IsModelled()) {
    static auto* const real = LIBRARYS(pthread_mutex_lock);
    return real(mutex);
  }
  Lock(mutex);
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!IsModelled()) {
    static auto* const real = LIBRARYS(pthread_mutex_trylock);
    return real(mutex);
  }
  return TryLock(mutex) ? 0 : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!IsModelled()) {
    static auto* const real = LIBRARYS(pthread_mutex_unlock);
    return real(mutex);
  }
  Unlock(mutex);
  return 0;
}

int sched_yield() noexcept {
  if (IsModelled()) Yield();
  return 0;
}

// std::atomic::wait() and notify_one(); nothing else here makes calls by number.
long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  auto* const word = va_arg(list, uint32_t*);
  const int operation = va_arg(list, int) & FUTEX_CMD_MASK;
  const auto value = va_arg(list, uint32_t);
  va_end(list);
  if (number != SYS_futex || !IsModelled()) abort();
  if (operation != FUTEX_WAIT) return Wake(word, static_cast<int>(value));
  Sleep(word, value);
  return 0;
}

// Blocks are freed so.
void __libc_free(void* memory);
void free(void* memory) {
  if (memory == nullptr) return;
  IsModelled() ? Free(memory) : __libc_free(memory);
}

}  // extern "C"

// These come before relacy's, which count for themselves.
void* operator new(size_t size) {
  void* const memory = malloc(size);
  if (memory == nullptr) abort();
  return memory;
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new(size_t size, std::align_val_t alignment) {
  const auto align = static_cast<size_t>(alignment);
  void* const memory = aligned_alloc(align, (size + align - 1) / align * align);
  if (memory == nullptr) abort();
  return memory;
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { operator delete(memory); }
