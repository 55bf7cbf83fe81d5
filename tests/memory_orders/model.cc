// SPDX-License-Identifier: Apache-2.0
#include "tests/memory_orders/model.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <new>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// relacy defines these as inline functions; calls.cc has those that are used.
[[gnu::noinline]] void* operator new(size_t);
[[gnu::noinline]] void* operator new[](size_t);
[[gnu::noinline]] void operator delete(void*) noexcept;
[[gnu::noinline]] void operator delete[](void*) noexcept;

// How many stores of an atomic are kept that a load may see; relacy's own number is 3.
#include <relacy/base.hpp>
#define atomic_history_size atomic_history_of_varve
namespace rl {
inline constexpr size_t atomic_history_of_varve = 12;
}
#include <relacy/atomic.hpp>
#include <relacy/atomic_fence.hpp>
#include <relacy/backoff.hpp>
#include <relacy/context.hpp>
#include <relacy/context_base_impl.hpp>
#include <relacy/dyn_thread.hpp>
#include <relacy/stdlib/condition_variable.hpp>
#include <relacy/stdlib/event.hpp>
#include <relacy/stdlib/mutex.hpp>
#include <relacy/stdlib/semaphore.hpp>
#include <relacy/test_suite.hpp>
#include <relacy/thread_local.hpp>
#include <relacy/var.hpp>
#undef $

#include "core/base/check.h"
#include "core/base/threads/of_this_thread.h"
#include "tests/memory_orders/accesses.h"
#include "tests/memory_orders/weaken.h"

namespace varve::memory_orders {
namespace {

using Time = rl::timestamp_t;
using Clocks = std::array<Time, kThreads>;
using Thread = rl::thread_info<kThreads>;
using Stores = rl::atomic_data_impl<kThreads>;

constexpr int kNobody = -1;

// An atomic, and the values of its last stores.
struct Atomic {
  uintptr_t place = 0;
  int size = 0;
  Stores* stores = nullptr;  // Relacy's part: who stored, and what each store published.
  std::array<uint64_t, rl::atomic_history_of_varve> values{};
  unsigned newest = 0;  // Index of it.
};

// What threads did with four bytes of memory since they were last written by a plain store.
struct Word {
  uintptr_t place = 0;
  Atomic* atomic = nullptr;
  int writer = kNobody;  // Of the last plain store.
  Time written = 0;
  const void* written_from = nullptr;
  Clocks read{}, loaded{}, stored{};  // Plain loads, and atomic accesses.
  std::array<const void*, kThreads> last_from{};
  bool freed = false;
};
constexpr uintptr_t kWord = 4;

struct ModelMutex {
  bool held = false;
  Clocks released{};
  std::vector<int> waiting;
};

struct Freed {
  uintptr_t begin = 0, end = 0;
};

struct ThreadEnd {
  void (*end)(void*);
  void* argument;
};

// All that one execution remembers.
struct Execution {
  std::unordered_map<uintptr_t, Word> words;
  std::deque<Atomic> atomics;
  std::unordered_map<const void*, ModelMutex> mutexes;
  std::vector<std::pair<const uint32_t*, int>> asleep;
  std::vector<void*> freed_memory;
  std::vector<Freed> freed;
  std::array<std::vector<ThreadEnd>, kThreads> ends;
  uint32_t steps_per_turn = 1;  // On average, before it may be another thread's.
};

Execution* execution = nullptr;
const Part* part = nullptr;
std::string failure;  // What the model says of the last one.
int within = 0;       // The model itself runs: nothing that it does is modelled.

std::set<Access>* recording = nullptr;
std::set<Access> weakened;
Order weakened_to = kRelaxed;

class Within {
 public:
  Within() { ++within; }
  ~Within() { --within; }
};

rl::context& Context() { return rl::ctx(); }
Thread& Self() { return *static_cast<Thread*>(Context().threadx_); }
int SelfIndex() { return Self().index_; }

// ---- the trace

std::string Hex(const void* from) {
  std::ostringstream out;
  out << "@" << from << "@";
  return out.str();
}

void Note(const std::string& text) {
  if (!Context().collecting_history()) return;
  Context().exec_log_msg(rl::debug_info(), text.c_str());
}

[[noreturn]] void Fail(const std::string& what, rl::test_result_e kind) {
  failure = what;
  Note(what);
  within = 1;  // Until the next execution begins.
  Context().fail_test("", kind, rl::debug_info());
  __builtin_unreachable();
}

// ---- turns

// The bytes of this program's thread_local variables. All threads of the model are one of the
// system's; each keeps its own copy while others run.
struct ThreadLocals {
  char* begin = nullptr;
  size_t size = 0;
  const char* image = nullptr;  // Of their initial values.
  size_t image_size = 0;
};

int FindThreadLocals(dl_phdr_info* info, size_t, void* found) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS) continue;
    *static_cast<ThreadLocals*>(found) = {static_cast<char*>(info->dlpi_tls_data), header.p_memsz,
                                          reinterpret_cast<char*>(info->dlpi_addr + header.p_vaddr),
                                          header.p_filesz};
  }
  return 1;  // The first is the program.
}

