// SPDX-License-Identifier: Apache-2.0
#include "core/python/open_db.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/python/errors.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

// Counts forks, from the first process to this one. Guarded by the GIL.
uint64_t this_process = 0;

// Neither destroyed nor reported as lost by leak checkers.
void KeepForever(std::shared_ptr<void> object) {
  static auto* const kept = new std::vector<std::shared_ptr<void>>;
  kept->push_back(std::move(object));
}

}  // namespace

WithoutGil::~WithoutGil() {
  try {
    PyEval_RestoreThread(state_);
  } catch (...) {  // Of pthread_exit(). It must not be left.
    for (;;) pause();
  }
}

void EndWithoutMemory() {
  constexpr std::string_view kWhy = "varve: out of memory\n";
  // Nothing can be done about a broken standard error.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kWhy.data(), kWhy.size());
  std::abort();  // Python's faulthandler shows where.
}

OpenDb::OpenDb(std::shared_ptr<DB> db, bool read_only)
    : db_(std::move(db)), path_(db_->path()), read_only_(read_only), process_(this_process) {}

OpenDb::~OpenDb() { Dispose(std::move(db_)); }

bool OpenDb::forked() const { return process_ != this_process; }

Status OpenDb::State() const {
  if (db_ == nullptr) return Status::Shutdown("the database is closed");
  if (!forked()) return Status::Ok();
  return Status::NotSupported(
      "the database was opened before this process was forked: open it in each process");
}

void OpenDb::CheckOpen() const { Check(State()); }

std::shared_ptr<DB> OpenDb::Use() const {
  CheckOpen();
  return db_;
}

void OpenDb::Close() {
  if (db_ == nullptr || forked()) return;
  std::shared_ptr<DB> db = std::move(db_);
  std::vector<std::shared_ptr<void>> released;
  for (Dependent* dependent : dependents_) released.push_back(dependent->Release());
  Check(UnlockedChange([&] {
    released.clear();
    Status closed = db->Close();
    db.reset();  // Unless another thread is in a call.
    return closed;
  }));
}

void OpenDb::Dispose(std::shared_ptr<void> object) const {
  if (object == nullptr) return;
  if (forked()) {
    KeepForever(std::move(object));
  } else {
    Unlocked([&] { object.reset(); });
  }
}

void WatchForks() {
  const int failed = pthread_atfork(nullptr, nullptr, [] { ++this_process; });
  if (failed != 0) throw std::bad_alloc();  // The only reason that it may have.
}

}  // namespace varve::python
