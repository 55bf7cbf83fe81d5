// SPDX-License-Identifier: Apache-2.0
// What code that was compiled with -fsanitize=thread calls, in place of that sanitizer's library.
// The names and arguments are those of gcc and clang
// (compiler-rt/include/sanitizer/tsan_interface_atomic.h). What an access to memory is, two tests
// say: a step of a model (memory_orders), or a point where another thread may go on (simulator).
//
//   struct Accesses {
//     // Of an atomic. `order` is as the compiler passes it, `from` the address in the code.
//     template <typename T>
//     static T Load(const volatile T* place, int order, const void* from);
//     template <typename T>
//     static void Store(volatile T* place, T value, int order, const void* from);
//     // As compare_exchange of std::atomic; `weak` ones may fail without a reason.
//     template <typename T>
//     static bool CompareExchange(volatile T* place, T* expected, T desired, int success,
//                                 int failure, bool weak, const void* from);
//     // `really(place, value)` makes the change and returns what was there.
//     template <typename T>
//     static T Modify(tsan::Change change, volatile T* place, T value, int order, const void* from,
//                     T (*really)(volatile T* place, T value));
//     // Of other memory.
//     static void Read(const void* place, size_t size, const void* from);
//     static void Write(const void* place, size_t size, const void* from);
//   };
//   DEFINE_TSAN_CALLS(Accesses)  // In one source of a program, outside of any namespace.
//
// Fences are not among them, as the model has none: the linker says so if one is used.
#pragma once

#include <cstddef>
#include <cstdint>

namespace varve::tsan {

enum class Change { kExchange, kAdd, kSub, kAnd, kOr, kXor };

}  // namespace varve::tsan

#define VARVE_TSAN_FROM __builtin_return_address(0)

#define VARVE_TSAN_MODIFY(Accesses, bits, type, name, change, builtin)                         \
  type __tsan_atomic##bits##_##name(volatile type* place, type value, int order) {             \
    return Accesses::Modify<type>(                                                             \
        varve::tsan::Change::change, place, value, order, VARVE_TSAN_FROM,                     \
        [](volatile type* at, type by) -> type { return builtin(at, by, __ATOMIC_SEQ_CST); }); \
  }

#define VARVE_TSAN_ATOMICS(Accesses, bits, type)                                              \
  type __tsan_atomic##bits##_load(const volatile type* place, int order) {                    \
    return Accesses::Load<type>(place, order, VARVE_TSAN_FROM);                               \
  }                                                                                           \
  void __tsan_atomic##bits##_store(volatile type* place, type value, int order) {             \
    Accesses::Store<type>(place, value, order, VARVE_TSAN_FROM);                              \
  }                                                                                           \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* place, type* expected,     \
                                                    type desired, int success, int failure) { \
    return Accesses::CompareExchange<type>(place, expected, desired, success, failure, false, \
                                           VARVE_TSAN_FROM);                                  \
  }                                                                                           \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* place, type* expected,       \
                                                  type desired, int success, int failure) {   \
    return Accesses::CompareExchange<type>(place, expected, desired, success, failure, true,  \
                                           VARVE_TSAN_FROM);                                  \
  }                                                                                           \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* place, type expected,        \
                                                  type desired, int success, int failure) {   \
    Accesses::CompareExchange<type>(place, &expected, desired, success, failure, false,       \
                                    VARVE_TSAN_FROM);                                         \
    return expected;                                                                          \
  }                                                                                           \
  VARVE_TSAN_MODIFY(Accesses, bits, type, exchange, kExchange, __atomic_exchange_n)           \
  VARVE_TSAN_MODIFY(Accesses, bits, type, fetch_add, kAdd, __atomic_fetch_add)                \
  VARVE_TSAN_MODIFY(Accesses, bits, type, fetch_sub, kSub, __atomic_fetch_sub)                \
  VARVE_TSAN_MODIFY(Accesses, bits, type, fetch_and, kAnd, __atomic_fetch_and)                \
  VARVE_TSAN_MODIFY(Accesses, bits, type, fetch_or, kOr, __atomic_fetch_or)                   \
  VARVE_TSAN_MODIFY(Accesses, bits, type, fetch_xor, kXor, __atomic_fetch_xor)

#define VARVE_TSAN_PLAIN(Accesses, bytes)                                                   \
  void __tsan_read##bytes(void* place) { Accesses::Read(place, bytes, VARVE_TSAN_FROM); }   \
  void __tsan_write##bytes(void* place) { Accesses::Write(place, bytes, VARVE_TSAN_FROM); } \
  void __tsan_unaligned_read##bytes(void* place) {                                          \
    Accesses::Read(place, bytes, VARVE_TSAN_FROM);                                          \
  }                                                                                         \
  void __tsan_unaligned_write##bytes(void* place) {                                         \
    Accesses::Write(place, bytes, VARVE_TSAN_FROM);                                         \
  }

#define DEFINE_TSAN_CALLS(Accesses)                                                              \
  extern "C" {                                                                                   \
  VARVE_TSAN_ATOMICS(Accesses, 8, uint8_t)                                                       \
  VARVE_TSAN_ATOMICS(Accesses, 16, uint16_t)                                                     \
  VARVE_TSAN_ATOMICS(Accesses, 32, uint32_t)                                                     \
  VARVE_TSAN_ATOMICS(Accesses, 64, uint64_t)                                                     \
  VARVE_TSAN_PLAIN(Accesses, 1)                                                                  \
  VARVE_TSAN_PLAIN(Accesses, 2)                                                                  \
  VARVE_TSAN_PLAIN(Accesses, 4)                                                                  \
  VARVE_TSAN_PLAIN(Accesses, 8)                                                                  \
  VARVE_TSAN_PLAIN(Accesses, 16)                                                                 \
  void __tsan_init() {}                                                                          \
  void __tsan_func_entry(void*) {}                                                               \
  void __tsan_func_exit() {}                                                                     \
  void __tsan_read_range(void* place, unsigned long size) {                                      \
    Accesses::Read(place, size, VARVE_TSAN_FROM);                                                \
  }                                                                                              \
  void __tsan_write_range(void* place, unsigned long size) {                                     \
    Accesses::Write(place, size, VARVE_TSAN_FROM);                                               \
  }                                                                                              \
  void __tsan_vptr_read(void** place) { Accesses::Read(place, sizeof(void*), VARVE_TSAN_FROM); } \
  void __tsan_vptr_update(void** place, void* value) {                                           \
    if (*place != value) Accesses::Write(place, sizeof(void*), VARVE_TSAN_FROM);                 \
  }                                                                                              \
  }  // extern "C"
