// SPDX-License-Identifier: Apache-2.0
// Cleans up after a command, whether it ends normally or by SIGINT, SIGTERM or SIGHUP: temporary
// files and directories, unfinished results, child processes.
//
// While there is something to clean up, the signals are blocked in all threads started meanwhile,
// and a dedicated thread waits for them. On a signal it ends the child processes, removes the files
// and then lets the signal end this process. Thread-safe; the first object must be made, and the
// last one destroyed, by the same thread, whose signal mask changes in between, and before starting
// threads that should not get the signals.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "varve/result.h"

namespace varve::cli {

// Does not return if a signal has arrived: the watching thread will end the process. To be called
// before making something final: a signal often ends the producer of a command's input as well, and
// truncated input must not pass for complete.
void EndIfSignalled();

// Removes everything that a signal would remove. The process is about to end: nothing may be made
// afterwards. Does nothing while another thread registers something.
void RemoveLeftovers();

// To be called with errno after a failed write to standard output or error. If its reader has gone
// away, removes everything that a signal would remove, and ends the process by SIGPIPE, unless that
// is ignored.
void EndIfPipeClosed(int error);

// Starts watching signals before there is anything to clean up: make one before starting threads if
// something may follow.
class LeftoverWatch {
 public:
  LeftoverWatch();
  LeftoverWatch(const LeftoverWatch&) = delete;
  LeftoverWatch& operator=(const LeftoverWatch&) = delete;
  ~LeftoverWatch();
};

// A file or directory that is removed with its contents, unless it is kept. It need not exist yet.
// What existed before stays: in an existing directory, only new files are removed.
class TemporaryPath {
 public:
  // The contents of a path at some moment.
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
  // Keeps it: it is complete.
  void Keep();

 private:
  const std::string path_;
  bool kept_ = false;
};

// An empty directory for temporary files.
class TemporaryDirectory {
 public:
  // With a name that begins with `prefix`, in the system's directory for temporary files.
  static Result<TemporaryDirectory> Create(const std::string& prefix);
  // With this name. An existing one was left behind by a killed process and is emptied.
  static Result<TemporaryDirectory> CreateAt(const std::string& path);
  TemporaryDirectory() = default;  // None.

  const std::string& path() const { return entry_->path(); }

 private:
  explicit TemporaryDirectory(std::unique_ptr<TemporaryPath> entry) : entry_(std::move(entry)) {}
  std::unique_ptr<TemporaryPath> entry_;
};

// A process from its start until it was waited for.
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
