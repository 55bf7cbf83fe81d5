// SPDX-License-Identifier: Apache-2.0
// What a command must not leave behind, whether it ends or is told to by SIGINT, SIGTERM or SIGHUP:
// its temporary files and directories, results that are not finished, the processes it started.
//
// While there is any, the signals are kept from all threads started meanwhile and a thread of its
// own waits for them. When one comes it ends the processes, removes the files and then lets the
// signal end this process as it would have at once. Thread-safe; the first and the last are to be
// made and dropped by the same thread, whose signal mask is changed between, and the first before
// the threads that are to be spared the signals.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "varve/result.h"

namespace varve::cli {

// Does not return if one of the signals has come: the watching thread is about to end the process.
// For whoever is going to make something final: what ends a command often ends its input, too, and
// an input that was cut short must not pass for a whole one.
void EndIfSignalled();

// Makes the signals wait for what is left over from here on, though there is nothing yet: made
// before threads are started by whoever will have something later.
class LeftoverWatch {
 public:
  LeftoverWatch();
  LeftoverWatch(const LeftoverWatch&) = delete;
  LeftoverWatch& operator=(const LeftoverWatch&) = delete;
  ~LeftoverWatch();
};

// A file or directory that is to be gone again, with all in it, unless it is kept: it may come to
// be later. What was there before stays: of a directory, what comes to be in it goes.
class TemporaryPath {
 public:
  // What is at a path at some moment.
  struct Before {
    static Before Nothing() { return {}; }
    static Before Of(const std::string& path);
    bool is_file = false;
    std::optional<std::set<std::string>> names;  // Of a directory.
  };

  explicit TemporaryPath(std::string path) : TemporaryPath(path, Before::Of(path)) {}
  TemporaryPath(std::string path, Before before);
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath();

  const std::string& path() const { return path_; }
  // It has become what it was made for.
  void Keep();

 private:
  const std::string path_;
  bool kept_ = false;
};

// An empty directory for files that are needed for a while.
class TemporaryDirectory {
 public:
  // Of a name that begins with `prefix`, where the system keeps such.
  static Result<TemporaryDirectory> Create(const std::string& prefix);
  // Of this name. One that is there was left behind by a process that was killed: it is cleared.
  static Result<TemporaryDirectory> CreateAt(const std::string& path);
  TemporaryDirectory() = default;  // None.

  const std::string& path() const { return entry_->path(); }

 private:
  explicit TemporaryDirectory(std::unique_ptr<TemporaryPath> entry) : entry_(std::move(entry)) {}
  std::unique_ptr<TemporaryPath> entry_;
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

}  // namespace varve::cli
