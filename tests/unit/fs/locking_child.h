// SPDX-License-Identifier: Apache-2.0
// A child process that has a lock, as if another program had opened the database.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace varve {

class LockingChild {
 public:
  // `lock` is called by the child, and says whether it got the lock, which the child has when this
  // returns.
  explicit LockingChild(const std::function<bool()>& lock) {
    int held[2], done[2];
    REQUIRE(::pipe(held) == 0);
    REQUIRE(::pipe(done) == 0);
    char byte = 0;
    child_ = ::fork();
    if (child_ == 0) {
      ::close(done[1]);
      const bool told = ::write(held[1], lock() ? "y" : "n", 1) == 1;
      ::_exit(told && ::read(done[0], &byte, 1) == 0 ? 0 : 1);  // Until the parent closes its end.
    }
    ::close(done[0]);
    ::close(held[1]);
    done_ = done[1];
    const bool told = ::read(held[0], &byte, 1) == 1;
    ::close(held[0]);
    REQUIRE(told);
    REQUIRE(byte == 'y');
  }
  ~LockingChild() { End(); }
  LockingChild(const LockingChild&) = delete;
  LockingChild& operator=(const LockingChild&) = delete;

  // The child is gone when this returns, and its lock with it.
  void End() {
    if (done_ < 0) return;
    ::close(done_);
    done_ = -1;
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = -1;
  int done_ = -1;
};

}  // namespace varve
