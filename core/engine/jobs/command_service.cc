// SPDX-License-Identifier: Apache-2.0
// A command for each job: NewCommandCompactionService().
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/engine/jobs/poll.h"
#include "core/format/file_name.h"
#include "core/format/manifest/remote_compaction.h"
#include "core/fs/complete_environment.h"
#include "varve/compaction_service.h"
#include "varve/file_system.h"

#ifndef __EMSCRIPTEN__
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "core/fs/posix_error.h"
#endif

namespace varve {
namespace {

// As one word for /bin/sh.
std::string Quoted(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string CommandFor(const std::string& command, const std::string& path) {
  constexpr std::string_view kPlace = "{job}";
  std::string words;
  size_t at = 0;
  for (size_t next = command.find(kPlace); next != std::string::npos;
       next = command.find(kPlace, at)) {
    words.append(command, at, next - at).append(Quoted(path));
    at = next + kPlace.size();
  }
  if (at == 0) return command + " " + Quoted(path);
  return words.append(command, at);
}

#ifdef __EMSCRIPTEN__

class CommandService : public CompactionService {
 public:
  CommandService(const Environment& /*env*/, const std::string& command)
      : name_("command:" + CommandFor(command, "")) {}
  std::string_view name() const override { return name_; }
  Status Schedule(const CompactionServiceJob& /*job*/) override {
    return Status::NotSupported("there are no processes here");
  }
  Result<bool> Wait(const CompactionServiceJob& /*job*/, uint64_t /*micros*/) override {
    return Status::NotSupported("there are no processes here");
  }
  void Cancel(const CompactionServiceJob& /*job*/) override {}

 private:
  const std::string name_;
};

#else

constexpr uint64_t kPatienceMicros = 2'000'000;  // Between SIGTERM and SIGKILL.

// What a child process gets instead of ours: no signal blocked or ignored, a process group of its
// own, nothing to read, and its output where our errors go.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawnattr_init(&attributes_);
    sigset_t none, reset;
    sigemptyset(&none);
    sigemptyset(&reset);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) sigaddset(&reset, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &reset);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  Result<pid_t> Spawn(const std::string& command) const {
    std::string shell = "/bin/sh", flag = "-c", words = command;
    char* const arguments[] = {shell.data(), flag.data(), words.data(), nullptr};
    pid_t child = 0;
    const int error =
        posix_spawn(&child, shell.c_str(), &actions_, &attributes_, arguments, environ);
    if (error != 0) return PosixError("/bin/sh", "posix_spawn", error);
    return child;
  }

 private:
  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t actions_;
};

class CommandService : public CompactionService {
 public:
  CommandService(const Environment& env, const std::string& command)
      : env_(Complete(env)), poll_(*env_.clock), command_(command), name_("command:" + command) {}

  std::string_view name() const override { return name_; }

  Status Schedule(const CompactionServiceJob& job) override {
    ASSIGN_OR_RETURN(const pid_t child, SpawnSettings().Spawn(CommandFor(command_, job.path)));
    MutexLock lock(mu_);
    children_[job.id] = child;
    return Status::Ok();
  }

  Result<bool> Wait(const CompactionServiceJob& job, uint64_t micros) override {
    const pid_t child = ChildOf(job);
    if (child == 0) return Status::InvalidArgument("job " + job.id + " has no process");
    const std::optional<int> status = Reap(child, micros);
    if (!status) return false;
    {
      MutexLock lock(mu_);
      children_.erase(job.id);
    }
    if (WIFSIGNALED(*status)) {
      return Status::IoError("the command was ended by signal " +
                             std::to_string(WTERMSIG(*status)));
    }
    // With another code, too, there may be a result that says why.
    if (WEXITSTATUS(*status) == 0 ||
        env_.file_system->Exists(JoinPath(job.folder, std::string(kRemoteResultName))))
      return true;
    return Status::IoError("the command ended with code " + std::to_string(WEXITSTATUS(*status)));
  }

  void Cancel(const CompactionServiceJob& job) override {
    const pid_t child = ChildOf(job);
    if (child == 0) return;
    kill(-child, SIGTERM);
    if (!Reap(child, kPatienceMicros)) {
      kill(-child, SIGKILL);
      while (!Reap(child, kPatienceMicros)) {
      }
    }
    MutexLock lock(mu_);
    children_.erase(job.id);
  }

 private:
  pid_t ChildOf(const CompactionServiceJob& job) {
    MutexLock lock(mu_);
    const auto it = children_.find(job.id);
    return it == children_.end() ? 0 : it->second;
  }

  // The status of the process once it has ended; nullopt if it has not after `micros`.
  std::optional<int> Reap(pid_t child, uint64_t micros) {
    return poll_.Until(micros, [child]() -> std::optional<int> {
      int status = 0;
      const pid_t ended = waitpid(child, &status, WNOHANG);
      if (ended == child) return status;
      // Somebody else in this process has waited for it.
      if (ended < 0 && errno == ECHILD) return 0;
      return std::nullopt;
    });
  }

  const Environment env_;
  Poll poll_;
  const std::string command_, name_;
  Mutex mu_;
  std::map<std::string, pid_t> children_ GUARDED_BY(mu_);
};

#endif

}  // namespace

std::unique_ptr<CompactionService> NewCommandCompactionService(const Environment& env,
                                                               const std::string& command) {
  return std::make_unique<CommandService>(env, command);
}

}  // namespace varve
