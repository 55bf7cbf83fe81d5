// SPDX-License-Identifier: Apache-2.0
// OpenDb is what all Python objects of one open database share: the engine, and the rules of who
// may use it when.
//
// The engine must outlive its iterators, snapshots and values; Python destroys objects in any
// order, closes databases while other threads read them, and forks. So:
//   - A call takes a reference to the engine (Use()) with the GIL held and works with it while the
//     GIL is released. The engine is destroyed when the last call is done.
//   - close() takes the engine away: later calls raise Shutdown. What iterators and snapshots hold
//     of the engine is released then (Held), although their Python objects live on.
//   - Without close(), the database is closed when the last Python object of it is gone.
//   - In a child process that was forked, calls raise, and nothing of the engine is destroyed: its
//     threads are not there, its locks may be held, and its files are the parent's.
// The GIL guards all members: every function needs it, unless it says otherwise.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "varve/db.h"

namespace varve::python {

// Releases the GIL for as long as it lives. When the interpreter ends meanwhile, a thread other
// than the one that ends it stays in the destructor for good, as CPython 3.14 has it: older ones
// end such threads by unwinding them, which ends the process if it comes upon a destructor.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* const state_;
};

// Sets a flag for as long as it lives.
class Raised {
 public:
  explicit Raised(bool* flag) : flag_(flag) { *flag_ = true; }
  ~Raised() { *flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool* flag_;
};

// Runs a call of the engine, which knows nothing of Python, while other threads of Python go on.
template <typename Call>
auto Unlocked(Call&& call) {
  const WithoutGil unlocked;
  return std::forward<Call>(call)();
}

// Ends the process with a message.
[[noreturn]] void EndWithoutMemory();

// For calls that change the database. If one has no memory, the process ends, as by a crash, which
// loses no acknowledged write: std::bad_alloc that passed through the engine would leave its locks
// held, and a later call would wait forever (core/base/out_of_memory.h).
template <typename Call>
auto OrEnd(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const std::bad_alloc&) {
    EndWithoutMemory();
  }
}
template <typename Call>
auto UnlockedChange(Call&& call) {
  return Unlocked([&] { return OrEnd(call); });
}

// What holds something of the engine that must be gone before the engine is.
class Dependent {
 public:
  virtual ~Dependent() = default;
  // Gives it away. It holds nothing from then on.
  virtual std::shared_ptr<void> Release() = 0;
};

class OpenDb {
 public:
  OpenDb(std::shared_ptr<DB> db, bool read_only);
  ~OpenDb();
  OpenDb(const OpenDb&) = delete;
  OpenDb& operator=(const OpenDb&) = delete;

  // The engine, for one call. Raises Shutdown after Close(), and Error in a forked child.
  std::shared_ptr<DB> Use() const;
  // Raises as Use() does.
  void CheckOpen() const;
  // What that would raise.
  Status State() const;
  // Waits for the engine to close. Calls of other threads end as the engine ends them. A second
  // call does nothing, nor does one in a forked child, where there is nothing to close.
  void Close();

  bool closed() const { return db_ == nullptr; }
  bool read_only() const { return read_only_; }
  const std::string& path() const { return path_; }

  // Until it is detached, Close() releases it.
  void Attach(Dependent* dependent) { dependents_.insert(dependent); }
  void Detach(Dependent* dependent) { dependents_.erase(dependent); }
  // Destroys an object of the engine, which may take a while: releases the GIL meanwhile.
  void Dispose(std::shared_ptr<void> object) const;

 private:
  bool forked() const;

  std::shared_ptr<DB> db_;  // Null once it is closed.
  const std::string path_;
  const bool read_only_;
  const uint64_t process_;
  std::set<Dependent*> dependents_;
};

// An object of the engine that lives as long as its Python object, but not beyond close().
template <typename T>
class Held final : public Dependent {
 public:
  Held(std::shared_ptr<OpenDb> open, std::shared_ptr<T> object)
      : open_(std::move(open)), object_(std::move(object)) {
    open_->Attach(this);
  }
  ~Held() override { Drop(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // Null once it was released or dropped.
  std::shared_ptr<T> Use() const { return object_; }
  // Destroys it now.
  void Drop() {
    open_->Detach(this);
    open_->Dispose(std::move(object_));
  }
  std::shared_ptr<void> Release() override { return std::move(object_); }

 private:
  const std::shared_ptr<OpenDb> open_;
  std::shared_ptr<T> object_;
};

// Has the databases that are open be unusable in children that are forked from now on.
void WatchForks();

}  // namespace varve::python
