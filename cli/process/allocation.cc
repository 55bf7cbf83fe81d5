// SPDX-License-Identifier: Apache-2.0
#include "cli/process/allocation.h"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <new>
#include <string_view>

#include "cli/process/exit_code.h"
#include "cli/process/leftovers.h"
#include "core/base/out_of_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#endif

namespace varve::cli {

// glibc raises the size above which buffers are mapped separately to the largest one ever freed.
// Buffers of compactions and memtables would then come from the heap and fragment it: a fill of 10
// million records used twice the memory.
void TuneAllocation() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

namespace {

// For what cleaning up needs.
char* g_reserve = nullptr;

void EndOrThrow() {
  if (OutOfMemoryThrows::InThisThread()) throw std::bad_alloc();
  static std::atomic<bool> ending{false};
  thread_local bool mine = false;
  if (mine) _exit(kEnvironment);  // Not even that was enough.
  if (ending.exchange(true)) {
    for (;;) pause();
  }
  mine = true;
  delete[] g_reserve;
  RemoveLeftovers();
  constexpr std::string_view kWhy = "varve: out of memory\n";
  // Nothing can be done about a broken standard error.
  if (write(STDERR_FILENO, kWhy.data(), kWhy.size()) < 0) _exit(kEnvironment);
  _exit(kEnvironment);
}

}  // namespace

void EndWithoutMemory() {
  constexpr size_t kReserve = size_t{4} << 20;  // Separately mapped: it is given back as a whole.
  g_reserve = new char[kReserve];
  std::set_new_handler(&EndOrThrow);
}

}  // namespace varve::cli

// Sanitizers have operators of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kManyHugePages = 4 * kHugePage;

// A large buffer is mapped for itself, and given back when it is freed. Where huge pages are given
// on demand, the system then fills 2 MiB at a fault instead of 4 KiB: blocks and indexes of tens of
// megabytes otherwise cost more time in faults than in what is done with them.
void UseHugePages(void* bytes, size_t size) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(bytes);
  const uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (address + size) / kHugePage * kHugePage;
  // Advice only: if it is refused, nothing is lost.
  if (begin < end) {
    madvise(static_cast<char*>(bytes) + (begin - address), end - begin, MADV_HUGEPAGE);
  }
}

// Asks the program to free memory as long as there is none.
void* Retry(size_t size) {
  for (;;) {
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
    if (void* const bytes = std::malloc(size)) return bytes;
  }
}

void* AllocateLarge(size_t size) {
  void* const bytes = std::malloc(size);
  if (bytes == nullptr) return Retry(size);
  UseHugePages(bytes, size);
  return bytes;
}

}  // namespace

void* operator new(size_t size) {
  if (size >= kManyHugePages) [[unlikely]]
    return AllocateLarge(size);
  size += size == 0 ? 1 : 0;
  void* const bytes = std::malloc(size);
  return bytes != nullptr ? bytes : Retry(size);
}

void operator delete(void* bytes) noexcept { std::free(bytes); }
void operator delete(void* bytes, size_t) noexcept { std::free(bytes); }

#endif