const ThreadLocals& Locals() {
  static const ThreadLocals locals = [] {
    ThreadLocals found;
    dl_iterate_phdr(FindThreadLocals, &found);
    return found;
  }();
  return locals;
}

bool IsThreadLocal(const void* place) {
  return place >= Locals().begin && place < Locals().begin + Locals().size;
}

void ResetThreadLocals() {
  const ThreadLocals& locals = Locals();
  std::memset(locals.begin, 0, locals.size);
  std::memcpy(locals.begin, locals.image, locals.image_size);
}

// Around what may make it another thread's turn.
class Turn {
 public:
  Turn() {
    VARVE_CHECK(Locals().size <= kept_.size());
    std::memcpy(kept_.data(), Locals().begin, Locals().size);
    // Not while others run.
    within_ = std::exchange(within, 1);
  }
  ~Turn() {
    within = within_;
    std::memcpy(Locals().begin, kept_.data(), Locals().size);
  }

 private:
  std::array<char, 512> kept_;
  int within_;
};

void MaybeSwitch() {
  if (execution->steps_per_turn > 1 &&
      Context().rand(execution->steps_per_turn, rl::sched_type_user) != 0) {
    return;
  }
  const Turn turn;
  Context().sched();
}

void Park() {
  const Turn turn;
  Context().park_current_thread(false, false, false, rl::debug_info());
}

void Unpark(int thread) { Context().unpark_thread(thread, false, rl::debug_info()); }

// ---- races

bool HappenedBefore(int thread, Time time) { return Self().acq_rel_order_[thread] >= time; }

Time Tick() { return ++Self().own_acq_rel_order_; }

[[noreturn]] void Race(const char* now, const void* from, const char* before, int thread,
                       const void* before_from) {
  Fail(std::string("data race: ") + now + " at " + Hex(from) + " of thread " +
           std::to_string(SelfIndex()) + ", and " + before + " at " + Hex(before_from) +
           " of thread " + std::to_string(thread),
       rl::test_result_data_race);
}

Word& WordAt(uintptr_t place, const void* from) {
  const auto [found, added] = execution->words.try_emplace(place);
  Word& word = found->second;
  if (added) {
    word.place = place;
    for (const Freed& range : execution->freed) {
      if (place >= range.begin && place < range.end) word.freed = true;
    }
  }
  if (word.freed) {
    Fail("use of freed memory at " + Hex(from) + " by thread " + std::to_string(SelfIndex()),
         rl::test_result_access_to_freed_memory);
  }
  return word;
}

void Forget(Atomic* atomic) {
  if (atomic->stores == nullptr) return;
  Context().atomic_dtor(atomic->stores);
  atomic->stores = nullptr;
}

void CheckPlain(const Word& word, const char* what, bool writes, const void* from) {
  if (word.writer != kNobody && !HappenedBefore(word.writer, word.written)) {
    Race(what, from, "a store", word.writer, word.written_from);
  }
  for (int thread = 0; thread < kThreads; ++thread) {
    const auto t = static_cast<size_t>(thread);
    if (!HappenedBefore(thread, word.stored[t])) {
      Race(what, from, "an atomic store", thread, word.last_from[t]);
    }
    if (!writes) continue;
    if (!HappenedBefore(thread, word.read[t])) {
      Race(what, from, "a load", thread, word.last_from[t]);
    }
    if (!HappenedBefore(thread, word.loaded[t])) {
      Race(what, from, "an atomic load", thread, word.last_from[t]);
    }
  }
}

void WriteWord(Word* word, const char* what, const void* from) {
  CheckPlain(*word, what, true, from);
  if (word->atomic != nullptr) Forget(word->atomic);
  const uintptr_t place = word->place;
  *word = Word{};
  word->place = place;
  word->writer = SelfIndex();
  word->written = Tick();
  word->written_from = from;
}

