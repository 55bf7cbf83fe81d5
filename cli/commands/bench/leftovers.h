// SPDX-License-Identifier: Apache-2.0
// What a benchmark must not leave behind, whether it ends or is told to by SIGINT or SIGTERM: its
// temporary directories and the processes it started.
//
// While there is any, the two signals are kept from all threads started meanwhile and a thread of
// its own waits for them. When one comes it ends the processes, removes the directories and then
// lets the signal end this process as it would have at once. Thread-safe; the first and the last
// are to be made and dropped by the same thread, whose signal mask is changed between.
#pragma once

#include <sys/types.h>

#include <string>

#include "varve/result.h"

namespace varve::cli::bench {

class TemporaryDirectory {
 public:
  // An empty one of a name that begins with `prefix`, where the system keeps such.
  static Result<TemporaryDirectory> Create(const std::string& prefix);
  TemporaryDirectory() = default;  // None.
  TemporaryDirectory(TemporaryDirectory&& other) noexcept { path_.swap(other.path_); }
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept {
    path_.swap(other.path_);
    return *this;
  }
  ~TemporaryDirectory();  // Removes it with all that is in it.

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// A process from its start until somebody has waited for it.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t id);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

 private:
  const pid_t id_;
};

}  // namespace varve::cli::bench
