// SPDX-License-Identifier: Apache-2.0
// What code that was compiled with -fsanitize=thread calls, in place of that sanitizer's library
// (compiler-rt/include/sanitizer/tsan_interface_atomic.h), and the functions of the C library by
// which threads wait: what is defined in a program comes before the library's.
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

using namespace varve::memory_orders;  // NOLINT(google-build-using-namespace)

namespace {

bool Modelled(const volatile void* place) { return IsModelled() && !IsOfStandardLibrary(place); }

Order OrderOf(int order) { return static_cast<Order>(order & 0xff); }

}  // namespace

#define HERE __builtin_return_address(0)
// The function of the C library that is defined here.
#define LIBRARYS(name) reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

extern "C" {

#define READS_AND_WRITES(bits, type)                                                          \
  type __tsan_atomic##bits##_load(const volatile type* place, int order) {                    \
    if (!Modelled(place)) return __atomic_load_n(place, __ATOMIC_SEQ_CST);                    \
    return static_cast<type>(Load(place, sizeof(type), OrderOf(order), HERE));                \
  }                                                                                           \
  void __tsan_atomic##bits##_store(volatile type* place, type value, int order) {             \
    if (!Modelled(place)) return __atomic_store_n(place, value, __ATOMIC_SEQ_CST);            \
    Store(place, sizeof(type), value, OrderOf(order), HERE);                                  \
  }                                                                                           \
  static int Exchange##bits(volatile type* place, type* expected, type desired, int success,  \
                            int failure, bool weak, const void* from) {                       \
    if (!Modelled(place)) {                                                                   \
      return __atomic_compare_exchange_n(place, expected, desired, false, __ATOMIC_SEQ_CST,   \
                                         __ATOMIC_SEQ_CST);                                   \
    }                                                                                         \
    uint64_t wide = *expected;                                                                \
    const bool done = CompareExchange(place, sizeof(type), &wide, desired, OrderOf(success),  \
                                      OrderOf(failure), weak, from);                          \
    *expected = static_cast<type>(wide);                                                      \
    return done ? 1 : 0;                                                                      \
  }                                                                                           \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* place, type* expected,     \
                                                    type desired, int success, int failure) { \
    return Exchange##bits(place, expected, desired, success, failure, false, HERE);           \
  }                                                                                           \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* place, type* expected,       \
                                                  type desired, int success, int failure) {   \
    return Exchange##bits(place, expected, desired, success, failure, true, HERE);            \
  }                                                                                           \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* place, type expected,        \
                                                  type desired, int success, int failure) {   \
    Exchange##bits(place, &expected, desired, success, failure, false, HERE);                 \
    return expected;                                                                          \
  }                                                                                           \
  type __tsan_atomic##bits##_exchange(volatile type* place, type value, int order) {          \
    if (!Modelled(place)) return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST);         \
    return static_cast<type>(                                                                 \
        Modify(place, sizeof(type), Change::kExchange, value, OrderOf(order), HERE));         \
  }
#define CHANGE(bits, type, operation, change)                                                 \
  type __tsan_atomic##bits##_fetch_##operation(volatile type* place, type value, int order) { \
    if (!Modelled(place)) return __atomic_fetch_##operation(place, value, __ATOMIC_SEQ_CST);  \
    return static_cast<type>(                                                                 \
        Modify(place, sizeof(type), Change::change, value, OrderOf(order), HERE));            \
  }
#define ALL(bits, type)         \
  READS_AND_WRITES(bits, type)  \
  CHANGE(bits, type, add, kAdd) \
  CHANGE(bits, type, sub, kSub) \
  CHANGE(bits, type, and, kAnd) \
  CHANGE(bits, type, or, kOr)   \
  CHANGE(bits, type, xor, kXor)
ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)

#define PLAIN(bytes)                                \
  void __tsan_read##bytes(void* place) {            \
    if (IsModelled()) Read(place, bytes, HERE);     \
  }                                                 \
  void __tsan_write##bytes(void* place) {           \
    if (IsModelled()) Write(place, bytes, HERE);    \
  }                                                 \
  void __tsan_unaligned_read##bytes(void* place) {  \
    if (IsModelled()) Read(place, bytes, HERE);     \
  }                                                 \
  void __tsan_unaligned_write##bytes(void* place) { \
    if (IsModelled()) Write(place, bytes, HERE);    \
  }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read_range(void* place, unsigned long size) {
  if (IsModelled()) Read(place, size, HERE);
}
void __tsan_write_range(void* place, unsigned long size) {
  if (IsModelled()) Write(place, size, HERE);
}
void __tsan_vptr_read(void** place) {
  if (IsModelled()) Read(place, sizeof(void*), HERE);
}
void __tsan_vptr_update(void** place, void* value) {
  if (*place != value && IsModelled()) Write(place, sizeof(void*), HERE);
}

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