template <typename Function>
void ForEachWord(const volatile void* place, size_t size, const void* from, Function function) {
  const auto begin = reinterpret_cast<uintptr_t>(place);
  for (uintptr_t at = begin / kWord * kWord; at < begin + size; at += kWord) {
    function(&WordAt(at, from));
  }
}

// ---- atomics

uint64_t InMemory(const volatile void* place, int size) {
  uint64_t value = 0;
  std::memcpy(&value, const_cast<const void*>(place), static_cast<size_t>(size));
  return value;
}

// Its first value is what the memory has: of a plain store, or from before the threads.
Atomic& AtomicAt(const volatile void* place, int size, Word* word) {
  const auto address = reinterpret_cast<uintptr_t>(place);
  if (word->atomic != nullptr && word->atomic->stores != nullptr) {
    Atomic& atomic = *word->atomic;
    if (atomic.place != address || atomic.size != size) {
      Fail("two atomics share four bytes", rl::test_result_inconsistent_test_suite);
    }
    if (InMemory(place, size) != atomic.values[atomic.newest]) {
      Fail("an atomic was changed by code that the model does not see",
           rl::test_result_inconsistent_test_suite);
    }
    return atomic;
  }
  Atomic& atomic = execution->atomics.emplace_back();
  word->atomic = &atomic;
  atomic.place = address;
  atomic.size = size;
  atomic.stores = static_cast<Stores*>(Context().atomic_ctor(nullptr));
  atomic.newest = ++atomic.stores->current_index_ % rl::atomic_history_of_varve;
  atomic.values[atomic.newest] = InMemory(place, size);
  auto& first = atomic.stores->history_[atomic.newest];
  first.busy_ = true;
  first.seq_cst_ = false;
  first.thread_id_ = std::max(word->writer, 0);
  first.acq_rel_timestamp_ = word->written;
  std::fill_n(first.acq_rel_order_, kThreads, Time{0});
  std::fill_n(first.first_seen_order_, kThreads, ~Time{0});
  if (word->writer != kNobody) first.first_seen_order_[word->writer] = word->written;
  return atomic;
}

Atomic& Touch(const volatile void* place, int size, bool stores, const void* from) {
  Word* first = nullptr;
  ForEachWord(place, static_cast<size_t>(size), from, [&](Word* word) {
    const char* const what = stores ? "an atomic store" : "an atomic load";
    if (word->writer != kNobody && !HappenedBefore(word->writer, word->written)) {
      Race(what, from, "a store", word->writer, word->written_from);
    }
    for (int thread = 0; stores && thread < kThreads; ++thread) {
      const auto t = static_cast<size_t>(thread);
      if (!HappenedBefore(thread, word->read[t])) {
        Race(what, from, "a load", thread, word->last_from[t]);
      }
    }
    if (first == nullptr) first = word;
  });
  Atomic& atomic = AtomicAt(place, size, first);
  ForEachWord(place, static_cast<size_t>(size), from, [&](Word* word) {
    const auto self = static_cast<size_t>(SelfIndex());
    (stores ? word->stored : word->loaded)[self] = Self().own_acq_rel_order_ + 1;
    word->last_from[self] = from;
  });
  return atomic;
}

Order OrderOf(const char* operation, const void* from, Order order) {
  if (order == kRelaxed) return order;
  if (recording != nullptr) recording->insert({from, operation, order});
  if (!weakened.empty() && weakened.contains({from, operation, order})) return weakened_to;
  return order;
}

bool Acquires(Order order) {
  return order == kAcquire || order == kConsume || order == kAcqRel || order == kSeqCst;
}

// As loads that see the newest store, which those of read-modify-writes do.
unsigned LoadNewest(Stores* stores, Order order) {
  Thread& self = Self();
  rl::thread_info_base& base = self;
  if (order == kSeqCst) return base.atomic_load_seq_cst_rmw(stores);
  return Acquires(order) ? base.atomic_load_acquire_rmw(stores)
                         : base.atomic_load_relaxed_rmw(stores);
}

unsigned LoadAny(Stores* stores, Order order) {
  rl::thread_info_base& base = Self();
  if (order == kSeqCst) return base.atomic_load_seq_cst(stores);
  return Acquires(order) ? base.atomic_load_acquire(stores) : base.atomic_load_relaxed(stores);
}

