// SPDX-License-Identifier: Apache-2.0
// What the product's accesses to memory, locks and the kernel become: calls.cc calls these for a
// thread of the model, model.cc does them. `from` is the address in the code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/tsan_calls.h"

namespace varve::memory_orders {

// As the compiler passes them.
enum Order : int { kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };
using tsan::Change;

// Whether the caller is a thread of the model, and not the model itself. Otherwise it accesses
// memory as usual.
bool IsModelled();
// Waiting is a promise of the standard library: its own bookkeeping is not modelled.
bool IsOfStandardLibrary(const volatile void* place);

uint64_t Load(const volatile void* place, int size, Order order, const void* from);
void Store(volatile void* place, int size, uint64_t value, Order order, const void* from);
uint64_t Modify(volatile void* place, int size, Change change, uint64_t operand, Order order,
                const void* from);
bool CompareExchange(volatile void* place, int size, uint64_t* expected, uint64_t desired,
                     Order success, Order failure, bool weak, const void* from);
void Read(const void* place, size_t size, const void* from);
void Write(const void* place, size_t size, const void* from);

void Lock(const void* mutex);
bool TryLock(const void* mutex);
void Unlock(const void* mutex);
void Yield();
// As FUTEX_WAIT and FUTEX_WAKE; nothing happens before anything by these.
void Sleep(const uint32_t* word, uint32_t value);
int Wake(const uint32_t* word, int count);

// Keeps freed memory until the execution ends, so that a use of it is found.
void Free(void* memory);

}  // namespace varve::memory_orders