unsigned StoreNext(Stores* stores, Order order) {
  rl::thread_info_base& base = Self();
  if (order == kSeqCst) return base.atomic_store_seq_cst(stores);
  if (order == kRelease) return base.atomic_store_release(stores);
  const unsigned index = base.atomic_store_relaxed(stores);
  // Since C++20 it publishes nothing, even if the thread's own store before it did (P0982).
  std::copy_n(Self().release_fence_order_, kThreads, stores->history_[index].acq_rel_order_);
  return index;
}

unsigned ModifyNext(Stores* stores, Order order) {
  rl::thread_info_base& base = Self();
  bool unused = false;
  switch (order) {
    case kRelaxed:
      return base.atomic_rmw_relaxed(stores, unused);
    case kConsume:
    case kAcquire:
      return base.atomic_rmw_acquire(stores, unused);
    case kRelease:
      return base.atomic_rmw_release(stores, unused);
    case kAcqRel:
      return base.atomic_rmw_acq_rel(stores, unused);
    case kSeqCst:
      return base.atomic_rmw_seq_cst(stores, unused);
  }
  __builtin_unreachable();
}

void Put(Atomic* atomic, unsigned index, uint64_t value) {
  atomic->newest = index;
  atomic->values[index] = value;
  std::memcpy(reinterpret_cast<void*>(atomic->place), &value, static_cast<size_t>(atomic->size));
}

uint64_t Masked(uint64_t value, int size) {
  return size == 8 ? value : value & ((uint64_t{1} << (8 * size)) - 1);
}

uint64_t Changed(uint64_t value, Change change, uint64_t operand) {
  switch (change) {
    case Change::kExchange:
      return operand;
    case Change::kAdd:
      return value + operand;
    case Change::kSub:
      return value - operand;
    case Change::kAnd:
      return value & operand;
    case Change::kOr:
      return value | operand;
    case Change::kXor:
      return value ^ operand;
  }
  __builtin_unreachable();
}

void NoteAccess(const char* what, const Atomic& atomic, uint64_t value, Order order, bool old,
                const void* from) {
  if (!Context().collecting_history()) return;
  std::ostringstream out;
  out << what << " " << std::hex << atomic.place << ": " << value << std::dec << " "
      << NameOf(order) << (old ? ", NOT the newest" : "") << " " << Hex(from);
  Note(out.str());
}

// ---- executions

void RunEnds(int thread) {
  auto& ends = execution->ends[static_cast<size_t>(thread)];
  while (!ends.empty()) {
    const ThreadEnd last = ends.back();
    {
      const Within model;
      ends.pop_back();
    }
    last.end(last.argument);
  }
}

// A reader that follows a pointer that it should not see yet.
void OnBadAddress(int signal, siginfo_t*, void*) {
  if (execution == nullptr || !rl::is_ctx() || Context().threadx_ == nullptr) {
    std::signal(signal, SIG_DFL);
    return;
  }
  Fail("access to an address without memory by thread " + std::to_string(SelfIndex()),
       rl::test_result_access_to_freed_memory);
}

// One execution, for relacy.
struct Suite : rl::test_suite<Suite, kThreads> {
  Suite() {
    within = 1;
    execution = new Execution;
    constexpr std::array<uint32_t, 4> kSteps = {1, 3, 10, 40};
    execution->steps_per_turn = kSteps[Context().rand(kSteps.size(), rl::sched_type_user)];
    ResetThreadLocals();
    within = 0;
    harness = part->make();
    RunEnds(SelfIndex());
  }
  ~Suite() {
    harness.reset();
    RunEnds(SelfIndex());
    within = 1;
    for (Atomic& atomic : execution->atomics) Forget(&atomic);
    for (void* memory : execution->freed_memory) std::free(memory);
    delete std::exchange(execution, nullptr);
    ResetThreadLocals();
  }
  void thread(unsigned index) {
    const int thread = static_cast<int>(index);
    within = 0;
    ResetThreadLocals();
    harness->Run(thread);
    RunEnds(thread);
    within = 1;
  }

  std::unique_ptr<Harness> harness;
};

rl::test_params Parameters(uint64_t first, uint64_t executions, std::ostream* out) {
  rl::test_params params;
  params.iteration_count = first + executions - 1;
  params.output_stream = out;
  params.progress_stream = out;
  params.execution_depth_limit = 300'000;
  params.initial_state = std::to_string(first).c_str();
  params.initial_state += " ";
  return params;
}

}  // namespace

// ---- for harnesses

uint32_t Random(uint32_t limit) { return Context().rand(limit, rl::sched_type_user); }

void Expect(bool condition, const char* what) {
  if (condition) return;
  const Within model;
  Fail(what, rl::test_result_user_assert_failed);
}

Failure Simulate(const Part& simulated, uint64_t first, uint64_t executions, bool trace) {
  part = &simulated;
  within = 1;
  struct sigaction action = {};
  action.sa_sigaction = OnBadAddress;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;  // The handler does not return.
  sigaction(SIGSEGV, &action, nullptr);
  using Scheduler = rl::random_scheduler<kThreads>;
  std::ostringstream out;
  rl::test_params params = Parameters(first, executions, &out);
  rl::ostringstream state;
  failure.clear();
  Failure result;
  if (rl::run_test<Suite, Scheduler>(params, state, false) != rl::test_result_success) {
    result.execution = params.stop_iteration;
    if (failure.empty()) failure = rl::test_result_str(params.test_result);
    result.what = failure;
    if (trace) {
      rl::test_params again = Parameters(result.execution, 1, &out);
      again.collect_history = true;
      rl::run_test<Suite, Scheduler>(again, state, true);
      result.trace = out.str();
    }
  }
  execution = nullptr;
  within = 0;
  return result;
}

// ---- weakening

void RecordAccesses(std::set<Access>* seen) { recording = seen; }

void Weaken(const std::set<Access>& accesses, Order to) {
  weakened = accesses;
  weakened_to = to;
}

const char* NameOf(Order order) {
  constexpr std::array<const char*, 6> kNames = {"relaxed", "consume", "acquire",
                                                 "release", "acq_rel", "seq_cst"};
  return kNames[static_cast<size_t>(order)];
}

// ---- accesses

bool IsModelled() { return within == 0 && execution != nullptr; }

bool IsOfStandardLibrary(const volatile void* place) {
  using Pool = std::__detail::__waiter_pool_base;
  const auto begin = reinterpret_cast<uintptr_t>(&Pool::_S_for(nullptr));
  const auto at = reinterpret_cast<uintptr_t>(place);
  return at >= begin && at < begin + 16 * sizeof(Pool);
}

uint64_t Load(const volatile void* place, int size, Order order, const void* from) {
  const Within model;
  order = OrderOf("load", from, order);
  MaybeSwitch();
  Atomic& atomic = Touch(place, size, false, from);
  const unsigned index = LoadAny(atomic.stores, order);
  NoteAccess("load", atomic, atomic.values[index], order, index != atomic.newest, from);
  return atomic.values[index];
}

void Store(volatile void* place, int size, uint64_t value, Order order, const void* from) {
  const Within model;
  order = OrderOf("store", from, order);
  MaybeSwitch();
  Atomic& atomic = Touch(place, size, true, from);
  Put(&atomic, StoreNext(atomic.stores, order), Masked(value, size));
  NoteAccess("store", atomic, value, order, false, from);
}

uint64_t Modify(volatile void* place, int size, Change change, uint64_t operand, Order order,
                const void* from) {
  const Within model;
  order = OrderOf("change", from, order);
  MaybeSwitch();
  Atomic& atomic = Touch(place, size, true, from);
  const uint64_t before = atomic.values[atomic.newest];
  const uint64_t after = Masked(Changed(before, change, operand), size);
  Put(&atomic, ModifyNext(atomic.stores, order), after);
  NoteAccess("change", atomic, after, order, false, from);
  return before;
}

bool CompareExchange(volatile void* place, int size, uint64_t* expected, uint64_t desired,
                     Order success, Order failing, bool weak, const void* from) {
  const Within model;
  success = OrderOf("exchange if equal", from, success);
  failing = OrderOf("otherwise load", from, failing);
  MaybeSwitch();
  Atomic& atomic = Touch(place, size, true, from);
  const uint64_t now = atomic.values[atomic.newest];
  // One that fails is a load, and may see an older store.
  if (Random(4) == 0) {
    const unsigned index = LoadAny(atomic.stores, kRelaxed);
    if (atomic.values[index] != *expected) {
      auto& seen = atomic.stores->history_[index];
      if (Acquires(failing)) {
        rl::foreach<kThreads>(Self().acq_rel_order_, seen.acq_rel_order_, &rl::assign_max);
      }
      *expected = atomic.values[index];
      NoteAccess("exchange failed, load", atomic, *expected, failing, index != atomic.newest, from);
      return false;
    }
  }
  if (now == *expected && !(weak && Random(4) == 0)) {
    Put(&atomic, ModifyNext(atomic.stores, success), Masked(desired, size));
    NoteAccess("exchange", atomic, desired, success, false, from);
    return true;
  }
  LoadNewest(atomic.stores, failing);
  *expected = now;
  NoteAccess("exchange failed, load", atomic, now, failing, false, from);
  return false;
}

void Read(const void* place, size_t size, const void* from) {
  if (IsThreadLocal(place)) return;
  const Within model;
  ForEachWord(place, size, from, [&](Word* word) {
    CheckPlain(*word, "a load", false, from);
    const auto self = static_cast<size_t>(SelfIndex());
    word->read[self] = Tick();
    word->last_from[self] = from;
  });
}

void Write(const void* place, size_t size, const void* from) {
  if (IsThreadLocal(place)) return;
  const Within model;
  ForEachWord(place, size, from, [&](Word* word) { WriteWord(word, "a store", from); });
}

void Lock(const void* mutex) {
  const Within model;
  MaybeSwitch();
  while (execution->mutexes[mutex].held) {
    execution->mutexes[mutex].waiting.push_back(SelfIndex());
    Park();
  }
  ModelMutex& now = execution->mutexes[mutex];
  now.held = true;
  rl::foreach<kThreads>(Self().acq_rel_order_, now.released.data(), &rl::assign_max);
  Note("locked");
}

bool TryLock(const void* mutex) {
  const Within model;
  MaybeSwitch();
  ModelMutex& now = execution->mutexes[mutex];
  if (now.held) return false;
  now.held = true;
  rl::foreach<kThreads>(Self().acq_rel_order_, now.released.data(), &rl::assign_max);
  return true;
}

void Unlock(const void* mutex) {
  const Within model;
  ModelMutex& now = execution->mutexes[mutex];
  Tick();
  std::copy_n(Self().acq_rel_order_, kThreads, now.released.begin());
  Tick();
  now.held = false;
  for (const int thread : std::exchange(now.waiting, {})) Unpark(thread);
  Note("unlocked");
  MaybeSwitch();
}

void Yield() {
  const Within model;
  const Turn turn;
  Context().yield(1, rl::debug_info());
}

void Sleep(const uint32_t* word, uint32_t value) {
  const Within model;
  MaybeSwitch();
  if (*word != value) return;
  execution->asleep.emplace_back(word, SelfIndex());
  Note("sleeps");
  Park();
}

int Wake(const uint32_t* word, int count) {
  const Within model;
  MaybeSwitch();
  int woken = 0;
  std::erase_if(execution->asleep, [&](const auto& sleeper) {
    if (sleeper.first != word || woken == count) return false;
    ++woken;
    Unpark(sleeper.second);
    return true;
  });
  Note("wakes");
  return woken;
}

void Free(void* memory) {
  const Within model;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t end = begin + malloc_usable_size(memory);
  const void* const from = __builtin_return_address(0);
  for (auto& [place, word] : execution->words) {
    if (place < begin || place >= end) continue;
    if (!word.freed) CheckPlain(word, "the end of the memory's life", true, from);
    word.freed = true;
  }
  execution->freed.push_back({begin, end});
  execution->freed_memory.push_back(memory);
}

}  // namespace varve::memory_orders

namespace varve {

// In place of of_this_thread.cc and check.cc.
void AtThreadEnd(void (*end)(void*), void* argument) {
  using namespace memory_orders;  // NOLINT(google-build-using-namespace)
  const Within model;
  execution->ends[static_cast<size_t>(SelfIndex())].push_back({end, argument});
}

void CheckFailed(const char* condition, const char* file, int line) {
  using namespace memory_orders;  // NOLINT(google-build-using-namespace)
  const std::string what =
      std::string(file) + ":" + std::to_string(line) + ": CHECK failed: " + condition;
  if (execution == nullptr || !rl::is_ctx()) {
    std::fputs((what + "\n").c_str(), stderr);
    std::abort();
  }
  const Within model;
  Fail(what, rl::test_result_user_assert_failed);
}
void CheckFailed(const char* condition, uint64_t left, uint64_t right, const char* file, int line) {
  const std::string both =
      std::string(condition) + " (" + std::to_string(left) + ", " + std::to_string(right) + ")";
  CheckFailed(both.c_str(), file, line);
}

}  // namespace varve
